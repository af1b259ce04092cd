// SPDX-License-Identifier: Apache-2.0
// Queries that are stopped say so, and what they tell is true nevertheless.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "shapes.h"
#include "touche/touche.h"

namespace touche {
namespace {

const std::atomic<bool> kStop = true;

/// Budgets that are used up before the first look.
std::vector<Budget> used_up() {
  return {{.max_work = 0},
          {.deadline = Budget::Clock::now() - std::chrono::seconds(1)},
          {.stop = &kStop}};
}

struct Scene {
  Object a = Object(scenes::bumpy_sphere(600, 1)), b = Object(scenes::bumpy_sphere(600, 2));
  Pose crossing = Pose::from_translation({1.2, 0.1, 0.2});
  Pose apart = Pose::from_translation({3.1, 0.3, 0.2});
};

// A function for the fast query and for its twin.
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
             EXPECT_FALSE(r.decided);
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
             EXPECT_LE(r.time.lower, first);  // the first look may have proved something
             EXPECT_EQ(r.time.upper, kInfinity);
           });
      const PathResult way = path(s.a, Motion::at({}), s.b, motion,
                                  {.tolerance = 1e-6, .step = 0.1, .budget = budget});
      EXPECT_EQ(way.verdict, PathClass::undecided);
      EXPECT_LE(way.decided_until, first);
      const Thickness thick =
          overlap_thickness(Interior(s.a), {}, Interior(s.b), s.crossing, {.budget = budget});
      EXPECT_FALSE(thick.complete);
      EXPECT_LT(thick.diameter.lower, thick.diameter.upper);
    }
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
    EXPECT_EQ(crosses.decided, crosses.intersects);
    const IntersectsResult misses = intersects(s.a, {}, s.b, s.apart, budget);
    EXPECT_FALSE(misses.intersects);
    EXPECT_EQ(static_cast<bool>(misses), !misses.decided);
    count(misses.decided);

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

// A flag that is set while a long search is under way ends it.
TEST(Budget, StoppedOnTheWay) {
  const Object a(scenes::box({-1, -1, -1}, {1, 1, 1}, 4));
  std::atomic<bool> stop = false;
  // As far as is known it may be as fast as 1, so each look proves little: the search is long.
  const auto pose = [&](double t) {
    if (t > 0.1) stop = true;
    return Pose::from_translation({2.001, 0, 0});
  };
  const Motion rest = Motion::function(pose, 1, 0);
  const ToiResult r =
      time_of_impact(a, Motion::at({}), a, rest, {.tolerance = 1e-9, .budget = {.stop = &stop}});
  EXPECT_TRUE(stop);
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
}  // namespace touche
