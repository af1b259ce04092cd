// SPDX-License-Identifier: Apache-2.0
// Queries that are stopped say so, and their partial results are true nevertheless.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/budget_part.h"
#include "moved_vertices.h"
#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/touche.h"

namespace touche::budget_test {
namespace {

using scenes::Random;

/// Budgets that are used up before the first look.
std::vector<Budget> used_up() {
  return {{.max_work = 0},
          {.deadline = Budget::Clock::now() - std::chrono::seconds(1)},
          {.cancel = test::requested()}};
}

struct Scene {
  Object a = Object(scenes::bumpy_sphere(600, 1)), b = Object(scenes::bumpy_sphere(600, 2));
  Pose crossing = Pose::from_translation({1.2, 0.1, 0.2});
  Pose apart = Pose::from_translation({1.9, 1.9, 1.9});  // the boxes around both overlap
};

// Calls check for the fast query and for its reference implementation.
template <class Fast, class Slow, class Check>
void both(const Fast& fast, const Slow& slow, const Check& check) {
  check(fast);
  check(slow);
}

TEST(Budget, UsedUpNothingIsDecided) {
  const Scene s;
  for (const Budget& budget : used_up())
    for (const Pose& pose : {s.crossing, s.apart}) {
      both([&] { return intersects(s.a, {}, s.b, pose, budget); },
           [&] { return brute_force::intersects(s.a, {}, s.b, pose, budget); },
           [](const auto& ask) {
             const IntersectsResult r = ask();
             EXPECT_FALSE(r.complete);
             EXPECT_FALSE(r.intersects);
             EXPECT_TRUE(static_cast<bool>(r));  // not proved apart
           });
      both([&] { return intersecting_faces(s.a, {}, s.b, pose, budget); },
           [&] { return brute_force::intersecting_faces(s.a, {}, s.b, pose, budget); },
           [](const auto& ask) { EXPECT_FALSE(ask().complete); });
      both([&] { return contacts(s.a, {}, s.b, pose, {.budget = budget}); },
           [&] { return brute_force::contacts(s.a, {}, s.b, pose, {.budget = budget}); },
           [](const auto& ask) { EXPECT_FALSE(ask().complete); });
      both([&] { return distance(s.a, {}, s.b, pose, {.budget = budget}); },
           [&] { return brute_force::distance(s.a, {}, s.b, pose, {.budget = budget}); },
           [](const auto& ask) {
             const DistanceResult r = ask();
             EXPECT_FALSE(r.complete);
             EXPECT_EQ(r.distance, Bracket());
             EXPECT_FALSE(r.closest);
           });
      const Motion motion = Motion::interpolated(pose, s.crossing);
      const double first =
          time_of_impact(s.a, Motion::at({}), s.b, motion, {.tolerance = 1e-6}).time.upper;
      const ToiOptions how{.tolerance = 1e-6, .budget = budget};
      both([&] { return time_of_impact(s.a, Motion::at({}), s.b, motion, how); },
           [&] { return brute_force::time_of_impact(s.a, Motion::at({}), s.b, motion, how); },
           [&](const auto& ask) {
             const ToiResult r = ask();
             EXPECT_EQ(r.status, ToiStatus::undecided);
             EXPECT_EQ(r.time.lower, 0);
             EXPECT_EQ(r.time.upper, kInfinity);
           });
      const PathResult way = path(s.a, Motion::at({}), s.b, motion,
                                  {.tolerance = 1e-6, .step = 0.1, .budget = budget});
      EXPECT_EQ(way.verdict, PathVerdict::undecided);
      EXPECT_LE(way.decided_until, first);
      const Thickness thick =
          overlap_thickness(Interior(s.a), {}, Interior(s.b), s.crossing,
                            {.max_points = budget.max_work, .budget = base::with_any_work(budget)});
      EXPECT_FALSE(thick.complete);
      EXPECT_LT(thick.diameter.lower, thick.diameter.upper);
    }
}

// A budget of no work allows no test at all. If the roots alone decide, a budget of one is enough:
// rods that rotate so slowly that they stay apart.
TEST(Budget, NoWorkIsNoLook) {
  const Object rod(scenes::box({-100, -0.1, -0.1}, {100, 0.1, 0.1}));
  const Pose above = Pose::from_axis_angle(Vec3::UnitZ(), 1, {0, 0, 1});
  const Motion still = Motion::at({}),
               turn = Motion::interpolated(above,
                                           Pose::from_axis_angle(Vec3::UnitZ(), 1.1, {0, 0, 1}));
  ToiOptions how{.tolerance = 1e-6, .t_start = 0.25, .budget = {.max_work = 0}};
  const ToiResult none = time_of_impact(rod, still, rod, turn, how);
  EXPECT_EQ(none.status, ToiStatus::undecided);
  EXPECT_EQ(none.time.lower, how.t_start);
  EXPECT_EQ(none.stats.volume_tests + none.stats.work(), 0u);
  how.budget.max_work = 1;
  EXPECT_EQ(time_of_impact(rod, still, rod, turn, how).status, ToiStatus::free);
}

// Whatever the work allowed: a part of the answer, or all of it.
TEST(Budget, PartsOfAnswersAreTrue) {
  const Scene s;
  const auto pairs = intersecting_faces(s.a, {}, s.b, s.crossing).pairs;
  const std::size_t contact_count = contacts(s.a, {}, s.b, s.crossing).contacts.size();
  const double gap = distance(s.a, {}, s.b, s.apart).distance.upper;
  const Motion still = Motion::at({}), motion = Motion::interpolated(s.apart, s.crossing);
  const double first = time_of_impact(s.a, still, s.b, motion, {.tolerance = 1e-6}).time.upper;
  ASSERT_FALSE(pairs.empty());
  int complete = 0, stopped = 0;
  const auto count = [&](bool whole) { ++(whole ? complete : stopped); };
  for (std::uint64_t work = 1; work < 20'000; work += 1 + work / 2) {
    const Budget budget{.max_work = work};
    const IntersectsResult crosses = intersects(s.a, {}, s.b, s.crossing, budget);
    EXPECT_EQ(crosses.complete, crosses.intersects);
    const IntersectsResult misses = intersects(s.a, {}, s.b, s.apart, budget);
    EXPECT_FALSE(misses.intersects);
    EXPECT_EQ(static_cast<bool>(misses), !misses.complete);
    count(misses.complete);

    const FacePairsResult some = intersecting_faces(s.a, {}, s.b, s.crossing, budget);
    EXPECT_TRUE(std::includes(pairs.begin(), pairs.end(), some.pairs.begin(), some.pairs.end()));
    if (some.complete) {
      EXPECT_EQ(some.pairs, pairs);
    }
    count(some.complete);
    const ContactsResult where = contacts(s.a, {}, s.b, s.crossing, {.budget = budget});
    EXPECT_LE(where.contacts.size(), contact_count);
    if (where.complete) {
      EXPECT_EQ(where.contacts.size(), contact_count);
    }

    const DistanceResult far = distance(s.a, {}, s.b, s.apart, {.budget = budget});
    EXPECT_LE(far.distance.lower, gap);
    EXPECT_GE(far.distance.upper, gap);
    if (far.complete) {
      EXPECT_EQ(far.distance.upper, gap);
    }
    count(far.complete);

    const ToiResult hit =
        time_of_impact(s.a, still, s.b, motion, {.tolerance = 1e-6, .budget = budget});
    EXPECT_LE(hit.time.lower, first);
    EXPECT_GE(hit.time.upper, hit.time.lower);
    if (hit.status == ToiStatus::undecided) {
      EXPECT_EQ(hit.time.upper, kInfinity);
    }
    count(hit.status != ToiStatus::undecided);
  }
  EXPECT_GT(complete, 10);
  EXPECT_GT(stopped, 10);
}

// After any work: the bracket holds the distance, and late in the search its lower bound says much.
TEST(Budget, DistanceTellsWhatWasProved) {
  base::Random random(7);
  int interrupted = 0, falls = 0, late = 0, late_and_proved = 0;
  for (int round = 0; round < test::scaled(60, 20); ++round) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    const auto scaled = [&](PolygonSoup soup) {
      soup.move_vertices(test::moved(soup, [&](const Vec3& v) { return Vec3(scale * v); }));
      return Object(std::move(soup));
    };
    const auto seed = static_cast<std::uint64_t>(round);
    const Object a = scaled(scenes::bumpy_sphere(300, seed)),
                 b = scaled(scenes::bumpy_sphere(300, seed + 99));
    // From crossing to far apart.
    const Pose pose = Pose::from_axis_angle(random.direction(), random.uniform(0, 3),
                                            scale * random.uniform(1.5, 4) * random.direction());
    const DistanceOptions how{.relative_error = round % 3 == 0 ? 0.1 : 0,
                              .absolute_error = round % 4 == 0 ? 0.1 * scale : 0};
    const Bracket whole = distance(a, {}, b, pose, how).distance;
    const double truth = distance(a, {}, b, pose).distance.upper;
    double before = 0;
    std::vector<double> proved;
    for (DistanceOptions some = how;; ++some.budget.max_work) {
      if (proved.empty()) some.budget.max_work = 0;
      const DistanceResult r = distance(a, {}, b, pose, some);
      EXPECT_LE(r.distance.lower, truth);
      EXPECT_GE(r.distance.upper, truth);
      EXPECT_EQ(r.closest.has_value(), r.distance.upper < kInfinity);
      proved.push_back(r.distance.lower / truth);
      falls += r.distance.lower < before;
      before = r.distance.lower;
      if (!r.complete) continue;
      EXPECT_EQ(r.distance, whole);
      break;
    }
    interrupted += static_cast<int>(proved.size()) - 1;
    if (!(truth > 0)) continue;
    for (std::size_t i = proved.size() * 9 / 10; i < proved.size(); ++i) {
      ++late;
      late_and_proved += proved[i] > 0.1;
    }
  }
  EXPECT_GT(interrupted, 0);
  EXPECT_LT(50 * falls, interrupted);  // bounds of children may be looser, by rounding
  EXPECT_GT(2 * late_and_proved, late);
}

// A flag that is set during a long search ends it.
TEST(Budget, StoppedOnTheWay) {
  const Object a(scenes::box({-1, -1, -1}, {1, 1, 1}, 4));
  const Cancel cancel;
  // The speed is declared to be up to 1, so each test proves little: the search is long.
  const auto pose = [&](double t) {
    if (t > 0.1) cancel.request();
    return Pose::from_translation({2.001, 0, 0});
  };
  const Motion rest = Motion::function(pose, 1, 0);
  const ToiResult r =
      time_of_impact(a, Motion::at({}), a, rest, {.tolerance = 1e-9, .budget = {.cancel = cancel}});
  EXPECT_TRUE(cancel.requested());
  EXPECT_EQ(r.status, ToiStatus::undecided);
  EXPECT_GT(r.time.lower, 0.1);
  EXPECT_LT(r.time.lower, 0.9);
}

TEST(Budget, StatisticsTellOfBruteForce) {
  const Scene s;
  EXPECT_EQ(intersects(s.a, {}, s.b, s.apart).stats.brute_force, 0u);
  EXPECT_EQ(brute_force::distance(s.a, {}, s.b, s.apart).stats.brute_force, 1u);
}

}  // namespace
}  // namespace touche::budget_test
