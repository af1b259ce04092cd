// SPDX-License-Identifier: Apache-2.0
// Whole paths that are stopped, or whose work is used up, claim nothing that was not tested.
#include "touche/path.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "motion_kinds.h"
#include "path_judge.h"
#include "requested_cancel.h"
#include "sanitized.h"
#include "shapes.h"

namespace touche::path_budget_test {
namespace {

using test::box;
using test::judge;
using test::kPi;
using test::shifted;

const Motion kStill = test::still();

TEST(Path, ABudgetLeavesItUndecided) {
  const Object a(scenes::bumpy_sphere(500, 1)), b(scenes::bumpy_sphere(500, 2));
  const Motion motion = shifted({-4, 0, 0}, {4, 0.1, 0});
  const PathResult r =
      path(a, motion, b, kStill, {.tolerance = 1e-6, .profile = false, .budget = {.max_work = 3}});
  EXPECT_EQ(r.verdict, PathVerdict::undecided);
  EXPECT_LT(r.decided_until, 1);
  const Cancel cancel = test::requested();
  const PathResult stopped =
      path(a, motion, b, kStill, {.tolerance = 1e-6, .budget = {.cancel = cancel}});
  EXPECT_EQ(stopped.verdict, PathVerdict::undecided);
  EXPECT_TRUE(stopped.samples.empty());
}

// However early the work is used up, only tested properties of a contact are reported.
TEST(Path, ABudgetClaimsNothingOfContacts) {
  const Object a(scenes::bumpy_sphere(500, 1)), b(scenes::bumpy_sphere(500, 2));
  // Straight in, and out again turning, which takes longer to search.
  const Pose met = Pose::from_translation({-1.5, 0, 0});
  const Motion legs[] = {shifted({-4, 0, 0}, {-1.5, 0, 0}),
                         Motion::screw(met, Vec3::Zero(), Vec3::UnitX(), 12 * kPi, -3)};
  const Motion motion = Motion::chain(legs);
  int left_open = 0;
  for (double work = 10; work < 1e5; work *= 1.5) {
    const PathResult r = path(a, motion, b, kStill,
                              {.tolerance = 1e-6,
                               .profile = false,
                               .thickness_points = 0,
                               .budget = {.max_work = static_cast<std::uint64_t>(work)}});
    for (const ContactInterval& c : r.contacts) {
      EXPECT_EQ(c.max_thickness, kInfinity);  // nobody looked
      EXPECT_EQ(c.deepest.diameter.upper, kInfinity);
    }
    left_open += r.verdict != PathVerdict::free && !r.contacts.empty() && r.decided_until < 1;
    judge(a, motion, b, kStill, r, 50);
  }
  EXPECT_GT(left_open, 0);
}

// If the path is stopped, containment is not reported as excluded.
TEST(Path, StoppedItKnowsOfNoContainment) {
  const Object small = box({-1, -1, -1}, {1, 1, 1}), large = box({-4, -4, -4}, {4, 4, 4});
  const Cancel cancel = test::requested();
  const PathResult r = path(small, shifted({0, 0, 0}, {1, 1, 1}), large, kStill,
                            {.tolerance = 1e-6, .budget = {.cancel = cancel}});
  EXPECT_EQ(r.verdict, PathVerdict::undecided);
  EXPECT_EQ(r.before, Containment::undecided);
  EXPECT_EQ(PathResult().before, Containment::undecided);
  EXPECT_EQ(ContactInterval().after, Containment::undecided);
}

// A block slides on a table. Whenever the path is stopped, no clash is reported.
TEST(Path, StoppedItTakesNoTouchForAClash) {
  const Object block = box({0, -1, 0}, {2, 1, 2}), table = box({-9, -9, -1}, {9, 9, 0});
  int left_open = 0;
  bool finished = false;
  for (int most = 1; most < 1'000'000 && !finished; most += 1 + most / 4) {
    const Cancel cancel;
    std::atomic<int> asked = 0;
    const Motion slides = Motion::function(
        [&](double t) {
          if (++asked > most) cancel.request();
          return Pose::from_translation({4 * t, 0, 0});
        },
        4, 0);
    const PathResult r = path(block, slides, table, kStill,
                              {.tolerance = 0.05,
                               .step = 1.0 / 16,
                               .profile = false,
                               .threads = 1,
                               .budget = {.cancel = cancel}});
    finished = !cancel.requested();
    EXPECT_NE(r.verdict, PathVerdict::clash) << most;
    left_open += r.verdict == PathVerdict::undecided && !r.contacts.empty() && r.decided_until == 1;
    if (finished) {
      EXPECT_EQ(r.verdict, PathVerdict::touching);
    }
  }
  EXPECT_TRUE(finished);
  EXPECT_GT(left_open, 0);
}

// Stopped while it looks for a contact, at once and not when that is found.
TEST(Path, StopsSoon) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Motion turns = Motion::screw(Pose::from_translation({2.6, 0, 0}), Vec3(2.6, 0, 0),
                                     Vec3(1, 2, 3), 1e5 * kPi, 0);
  const Cancel cancel;
  std::atomic<bool> ended = false;
  double seconds = kInfinity;
  // Processor time: others may use the machine at the same time.
  const auto seconds_since = [](std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  std::thread asker([&] {
    const auto wait_until = [&](const auto& holds) {
      while (!ended && !holds()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    const std::clock_t begin = std::clock();
    wait_until([&] { return seconds_since(begin) > 0.1; });
    const std::clock_t stopped = std::clock();
    cancel.request();
    wait_until([] { return false; });
    seconds = seconds_since(stopped);
  });
  const PathResult r =
      path(a, turns, b, kStill, {.tolerance = 1e-6, .threads = 2, .budget = {.cancel = cancel}});
  ended = true;
  asker.join();
  EXPECT_EQ(r.verdict, PathVerdict::undecided);
  EXPECT_LT(r.decided_until, 1);
  EXPECT_LT(seconds, test::seconds_allowed(8));  // a few tenths
}

// The distance query at a sample of the clearance is given up, too, if the path is stopped while it
// runs.
TEST(Path, StopsWithinADistance) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const auto place = [](double t) { return Pose::from_translation({2.6, 0, 0.1 * t}); };
  // The samples are at 0, 1/3, 2/3 and 1. The pose of b at the second one is queried before its
  // distance is measured, and once before that, to find out whether it differs from the pose at the
  // sample before.
  const Cancel cancel;
  int asked = 0;
  const Motion rising = Motion::function(
      [&](double t) {
        if (t > 0.3 && t < 0.4 && ++asked == 2) cancel.request();
        return place(t);
      },
      0.1, 0);
  const PathResult r = path(a, kStill, b, rising,
                            {.tolerance = 1e-6,
                             .step = 1.0 / 3,
                             .apart_until = 1,
                             .threads = 1,
                             .budget = {.cancel = cancel}});
  EXPECT_TRUE(cancel.requested());
  EXPECT_EQ(r.verdict, PathVerdict::undecided);
  EXPECT_TRUE(r.samples.empty());
  const auto work = [](const QueryStats& s) { return s.volume_tests + s.primitive_tests; };
  const std::uint64_t first = work(distance(a, Pose(), b, place(0)).stats);
  EXPECT_GE(work(r.stats), first);
  EXPECT_LT(work(r.stats), first + first / 2);
}

}  // namespace
}  // namespace touche::path_budget_test
