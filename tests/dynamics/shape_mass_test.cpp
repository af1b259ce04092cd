// SPDX-License-Identifier: Apache-2.0
// Masses of shapes, compared with the masses of polyhedra in and around them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "shape_cases.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche::shape_mass_test {
namespace {

using namespace test;

/// The hull of many supporting points.
MassProperties of_hull(const Shape& shape, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {  // a spiral on the sphere
    const double z = 1 - (2 * i + 1.0) / count, angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const double r = std::sqrt(1 - z * z);
    points.push_back(shape.support({r * std::cos(angle), r * std::sin(angle), z}));
  }
  for (int k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) points.push_back(shape.support(sign * Vec3::Unit(k)));
  return mass_properties(Shape::hull(points), 3);
}

// Hulls of more and more points of the surface come nearer, from inside.
TEST(ShapeMass, IsTheLimitOfPolyhedra) {
  for (const Shape& shape :
       {Shape::sphere(0.7), Shape::capsule(0.3, 1.1), Shape::box({0.3, 0.5, 0.8}),
        Shape::box({0.3, 0.5, 0.8}).rounded(0.2), Shape::box({0, 0.5, 0.8}).rounded(0.3),
        Shape::cylinder(0.4, 1.2).rounded(0.15), Shape::cylinder(0.4, 0).rounded(0.2),
        Shape::ellipsoid({0.3, 0.6, 0.9})}) {
    const MassProperties exact = mass_properties(shape, 3), coarse = of_hull(shape, 300),
                         fine = of_hull(shape, 1500);
    const auto error = [&](const MassProperties& m) {
      return std::abs(m.mass - exact.mass) / exact.mass +
             (m.inertia - exact.inertia).norm() / exact.inertia.norm() +
             (m.centre - exact.centre).norm();
    };
    EXPECT_LE(fine.mass, exact.mass * (1 + 1e-12));
    EXPECT_LT(error(fine), 0.02) << name(shape.kind());
    // Errors fall with the number of points.
    if (error(coarse) > 1e-9) {
      EXPECT_LT(error(fine), 0.4 * error(coarse)) << name(shape.kind());
    }
  }
}

// Shapes with straight edges or a rim need points there.
TEST(ShapeMass, OfCylindersAndCones) {
  for (const bool is_cone : {false, true}) {
    const double r = 0.4, h = 1.2;
    const Shape shape = is_cone ? Shape::cone(r, h) : Shape::cylinder(r, h);
    const MassProperties exact = mass_properties(shape, 3);
    double last = 0;
    for (const int sides : {200, 400}) {
      std::vector<Vec3> points;
      for (int i = 0; i < sides; ++i) {
        const double angle = 2 * std::numbers::pi * i / sides;
        const Vec3 rim(r * std::cos(angle), r * std::sin(angle), -0.5 * h);
        points.push_back(rim);
        if (!is_cone) points.emplace_back(rim.x(), rim.y(), 0.5 * h);
      }
      if (is_cone) points.emplace_back(0, 0, 0.5 * h);
      const MassProperties hull = mass_properties(Shape::hull(points), 3);
      const double error = (hull.inertia - exact.inertia).norm() / exact.inertia.norm();
      EXPECT_LT(std::abs(hull.mass / exact.mass - 1), 2e-3);
      EXPECT_LT((hull.centre - exact.centre).norm(), 1e-12);
      if (last > 0) {
        EXPECT_NEAR(error, last / 4, 0.01 * last);
      }
      last = error;
    }
    EXPECT_LT(last, 1e-3);
  }
}

TEST(ShapeMass, OfPolytopes) {
  const MassProperties box = mass_properties(Shape::box({1, 2, 3}), 0.5);
  EXPECT_NEAR(box.mass, 24, 1e-12);
  EXPECT_NEAR(box.inertia(0, 0), 24.0 / 3 * (4 + 9), 1e-11);
  const std::vector<Vec3> axes = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  const Shape zonotope = Shape::zonotope({5, 6, 7}, axes);
  const Shape sum = Shape::sum(Shape::box({0.5, 1, 1}), Shape::box({0.5, 1, 2}),
                               Pose::from_translation({5, 6, 7}));
  for (const Shape& shape : {zonotope, sum}) {
    const MassProperties same = mass_properties(shape, 0.5);
    EXPECT_NEAR(same.mass, 24, 1e-12);
    EXPECT_LT((same.centre - Vec3(5, 6, 7)).norm(), 1e-13);
    EXPECT_LT((same.inertia - box.inertia).norm(), 1e-10);
  }
  // Sizes near the ends of what there is.
  for (const double scale : {1e-60, 1e60}) {
    const MassProperties scaled_one = mass_properties(Shape::box(Vec3(1, 2, 3) * scale), 1);
    EXPECT_NEAR(scaled_one.mass / std::pow(scale, 3), 48, 1e-9);
  }
}

TEST(ShapeMass, WhatHasNone) {
  const std::vector<Vec3> triangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (const Shape& shape :
       {Shape::half_space(Vec3::UnitZ(), 0), Shape::sphere(0), Shape::capsule(0, 1),
        Shape::box({1, 1, 0}), Shape::cylinder(1, 0), Shape::cone(0, 1),
        Shape::ellipsoid({1, 1, 0}), Shape::hull(triangle), Shape::cone(1, 1).rounded(0.1),
        Shape::hull(triangle).rounded(0.1), Shape::ellipsoid({1, 2, 3}).rounded(0.1),
        Shape::sum(Shape::sphere(1), Shape::cylinder(1, 1))})
    EXPECT_THROW((void)mass_properties(shape, 1), InvalidInput) << name(shape.kind());
  for (const double density : {0.0, -1.0, kInfinity, std::nan("")})
    EXPECT_THROW((void)mass_properties(Shape::sphere(1), density), InvalidInput);
}

}  // namespace
}  // namespace touche::shape_mass_test
