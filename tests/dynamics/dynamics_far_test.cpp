// SPDX-License-Identifier: Apache-2.0
// Bodies far from the origin, as parts are at the coordinates of a map: rounding of their poses
// does not stop a body that slides.
#include <gtest/gtest.h>

#include "base/random.h"
#include "dynamic_bodies.h"
#include "touche/shape.h"

namespace touche::dynamics_far_test {
namespace {

using namespace test;

const Vec3 kFar{4.5e5, 5.5e6, 300};

Shape some_body(int kind) {
  switch (kind) {
    case 0:
      return Shape::cylinder(0.3, 0.8);
    case 1:
      return Shape::capsule(0.15, 1);
    case 2:
      return Shape::cone(0.3, 1);
    default:
      return Shape::box({0.5, 0.3, 0.2});
  }
}

struct Slide {
  double lost = 0;     // of two seconds
  int unresolved = 0;  // steps that report the body
};

// A body without friction comes down on a floor and slides along it.
Slide slide(const Shape& shape, double tolerance, base::Random& random) {
  World world;
  Dynamics dynamics(world,
                    {.tolerance = tolerance, .gravity = {0, 0, -kGravity}, .surface = {0, 0}});
  const Pose place = Pose::from_translation(kFar);
  const NodeId floor =
      world.add(Shape::box({50, 50, 0.5}), place * at({0, 0, -0.5}), {.fixed = true});
  const NodeId body = world.add(
      shape, place * Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), {0, 0, 1}));
  dynamics.add(body, 1000.0, {.linear = {random.uniform(2, 5), random.uniform(2, 5), 0}});
  Slide slide;
  for (int step = 0; step < 120; ++step) {
    const DynamicsResult& result = dynamics.step(1.0 / 60);
    for (const LostTime& of : result.lost) slide.lost += of.time;
    for (const auto& pair : result.unresolved) {
      EXPECT_EQ(pair, std::pair(floor, body));
      ++slide.unresolved;
    }
  }
  return slide;
}

// Where rounding is a few hundredths of the tolerance, and where it is a fifth of it.
TEST(DynamicsFar, WhoSlidesGoesOn) {
  for (const double tolerance : {2e-5, 6e-6}) {
    base::Random random(1);
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(i);
      const Slide slid = slide(some_body(i % 4), tolerance, random);
      EXPECT_LT(slid.lost, 0.1) << tolerance;
      EXPECT_EQ(slid.unresolved, 0);
    }
  }
}

// If rounding hides more than all of the tolerance bodies do stand still, and that is reported.
TEST(DynamicsFar, WhatRoundingHidesIsTold) {
  base::Random random(1);
  int stand = 0;
  for (int i = 0; i < 8; ++i) {
    const Slide slid = slide(some_body(i % 4), 1e-6, random);
    EXPECT_GT(slid.unresolved, 10);
    stand += slid.lost > 0.5 ? 1 : 0;
  }
  EXPECT_GT(stand, 0);
}

// Far away, rounding hides no more than the rounding of poses: queries use frames of the bodies.
TEST(DynamicsFar, AShapeThatSlidesCloseToAnotherIsProvedApart) {
  const Shape floor = Shape::box({50, 50, 0.5}), box = Shape::box({0.5, 0.5, 0.5});
  const double gap = 4e-6;
  const auto at_height = [&](const Vec3& along) {
    return Pose::from_translation(kFar + along + Vec3(0, 0, 1 + gap));
  };
  const Motion still = Motion::at(Pose::from_translation(kFar)),
               way = Motion::interpolated(at_height({-1, 0, 0}), at_height({1, 2, 0}));
  const ToiResult r = time_of_impact(floor, still, box, way, {.tolerance = 1e-6});
  EXPECT_EQ(r.status, ToiStatus::free);
  EXPECT_LT(r.tolerance, gap);
}

}  // namespace
}  // namespace touche::dynamics_far_test
