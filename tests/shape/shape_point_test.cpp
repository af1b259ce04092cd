// SPDX-License-Identifier: Apache-2.0
// Points and rays against convex shapes, by closed forms, by the soups of the same polytopes, and
// by points on the rays.
#include "touche/shape.h"

#include <gtest/gtest.h>

#include <limits>

#include "hit_share.h"
#include "shape_cases.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::random_pose;
using test::some_shape;

// A ray that meets about half of all shapes that it passes.
Ray ray_near(base::Random& random, const Vec3& centre, double size) {
  const Vec3 from = centre + size * random.uniform(0, 4) * random.direction(),
             to = centre + size * random.in_box(0.75);
  return {from, random.uniform(0.1, 10) * (to - from)};
}

// Eigen's maxCoeff() ignores NaN in some positions.
TEST(ShapePoints, OnlyNumbersUpTo1e90AreCoordinates) {
  for (const Shape& shape : {Shape::sphere(1), Shape::box({1, 2, 3}), Shape::cylinder(1, 2),
                             Shape::half_space({0, 0, 1}, 0)})
    for (int k = 0; k < 3; ++k)
      for (const double bad :
           {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 1.1e90}) {
        const Vec3 good(5, 6, 7);
        Vec3 x = good;
        x[k] = bad;
        EXPECT_THROW((void)closest_point(shape, {}, x), InvalidInput) << k << ' ' << bad;
        EXPECT_THROW((void)ray_hits(shape, {}, {x, good}), InvalidInput) << k << ' ' << bad;
        EXPECT_THROW((void)ray_hits(shape, {}, {good, x}), InvalidInput) << k << ' ' << bad;
      }
}

TEST(ShapeRays, BoxesAreMetAsTheirFacesAre) {
  base::Random random(1);
  int met = 0, asked = 0;
  for (int i = 0; i < test::scaled(2000, 200); ++i) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    const Vec3 half = scale * Vec3(random.uniform(0.1, 1), random.uniform(0.1, 1), 0.5);
    const Shape box = Shape::box(half);
    const Object faces(scenes::box(-half, half, 1));
    const Pose pose = random_pose(random, scale);
    const Ray ray = ray_near(random, pose.translation(), 1.3 * scale);
    const auto expected = all_ray_hits(faces, pose, ray);
    const ShapeRayHits hits = ray_hits(box, pose, ray);
    const double length = ray.direction.norm(), close = 1e-9 * scale;
    ++asked;
    if (expected.empty()) {
      EXPECT_FALSE(hits.enters || hits.leaves) << i;
      continue;
    }
    ++met;
    ASSERT_TRUE(hits.leaves) << i;
    EXPECT_NEAR(hits.leaves->t * length, expected.back().t * length, close) << i;
    ASSERT_EQ(hits.enters.has_value(), expected.front().side > 0) << i;
    if (!hits.enters) continue;
    EXPECT_NEAR(hits.enters->t * length, expected.front().t * length, close) << i;
    EXPECT_LT((hits.enters->point - expected.front().point).norm(), close) << i;
    EXPECT_LT(hits.enters->normal.dot(ray.direction), 0) << i;
    EXPECT_NEAR(hits.enters->normal.norm(), 1, 1e-9);
    EXPECT_GT(hits.leaves->normal.dot(ray.direction), 0) << i;
  }
  test::expect_about_half(met, asked);
}

TEST(ShapeRays, SpheresAndEllipsoidsAreMetWhereTheirEquationsSay) {
  base::Random random(2);
  int met = 0, asked = 0;
  for (int i = 0; i < test::scaled(2000, 200); ++i) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    const bool round = i % 2 == 0;
    const Vec3 axes = scale * (round ? Vec3::Ones().eval()
                                     : Vec3(random.uniform(0.2, 1), random.uniform(0.2, 1), 0.7));
    const Shape shape = round ? Shape::sphere(scale) : Shape::ellipsoid(axes);
    const Pose pose = random_pose(random, scale);
    const Ray ray = ray_near(random, pose.translation(), 1.4 * scale);
    // |(o + t d) / axes| = 1 in the shape's frame.
    const Vec3 o = (pose.inverse() * ray.origin).cwiseQuotient(axes),
               d = pose.inverse().rotate(ray.direction).cwiseQuotient(axes);
    const double a = d.squaredNorm(), b = o.dot(d), c = o.squaredNorm() - 1, root = b * b - a * c;
    if (std::abs(root) < 1e-6 * a || std::abs(c) < 1e-6) continue;  // grazes, or begins there
    const ShapeRayHits hits = ray_hits(shape, pose, ray);
    const bool hit = root > 0 && -b + std::sqrt(root) > 0;
    ++asked;
    met += hit;
    ASSERT_EQ(hits.leaves.has_value(), hit) << i;
    if (!hit) continue;
    const double length = ray.direction.norm();
    EXPECT_NEAR(hits.leaves->t * length, (-b + std::sqrt(root)) / a * length, 1e-7 * scale) << i;
    ASSERT_EQ(hits.enters.has_value(), c > 0) << i;
    if (!hits.enters) continue;
    EXPECT_NEAR(hits.enters->t * length, (-b - std::sqrt(root)) / a * length, 1e-7 * scale) << i;
    const Vec3 gradient = pose.rotate((o + hits.enters->t * d).cwiseQuotient(axes)).normalized();
    EXPECT_LT((hits.enters->normal - gradient).norm(), 1e-3) << i;
  }
  test::expect_about_half(met, asked);
}

// Points before the first hit and after the last one are outside, points in between are inside.
TEST(ShapeRays, PointsOfTheRayAreWhereTheHitsSay) {
  base::Random random(3);
  const Shape point = Shape::sphere(0);
  int met = 0, asked = 0;
  for (int i = 0; i < test::scaled(600, 110); ++i) {
    const Shape shape = some_shape(random, i);
    const Pose pose = random_pose(random, i % 5 == 0 ? 1e4 : 1);
    const Ray ray = ray_near(random, pose.translation(), 0.9);
    const ShapeRayHits hits = ray_hits(shape, pose, ray);
    const double close = 0x1p-36 * (2 + pose.translation().norm());
    const auto gap = [&](double t) {
      return distance(shape, pose, point, Pose::from_translation(ray.origin + t * ray.direction))
          .distance;
    };
    ++asked;
    met += hits.leaves.has_value();
    ASSERT_TRUE(hits.leaves || !hits.enters);
    const double far = 12 / ray.direction.norm();
    const double first = hits.enters   ? hits.enters->t
                         : hits.leaves ? 0
                                       : far,
                 last = hits.leaves ? hits.leaves->t : far;
    for (const double share : {0.0, 0.2, 0.5, 0.9, 0.999}) {
      EXPECT_GT(gap(share * first).upper, first > 0 ? 0.0 : -1.0) << i;
      EXPECT_GT(gap(last + (1 - share) * far).upper, 0) << i;
      if (hits.leaves) {
        EXPECT_LE(gap(first + share * (last - first)).lower, close) << i;
      }
    }
    if (hits.enters) {
      EXPECT_LE(gap(first).lower, close) << i;
    }
  }
  test::expect_about_half(met, asked);
}

TEST(ShapeRays, HalfSpacesAreEnteredOrLeft) {
  const Shape ground = Shape::half_space({0, 0, 2}, 4);  // z <= 2
  const Pose pose = Pose::from_translation({0, 0, 1});
  const ShapeRayHits falls = ray_hits(ground, pose, {{1, 2, 9}, {0, 0, -3}});
  ASSERT_TRUE(falls.enters);
  EXPECT_DOUBLE_EQ(falls.enters->t, 2);
  EXPECT_EQ(falls.enters->point, Vec3(1, 2, 3));
  EXPECT_EQ(falls.enters->normal, Vec3(0, 0, 1));
  EXPECT_FALSE(falls.leaves);
  const ShapeRayHits rises = ray_hits(ground, pose, {{0, 0, -1}, {1, 0, 1}});
  EXPECT_FALSE(rises.enters);
  ASSERT_TRUE(rises.leaves);
  EXPECT_DOUBLE_EQ(rises.leaves->t, 4);
  const ShapeRayHits along = ray_hits(ground, pose, {{0, 0, 5}, {1, 0, 0}});
  EXPECT_FALSE(along.enters || along.leaves);
}

TEST(ShapeRays, FlatAndPointedShapesAreMet) {
  const Ray down{{0.25, 0.25, 2}, {0, 0, -1}};
  for (const Shape& shape : {Shape::box({1, 1, 0}), Shape::cylinder(1, 0),
                             Shape::ellipsoid({1, 1, 0}), Shape::box({1, 1, 1e-9})}) {
    const ShapeRayHits hits = ray_hits(shape, {}, down);
    ASSERT_TRUE(hits.enters && hits.leaves) << name(shape.kind());
    EXPECT_NEAR(hits.enters->t, 2, 2e-9);
    EXPECT_NEAR(hits.leaves->t, 2, 2e-9);
  }
  const ShapeRayHits point = ray_hits(Shape::sphere(0), {}, {{0, 0, 2}, {0, 0, -1}});
  ASSERT_TRUE(point.enters);
  EXPECT_NEAR(point.enters->t, 2, 1e-9);
  EXPECT_FALSE(ray_hits(Shape::sphere(0), {}, {{0.1, 0, 2}, {0, 0, -1}}).leaves);
}

TEST(ShapePoints, TheClosestPointIsThatOfTheClosedForm) {
  base::Random random(4);
  int inside = 0, asked = 0;
  for (int i = 0; i < test::scaled(1000, 150); ++i) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    const Vec3 half = scale * Vec3(random.uniform(0.1, 1), random.uniform(0.1, 1), 0.5);
    const double radius = i % 2 == 0 ? 0 : 0.3 * scale;
    const Shape shape = radius > 0 ? Shape::box(half).rounded(radius) : Shape::box(half);
    const Pose pose = random_pose(random, scale);
    const Vec3 local = scale * random.in_box(0.85), x = pose * local;
    const double expected = std::max(0.0, (local.cwiseAbs() - half).cwiseMax(0).norm() - radius);
    const ClosestPoint closest = closest_point(shape, pose, x);
    ++asked;
    inside += expected == 0;
    EXPECT_NEAR(closest.distance, expected, 1e-8 * scale) << i;
    EXPECT_EQ(closest.face, kNone);
    EXPECT_NEAR((closest.point - x).norm(), expected, 1e-8 * scale) << i;
    if (expected > 1e-6 * scale) {
      EXPECT_EQ(closest_point(shape, pose, x, 0.9 * expected).distance, kInfinity);
      EXPECT_LT(closest_point(shape, pose, x, 1.1 * expected).distance, kInfinity);
    }
  }
  test::expect_about_half(inside, asked);
}

TEST(ShapePoints, WhatHasNoMeaningIsRefused) {
  const Shape ball = Shape::sphere(1);
  const Shape soup = Shape::soup(Object(scenes::box(Vec3::Zero(), Vec3::Ones(), 1)));
  const Vec3 none(std::nan(""), 0, 0);
  EXPECT_THROW((void)closest_point(soup, {}, none), InvalidInput);
  EXPECT_THROW((void)closest_point(ball, {}, none), InvalidInput);
  EXPECT_THROW((void)closest_point(ball, {}, Vec3::Zero(), -1), InvalidInput);
  EXPECT_THROW((void)ray_hits(soup, {}, {Vec3::Zero(), Vec3::UnitX()}), InvalidInput);
  EXPECT_THROW((void)cast_ray(soup.rounded(0.1), {}, {Vec3::Zero(), Vec3::UnitX()}), InvalidInput);
  EXPECT_THROW((void)all_segment_hits(ball, {}, {Vec3::Zero(), none}), InvalidInput);
  EXPECT_THROW((void)ray_hits(ball, {}, {none, Vec3::UnitX()}), InvalidInput);
  EXPECT_THROW((void)ray_hits(ball, {}, {Vec3::Zero(), none}), InvalidInput);
  EXPECT_THROW((void)ray_hits(ball, {}, {Vec3::Zero(), Vec3::Zero()}), InvalidInput);
  EXPECT_THROW((void)ray_hits(ball, {}, {Vec3(1e91, 0, 0), Vec3::UnitX()}), InvalidInput);
}

}  // namespace
}  // namespace touche
