// SPDX-License-Identifier: Apache-2.0
// A clearance that is followed before contacts are looked for, against dense sampling, and paths
// that go on from it.
#include "path/early_clearance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hit_share.h"
#include "motion_kinds.h"
#include "path/clearance_profile.h"
#include "path/lazy_interior.h"
#include "path_judge.h"
#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::early_clearance_test {
namespace {

using scenes::Random;
using test::box;
using test::judge;
using test::shifted;

const Motion kStill = test::still();

paths::EarlyClearance follow(const Object& a, const Motion& motion_a, const Object& b,
                             const Motion& motion_b, const PathOptions& options) {
  return paths::follow_clearance_to_contact(paths::MovingPair(a, motion_a, b, motion_b, options),
                                            options);
}

void expect_same(const paths::EarlyClearance& x, const paths::EarlyClearance& y) {
  EXPECT_EQ(x.whole, y.whole);
  EXPECT_EQ(x.stats.work(), y.stats.work());
  ASSERT_EQ(x.samples.size(), y.samples.size());
  for (std::size_t i = 0; i < x.samples.size(); ++i) {
    EXPECT_EQ(x.samples[i].t, y.samples[i].t);
    EXPECT_EQ(x.samples[i].clearance.lower, y.samples[i].clearance.lower);
    EXPECT_EQ(x.samples[i].clearance.upper, y.samples[i].clearance.upper);
  }
}

// Both bodies in any motion: nothing is called apart that is not, all is where no contact is met,
// and the path that goes on from there is the one that begins from nothing.
TEST(EarlyClearance, AgreesWithDenseSampling) {
  base::Random random(71);
  int free = 0, total = 0;
  for (int round = 0; round < test::scaled(6, 1); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    for (std::size_t k = 0; k < as.size(); ++k) {
      SCOPED_TRACE(testing::Message() << round << " " << k);
      const Object a = box({-0.4, -0.3, -0.5}, {0.4, 0.3, 0.5});
      const Object b = box({-0.3, -0.5, -0.2}, {0.3, 0.5, 0.2});
      const Motion& motion_a = as[k];
      const Motion& motion_b = bs[(k + static_cast<std::size_t>(round)) % bs.size()];
      PathOptions options{.tolerance = 1e-6, .step = 0.02, .thickness_points = 100, .threads = 1};
      const paths::EarlyClearance early = follow(a, motion_a, b, motion_b, options);
      options.threads = 2;
      expect_same(early, follow(a, motion_a, b, motion_b, options));
      for (int i = 0; i < 200; ++i) {
        const double t = i / 200.0, until = t + random.uniform(0, 0.2) * (1 - t);
        if (!early.apart(t, until)) continue;
        for (int j = 0; j <= 8; ++j) {
          const double at = t + (until - t) * j / 8;
          ASSERT_GT(distance(a, motion_a.pose(at), b, motion_b.pose(at)).distance.upper,
                    early.tolerance);
        }
      }
      paths::LazyInterior inside_a(a), inside_b(b);
      const PathResult on = path(inside_a, motion_a, inside_b, motion_b, options, &early);
      const PathResult alone = path(a, motion_a, b, motion_b, options);
      judge(a, motion_a, b, motion_b, on, 60);
      EXPECT_EQ(on.verdict, alone.verdict);
      EXPECT_EQ(on.contacts.size(), alone.contacts.size());
      if (alone.verdict == PathVerdict::free) {
        EXPECT_TRUE(early.whole);
        EXPECT_TRUE(early.apart(0, 1));
        EXPECT_EQ(early.apart_until(), 1);
        EXPECT_EQ(on.samples.size(), early.samples.size());
        EXPECT_GE(on.min_clearance.lower, 0.2 * on.min_clearance.upper);
      } else {
        EXPECT_FALSE(early.apart(0, 1));
      }
      free += alone.verdict == PathVerdict::free;
      ++total;
    }
  }
  test::expect_about_half(free, total);
}

// A thin plate meets a pin between two samples, in the middle or elsewhere: the time until then is
// proved, whatever the number of threads, and nothing after it is taken as known.
TEST(EarlyClearance, EndsAtAContactBetweenSamples) {
  const Object plate = box({-1e-4, -1, -1}, {1e-4, 1, 1});
  const Object pin = box({-1e-4, -0.1, -0.1}, {1e-4, 0.1, 0.1});
  for (const double meets : {0.73, 0.7263}) {
    SCOPED_TRACE(meets);
    const Motion goes = shifted({-meets, 0, 0}, {1 - meets, 0, 0});
    PathOptions options{.tolerance = 1e-7, .step = 0.02, .threads = 1};
    const paths::EarlyClearance early = follow(plate, goes, pin, kStill, options);
    EXPECT_EQ(early.whole, meets != 0.73);  // else the contact itself was measured
    EXPECT_TRUE(early.apart(0, 0.719));
    EXPECT_FALSE(early.apart(0.7, 0.735));
    EXPECT_FALSE(early.apart(meets, meets));
    EXPECT_GT(early.apart_until(), 0.719);
    EXPECT_LE(early.apart_until(), meets);
    options.threads = 2;
    for (int round = 0; round < 20; ++round)
      expect_same(early, follow(plate, goes, pin, kStill, options));
    paths::LazyInterior inside_a(plate), inside_b(pin);
    const PathResult r = path(inside_a, goes, inside_b, kStill, options, &early);
    ASSERT_EQ(r.contacts.size(), 1u);
    EXPECT_NEAR(r.contacts[0].start.upper, meets, 1e-3);
    judge(plate, goes, pin, kStill, r, 300);
  }
}

// Bodies that are in contact for much of the path are detected with few distance queries.
TEST(EarlyClearance, LooksForContactsCoarselyFirst) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Motion through = shifted({-6, 0, 0}, {6, 0, 0}), past = shifted({-6, 3, 0}, {6, 3, 0});
  const PathOptions options{.tolerance = 1e-6};
  const paths::EarlyClearance meets = follow(a, through, b, kStill, options);
  const paths::EarlyClearance passes = follow(a, past, b, kStill, options);
  EXPECT_TRUE(meets.samples.empty());
  EXPECT_FALSE(meets.apart(0, 0));
  EXPECT_TRUE(passes.apart(0, 1));
  EXPECT_LT(10 * meets.stats.work(), passes.stats.work());
}

// If stopped, it keeps what it has proved, and is not marked as whole.
TEST(EarlyClearance, StoppedItIsNotWhole) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), wall = box({3, -3, -3}, {4, 3, 3});
  const Motion slides = shifted({0, 0, 0}, {0, 1, 0});
  const Cancel cancel = test::requested();
  const paths::EarlyClearance early =
      follow(cube, slides, wall, kStill, {.tolerance = 1e-6, .budget = {.cancel = cancel}});
  EXPECT_FALSE(early.whole);
  EXPECT_FALSE(early.apart(0, 1));
  EXPECT_EQ(early.apart_until(), 0);
}

// Far clearances get fewer samples. Nothing below what is called far is left out, nor the least
// one, and what is proved in between holds.
TEST(EarlyClearance, FarClearancesGetFewerSamples) {
  base::Random random(83);
  std::size_t all_samples = 0, samples = 0;
  int fewer = 0, total = 0;
  const Object a(scenes::bumpy_sphere(200, 1)), b = box({-0.3, -0.5, -0.2}, {0.3, 0.5, 0.2});
  for (int round = 0; round < test::scaled(12, 4); ++round) {
    SCOPED_TRACE(round);
    const Vec3 axis = random.direction();
    const double beside = random.uniform(1.9, 3), angle = random.uniform(-3, 3);
    const Pose poses[] = {Pose::from_axis_angle(axis, 0, {-9, beside, 0}),
                          Pose::from_axis_angle(axis, angle, {0, beside, 0.5}),
                          Pose::from_axis_angle(axis, 2 * angle, {7, beside + 2, 0})};
    const Motion way = Motion::through(poses);
    const Motion motion = Motion::screw(Pose(), Vec3::Zero(), random.direction(), angle, 0);
    const PathOptions options{.tolerance = 1e-6, .step = 0.01, .threads = 1};
    const double far = random.uniform(0.2, 2);
    const paths::EarlyClearance all = follow(a, way, b, motion, options);
    const paths::EarlyClearance some = paths::follow_clearance_to_contact(
        paths::MovingPair(a, way, b, motion, options), options, far);
    ASSERT_TRUE(all.whole && some.whole);
    ++total;
    fewer += some.samples.size() < all.samples.size();
    samples += some.samples.size();
    all_samples += all.samples.size();
    const auto found = [&](double t) {
      return std::any_of(some.samples.begin(), some.samples.end(),
                         [&](const ClearanceSample& s) { return s.t == t; });
    };
    EXPECT_EQ(some.samples.back().t, 1);
    double least = kInfinity;
    for (int i = 0; i <= 100; ++i) {
      const double t = 0.01 * i;
      const double d = distance(a, way.pose(t), b, motion.pose(t)).distance.upper;
      least = std::min(least, d);
      if (d <= far) {
        EXPECT_TRUE(found(t)) << t;
      }
    }
    EXPECT_LE(some.min_clearance.upper, least);
    EXPECT_GE(some.min_clearance.lower, 0.2 * some.min_clearance.upper);
    auto here = some.samples.begin();
    for (int i = 0; i <= 1000; ++i) {
      const double t = i / 1000.0;
      while (here + 1 != some.samples.end() && here[1].t <= t) ++here;
      const double d = distance(a, way.pose(t), b, motion.pose(t)).distance.upper;
      ASSERT_GE(d, here->clearance.lower * (1 - 1e-9)) << t;
      ASSERT_GE(d, some.min_clearance.lower * (1 - 1e-9)) << t;
    }
    for (const int threads : {2, 5, 12}) {
      PathOptions more = options;
      more.threads = threads;
      expect_same(some, paths::follow_clearance_to_contact(
                            paths::MovingPair(a, way, b, motion, more), more, far));
    }
  }
  EXPECT_GT(2 * fewer, total);
  EXPECT_LT(4 * samples, 3 * all_samples);
}

// A body comes from afar, rests near a wall and leaves: no knot is dropped while it rests, and the
// proof for the motion afterwards begins at the end of the rest.
TEST(EarlyClearance, FarClearancesAroundARest) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), wall = box({2, -9, -9}, {3, 9, 9});
  const Pose far = Pose::from_translation({-50, 0, 0}), near = Pose::from_translation({-4, 0, 0});
  const Pose way[] = {far, near, near, far};
  const double times[] = {0, 0.1, 0.9, 1};
  const Motion goes = Motion::through(way, times);
  const PathOptions options{.tolerance = 1e-6, .step = 0.01};
  const paths::EarlyClearance early = paths::follow_clearance_to_contact(
      paths::MovingPair(cube, goes, wall, kStill, options), options, 0.5);
  EXPECT_TRUE(early.whole);
  EXPECT_NEAR(early.min_clearance.upper, 5, 1e-9);
  EXPECT_GE(early.min_clearance.lower, 0.85 * 5);
  const auto resting = std::count_if(early.samples.begin(), early.samples.end(),
                                     [](const auto& s) { return s.t > 0.105 && s.t < 0.895; });
  EXPECT_GT(resting, 70);
  for (std::size_t i = 0; i + 1 < early.samples.size(); ++i)
    for (const double share : {0.0, 0.3, 0.6, 0.9, 1.0}) {
      const auto &here = early.samples[i], &next = early.samples[i + 1];
      const double t = here.t + share * (next.t - here.t);
      EXPECT_GE(distance(cube, goes.pose(t), wall, Pose()).distance.upper,
                here.clearance.lower * (1 - 1e-9));
    }
}

// Two bodies that tumble past each other at a distance larger than their size: nine tenths of that
// distance are proved by a few more distance queries, where a search would test most pairs of their
// faces.
TEST(EarlyClearance, FarClearancesAreProvedByDistances) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Pose way[] = {Pose::from_axis_angle({1, 2, 3}, 0, {-3, 5.5, 0}),
                      Pose::from_axis_angle({1, 2, 3}, 2, {0, 5.5, 1}),
                      Pose::from_axis_angle({1, 2, 3}, 4, {3, 5.5, 0})};
  const Motion tumbles = Motion::through(way);
  const PathOptions options{.tolerance = 1e-6, .step = 1.0 / 16};
  const paths::EarlyClearance early = follow(a, tumbles, b, kStill, options);
  EXPECT_TRUE(early.whole);
  EXPECT_GT(early.samples.size(), 20u);
  EXPECT_GE(early.min_clearance.lower, 0.85 * early.min_clearance.upper);
  std::uint64_t measured = 0;
  for (const ClearanceSample& s : early.samples) {
    const DistanceResult there = distance(a, tumbles.pose(s.t), b, Pose());
    EXPECT_EQ(s.clearance.upper, there.distance.upper);
    measured += there.stats.work();
  }
  EXPECT_LE(early.stats.work(), measured + measured / 4);
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    const double d = distance(a, tumbles.pose(t), b, Pose()).distance.upper;
    EXPECT_GE(d, early.min_clearance.lower);
  }
}

}  // namespace
}  // namespace touche::early_clearance_test
