// SPDX-License-Identifier: Apache-2.0
// Contact points and normals of swept spheres: closed forms, and that the distance is the largest
// gap along any direction.
#include "touche/methods/swept_sphere.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "test_scale.h"

namespace touche {
namespace {

using test::scaled;

void expect_near(const Vec3& x, const Vec3& y, double error = 1e-13) {
  EXPECT_NEAR((x - y).norm(), 0, error) << x.transpose() << " is not " << y.transpose();
}

TEST(SweptSphere, SpheresTouchOnTheLineOfTheirCentres) {
  const SweptSphere a{.centre = {1, 2, 3}, .radius = 2};
  for (const double apart : {5.0, 3.0, 1.0, 1e-3}) {  // apart, touching, overlapping, nearly equal
    const SweptSphere b{.centre = {1, 2 + apart, 3}, .radius = 1};
    const SweptContact c = swept_contact(a, b);
    EXPECT_NEAR(c.distance, apart - 3, 1e-14);
    expect_near(c.normal, {0, 1, 0});
    expect_near(c.point_a, {1, 4, 3});
    expect_near(c.point_b, {1, 1 + apart, 3});
  }
  // About the same centre each direction is as good.
  const SweptContact c = swept_contact(a, a);
  EXPECT_EQ(c.distance, -4);
  EXPECT_NEAR(c.normal.norm(), 1, 1e-15);
  expect_near(c.point_a - c.point_b, 4 * c.normal);
}

TEST(SweptSphere, CapsulesAcrossEachOther) {
  const SweptSphere a{.half_u = {3, 0, 0}, .radius = 0.5};
  for (const double angle : {1.5, 0.1, 1e-4})
    for (const double height : {2.0, 0.7, 0.0, 1e-15, -0.4}) {
      const SweptSphere b{.centre = {0.2, 0, height},
                          .half_u = 2 * Vec3(std::cos(angle), std::sin(angle), 0),
                          .radius = 0.25};
      const SweptContact c = swept_contact(a, b);
      EXPECT_NEAR(c.distance, std::abs(height) - 0.75, 1e-12);
      EXPECT_NEAR(std::abs(c.normal.z()), 1, 1e-12);
      expect_near(c.point_a, Vec3(0.2, 0, 0) + 0.5 * c.normal, 1e-9);
      expect_near(c.point_b - c.point_a, c.distance * c.normal, 1e-9);
    }
}

TEST(SweptSphere, CapsulesInALine) {
  const SweptSphere a{.half_u = {1, 0, 0}, .radius = 0.5};
  const SweptContact ends =
      swept_contact(a, {.centre = {4, 0, 0}, .half_u = {1, 0, 0}, .radius = 0.25});
  EXPECT_NEAR(ends.distance, 1.25, 1e-14);
  expect_near(ends.point_a, {1.5, 0, 0});
  // In each other: out of the side.
  const SweptContact inside =
      swept_contact(a, {.centre = {0.5, 0, 0}, .half_u = {1, 0, 0}, .radius = 0.25});
  EXPECT_NEAR(inside.distance, -0.75, 1e-14);
  EXPECT_NEAR(inside.normal.x(), 0, 1e-14);
}

TEST(SweptSphere, SphereOnARectangle) {
  const SweptSphere plate{.half_u = {2, 0, 0}, .half_v = {0, 3, 0}, .radius = 0.1};
  const SweptContact above = swept_contact(plate, {.centre = {1, -1, 0.5}, .radius = 0.3});
  EXPECT_NEAR(above.distance, 0.1, 1e-14);
  expect_near(above.normal, {0, 0, 1});
  expect_near(above.point_a, {1, -1, 0.1});
  const SweptContact beside = swept_contact(plate, {.centre = {5, 7, 0}, .radius = 0.3});
  EXPECT_NEAR(beside.distance, 5 - 0.4, 1e-14);  // from the corner, 3 and 4 away
  expect_near(beside.normal, {0.6, 0.8, 0});
  expect_near(beside.point_b, Vec3(5, 7, 0) - 0.3 * Vec3(0.6, 0.8, 0));
}

TEST(SweptSphere, CapsuleThroughARectangle) {
  // It comes out by its shorter part, or sideways where that is less.
  const SweptSphere plate{.half_u = {2, 0, 0}, .half_v = {0, 3, 0}, .radius = 0.1};
  const SweptContact through =
      swept_contact(plate, {.centre = {0, 0, 0.6}, .half_u = {0, 0, 1}, .radius = 0.2});
  EXPECT_NEAR(through.distance, -0.4 - 0.3, 1e-13);
  expect_near(through.normal, {0, 0, 1});
  expect_near(through.point_b - through.point_a, {0, 0, -0.7});
  const SweptContact side =
      swept_contact(plate, {.centre = {1.9, 0, 0}, .half_u = {0, 0, 1}, .radius = 0.2});
  EXPECT_NEAR(side.distance, -0.1 - 0.3, 1e-13);
  expect_near(side.normal, {1, 0, 0});
}

TEST(SweptSphere, DistanceIsTheLargestGapOfAll) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const auto vector = [&] {
    const double x = normal(random), y = normal(random), z = normal(random);
    return Vec3(x, y, z);
  };
  int apart = 0, overlapping = 0, crossing = 0;
  for (int i = 0; i < scaled(400); ++i) {
    const double scale = i % 5 == 0 ? 1e-8 : i % 5 == 1 ? 1e8 : 1;
    const auto shape = [&](int kind) {
      SweptSphere s;
      s.centre = scale * vector();
      if (kind > 0) s.half_u = scale * vector();
      if (kind > 1) s.half_v = scale * vector();
      s.radius = scale * std::abs(normal(random)) * 0.5;
      return s;
    };
    const SweptSphere a = shape(i % 3), b = shape(i / 3 % 3);
    const SweptContact c = swept_contact(a, b);
    const auto gap = [&](const Vec3& n) {
      double reach = a.radius + b.radius;
      for (const Vec3& s : {a.half_u, a.half_v, b.half_u, b.half_v}) reach += std::abs(n.dot(s));
      return n.dot(b.centre - a.centre) - reach;
    };
    EXPECT_NEAR(gap(c.normal), c.distance, 1e-10 * scale) << i;
    for (int n = 0; n < 300; ++n) {
      const Vec3 m = n % 2 == 0 ? vector() : Vec3(c.normal + 0.05 * vector());
      EXPECT_LE(gap(m.normalized()), c.distance + 1e-10 * scale) << i;
    }
    // The points lie on both surfaces: as far as it gets along the normal, and so far apart.
    expect_near(c.point_b - c.point_a, c.distance * c.normal, 1e-9 * scale);
    (c.distance > 0 ? apart : overlapping) += 1;
    crossing += c.distance < -(a.radius + b.radius);
    // The other way round.
    const SweptContact back = swept_contact(b, a);
    EXPECT_NEAR(back.distance, c.distance, 1e-10 * scale);
  }
  EXPECT_GT(apart, 5);
  EXPECT_GT(overlapping, 5);
  EXPECT_GT(crossing, 0);
}

TEST(SweptSphere, RejectsWhatMeansNothing) {
  EXPECT_THROW((void)swept_contact({.radius = -1}, {}), InvalidInput);
  EXPECT_THROW((void)swept_contact({}, {.radius = std::nan("")}), InvalidInput);
  EXPECT_THROW((void)swept_contact({.centre = {kInfinity, 0, 0}}, {}), InvalidInput);
}

}  // namespace
}  // namespace touche
