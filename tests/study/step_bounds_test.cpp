// SPDX-License-Identifier: Apache-2.0
// Bounds of a step against dense sampling and closed forms.
#include "study/step_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion_kinds.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;
using study::StepBounds;

// Two parts, each in a group of its own.
struct TwoParts {
  std::vector<Object> parts;
  Study study;
  std::vector<std::size_t> groups;

  TwoParts(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b)
      : parts{a, b} {
    study.times = {0, 0.25, 0.5, 1};
    study.parts.resize(2);
    study.groups.push_back({.name = "a", .parts = {0}, .motion = motion_a, .times = {0, 1}});
    study.groups.push_back({.name = "b", .parts = {1}, .motion = motion_b, .times = {0, 1}});
    groups = study::group_of_part(study);
  }

  bool apart(std::size_t step, double gap) const {
    return StepBounds(study, parts, study::balls_around(parts), groups, step).apart(0, 1, gap);
  }

  double distance_at(double t) const {
    return distance(parts[0], study.groups[0].motion.pose(t), parts[1],
                    study.groups[1].motion.pose(t))
        .distance.upper;
  }
};

// Both parts in any motion, at any distance: never nearer in a step than its bounds say.
TEST(StepBounds, AgreeWithDenseSampling) {
  base::Random random(9);
  int apart = 0, total = 0;
  for (int round = 0; round < test::scaled(12, 2); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    for (std::size_t k = 0; k < as.size(); ++k) {
      SCOPED_TRACE(testing::Message() << round << " " << k);
      // Some far from the origin of their coordinates, about which they turn.
      const Vec3 at = random.in_box(random.uniform(0, 4));
      const Object a(scenes::box(at - Vec3(0.3, 0.2, 0.5), at + Vec3(0.3, 0.2, 0.5)));
      const Object b(scenes::bumpy_sphere(100, 1 + k));
      const TwoParts two(a, as[k], b, bs[(k + static_cast<std::size_t>(round)) % bs.size()]);
      for (std::size_t step = 0; step < 3; ++step) {
        const double begin = two.study.times[step], end = two.study.times[step + 1];
        double least = kInfinity;
        for (int i = 0; i <= 100; ++i)
          least = std::min(least, two.distance_at(begin + (end - begin) * i / 100));
        for (const double share : {0.3, 0.6, 0.9, 1.0, 1.001, 1.1}) {
          const bool far = two.apart(step, share * least);
          apart += far;
          ++total;
          if (share >= 1) {
            EXPECT_FALSE(far) << share << " of " << least;
          }
        }
      }
    }
  }
  EXPECT_GT(apart, total / 20);
}

// A spinning ball keeps its position, and two balls that fly side by side do not approach.
TEST(StepBounds, OfBallsThatSpinAndFly) {
  const Object ball(scenes::bumpy_sphere(2000, 1, 0));
  const auto flies = [](const Vec3& from, const Vec3& to, double angle) {
    return Motion::interpolated(Pose::from_translation(from),
                                Pose::from_axis_angle({1, 2, 3}, angle, to));
  };
  for (const double angle : {0.0, 3.0}) {
    SCOPED_TRACE(angle);
    const TwoParts spin(ball, flies({0, 0, 0}, {0, 0, 0}, angle), ball,
                        flies({2.3, 0, 0}, {2.3, 0, 0}, -angle));
    const TwoParts fly(ball, flies({0, 0, 0}, {40, 30, 20}, angle), ball,
                       flies({2.3, 0, 0}, {42.3, 30, 20}, -angle));
    // They pass each other at 2.3 between their centres, when both are there.
    const TwoParts pass(ball, flies({-4, 0, 0}, {4, 0, 0}, angle), ball,
                        flies({0, -4 + 2.3 * std::numbers::sqrt2, 0},
                              {0, 4 + 2.3 * std::numbers::sqrt2, 0}, -angle));
    for (const TwoParts* two : {&spin, &fly, &pass})
      for (std::size_t step = 0; step < 3; ++step) {
        EXPECT_TRUE(two->apart(step, 0.28)) << step;
        if (two != &pass || step == 1) {
          EXPECT_EQ(two->apart(step, 0.32), two == &pass && step != 1) << step;
        }
      }
  }
}

// A ball that is carried around an axis leaves its chord, towards another one.
TEST(StepBounds, OfABallOnAnArc) {
  const Object ball(scenes::bumpy_sphere(2000, 1, 0));
  const Motion arc =
      Motion::screw(Pose::from_translation({5, 0, 0}), Vec3::Zero(), Vec3::UnitZ(), 1.2, 0);
  const Vec3 beside = 7.3 * Vec3(std::cos(0.9), std::sin(0.9), 0);
  const TwoParts two(ball, arc, ball, Motion::at(Pose::from_translation(beside)));
  EXPECT_TRUE(two.apart(2, 0.1));
  EXPECT_FALSE(two.apart(2, 0.32));
}

// Coordinates whose squares overflow or underflow say nothing.
TEST(StepBounds, OfExtremeCoordinates) {
  const Object box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Motion far = Motion::at(Pose::from_translation({1e300, 0, 0}));
  EXPECT_FALSE(TwoParts(box, far, box, far).apart(0, 0));
  const Object small(scenes::box(Vec3::Constant(-1e-170), Vec3::Constant(1e-170)));
  const Motion here = Motion::at(Pose());
  EXPECT_FALSE(TwoParts(small, here, small, here).apart(0, 0));
}

}  // namespace
}  // namespace touche
