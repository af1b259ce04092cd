// SPDX-License-Identifier: Apache-2.0
// Meshes of shapes: inside of them, closed, and as near as they say.
#include "touche/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "shape_cases.h"
#include "test_scale.h"
#include "touche/mass.h"

namespace touche {
namespace {

using test::scaled;
using test::some_shape;

double farthest(const PolygonSoup& soup, const Vec3& direction) {
  double most = -kInfinity;
  for (const Vec3& v : soup.vertices()) most = std::max(most, direction.dot(v));
  return most;
}

TEST(ShapeMesh, LiesInsideAndWithinItsError) {
  base::Random random(31);
  double nearest_to_error = 0;
  for (int i = 0; i < scaled(44, 11); ++i) {
    const Shape shape = some_shape(random, i);
    const double error = std::pow(10, random.uniform(-2.5, -1));
    const PolygonSoup mesh = shape_mesh(shape, error);
    for (const Vec3& v : mesh.vertices())
      ASSERT_LT(closest_point(shape, {}, v).distance, 1e-6) << i;
    EXPECT_GT(mass_properties(mesh, 1).mass, 0) << i;  // closed, of one orientation
    // The distance of convex bodies is the largest difference of their support functions.
    for (int k = 0; k < 300; ++k) {
      const Vec3 d = random.direction();
      const double off = d.dot(shape.support(d)) - farthest(mesh, d);
      ASSERT_LE(off, error + 1e-9) << i;
      ASSERT_GE(off, -1e-8) << i;
      nearest_to_error = std::max(nearest_to_error, off / error);
    }
  }
  EXPECT_GT(nearest_to_error, 0.2);  // it is not much finer than required
}

// By how much it is smaller is bounded by its surface times the error.
TEST(ShapeMesh, WeighsHardlyLess) {
  const std::pair<Shape, double> shapes[] = {{Shape::sphere(1), 12.6},
                                             {Shape::capsule(0.5, 1), 6.3},
                                             {Shape::cylinder(0.5, 1).rounded(0.2), 11},
                                             {Shape::ellipsoid({1, 0.6, 0.4}), 7},
                                             {Shape::cone(1, 2), 10.2}};
  for (const auto& [shape, surface] : shapes)
    for (const double error : {0.1, 0.01, 0.002}) {
      const double all = mass_properties(shape, 1).mass,
                   mesh = mass_properties(shape_mesh(shape, error), 1).mass;
      EXPECT_LT(mesh, all);
      EXPECT_GT(mesh, all - surface * error) << error;
    }
}

TEST(ShapeMesh, OfWhatIsFlatIsThin) {
  const Vec3 segment[] = {{0, 0, 0}, {1, 2, 3}};
  for (const Shape& shape :
       {Shape::cylinder(1, 0), Shape::box({1, 1, 0}), Shape::hull(segment), Shape::sphere(0)}) {
    const PolygonSoup mesh = shape_mesh(shape, 0.01);
    EXPECT_GT(mass_properties(mesh, 1).mass, 0);
    for (const Vec3& v : mesh.vertices())
      EXPECT_LT(closest_point(shape, {}, v).distance, 0.005 + 1e-9);
  }
}

// A mesh that contains a convex body reaches as far in all directions, one that is near it not much
// farther.
TEST(EnclosingMesh, ContainsTheShapeAndIsWithinItsError) {
  base::Random random(37);
  double nearest_to_error = 0;
  int exact = 0;
  for (int i = 0; i < scaled(44, 11); ++i) {
    const Shape shape = some_shape(random, i);
    const double error = std::pow(10, random.uniform(-2.5, -1));
    const PolygonSoup mesh = enclosing_mesh(shape, error);
    EXPECT_TRUE(examine(mesh).closed);
    EXPECT_GT(mass_properties(mesh, 1).mass, 0) << i;
    for (const Vec3& v : mesh.vertices())
      ASSERT_LE(closest_point(shape, {}, v).distance, error) << i;
    const bool polytope = default_mesh_error(shape) == 0;
    exact += polytope ? 1 : 0;
    for (int k = 0; k < 300; ++k) {
      const Vec3 d = random.direction();
      const double out = farthest(mesh, d) - d.dot(shape.support(d));
      ASSERT_GE(out, -1e-14) << i;
      ASSERT_LE(out, polytope ? 0 : error) << i;
      nearest_to_error = std::max(nearest_to_error, out / error);
    }
  }
  EXPECT_GT(nearest_to_error, 0.5);
  EXPECT_GT(exact, 0);
}

TEST(EnclosingMesh, OfWhatIsFlatHasVolume) {
  const Vec3 segment[] = {{0, 0, 0}, {1, 2, 3}};
  for (const Shape& shape : {Shape::cylinder(1, 0), Shape::box({1, 1, 0}), Shape::hull(segment)}) {
    const double error = default_mesh_error(shape);
    EXPECT_GT(error, 0);
    const PolygonSoup mesh = enclosing_mesh(shape, error);
    EXPECT_GT(mass_properties(mesh, 1).mass, 0);
    for (const Vec3& v : mesh.vertices()) EXPECT_LE(closest_point(shape, {}, v).distance, error);
  }
}

TEST(EnclosingMesh, TheUsualErrorIsAThousandthOfTheRadius) {
  EXPECT_EQ(default_mesh_error(Shape::sphere(2)), 2e-3);
  EXPECT_EQ(default_mesh_error(Shape::cylinder(3, 100)), 3e-3);
  EXPECT_EQ(default_mesh_error(Shape::ellipsoid({1, 4, 2})), 4e-3);
  EXPECT_EQ(default_mesh_error(Shape::box({9, 9, 9}).rounded(1)), 1e-3);
  EXPECT_EQ(default_mesh_error(Shape::box({9, 9, 9})), 0);
  // Rounding decides where what is round is tiny.
  const Shape tiny = Shape::box({1e6, 1e6, 1e6}).rounded(1e-6);
  EXPECT_GT(default_mesh_error(tiny), 1e-6);
  EXPECT_GT(mass_properties(enclosing_mesh(tiny, default_mesh_error(tiny)), 1).mass, 0);
  EXPECT_THROW((void)enclosing_mesh(tiny, 1e-6), InvalidInput);
}

// Also where several round shapes are added up, each of which has many points.
TEST(EnclosingMesh, TheUsualErrorSuffices) {
  const Shape egg = Shape::ellipsoid({12, 12, 8}), can = Shape::cylinder(2, 3),
              cone = Shape::cone(1, 2);
  const Pose turned = Pose::from_axis_angle({1, 2, 3}, 1, Vec3::Zero());
  const std::pair<Shape, double> shapes[] = {
      {egg, 12},
      {egg.rounded(1), 12},
      {can.rounded(0.5), 2},
      {Shape::sum(can, cone, turned), 2},
      {Shape::sum(can, cone, turned).rounded(0.5), 2},
      {Shape::sum(Shape::ellipsoid({1, 2, 3}), Shape::ellipsoid({3, 1, 1}), turned), 3},
      {Shape::sum(egg, can, turned).rounded(3), 12}};
  for (const auto& [shape, radius] : shapes) {
    const double error = default_mesh_error(shape);
    EXPECT_GE(error, radius / 1000);
    EXPECT_LE(error, radius / 10);
    const PolygonSoup mesh = enclosing_mesh(shape, error);
    base::Random random(41);
    for (int k = 0; k < 300; ++k) {
      const Vec3 d = random.direction();
      const double out = farthest(mesh, d) - d.dot(shape.support(d));
      ASSERT_GE(out, -1e-13);
      ASSERT_LE(out, error);
    }
  }
}

TEST(EnclosingMesh, RefusesWhatItCannotDo) {
  for (const double bad : {0.0, -1.0, kInfinity, std::numeric_limits<double>::quiet_NaN(), 1e-6})
    EXPECT_THROW((void)enclosing_mesh(Shape::sphere(1), bad), InvalidInput) << bad;
  const Shape half = Shape::half_space({0, 0, 1}, 0);
  EXPECT_THROW((void)enclosing_mesh(half, 1), InvalidInput);
  EXPECT_THROW((void)default_mesh_error(half), InvalidInput);
  EXPECT_THROW((void)default_mesh_error(Shape::sphere(0)), InvalidInput);
}

TEST(ShapeMesh, RefusesWhatItCannotDo) {
  const Shape ball = Shape::sphere(1);
  for (const double bad : {0.0, -1.0, kInfinity, std::numeric_limits<double>::quiet_NaN(), 1e-6})
    EXPECT_THROW((void)shape_mesh(ball, bad), InvalidInput) << bad;
  EXPECT_THROW((void)shape_mesh(Shape::cylinder(1, 1).rounded(0.5), 1e-5), InvalidInput);
  EXPECT_THROW((void)shape_mesh(Shape::half_space({0, 0, 1}, 0), 0.1), InvalidInput);
  EXPECT_THROW((void)shape_mesh(Shape::soup(Object(shape_mesh(ball, 0.1))), 0.1), InvalidInput);
}

}  // namespace
}  // namespace touche
