// SPDX-License-Identifier: Apache-2.0
// The bounding volumes of others.h: fits and measures against what they are said to be.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bounds_sets.h"
#include "exact_volumes.h"
#include "methods/bounds/any_volume.h"
#include "methods/bounds/fit_obb.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::holds;
using test::Sets;

constexpr double kStraightAngle = std::numbers::pi;

TEST(EveryOther, IsNeverSmallerThanTheHull) {
  Sets sets(5);
  for (int i = 0; i < 20; ++i) {
    const std::vector<Vec3> points = sets.cloud(30);
    const Hull hull = Hull::fit(points);
    for (const VolumeKind& kind : volume_kinds()) {
      const AnyVolume v = kind.fit(points);
      EXPECT_GE(v.volume(), hull.volume() * (1 - 1e-6)) << kind.name;
      if (kind.name != "shell") {  // convex: never less surface than what it holds
        EXPECT_GE(v.surface_area(), hull.surface_area() * (1 - 1e-6)) << kind.name;
      }
      EXPECT_GE(v.diameter(), hull.diameter() * (1 - 1e-6)) << kind.name;
    }
  }
}

std::vector<Vec3> ring(double radius, double height, int n) {
  std::vector<Vec3> points;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * kStraightAngle * k / n;
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), height);
  }
  return points;
}

std::vector<Vec3> together(std::vector<Vec3> a, const std::vector<Vec3>& b, const Pose& pose) {
  a.insert(a.end(), b.begin(), b.end());
  for (Vec3& p : a) p = pose * p;
  return a;
}

TEST(CylinderFit, FindsACylinder) {
  Sets sets(6);
  for (int i = 0; i < 20; ++i) {
    const double half = sets.real(1.5, 3);
    const Cylinder c =
        Cylinder::fit(together(ring(1, -half, 64), ring(1, half, 64), sets.pose(sets.point())));
    EXPECT_NEAR(c.radius, 1, 1e-3);
    EXPECT_NEAR(c.half, half, 1e-3);
    EXPECT_NEAR(c.volume(), 2 * kStraightAngle * half, 0.02);
    EXPECT_NEAR(c.surface_area(), 2 * kStraightAngle * (1 + 2 * half), 0.02);
    EXPECT_NEAR(c.diameter(), 2 * std::hypot(1, half), 0.01);
  }
}

TEST(ConeFit, FindsAConeCutOffOrNot) {
  Sets sets(7);
  for (int i = 0; i < 20; ++i) {
    const double top = i % 2 == 0 ? 0 : sets.real(0.1, 0.9), half = sets.real(1.5, 3);
    const Cone c =
        Cone::fit(together(ring(1, -half, 64), ring(top, half, 64), sets.pose(sets.point())));
    const double volume = 2 * kStraightAngle / 3 * half * (1 + top + top * top);
    EXPECT_NEAR(c.volume() / volume, 1, 1e-2) << top;
    EXPECT_NEAR(std::min(c.radius[0], c.radius[1]), top, 1e-2);
  }
}

// Both radii against all pairs on a grid, about the same axis.
TEST(ConeFit, IsOfLeastVolumeAboutItsAxis) {
  Sets sets(8);
  for (int i = 0; i < 40; ++i) {
    const std::vector<Vec3> points = sets.cloud(15);
    const Cone c = Cone::fit(points);
    const double most = 2 * std::max(c.radius[0], c.radius[1]);
    double least = kInfinity;
    constexpr int kSteps = 100;
    for (int a = 0; a <= kSteps; ++a)
      for (int b = 0; b <= kSteps; ++b) {
        const Cone other = {c.centre, c.axis, c.half, {most * a / kSteps, most * b / kSteps}};
        if (other.volume() >= least) continue;
        if (std::ranges::all_of(points, [&](const Vec3& p) { return other.contains(p); }))
          least = other.volume();
      }
    EXPECT_LE(c.volume(), least * (1 + 1e-9));
    EXPECT_GE(c.volume(), least * 0.9);
  }
}

TEST(ShellFit, FollowsACurvedPatch) {
  Sets sets(9);
  for (int i = 0; i < 10; ++i) {
    // A dome of radius 2, of small triangles.
    const Pose pose = sets.pose(sets.point());
    const Vec3 centre = pose * Vec3::Zero();
    std::vector<Triangle> dome;
    std::vector<Vec3> points;
    for (int k = 0; k < 500; ++k) {
      Vec3 v = sets.direction();
      while (v.z() < 0.6) v = sets.direction();
      const Vec3 w = (v + 0.01 * sets.direction()).normalized(),
                 x = (v + 0.01 * sets.direction()).normalized();
      dome.push_back({pose * Vec3(2 * v), pose * Vec3(2 * w), pose * Vec3(2 * x)});
      points.insert(points.end(), dome.back().begin(), dome.back().end());
    }
    const Shell s = Shell::fit_faces(dome);
    EXPECT_LT(s.outer - s.inner, 2e-4);
    EXPECT_NEAR(s.outer, 2, 1e-6);
    EXPECT_LT((s.centre - centre).norm(), 1e-6);
    EXPECT_LT(s.volume(), 1e-2 * Hull::fit(points).volume());  // thinner than all that is convex
    EXPECT_NEAR(std::cos(s.half_angle()), 0.6, 0.05);
    for (const Triangle& t : dome)  // the insides as well
      EXPECT_TRUE(s.contains((t[0] + t[1] + t[2]) / 3));
    // Around the hull of the same points the hollow is filled up to their plane.
    const Shell filled = Shell::fit(points);
    for (int k = 0; k < 100; ++k) EXPECT_TRUE(filled.contains(sets.inside(points)));
  }
  EXPECT_THROW((void)Shell::fit_faces({}), InvalidInput);
}

TEST(ZonotopeFit, IsNoWiderThanTheBox) {
  Sets sets(10);
  double saved = 0;
  const int n = 60;
  for (int i = 0; i < n; ++i) {
    const std::vector<Vec3> points = sets.cloud(sets.integer(4, 60));
    const Zonotope z = Zonotope::fit(points);
    double width = 0;
    for (const Vec3& g : z.generators()) width += g.norm();
    const double of_box = fit_obb(points).half.sum();
    EXPECT_LE(width, of_box);
    saved += 1 - width / of_box;
  }
  EXPECT_GT(saved / n, 0.01);
  // A zonotope that is there is found.
  std::vector<Vec3> corners;
  const Vec3 sides[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, Vec3(1, 1, 1)};
  for (int k = 0; k < 16; ++k) {
    Vec3 p = Vec3::Zero();
    for (int g = 0; g < 4; ++g) p += (k >> g & 1) != 0 ? sides[g] : Vec3(-sides[g]);
    corners.push_back(p);
  }
  EXPECT_GE(Zonotope::fit(corners).volume(), 8 * 4 * (1 - 1e-9));
}

TEST(ZonotopeMeasures, AreThoseOfItsFaces) {
  Sets sets(11);
  for (int i = 0; i < 30; ++i) {
    const Zonotope z = Zonotope::fit(sets.cloud(20));
    double area = 0, volume = 0;
    for (const ZonotopeFace& f : faces(z)) {
      const Vec3 normal = 4 * f.half_u.cross(f.half_v);
      area += normal.norm();
      volume += normal.dot(f.centre - z.box.centre) / 3;
    }
    EXPECT_NEAR(z.surface_area() / area, 1, 1e-9);
    EXPECT_NEAR(z.volume() / volume, 1, 1e-9);
  }
}

// The parallelograms cover each face once: a point inside of one lies in no other.
TEST(ZonotopeMeasures, TilesItsFaces) {
  Sets sets(21);
  const Zonotope z = Zonotope::fit(sets.cloud(20));
  const auto all = faces(z);
  int shared = 0, checked = 0;
  for (const ZonotopeFace& own : all)
    for (int k = 0; k < 20; ++k, ++checked) {
      const Vec3 p = own.centre + sets.real(-1, 1) * own.half_u + sets.real(-1, 1) * own.half_v;
      for (const ZonotopeFace& f : all) {
        if (&f == &own) continue;
        const Vec3 n = f.half_u.cross(f.half_v), d = p - f.centre;
        if (std::abs(n.dot(d)) > 1e-9 * n.norm()) continue;
        const double x = d.cross(f.half_v).dot(n) / n.squaredNorm(),
                     y = f.half_u.cross(d).dot(n) / n.squaredNorm();
        shared += std::abs(x) < 1 - 1e-9 && std::abs(y) < 1 - 1e-9;
      }
    }
  EXPECT_EQ(shared, 0) << "of " << checked;
}

TEST(SlabsFit, IsNeverLargerThanTheBoxAndFindsFaces) {
  Sets sets(12);
  for (int i = 0; i < 40; ++i) {
    const std::vector<Vec3> points = sets.cloud(12);
    const Slabs s = Slabs::fit(points);
    EXPECT_LE(s.volume(), fit_obb(points).volume() * (1 + 1e-9));
    EXPECT_GT(s.body.slabs().size(), 3u);
  }
  // An octahedron has four pairs of faces.
  const Pose pose = sets.pose(sets.point());
  std::vector<Vec3> octahedron;
  for (int k = 0; k < 6; ++k)
    octahedron.push_back(pose * Vec3((k & 1 ? 1 : -1) * Vec3::Unit(k / 2)));
  EXPECT_NEAR(Slabs::fit(octahedron).volume(), 4.0 / 3, 1e-5);
  EXPECT_NEAR(Hull::fit(octahedron).volume(), 4.0 / 3, 1e-5);
}

TEST(SlabPolytope, IsThatOfAnyDirections) {
  // A dodecahedron of height 2 between opposite faces.
  std::vector<Slab> slabs;
  for (const Vec3& n : Dodecahedron::directions()) slabs.push_back({n.normalized(), -1, 1});
  const SlabPolytope body(slabs);
  EXPECT_EQ(body.faces().size(), 12u);
  for (const auto& face : body.faces()) EXPECT_EQ(face.size(), 5u);
  EXPECT_NEAR(body.volume(), body.surface_area() / 3, 1e-9);
  EXPECT_NEAR(body.volume(), 5.550291, 1e-6);
  EXPECT_NEAR(body.diameter(), 2 * 1.258409, 1e-6);
  EXPECT_EQ(Dop8::fit(ring(1, 0, 3)).body.faces().size() > 3, true);
  const Slab flat[] = {{Vec3::UnitX(), 0, 1}, {Vec3::UnitY(), 0, 1}, {Vec3(1, 1, 0), 0, 1}};
  EXPECT_THROW(SlabPolytope{flat}, InvalidInput);
  const Slab empty[] = {{Vec3::UnitX(), 1, 0}, {Vec3::UnitY(), 0, 1}, {Vec3::UnitZ(), 0, 1}};
  EXPECT_THROW(SlabPolytope{empty}, InvalidInput);
}

// A box with a blunt roof: four planes that are nearly its upper side, which is none of them. They
// meet at (0, 0, 1) and fall by `rise` to each side.
TEST(SlabPolytope, MeasuresABluntRoof) {
  for (const double rise : {1e-1, 1e-2, 1e-3, 2e-4}) {
    std::vector<Slab> slabs = {{Vec3::UnitX(), -1, 1}, {Vec3::UnitY(), -1, 1}};
    for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
      slabs.push_back({Vec3::UnitZ() + rise * side, -5, 1});
    slabs.push_back({Vec3(0.5, 0, 1), -5, 5});  // of no effect
    slabs.push_back({Vec3::UnitZ(), 0, 5});     // the floor
    const SlabPolytope body(slabs);
    // A pyramid of height `rise` on a base of 2 x 2, over a box.
    EXPECT_NEAR(body.volume(), 4 * (1 - rise) + 4 * rise / 3, 1e-9) << rise;
    EXPECT_EQ(body.faces().size(), 9u) << rise;
    EXPECT_NEAR(body.diameter(), std::sqrt(8 + (1 - rise) * (1 - rise)), 1e-9) << rise;
  }
}

TEST(SlabPolytope, RefusesNearlyParallelSlabs) {
  Sets sets(23);
  for (const double sine : {0.0, 1e-16, 1e-12, 1e-8, 1e-6, 4e-5}) {
    const std::vector<Slab> slabs = {{Vec3::UnitX(), -1, 1},
                                     {Vec3::UnitY(), -1, 1},
                                     {Vec3::UnitZ(), -1, 1},
                                     {Vec3(sine, 0, -1), -0.5, 0.5}};
    try {
      (void)SlabPolytope(slabs);
      ADD_FAILURE() << sine;
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find("slabs 2 and 3"), std::string::npos) << e.what();
    }
  }
  // Fitted slabs are refused by none of what they go through: faces of a hull that nearly are in
  // one plane, turns and files.
  for (int i = 0; i < 100; ++i) {
    std::vector<Vec3> points = sets.cloud(8);
    for (int k = 0; k < 4; ++k)
      points.push_back(points[0] + std::pow(10, sets.real(-7, -3)) * sets.point());
    Slabs s = Slabs::fit(points);
    for (int k = 0; k < 5; ++k) s = moved(s, PoseMatrix(sets.pose(sets.point())));
    EXPECT_EQ(Slabs::from_numbers(s.numbers()).volume(), s.volume());
  }
}

// Normals that equal an axis up to less than rounding: their products are not exact.
TEST(SlabPolytope, HoldsItsPointsAlongNearlyAnAxis) {
  Sets sets(22);
  for (int i = 0; i < 200; ++i) {
    const std::vector<Vec3> points = sets.cloud(6);
    const double off = std::pow(10, sets.real(-20, -14));
    const Vec3 normals[] = {Vec3(1, off, 0), Vec3(0, 1, -off), Vec3(off, off, 1)};
    const SlabPolytope body = SlabPolytope::around(points, normals);
    for (const Vec3& p : points) EXPECT_TRUE(holds(body, p)) << off;
  }
}

TEST(SlabPolytope, MeasuresLikeAKdop) {
  Sets sets(13);
  for (int i = 0; i < 30; ++i) {
    const std::vector<Vec3> points = sets.cloud(10);
    const SlabPolytope body = SlabPolytope::around(points, kdop_directions(18));
    const Kdop<18> dop = Kdop<18>::fit(points);
    EXPECT_NEAR(body.volume(), dop.volume(), 1e-9);
    EXPECT_NEAR(body.surface_area(), dop.surface_area(), 1e-9);
    EXPECT_NEAR(body.diameter(), dop.diameter(), 1e-9);
  }
}

}  // namespace
}  // namespace touche::bounds
