// SPDX-License-Identifier: Apache-2.0
// The inside of convex shapes and the thickness of their overlaps: against closed forms, and
// against the same queries of their surfaces.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "motion_kinds.h"
#include "path/solid.h"
#include "random.h"
#include "requested_cancel.h"
#include "shape/soup_queries.h"
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
  EXPECT_FALSE(ball.is_open());
  EXPECT_THROW((void)ball.object(), InvalidInput);
  EXPECT_THROW((void)ball.signed_distance_bracket({NAN, 0, 0}), InvalidInput);
}

// Eigen's maxCoeff() ignores NaN in some positions.
TEST(ShapeInside, OnlyNumbersUpTo1e90AreCoordinates) {
  const Interior insides[] = {Interior(Shape::sphere(1)), Interior(Shape::box({1, 2, 3})),
                              Interior(Shape::half_space({0, 0, 1}, 0)),
                              Interior(Object(scenes::box({-1, -1, -1}, {1, 1, 1})))};
  for (const Interior& inside : insides) {
    for (int k = 0; k < 3; ++k)
      for (const double bad : {double{NAN}, kInfinity, -kInfinity, 1.1e90}) {
        Vec3 x(0.1, 0.2, 0.3);
        x[k] = bad;
        EXPECT_THROW((void)inside.winding_number(x), InvalidInput) << k << ' ' << bad;
        EXPECT_THROW((void)inside.contains(x), InvalidInput) << k << ' ' << bad;
        EXPECT_THROW((void)inside.signed_distance(x), InvalidInput) << k << ' ' << bad;
        EXPECT_THROW((void)inside.signed_distance_bracket(x), InvalidInput) << k << ' ' << bad;
      }
    const Bracket far = inside.signed_distance_bracket({1e90, -1e90, 1e90});
    EXPECT_LE(far.lower, far.upper);
    EXPECT_GT(far.lower, 0.9e90);
    EXPECT_FALSE(inside.contains({1e90, -1e90, 1e90}));
  }
}

// Bodies may be placed farther away than a point may be.
TEST(ShapeInside, BodiesAtAnyPose) {
  const Interior ball(Shape::sphere(1)), box(Shape::box({1, 2, 3})), pin(Shape::cylinder(1, 2)),
      under(Shape::half_space({0, 0, 1}, 0));
  for (const double far : {2e90, 1e93, 1e200})
    for (const Interior* a : {&ball, &box, &pin}) {
      for (const Interior* b : {&ball, &box, &pin}) {
        EXPECT_NE(containment(*a, at({far, 0, 0}), *b, {}), Containment::a_in_b);
        EXPECT_EQ(overlap_thickness(*a, at({far, 0, 0}), *b, {}).diameter.lower, 0);
      }
      EXPECT_NE(containment(*a, at({0, 0, far}), under, {}), Containment::a_in_b);
      EXPECT_EQ(overlap_thickness(*a, at({0, 0, far}), under, {}).diameter.lower, 0);
    }
  EXPECT_EQ(containment(ball, at({1e93, 0, 0}), box, {}), Containment::none);
}

TEST(ShapeInside, DepthsMayBeRough) {
  const Interior bodies[] = {Interior(Shape::cylinder(1, 3)), Interior(Shape::ellipsoid({1, 2, 3})),
                             Interior(Shape::cone(1, 2).rounded(0.1))};
  Random random(29);
  for (const Interior& body : bodies)
    for (int i = 0; i < test::scaled(50); ++i) {
      const Vec3 x = random.in_box(0.5);
      const Interior::Solid& solid = *paths::solid_of(body);
      const Interior::Solid::Side fine = solid.side(x), rough = solid.side(x, 0.05);
      EXPECT_LE(rough.distance.lower, fine.distance.upper);
      EXPECT_GE(rough.distance.upper, fine.distance.lower);
      EXPECT_LE(fine.distance.upper - fine.distance.lower, 1e-4);
      if (fine.distance.upper < 0) {
        EXPECT_LE(rough.distance.upper - rough.distance.lower, 0.051);
      }
    }
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
  // What lies inside an open object is unknown.
  PolygonSoup open_cube = scenes::box({-1, -1, -1}, {1, 1, 1});
  std::vector<Index> corners;
  std::vector<double> coordinates;
  for (const Vec3& x : open_cube.vertices())
    coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
  for (Index t = 1; t < open_cube.triangle_count(); ++t)
    for (const Index v : open_cube.triangle(t)) corners.push_back(v);
  const Interior tray(Object(PolygonSoup(coordinates, corners)));
  ASSERT_FALSE(tray.closed());
  expect_containment(Interior(Shape::box({0.1, 0.1, 0.1})), {}, tray, {}, open);
  expect_containment(Interior(Shape::box({0.1, 0.1, 0.1})), at({3, 0, 0}), tray, {}, none);
  expect_containment(Interior(Shape::sphere(0.1)), {}, tray, {}, open);
}

TEST(ShapeInside, ContainmentOfRoundShapesWithoutSize) {
  using enum Containment;
  const Interior large(Shape::sphere(3)), under(Shape::half_space(Vec3::UnitZ(), 0)),
      cube(Object(scenes::box({-1, -1, -1}, {1, 1, 1})));
  for (const Shape& shape :
       {Shape::ellipsoid({0, 0, 0}), Shape::cylinder(0, 0), Shape::cone(0, 0), Shape::sphere(0)}) {
    SCOPED_TRACE(std::string(name(shape.kind())));
    const Interior point(shape);
    expect_containment(point, at({1, 2, 0}), large, {}, a_in_b);
    expect_containment(point, at({4, 0, 0}), large, {}, none);
    expect_containment(point, at({3, 0, 0}), large, {}, undecided);
    expect_containment(point, at({0, 0, -1}), under, {}, a_in_b);
    expect_containment(point, at({0.5, 0, 0}), cube, {}, a_in_b);
    expect_containment(point, at({2, 0, 0}), cube, {}, none);
  }
  // Thin ones.
  expect_containment(Interior(Shape::cylinder(0, 2)), {}, large, {}, a_in_b);
  expect_containment(Interior(Shape::cylinder(1, 0)), {}, large, {}, a_in_b);
  expect_containment(Interior(Shape::ellipsoid({1, 0, 0})), {}, large, {}, a_in_b);
  expect_containment(Interior(Shape::ellipsoid({1, 1, 0})), {}, large, {}, a_in_b);
  // No mesh is made around it.
  const Interior flat(Shape::ellipsoid({1, 1, 0}));
  expect_containment(flat, at({1.95, 0, 0}), large, {}, undecided);
  expect_containment(flat, at({2.05, 0, 0}), large, {}, none);
}

/// A box with a cavity, which is a box, too.
Object hollow(const Vec3& half, const Vec3& cavity_lo, const Vec3& cavity_hi) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  const auto add = [&](const PolygonSoup& box, bool turned) {
    const auto first = static_cast<Index>(coordinates.size() / 3);
    for (const Vec3& x : box.vertices())
      coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
    for (Index t = 0; t < box.triangle_count(); ++t) {
      const auto& [i, j, k] = box.triangle(t);
      corners.insert(corners.end(),
                     {first + i, first + (turned ? k : j), first + (turned ? j : k)});
    }
  };
  add(scenes::box(-half, half), false);
  add(scenes::box(cavity_lo, cavity_hi), true);
  return Object(PolygonSoup(coordinates, corners));
}

// What touches a closed object from inside is neither proved to be inside nor to reach out of it.
TEST(ShapeInside, TouchingAnObjectFromInside) {
  using enum Containment;
  Random random(31);
  const Interior ball(Shape::sphere(0.5)), box(Shape::box({0.5, 0.5, 0.5})),
      pin(Shape::cylinder(0.5, 1)), cube(Object(scenes::box({-1, -1, -1}, {1, 1, 1})));
  for (const Interior* body : {&ball, &box, &pin}) {
    expect_containment(*body, at({0.5, 0, 0}), cube, {}, undecided);
    expect_containment(*body, at({0, 0, -0.5}), cube, {}, undecided);
    // Seen from any side, it is decided as soon as it reaches out.
    for (int i = 0; i < test::scaled(20, 5); ++i) {
      const Pose pose = random_pose(random, 3);
      expect_containment(*body, pose * at({0.4, 0, 0.1}), cube, pose, a_in_b);
      expect_containment(*body, pose * at({0.51, 0, 0.1}), cube, pose, none);
      const Pose turn = random_pose(random, 0);
      expect_containment(ball, pose * at({0.52, 0, 0}) * turn, cube, pose, none);
    }
    expect_containment(*body, at({1.5, 0, 0}), cube, {}, none);  // from outside
  }
  // With all corners inside, a shape may still reach into a cavity.
  const Interior with_cavity(hollow({2, 2, 2}, {0.4, 0.2, 0.1}, {0.6, 0.4, 0.3})),
      block(Shape::box({1, 1, 1}));
  expect_containment(block, {}, with_cavity, {}, none);
  expect_containment(block, {}, Interior(hollow({2, 2, 2}, {1.4, 1, 1}, {1.6, 1.5, 1.5})), {},
                     a_in_b);
}

TEST(ShapeInside, AMeshAroundARoundShapeIsMadeOnceAndNotInVain) {
  const Interior pin(Shape::cylinder(2, 3)), large(Shape::sphere(2.52));  // their box is too large
  EXPECT_EQ(containment(pin, {}, large, {}, {.cancel = test::requested()}), Containment::undecided);
  EXPECT_EQ(containment(pin, {}, large, {}, {.max_work = 0}), Containment::undecided);
  std::vector<Containment> found(4, Containment::undecided);
  std::vector<std::thread> threads;
  for (Containment& one : found)
    threads.emplace_back([&] { one = containment(pin, {}, large, {}); });
  for (std::thread& thread : threads) thread.join();
  for (const Containment one : found) EXPECT_EQ(one, Containment::a_in_b);
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

// The bounds of one body in the frame of the other one are rounded.
TEST(ShapeInside, ThicknessesOfTheSizeOfRoundingAreNotExcluded) {
  Random random(37);
  const Interior box(Shape::box({1, 1, 1})), ball(Shape::sphere(1)),
      cube(Object(scenes::box({-1, -1, -1}, {1, 1, 1})));
  for (int i = 0; i < test::scaled(40, 20); ++i) {
    const Pose pose = random_pose(random, 1);
    for (const Interior* body : {&box, &ball}) {
      const Thickness t = overlap_thickness(cube, pose, *body, pose * at({2 - 1e-15, 0, 0}));
      EXPECT_GE(t.diameter.upper, 1e-15);
      EXPECT_LE(t.diameter.upper, 1e-9);
      EXPECT_TRUE(t.complete);
      EXPECT_LT(t.work, 10'000u);
    }
  }
}

// The bounds of round shapes do not meet: a search that has found all there is is complete.
TEST(ShapeInside, ThicknessWithoutAllowanceIsComplete) {
  Random random(41);
  const Interior bodies[] = {Interior(Shape::cylinder(0.6, 1.5)), Interior(Shape::cone(0.8, 1.4)),
                             Interior(Shape::ellipsoid({0.4, 0.7, 1.1})),
                             Interior(Shape::box({0.5, 0.6, 0.7}))};
  for (const Interior& a : bodies)
    for (const Interior& b : bodies) {
      const Pose pose = random_pose(random, 0.2);
      const Thickness t = overlap_thickness(a, {}, b, pose, {.relative_error = 0});
      EXPECT_TRUE(t.complete);
      EXPECT_LE(t.diameter.lower, t.diameter.upper);
      EXPECT_LE(t.diameter.upper - t.diameter.lower, 1e-4);
    }
}

TEST(ShapeInside, TheDeadlineHoldsInADeepContactWithALargeSoup) {
  const Shape ball = Shape::sphere(3), ground = Shape::half_space(Vec3::UnitZ(), 3);
  const Shape soup = Shape::soup(Object(scenes::bumpy_sphere(100'000, 3)));
  for (const Shape& body : {ball, ground}) {
    // Of all faces, which are immersed, some are tested; none if the query is stopped.
    const ShapeContactsResult some = shape::some_shape_soup_contacts(body, {}, soup, {}, 256, {});
    EXPECT_FALSE(some.contacts.empty());
    EXPECT_LE(some.contacts.size(), 300u);
    const ShapeContactsResult none =
        shape::some_shape_soup_contacts(body, {}, soup, {}, 256, {.cancel = test::requested()});
    EXPECT_TRUE(none.contacts.empty());
    EXPECT_EQ(none.stats.primitive_tests, 0u);
    const Interior inside(body);
    const Interior::Solid& solid = *paths::solid_of(inside);
    EXPECT_LE(solid.points_in_overlap({}, soup.object(), {}, {.cancel = test::requested()}).size(),
              1u);
    EXPECT_LE(solid.points_in_overlap({}, soup.object(), {}, {}).size(), 26u);
  }
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
