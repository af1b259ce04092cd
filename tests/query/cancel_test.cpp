// SPDX-License-Identifier: Apache-2.0
// Queries are cancelled by other threads and by signal handlers, and report their progress.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "progress_record.h"
#include "shapes.h"
#include "touche/batch.h"
#include "touche/self_contact.h"
#include "touche/touche.h"

namespace touche {
namespace {

using namespace std::chrono_literals;

// ---- the flag -----------------------------------------------------------------------------------

TEST(Cancel, CopiesShareOneFlag) {
  const Cancel cancel, other;
  const Cancel copy = cancel;
  EXPECT_TRUE(copy == cancel);
  EXPECT_FALSE(copy == other);
  EXPECT_FALSE(cancel.requested());
  copy.request();
  copy.request();
  EXPECT_TRUE(cancel.requested());
  EXPECT_FALSE(other.requested());
}

TEST(Cancel, NeverIsNeverRequested) {
  const Budget budget;
  EXPECT_TRUE(budget.cancel == Cancel::never());
  budget.cancel.request();
  EXPECT_FALSE(budget.cancel.requested());
  EXPECT_FALSE(budget.expired());
}

TEST(Cancel, OfABudgetWithNamedMembers) {
  const Cancel cancel;
  const Budget budget = {.max_work = 100'000, .cancel = cancel};
  EXPECT_EQ(budget.max_work, 100'000u);
  EXPECT_FALSE(budget.expired());
  cancel.request();
  EXPECT_TRUE(budget.expired());
}

// What is moved from is copied: the flag stays where the caller requests it.
TEST(Cancel, IsNotLostByMoving) {
  Cancel cancel;
  Budget budget{.cancel = std::move(cancel)};
  const Budget moved = std::move(budget);
  cancel.request();  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(moved.expired());
}

TEST(Cancel, OutlivesTheScopeThatMadeIt) {
  auto cancel = std::make_unique<Cancel>();
  const Budget budget{.cancel = *cancel};
  std::thread late([copy = *cancel] { copy.request(); });
  cancel.reset();
  late.join();
  EXPECT_TRUE(budget.expired());
}

// ---- queries that are cancelled -----------------------------------------------------------------

// The speed is declared to be up to 1, so each test proves little: the search is long.
template <class At>
ToiResult long_search(const Cancel& cancel, const At& at) {
  const Object a(scenes::box({-1, -1, -1}, {1, 1, 1}, 4));
  const Motion rest = Motion::function(
      [&](double t) {
        at(t);
        return Pose::from_translation({2.001, 0, 0});
      },
      1, 0);
  return time_of_impact(a, Motion::at({}), a, rest,
                        {.tolerance = 1e-9, .budget = {.cancel = cancel}});
}

TEST(Cancel, FromAnotherThread) {
  std::thread canceller;
  const ToiResult r = [&] {
    const Cancel cancel;
    return long_search(cancel, [&](double t) {
      if (t > 0.1 && !canceller.joinable()) {
        canceller = std::thread([cancel] { cancel.request(); });
        while (!cancel.requested()) std::this_thread::yield();
      }
    });
  }();
  canceller.join();
  EXPECT_EQ(r.status, ToiStatus::undecided);
  EXPECT_GT(r.time.lower, 0.1);
  EXPECT_LT(r.time.lower, 0.9);
}

TEST(Cancel, FromASignalHandler) {
  static const Cancel interrupted;
  const auto before = std::signal(SIGINT, [](int) { interrupted.request(); });
  const ToiResult r = long_search(interrupted, [](double t) {
    if (t > 0.1 && !interrupted.requested()) (void)std::raise(SIGINT);
  });
  std::signal(SIGINT, before);
  EXPECT_TRUE(interrupted.requested());
  EXPECT_EQ(r.status, ToiStatus::undecided);
  EXPECT_GT(r.time.lower, 0.1);
  EXPECT_LT(r.time.lower, 0.9);
}

// ---- progress -----------------------------------------------------------------------------------

TEST(Progress, BeginsAtZeroAndEndsAtTheTotal) {
  for (const int threads : {0, 1, 2, 4}) {
    test::ProgressRecord progress;
    std::vector<std::size_t> told;
    const auto record = progress.function();
    EXPECT_TRUE(for_each_in_parallel(
        200, [](std::size_t) { std::this_thread::sleep_for(1ms); },
        {.threads = threads, .budget = {.progress = [&](std::size_t done, std::size_t total) {
                               record(done, total);
                               told.push_back(done);
                             }}}));
    ASSERT_GE(told.size(), 2u);
    EXPECT_EQ(told.front(), 0u);
    EXPECT_EQ(told.back(), 200u);
    EXPECT_EQ(progress.total, 200u);
  }
}

TEST(Progress, OfNothingIsToldOnce) {
  test::ProgressRecord progress;
  EXPECT_TRUE(
      for_each_in_parallel(0, [](std::size_t) {}, {.budget = {.progress = progress.function()}}));
  EXPECT_EQ(progress.calls, 1u);
  EXPECT_EQ(progress.total, 0u);
}

TEST(Progress, IsToldAtALimitedRate) {
  test::ProgressRecord progress;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(for_each_in_parallel(1'000'000, [](std::size_t) {},
                                   {.threads = 2, .budget = {.progress = progress.function()}}));
  const auto intervals = (std::chrono::steady_clock::now() - start) / 40ms;  // of 50, and rounding
  EXPECT_EQ(progress.done, 1'000'000u);
  EXPECT_LE(progress.calls, static_cast<std::size_t>(3 + intervals));
}

struct NoMore : std::runtime_error {
  NoMore() : std::runtime_error("no more") {}
};

TEST(Progress, AnExceptionEndsTheQuery) {
  for (const int threads : {0, 1, 2}) {
    std::atomic<std::size_t> done = 0;
    const auto query = [&](std::size_t most) {
      return for_each_in_parallel(
          10'000,
          [&](std::size_t) {
            ++done;
            std::this_thread::sleep_for(1ms);
          },
          {.threads = threads, .budget = {.progress = [most](std::size_t now, std::size_t) {
                                 if (now >= most) throw NoMore();
                               }}});
    };
    EXPECT_THROW((void)query(0), NoMore);
    EXPECT_EQ(done, 0u);
    EXPECT_THROW((void)query(1), NoMore);
    EXPECT_GT(done, 0u);
    EXPECT_LT(done, 10'000u);
  }
}

TEST(Progress, AnExceptionEndsBuilding) {
  const PolygonSoup soup = scenes::bumpy_sphere(2000, 1);
  for (const int threads : {0, 1, 2}) {
    const auto refuse = [](std::size_t done, std::size_t total) {
      if (done == total) throw NoMore();
    };
    EXPECT_THROW((void)Object(soup, {}, {.threads = threads, .progress = refuse}), NoMore);
    test::ProgressRecord progress;
    const Object object(soup, {}, {.threads = threads, .progress = progress.function()});
    EXPECT_EQ(progress.done, soup.triangle_count());
    EXPECT_EQ(progress.total, soup.triangle_count());
  }
  test::ProgressRecord of_few;
  const Object few(scenes::box({0, 0, 0}, {1, 1, 1}), {}, {.progress = of_few.function()});
  EXPECT_EQ(of_few.done, few.soup().triangle_count());
}

// The object stays usable.
TEST(Progress, AnExceptionLeavesASelfContactAsItWas) {
  const PolygonSoup soup = scenes::bumpy_sphere(200, 3);
  std::vector<double> start, end;
  for (Index v = 0; v < soup.vertex_count(); ++v)
    for (int k = 0; k < 3; ++k) {
      start.push_back(soup.vertex(v)[k]);
      end.push_back((k == 0 ? -1 : 1) * soup.vertex(v)[k]);
    }
  SelfContact self(soup);
  const SelfImpact before = self.first_contact(start, end);
  const auto refuse = [](std::size_t done, std::size_t) {
    if (done > 0) throw NoMore();
  };
  EXPECT_THROW((void)self.first_contact(start, end, {.budget = {.progress = refuse}}), NoMore);
  const SelfImpact after = self.first_contact(start, end);
  EXPECT_EQ(after.t, before.t);
  EXPECT_EQ(after.pairs, before.pairs);
}

// A query in the function may wait for other threads, and meanwhile continue with the outer one.
TEST(Progress, MayMakeQueriesAndCancel) {
  const Object a(scenes::bumpy_sphere(500, 1));
  const std::vector<Pose> poses(50, Pose::from_translation({1.5, 0, 0}));
  const Cancel cancel;
  int within = 0;
  const auto look = [&](std::size_t done, std::size_t) {
    EXPECT_EQ(within, 0);
    ++within;
    const auto inner = batch(poses, [&](const Pose& pose) { return intersects(a, {}, a, pose); });
    EXPECT_TRUE(inner.complete);
    --within;
    if (done > 0) cancel.request();
  };
  EXPECT_FALSE(for_each_in_parallel(10'000, [](std::size_t) { std::this_thread::sleep_for(1ms); },
                                    {.budget = {.cancel = cancel, .progress = look}}));
}

}  // namespace
}  // namespace touche
