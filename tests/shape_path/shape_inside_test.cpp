// SPDX-License-Identifier: Apache-2.0
// The inside of convex shapes and the thickness of their overlaps: against closed forms, and
// against the same queries of their surfaces.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "motion_kinds.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/overlap.h"
#include "touche/shape.h"

namespace touche::shape_inside_test {
namespace {

using scenes::Random;
using test::random_pose;

Pose at(const Vec3& x) { return Pose::from_translation(x); }

std::vector<Vec3> random_points(Random& random, int count, double size) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random.in_box(size));
  return points;
}

Object surface_of(const Shape& polytope) { return Object(enclosing_mesh(polytope, 1e-3)); }

void expect_distance(const Interior& inside, const Vec3& x, double expected, double error) {
  const Bracket bracket = inside.signed_distance_bracket(x);
  EXPECT_LE(bracket.lower, expected + 1e-13);
  EXPECT_GE(bracket.upper, expected - 1e-13);
  EXPECT_LE(bracket.upper - bracket.lower, error);
  EXPECT_NEAR(inside.signed_distance(x), expected, error);
  if (std::abs(expected) > error) {
    EXPECT_EQ(inside.contains(x), expected < 0);
    EXPECT_EQ(inside.winding_number(x), expected < 0 ? 1 : 0);
  }
}

TEST(ShapeInside, SignedDistancesOfClosedForm) {
  Random random(7);
  const Interior ball(Shape::sphere(1.5)), capsule(Shape::capsule(0.5, 2)),
      box(Shape::box({1, 2, 0.5})), cylinder(Shape::cylinder(1, 3)),
      under(Shape::half_space({0, 0, 2}, 1)), round_box(Shape::box({1, 2, 0.5}).rounded(0.25));
  for (int i = 0; i < test::scaled(300); ++i) {
    const Vec3 x = random.in_box(2.5);
    expect_distance(ball, x, x.norm() - 1.5, 1e-9);
    const Vec3 on_axis(0, 0, std::clamp(x.z(), -1.0, 1.0));
    expect_distance(capsule, x, (x - on_axis).norm() - 0.5, 1e-9);
    const auto from_box = [](const Vec3& over) {
      return over.maxCoeff() < 0 ? over.maxCoeff() : over.cwiseMax(0.0).norm();
    };
    const Vec3 over_box = x.cwiseAbs() - Vec3(1, 2, 0.5);
    expect_distance(box, x, from_box(over_box), 1e-9);
    expect_distance(round_box, x, from_box(over_box) - 0.25, 1e-9);
    const Vec3 over(std::hypot(x.x(), x.y()) - 1, std::abs(x.z()) - 1.5, -kInfinity);
    expect_distance(cylinder, x, from_box(over), 1e-5);
    expect_distance(under, x, x.z() - 0.5, 1e-9);
  }
  EXPECT_TRUE(ball.closed());
  EXPECT_THROW((void)ball.object(), InvalidInput);
  EXPECT_THROW((void)ball.signed_distance_bracket({NAN, 0, 0}), InvalidInput);
}

TEST(ShapeInside, PolytopesAgreeWithTheirSurfaces) {
  Random random(11);
  for (int i = 0; i < test::scaled(20, 5); ++i) {
    const Shape shape = Shape::hull(random_points(random, 12, 1));
    const Interior solid(shape), surface(surface_of(shape));
    for (int k = 0; k < 50; ++k) {
      const Vec3 x = random.in_box(1.2);
      const Bracket of_solid = solid.signed_distance_bracket(x),
                    of_surface = surface.signed_distance_bracket(x);
      EXPECT_NEAR(solid.signed_distance(x), surface.signed_distance(x), 1e-9);
      EXPECT_LE(of_solid.lower, of_surface.upper);
      EXPECT_GE(of_solid.upper, of_surface.lower);
    }
  }
}

TEST(ShapeInside, OfASoupItIsThatOfTheObject) {
  const Object cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Interior inside(Shape::soup(cube));
  EXPECT_TRUE(inside.contains({0.5, 0, 0}));
  EXPECT_EQ(inside.object().soup().face_count(), cube.soup().face_count());
  EXPECT_THROW(Interior(Shape::soup(cube).rounded(0.1)), InvalidInput);
}

void expect_containment(const Interior& a, const Pose& pose_a, const Interior& b,
                        const Pose& pose_b, Containment expected) {
  EXPECT_EQ(containment(a, pose_a, b, pose_b), expected);
  const Containment turned = expected == Containment::a_in_b   ? Containment::b_in_a
                             : expected == Containment::b_in_a ? Containment::a_in_b
                                                               : expected;
  EXPECT_EQ(containment(b, pose_b, a, pose_a), turned);
}

TEST(ShapeInside, Containment) {
  using enum Containment;
  const Interior small(Shape::sphere(0.5)), large(Shape::sphere(3)), box(Shape::box({1, 1, 1})),
      pin(Shape::cylinder(0.4, 1.5)), under(Shape::half_space(Vec3::UnitZ(), 0)),
      cube(Object(scenes::box({-1, -1, -1}, {1, 1, 1})));
  for (const Interior* body : {&small, &box, &pin, &cube}) {
    expect_containment(*body, {}, large, at({0.5, 0, 0}), a_in_b);
    expect_containment(*body, at({9, 0, 0}), large, {}, none);
    expect_containment(*body, at({2.8, 0, 0}), large, {}, none);
    expect_containment(*body, at({0, 0, -4}), under, {}, a_in_b);
    expect_containment(*body, at({0, 0, -0.1}), under, {}, none);
    expect_containment(*body, at({0, 0, 4}), under, {}, none);
  }
  for (const Interior* block : {&box, &cube}) {
    expect_containment(small, at({0.3, 0, 0}), *block, {}, a_in_b);
    expect_containment(small, at({0.6, 0, 0}), *block, {}, none);
    expect_containment(pin, {}, *block, {}, a_in_b);
    expect_containment(pin, at({0, 0, 0.5}), *block, {}, none);
  }
  expect_containment(large, {}, under, at({0, 0, 3}), undecided);  // touches from inside
  EXPECT_EQ(containment(small, {}, large, {}, {.max_work = 0}), undecided);
  // A polytope inside an open object: its corners decide.
  PolygonSoup open_cube = scenes::box({-1, -1, -1}, {1, 1, 1});
  std::vector<Index> corners;
  std::vector<double> coordinates;
  for (const Vec3& x : open_cube.vertices())
    coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
  for (Index t = 1; t < open_cube.triangle_count(); ++t)
    for (const Index v : open_cube.triangle(t)) corners.push_back(v);
  const Interior open(Object(PolygonSoup(coordinates, corners)));
  ASSERT_FALSE(open.closed());
  expect_containment(Interior(Shape::box({0.1, 0.1, 0.1})), {}, open, {}, a_in_b);
  expect_containment(Interior(Shape::box({0.1, 0.1, 0.1})), at({3, 0, 0}), open, {}, none);
  expect_containment(Interior(Shape::sphere(0.1)), {}, open, {}, undecided);
}

TEST(ShapeInside, ContainmentOfPolytopesIsThatOfTheirSurfaces) {
  Random random(5);
  int inside = 0;
  for (int i = 0; i < test::scaled(60, 20); ++i) {
    const Shape a = Shape::hull(random_points(random, 10, 0.4)),
                b = Shape::hull(random_points(random, 30, 1.2));
    const Pose pose_a = random_pose(random, 0.4), pose_b = random_pose(random, 0.4);
    const Interior solid_a(a), solid_b(b), surface_a(surface_of(a)), surface_b(surface_of(b));
    const Containment expected = containment(surface_a, pose_a, surface_b, pose_b);
    inside += expected == Containment::a_in_b ? 1 : 0;
    expect_containment(solid_a, pose_a, solid_b, pose_b, expected);
    expect_containment(solid_a, pose_a, surface_b, pose_b, expected);
    expect_containment(surface_a, pose_a, solid_b, pose_b, expected);
  }
  EXPECT_GT(inside, 0);
}

// ---- thickness ----------------------------------------------------------------------------------

void expect_thickness(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                      double expected) {
  for (const bool turned : {false, true}) {
    const Thickness t =
        turned ? overlap_thickness(b, pose_b, a, pose_a) : overlap_thickness(a, pose_a, b, pose_b);
    EXPECT_TRUE(t.complete);
    EXPECT_LE(t.diameter.lower, expected + 1e-13);
    EXPECT_GE(t.diameter.upper, expected - 1e-13);
    EXPECT_LE(t.diameter.upper - t.diameter.lower, 0.011 * expected + 1e-9);
    if (!(t.diameter.lower > 0)) continue;
    const Vec3 in_a = pose_a.inverse() * t.centre, in_b = pose_b.inverse() * t.centre;
    EXPECT_LE(a.signed_distance_bracket(in_a).lower, -0.5 * t.diameter.lower + 1e-12);
    EXPECT_LE(b.signed_distance_bracket(in_b).lower, -0.5 * t.diameter.lower + 1e-12);
  }
}

TEST(ShapeInside, ThicknessOfClosedForm) {
  Random random(3);
  const Interior ball(Shape::sphere(1)), box(Shape::box({1, 2, 3})),
      plate(Shape::box({5, 5, 0.05})), pin(Shape::cylinder(0.5, 6)),
      under(Shape::half_space(Vec3::UnitZ(), 0)),
      block(Object(scenes::box({-1, -2, -3}, {1, 2, 3})));
  for (int i = 0; i < 10; ++i) {
    const Pose pose = random_pose(random, 3);
    expect_thickness(ball, pose, ball, pose * at({1.25, 0, 0}), 0.75);
    expect_thickness(ball, pose, ball, pose, 2);
    expect_thickness(ball, pose, ball, pose * at({0, 2.5, 0}), 0);
    expect_thickness(plate, pose, box, pose * at({0, 0.5, 0}), 0.1);
    expect_thickness(pin, pose, box, pose, 1);
    expect_thickness(pin, pose, plate, pose, 0.1);
    expect_thickness(box, pose, under, pose * at({0, 0, -2}), 1);
    expect_thickness(pin, pose, under, pose * at({0, 0, -2.5}), 0.5);
    for (const Interior* other : {&box, &block}) {
      expect_thickness(box, pose, *other, pose * at({1.5, 0, 0}), 0.5);
      expect_thickness(ball, pose, *other, pose * at({1.5, 0, 0}), 0.5);
      expect_thickness(ball, pose, *other, pose, 2);
      expect_thickness(pin, pose, *other, pose, 1);
      expect_thickness(under, pose, *other, pose * at({0, 0, 2.75}), 0.25);
      expect_thickness(ball, pose, *other, pose * at({0, 0, 4.5}), 0);
    }
  }
  EXPECT_THROW((void)overlap_thickness(under, {}, under, {}), InvalidInput);
}

TEST(ShapeInside, ThicknessOfPolytopesIsThatOfTheirSurfaces) {
  Random random(19);
  int overlaps = 0;
  for (int i = 0; i < test::scaled(30, 8); ++i) {
    SCOPED_TRACE(i);
    const Shape a = Shape::hull(random_points(random, 9, 1)),
                b = Shape::hull(random_points(random, 14, 1));
    const Pose pose_a = random_pose(random, 0.6), pose_b = random_pose(random, 0.6);
    const Interior solid_a(a), solid_b(b), surface_a(surface_of(a)), surface_b(surface_of(b));
    const Bracket of_solids = overlap_thickness(solid_a, pose_a, solid_b, pose_b).diameter;
    const Bracket of_surfaces =
        overlap_thickness(surface_a, pose_a, surface_b, pose_b, {.absolute_error = 1e-4}).diameter;
    const Bracket mixed =
        overlap_thickness(solid_a, pose_a, surface_b, pose_b, {.absolute_error = 1e-4}).diameter;
    const Bracket turned =
        overlap_thickness(surface_a, pose_a, solid_b, pose_b, {.absolute_error = 1e-4}).diameter;
    const Bracket all[] = {of_solids, of_surfaces, mixed, turned};
    for (const Bracket& x : all)
      for (const Bracket& y : all) EXPECT_LE(x.lower, y.upper + 1e-11);
    EXPECT_LE(of_solids.upper - of_solids.lower, 0.011 * of_solids.upper + 1e-9);
    EXPECT_LE(of_solids.lower, depth(a, pose_a, b, pose_b).depth.upper * (1 + 1e-9));
    overlaps += of_solids.lower > 0 ? 1 : 0;
  }
  EXPECT_GT(overlaps, 3);
}

// A smooth shape between an inscribed and an enclosing mesh.
TEST(ShapeInside, ThicknessOfRoundShapesIsBetweenThoseOfMeshes) {
  Random random(23);
  const Shape shapes[] = {Shape::cylinder(0.6, 1.5), Shape::cone(0.8, 1.4),
                          Shape::ellipsoid({0.4, 0.7, 1.1}), Shape::capsule(0.4, 1),
                          Shape::box({0.3, 0.5, 0.7}).rounded(0.2)};
  constexpr double kError = 0.02;
  for (int i = 0; i < test::scaled(10, 5); ++i) {
    const Shape &a = shapes[i % 5], &b = shapes[(i + 1 + i / 5) % 5];
    SCOPED_TRACE(std::string(name(a.kind())) + " " + std::string(name(b.kind())));
    const Pose pose_a = random_pose(random, 0.3), pose_b = random_pose(random, 0.3);
    const Interior in_a(a), in_b(b);
    const Bracket exact = overlap_thickness(in_a, pose_a, in_b, pose_b).diameter;
    const Interior least_b{Object(shape_mesh(b, kError))},
        most_b{Object(enclosing_mesh(b, kError))};
    EXPECT_LE(
        overlap_thickness(in_a, pose_a, least_b, pose_b, {.relative_error = 0.05}).diameter.lower,
        exact.upper + 1e-9);
    EXPECT_GE(
        overlap_thickness(in_a, pose_a, most_b, pose_b, {.relative_error = 0.05}).diameter.upper,
        exact.lower - 1e-9);
    EXPECT_LE(exact.upper - exact.lower, 0.011 * exact.upper + 1e-9);
  }
}

}  // namespace
}  // namespace touche::shape_inside_test
