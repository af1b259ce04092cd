// SPDX-License-Identifier: Apache-2.0
// Signed separation of shapes: closed forms, soups beside convex shapes, and what is proved of
// every shift.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "base/random.h"
#include "sanitized.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/separation.h"

namespace touche::shape_separation_test {
namespace {

using test::scaled;

constexpr double kTolerance = 1e-5;
// Searches around soups end with their budget.
const SeparationOptions kOptions = {.tolerance = kTolerance, .max_positions = 300};

Shape cube_soup() {
  return Shape::soup(
      Object(scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5), 1)));  // as a mesh
}
Shape cube() { return Shape::box(Vec3::Constant(0.5)); }
Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

void expect_parted(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const Separation& s, double clearance = 0) {
  ASSERT_EQ(s.status, SeparationStatus::overlapping);
  ASSERT_LE(s.distance.lower, s.distance.upper);
  ASSERT_LE(s.distance.upper, 0);
  ASSERT_NEAR(s.shift.norm(), -s.distance.lower, 1e-12 * s.shift.norm());
  ASSERT_NEAR((s.shift - s.shift.norm() * s.direction).norm(), 0, 1e-9);
  ASSERT_GT(distance(a, pose_a, b, resolved_pose(s, pose_b)).distance.lower, clearance);
}

TEST(ShapeSeparation, OfConvexShapesIsTheirDepth) {
  const Shape ball = Shape::sphere(1);
  const Shape ground = Shape::half_space(Vec3::UnitZ(), 0);
  const Separation balls = separation(ball, {}, ball, at(1.5), kOptions);
  expect_parted(ball, {}, ball, at(1.5), balls);
  EXPECT_NEAR(balls.distance.lower, -0.5, 3 * kTolerance);
  EXPECT_NEAR(balls.distance.upper, -0.5, 3 * kTolerance);
  EXPECT_LT((balls.direction - Vec3::UnitX()).norm(), 1e-4);
  const Separation sunk = separation(ground, {}, ball, at(0, 0, 0.75), kOptions);
  expect_parted(ground, {}, ball, at(0, 0, 0.75), sunk);
  EXPECT_NEAR(sunk.distance.lower, -0.25, 3 * kTolerance);
  const Separation far = separation(ball, {}, ball, at(0, 2.5), kOptions);
  EXPECT_EQ(far.status, SeparationStatus::apart);
  EXPECT_NEAR(far.distance.lower, 0.5, 2 * kTolerance);
  EXPECT_LT((far.direction - Vec3::UnitY()).norm(), 1e-6);
  EXPECT_EQ(far.shift, Vec3::Zero());
  SeparationOptions wide = kOptions;
  wide.clearance = 0.1;
  expect_parted(ball, {}, ball, at(1.5), separation(ball, {}, ball, at(1.5), wide), 0.1);
}

TEST(ShapeSeparation, OfConvexShapesIsCompleteWhereTheToleranceCanBeMet) {
  const Shape die = cube(), ball = Shape::sphere(0.5);
  for (const Shape& other : {die, ball})
    for (const double tolerance : {1e-5, 1e-9, 1e-17, 1e-300}) {
      const Separation s = separation(die, {}, other, at(0.7, 0.1, 0.05), {.tolerance = tolerance});
      expect_parted(die, {}, other, at(0.7, 0.1, 0.05), s);
      EXPECT_EQ(s.complete, tolerance > 1e-16) << tolerance;
      EXPECT_NEAR(s.distance.lower, -0.3, 0.02 * 0.3) << tolerance;
    }
}

TEST(ShapeSeparation, OfASoupAndAShapeHoldsForTheShape) {
  base::Random random(1);
  int overlapping = 0, apart = 0;
  for (int i = 0; i < scaled(24); ++i) {
    const Vec3 axis = random.direction();
    const Pose pose = Pose::from_axis_angle(axis, random.uniform(0, 3), random.in_box(1.2));
    for (const Shape& shape : {Shape::sphere(0.4), Shape::cylinder(0.3, 0.8), cube(),
                               Shape::half_space(Vec3(1, 2, 2).normalized(), 0.1)}) {
      const Shape soup = cube_soup(), solid = cube();
      const Separation s = separation(soup, {}, shape, pose, kOptions);
      // The soup is the surface of a convex body, of which the depth is known.
      const DepthResult deep = depth(solid, {}, shape, pose);
      if (deep.depth.lower > 3 * kTolerance) {
        ++overlapping;
        expect_parted(soup, {}, shape, pose, s);
        ASSERT_LE(-s.distance.upper, deep.depth.upper + 1e-9);
        ASSERT_GE(-s.distance.lower, deep.depth.lower);
        // A polyhedron around the shape is larger by a thousandth of its radius.
        ASSERT_LE(-s.distance.lower, 1.01 * deep.depth.upper + 1e-3);
        ASSERT_NEAR(separation(shape, pose, soup, {}, kOptions).distance.lower, s.distance.lower,
                    1e-9);
      } else if (deep.depth.upper == 0) {
        const double far = distance(solid, {}, shape, pose).distance.lower;
        if (!(far > 0)) continue;
        ++apart;
        ASSERT_EQ(s.status, SeparationStatus::apart);
        ASSERT_NEAR(s.distance.lower, far, 2 * kTolerance);
      }
    }
  }
  EXPECT_GT(overlapping, scaled(24) / 2);
  EXPECT_GT(apart, scaled(24) / 2);
}

TEST(ShapeSeparation, OneInsideTheOtherOverlaps) {
  const Shape soup = cube_soup();
  const Shape small = Shape::sphere(0.1), large = Shape::sphere(3);
  const Separation inner = separation(soup, {}, small, at(0.3), kOptions);
  expect_parted(soup, {}, small, at(0.3), inner);
  EXPECT_NEAR(inner.distance.lower, -0.3, 1e-3);
  const Separation outer = separation(soup, {}, large, at(1), kOptions);
  expect_parted(soup, {}, large, at(1), outer);
}

// Rounding exceeds the tolerance, so the bounds of the thickness never come as near to each other:
// a hundred thousand points were examined, which took a minute.
TEST(ShapeSeparation, OfABallAsLargeAsAPlanetsOrbitsEndsSoon) {
  const Shape ball = Shape::sphere(1e20), box = cube_soup();
  const std::clock_t begin = std::clock();
  const Separation s = separation(box, {}, ball, {}, {.tolerance = 1e-3, .max_positions = 1000});
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, test::seconds_allowed(10));
  expect_parted(box, {}, ball, {}, s);
  EXPECT_FALSE(s.complete);
  EXPECT_LT(s.distance.lower, -1e20);
}

TEST(ShapeSeparation, RefusesWhatHasNoDepth) {
  const std::vector<double> coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::vector<Index> corners = {0, 1, 2};
  const std::vector<Index> sizes = {3};
  const Shape open = Shape::soup(Object(PolygonSoup(coordinates, corners, sizes), "sail"));
  const Shape ground = Shape::half_space(Vec3::UnitZ(), 0), ball = Shape::sphere(1);
  EXPECT_THROW((void)separation(open, {}, ball, {}, kOptions), InvalidInput);
  EXPECT_THROW((void)separation(ball, {}, open, {}, kOptions), InvalidInput);
  EXPECT_THROW((void)separation(ground, {}, ground, {}, kOptions), InvalidInput);
  EXPECT_THROW((void)separation(ball, {}, ball, {}, {}), InvalidInput);
  // A half space needs no inside of the other.
  const Separation sail = separation(ground, {}, open, at(0, 0, -0.2), kOptions);
  expect_parted(ground, {}, open, at(0, 0, -0.2), sail);
  EXPECT_NEAR(sail.distance.lower, -0.2, 3 * kTolerance);
}

// The radius of a rounded soup counts, or there is no answer.
TEST(ShapeSeparation, OfRoundedSoups) {
  const Object cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Shape soup = Shape::soup(cube), rounded = soup.rounded(0.5);
  const SeparationOptions options = {.tolerance = 0.01};
  const Shape below = Shape::half_space({1, 0, 0}, 0);  // x <= 0
  const auto at = [](double x) { return Pose::from_translation({x, 0, 0}); };
  for (const double x : {0.5, 1.2, 1.7}) {
    const Separation found = separation(below, {}, rounded, at(x), options);
    const double gap = x - 1.5;
    ASSERT_EQ(found.status, gap > 0 ? SeparationStatus::apart : SeparationStatus::overlapping) << x;
    EXPECT_LE(found.distance.lower, gap + 1e-12) << x;
    EXPECT_GE(found.distance.upper, gap - 1e-12) << x;
    if (gap < 0) {
      EXPECT_FALSE(intersects(below, {}, rounded, resolved_pose(found, at(x))).intersects) << x;
    }
  }
  for (const Shape& other : {soup, rounded, Shape::box({1, 1, 1})}) {
    EXPECT_THROW((void)separation(rounded, {}, other, at(1.5), options), InvalidInput);
    EXPECT_THROW((void)separation(other, {}, rounded, at(1.5), options), InvalidInput);
  }
}

}  // namespace
}  // namespace touche::shape_separation_test
