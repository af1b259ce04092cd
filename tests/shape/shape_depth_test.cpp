// SPDX-License-Identifier: Apache-2.0
// How deep shapes are in each other: polytopes against all planes through three points of their
// difference, in rationals.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "exact_hulls.h"
#include "hit_share.h"
#include "shape_cases.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

TEST(ShapeDepth, PolytopesAgreeWithAllPlanesOfTheDifference) {
  base::Random random(1811);
  int hits = 0;
  const int cases = scaled(100, 60);
  for (int i = 0; i < cases; ++i) {
    const int kind_a = static_cast<int>(random.below(7)),
              kind_b = static_cast<int>(random.below(7));
    std::vector<Vec3> pa = some_points(random, kind_a), pb = some_points(random, kind_b);
    const bool grid = random.below(2) == 0;
    const Pose pose_b = grid ? Pose::from_translation((random.in_box(0.6)).array().round())
                             : random_pose(random, 0.1);
    const std::vector<Vec3> seen = seen_from({}, pose_b, pb);
    const Rational depth2 = hull_depth2(pa, seen);
    const DepthResult d = depth(Shape::hull(pa), {}, Shape::hull(pb), pose_b);
    SCOPED_TRACE(testing::Message() << "case " << i << " kinds " << kind_a << ' ' << kind_b);
    EXPECT_TRUE(holds(d.depth, depth2))
        << d.depth.lower << ' ' << d.depth.upper << ' ' << std::sqrt(depth2.convert_to<double>());
    EXPECT_TRUE(d.complete) << d.depth.lower << ' ' << d.depth.upper;
    EXPECT_LE(d.depth.upper - d.depth.lower, 1e-9 * d.depth.upper + 1e-11);
    EXPECT_NEAR(d.direction.norm(), 1, 1e-14);
    hits += depth2 > 0;
  }
  expect_about_half(hits, cases);
}

TEST(ShapeDepth, ShiftedByItTheyTouch) {
  base::Random random(1812);
  int deep = 0;
  const int cases = scaled(400);
  for (int i = 0; i < cases; ++i) {
    const Shape a = some_shape(random, i),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose_a = random_pose(random, 0.7), pose_b = random_pose(random, 0.7);
    const DepthResult d = depth(a, pose_a, b, pose_b);
    const auto shifted = [&](double by) {
      return Pose::from_quaternion_unchecked(pose_b.rotation(),
                                             pose_b.translation() + by * d.direction);
    };
    SCOPED_TRACE(testing::Message() << i << ' ' << name(a.kind()) << ' ' << name(b.kind()));
    EXPECT_LE(d.depth.lower, d.depth.upper);
    EXPECT_FALSE(intersects(a, pose_a, b, shifted(d.depth.upper + 1e-11)).intersects);
    if (d.depth.lower > 1e-10) {
      ++deep;
      EXPECT_TRUE(intersects(a, pose_a, b, shifted(d.depth.lower - 1e-10)).intersects);
      // And so does any other way of that length.
      for (int k = 0; k < 5; ++k) {
        const Pose elsewhere = Pose::from_quaternion_unchecked(
            pose_b.rotation(),
            pose_b.translation() + (d.depth.lower * (1 - 1e-9)) * random.direction());
        EXPECT_TRUE(intersects(a, pose_a, b, elsewhere).intersects);
      }
      // Deepest points are opposite each other, also on faces that are level with others.
      EXPECT_LE((d.point_a - d.point_b - d.depth.upper * d.direction).norm(), 1e-5);
    }
    EXPECT_LE(d.depth.upper - d.depth.lower, 1e-3);
  }
  expect_about_half(deep, cases);
}

// Where the difference of what is rounded is flat, deepest points are around where that meets.
TEST(ShapeDepth, DeepestPointsOfSegmentsAndDiscsThatCross) {
  const Shape ball = Shape::sphere(0.5), capsule = Shape::capsule(0.25, 2);
  const Shape coin = Shape::cylinder(1, 0).rounded(0.125);
  for (const Shape& a : {ball, capsule, coin})
    for (const Shape& b : {ball, capsule, coin}) {
      const Pose pose = Pose::from_translation({0, 0, a.kind() == ShapeKind::capsule ? 0.375 : 0});
      const DepthResult d = depth(a, {}, b, pose);
      SCOPED_TRACE(testing::Message() << name(a.kind()) << ' ' << name(b.kind()));
      EXPECT_GE(d.depth.lower, 0.25 - 1e-12);
      // Across their direction the points of round shapes are right to some 1e-5.
      EXPECT_LE((d.point_a - d.point_b - d.depth.upper * d.direction).norm(), 1e-4);
    }
}

TEST(ShapeDepth, DeepestPointsOfFlatShapesInOnePlaneAreOne) {
  const std::vector<Vec3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                          across = {{0.5, -1, 0}, {0.5, 1, 0}}, along = {{0, 0, 0}, {1, 0, 0}};
  const auto expect = [](const Shape& a, const Shape& b, const Vec3& shift) {
    const DepthResult d = depth(a, {}, b, Pose::from_translation(shift));
    EXPECT_LE(d.depth.upper, 1e-12);
    EXPECT_LE((d.point_a - d.point_b).norm(), 1e-9);
  };
  expect(Shape::hull(square), Shape::hull(square), {0.5, 0.2, 0});
  expect(Shape::hull(square), Shape::hull(across), {0.25, 0.5, 0});
  expect(Shape::hull(along), Shape::hull(across), {0.25, 0, 0});
}

TEST(ShapeDepth, ClosedForms) {
  const Shape box = Shape::box({1, 2, 3});
  const DepthResult same = depth(box, {}, box, {});
  EXPECT_NEAR(same.depth.lower, 2, 1e-12);
  EXPECT_NEAR(same.depth.upper, 2, 1e-12);
  EXPECT_NEAR(std::abs(same.direction.x()), 1, 1e-12);
  const DepthResult face = depth(box, {}, box, Pose::from_translation({1.75, 0.5, -1}));
  EXPECT_NEAR(face.depth.upper, 0.25, 1e-12);
  EXPECT_NEAR(face.direction.x(), 1, 1e-12);
  EXPECT_NEAR(face.point_a.x(), 1, 1e-12);
  EXPECT_NEAR(face.point_b.x(), 0.75, 1e-12);
  const DepthResult balls =
      depth(Shape::sphere(2), {}, Shape::sphere(1), Pose::from_translation({0, 2.5, 0}));
  EXPECT_NEAR(balls.depth.upper, 0.5, 1e-13);
  EXPECT_NEAR(balls.depth.lower, 0.5, 1e-13);
  EXPECT_NEAR(balls.direction.y(), 1, 1e-13);
  EXPECT_NEAR(balls.point_a.y(), 2, 1e-12);
  EXPECT_NEAR(balls.point_b.y(), 1.5, 1e-12);
  // A ball in the middle of another: every way out is as long.
  const DepthResult middle = depth(Shape::sphere(2), {}, Shape::sphere(1), {});
  EXPECT_NEAR(middle.depth.upper, 3, 1e-12);
  EXPECT_NEAR(middle.depth.lower, 3, 1e-12);
  const DepthResult disc = depth(Shape::cylinder(1, 4), {}, Shape::cylinder(0.5, 4),
                                 Pose::from_translation({1.25, 0, 0}));
  EXPECT_NEAR(disc.depth.upper, 0.25, 1e-9);
  EXPECT_NEAR(disc.depth.lower, 0.25, 1e-9);
}

TEST(ShapeDepth, ThinAndFlat) {
  // A plate of thickness 2e-9 in a box: the shortest shift is perpendicular to the plate only if
  // the box ends nearby.
  const Shape plate = Shape::box({1, 1, 1e-9}), box = Shape::box({2, 2, 2});
  const DepthResult d = depth(box, {}, plate, Pose::from_translation({0, 0, 1.5}));
  EXPECT_NEAR(d.depth.upper, 0.5 + 1e-9, 1e-12);
  EXPECT_NEAR(d.depth.lower, 0.5 + 1e-9, 1e-12);
  const DepthResult both = depth(plate, {}, plate, Pose::from_translation({0.5, 0, 0}));
  EXPECT_NEAR(both.depth.upper, 2e-9, 1e-12);
  EXPECT_NEAR(both.depth.lower, 2e-9, 1e-12);
  const Shape sheet = Shape::box({1, 1, 0});
  EXPECT_LE(depth(sheet, {}, sheet, {}).depth.upper, 1e-12);
  EXPECT_NEAR(depth(sheet, {}, box, {}).depth.upper, 2, 1e-12);
  EXPECT_NEAR(depth(box, {}, Shape::sphere(0), Pose::from_translation({1, 0, 0})).depth.lower, 1,
              1e-12);
}

}  // namespace
}  // namespace touche
