// SPDX-License-Identifier: Apache-2.0
// The proofs by boxes around two moving bodies must hold for their corners and faces at every
// instant, and should be nearly all there is to prove where the bodies are plates.
#include "query/boxes_apart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion_kinds.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/distance.h"

namespace touche::boxes_apart_test {
namespace {

using scenes::Random;

double apart_until(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                   double t_start = 0) {
  const ToiOptions options{.tolerance = 1e-9, .t_start = t_start};
  std::vector<query::TimeSlice> memory;
  const query::TimeSlices slices(a, motion_a, b, motion_b, options, memory);
  QueryStats stats;
  return query::boxes_apart_until(a, b, slices, slices[0], t_start, stats);
}

Object random_box(base::Random& random) {
  const Vec3 at = random.in_box(0.3);
  const Vec3 half(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 0.2));
  return Object(scenes::box(at - half, at + half));
}

// Turns of any size, evenly or as nlerp, and screws about lines far from the body.
Motion random_turn(base::Random& random, const Pose& start) {
  const double angle = random.uniform(-3, 3);
  if (random.below(3) == 0)
    return Motion::screw(start, random.in_box(2), random.direction(), 2 * angle,
                         random.uniform(-1, 1));
  const Pose by = Pose::from_axis_angle(random.direction(), angle, Vec3::Zero());
  const Pose end = Pose::from_translation(random.in_box(2)) * by * start;
  return Motion::interpolated(start, end,
                              random.below(2) ? Interpolation::slerp : Interpolation::nlerp);
}

TEST(BoxesApart, HoldsAtEveryInstant) {
  base::Random random(61);
  int proved = 0, ended_early = 0;
  const int cases = test::scaled(3000, 100), instants = 40;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    const Object a = random_box(random), b = random_box(random);
    const Pose at = test::random_pose(random);
    const Motion motion_a = random.below(2) ? Motion::at(at) : random_turn(random, at);
    const Motion motion_b =
        random_turn(random, Pose::from_translation(2.5 * random.direction()) * at);
    const double t_start = random.below(3) == 0 ? random.uniform(0, 0.9) : 0;
    const double until = apart_until(a, motion_a, b, motion_b, t_start);
    ASSERT_GE(until, t_start);
    ASSERT_LE(until, 1);
    if (until == t_start) continue;
    ++proved;
    ended_early += until < 1;
    for (int k = 0; k <= instants; ++k) {
      const double t = t_start + (until - t_start) * k / instants;
      ASSERT_FALSE(intersects(a, motion_a.pose(t), b, motion_b.pose(t)).intersects) << t;
    }
  }
  EXPECT_GT(proved, cases / 4);
  EXPECT_GT(ended_early, cases / 20);
}

// A corner swings out beyond the line between its ends, onto what lies there.
TEST(BoxesApart, ATurnBulges) {
  constexpr double kPi = std::numbers::pi;
  const Object arm(scenes::box({0.9, -0.01, -0.01}, {1, 0.01, 0.01}));
  const Object wall(scenes::box({-1, 0.98, -1}, {1, 1.2, 1}));
  const auto turn = [](double angle) {
    return Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3::Zero());
  };
  const Motion swing = Motion::interpolated(turn(0.25 * kPi), turn(0.75 * kPi));
  const double first = (std::asin(0.98) - 0.25 * kPi) / (0.5 * kPi);
  const double until = apart_until(wall, Motion::at({}), arm, swing);
  EXPECT_GT(until, 0.3 * first);
  EXPECT_LT(until, first);
}

// Along its own normal a plate that turns about it does not move, however little room there is.
TEST(BoxesApart, APlateTurnsOverAnother) {
  const Object plate(scenes::box({-1, -1, -0.1}, {1, 1, 0.1}));
  const Pose place = Pose::from_axis_angle(Vec3(1, 2, 3), 0.7, Vec3(1, 0, 2));
  const Motion turns =
      Motion::screw(place * Pose::from_translation({0.3, 0, 0.2001}), place * Vec3(1, 1, 0),
                    place.rotation() * Vec3::UnitZ(), 20, 0);
  EXPECT_EQ(apart_until(plate, Motion::at(place), plate, turns), 1);
  // It sinks by ten times the gap during the motion, and is followed until the gap is closed.
  const Motion sinks =
      Motion::screw(place * Pose::from_translation({0.3, 0, 0.2001}), place * Vec3(1, 1, 0),
                    place.rotation() * Vec3::UnitZ(), 20, -1e-3);
  EXPECT_NEAR(apart_until(plate, Motion::at(place), plate, sinks), 0.1, 1e-4);
}

// Bodies are in contact where they are nearer than the clearance, though their boxes are apart.
TEST(BoxesApart, KeepsTheClearance) {
  const Object plate(scenes::box({-1, -1, -0.1}, {1, 1, 0.1}));
  const Motion sinks = Motion::interpolated(Pose::from_translation({0, 0, 0.3}),
                                            Pose::from_translation({0, 0, 0.2 + 1e-4}));
  const auto answer = [&](double clearance) {
    return time_of_impact(plate, Motion::at({}), plate, sinks,
                          {.tolerance = 1e-6, .clearance = clearance});
  };
  EXPECT_EQ(answer(0).status, ToiStatus::free);
  EXPECT_EQ(answer(5e-5).status, ToiStatus::free);
  const ToiResult near = answer(2e-4);
  EXPECT_EQ(near.status, ToiStatus::contact);
  const double meets = (0.1 - 2e-4) / (0.1 - 1e-4);
  EXPECT_LE(near.time.lower, meets);
  EXPECT_NEAR(near.time.upper, meets, 1e-4);
}

}  // namespace
}  // namespace touche::boxes_apart_test
