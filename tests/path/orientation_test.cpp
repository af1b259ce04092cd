// SPDX-License-Identifier: Apache-2.0
// However the faces of a mesh happen to be oriented, it has the inside of the mesh whose faces are
// oriented alike.
#include "path/orientation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hit_share.h"
#include "mesh_sides.h"
#include "path/interior.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/overlap.h"
#include "touche/path.h"

namespace touche::orientation_test {
namespace {

using scenes::Random;
using test::joined;
using test::reversed;

PolygonSoup cube(double lo, double hi, Index cuts = 1) {
  return scenes::box(Vec3::Constant(lo), Vec3::Constant(hi), cuts);
}

/// Reverses `count` random faces.
PolygonSoup flipped(const PolygonSoup& mesh, Index count, base::Random& random) {
  std::vector<Index> faces(mesh.face_count()), corners, sizes;
  std::iota(faces.begin(), faces.end(), Index{0});
  for (Index i = 0; i < count; ++i)
    std::swap(faces[i], faces[i + random.below(mesh.face_count() - i)]);
  std::vector<bool> turns(mesh.face_count(), false);
  for (Index i = 0; i < count; ++i) turns[faces[i]] = true;
  std::vector<double> xyz;
  for (const Vec3& v : mesh.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (Index f = 0; f < mesh.face_count(); ++f) {
    std::vector<Index> face(mesh.face(f).begin(), mesh.face(f).end());
    if (turns[f]) std::reverse(face.begin(), face.end());
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
  }
  return PolygonSoup(xyz, corners, sizes);
}

PolygonSoup any_flipped(const PolygonSoup& mesh, base::Random& random) {
  return flipped(mesh, 1 + random.below(mesh.face_count()), random);
}

/// A prism over a regular polygon: two faces of many corners, and squares that share their edges.
PolygonSoup prism(Index corners) {
  std::vector<double> xyz;
  std::vector<Index> faces, sizes = {corners, corners};
  for (const double z : {0.0, 1.0})
    for (Index i = 0; i < corners; ++i) {
      const double angle = 6.283185307179586 * i / corners;
      xyz.insert(xyz.end(), {2 * std::cos(angle), 2 * std::sin(angle), z});
    }
  for (Index i = 0; i < corners; ++i) faces.push_back(corners - 1 - i);
  for (Index i = 0; i < corners; ++i) faces.push_back(corners + i);
  for (Index i = 0; i < corners; ++i) {
    const Index next = (i + 1) % corners;
    for (const Index v : {i, next, corners + next, corners + i}) faces.push_back(v);
    sizes.push_back(4);
  }
  return PolygonSoup(xyz, faces, sizes);
}

/// A box one of whose edges is cut at a rounded point on one side only.
PolygonSoup box_with_slit() {
  const PolygonSoup box = scenes::box({-1.1, -0.7, -0.9}, {1.3, 0.8, 1.7}, 2);
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& v : box.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (const auto& t : box.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  const Index a = corners[0], b = corners[1], c = corners[2], middle = box.vertex_count();
  const Vec3 x = box.vertex(a) + 0.37 * (box.vertex(b) - box.vertex(a)) + Vec3::Constant(1e-9);
  xyz.insert(xyz.end(), x.begin(), x.end());
  corners[1] = middle;
  corners.insert(corners.end(), {middle, b, c});
  return PolygonSoup(xyz, corners);
}

/// Adds to each edge a degenerate triangle, two corners of which are at the same position.
PolygonSoup with_needles(const PolygonSoup& mesh) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& v : mesh.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (const auto& t : mesh.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  for (const auto& [a, b, c] : mesh.triangles()) {
    corners.insert(corners.end(), {a, b, b});
    corners.insert(corners.end(), {b, c, c});
    corners.insert(corners.end(), {c, a, a});
  }
  return PolygonSoup(xyz, corners);
}

std::vector<PolygonSoup> bodies() {
  return {cube(-1, 1),
          scenes::bumpy_sphere(400, 3),
          scenes::torus(1, 0.4, 24, 12),
          prism(7),
          box_with_slit(),
          with_needles(cube(-1, 1, 2)),
          joined({cube(-1, 1, 3), cube(-0.4, 0.4, 2)}),
          joined({cube(-1, 0.3, 2), cube(-0.3, 1, 3)})};
}

bool are_same(const Interior& a, const Interior& b, base::Random& random, int& inside, int& total) {
  bool same = a.closed() == b.closed();
  const Aabb& box = a.object().bounds();
  for (int i = 0; i < 30; ++i) {
    const Vec3 x = box.centre() + 0.55 * (box.hi - box.lo).cwiseProduct(random.in_box(1));
    const bool expected = a.contains(x);
    same &= b.contains(x) == expected &&
            base::data_of(b).all_outside(x, 0.01) == base::data_of(a).all_outside(x, 0.01);
    inside += expected;
    ++total;
  }
  return same;
}

TEST(Orientation, InsidesDoNotDependOnIt) {
  base::Random random(1);
  int inside = 0, total = 0;
  for (const PolygonSoup& mesh : bodies()) {
    const bool two = base::data_of(Interior{Object(mesh)}).parts.size() > 1;
    const Interior expected{Object(mesh)};
    EXPECT_EQ(inside_fault(mesh), InsideFault::none);
    for (int round = 0; round < test::scaled(60, 20); ++round) {
      const PolygonSoup other = any_flipped(mesh, random);
      // Whether a body in another one is a cavity is in doubt then.
      const InsideFault fault = inside_fault(other);
      EXPECT_TRUE(fault == InsideFault::none || (two && fault == InsideFault::ambiguous));
      EXPECT_TRUE(are_same(expected, Interior{Object(other)}, random, inside, total));
    }
  }
  test::expect_about_half(inside, total);
}

TEST(Orientation, OverlapsAndPathsDoNotDependOnIt) {
  base::Random random(2);
  const Pose turn = Pose::from_axis_angle(Vec3(1, 2, 3), 0.3, Vec3(1.1, 0.2, 0.1));
  const Object peg(cube(-0.2, 0.2)), other(scenes::torus(1, 0.4, 24, 12));
  const auto through = Motion::interpolated(Pose::from_translation({0, 0, 0}),
                                            Pose::from_translation({4.1, 0.3, 0.2}));
  const PathOptions options = {.tolerance = 1e-3, .max_touching_thickness = 0.01, .step = 0.1};
  for (const PolygonSoup& mesh : bodies()) {
    const Object plain(mesh), flips(any_flipped(mesh, random));
    const Interior expected(plain), found(flips), b(other), in(peg);
    const ThicknessOptions precise = {.relative_error = 1e-3};
    const Thickness t = overlap_thickness(expected, Pose(), b, turn, precise);
    const Thickness u = overlap_thickness(found, Pose(), b, turn, precise);
    EXPECT_GT(t.diameter.lower, 0);
    EXPECT_NEAR(t.diameter.lower, u.diameter.lower, 2e-3 * t.diameter.upper);
    EXPECT_NEAR(t.diameter.upper, u.diameter.upper, 2e-3 * t.diameter.upper);
    EXPECT_EQ(containment(expected, Pose(), in, Pose()), containment(found, Pose(), in, Pose()));
    const PathResult way = path(plain, Motion::at({}), peg, through, options),
                     same = path(flips, Motion::at({}), peg, through, options);
    EXPECT_EQ(way.verdict, same.verdict);
    EXPECT_EQ(way.before, same.before);
    ASSERT_EQ(way.contacts.size(), same.contacts.size());
    for (std::size_t i = 0; i < way.contacts.size(); ++i)
      EXPECT_EQ(way.contacts[i].after, same.contacts[i].after);
  }
}

TEST(Orientation, WhatIsConsistentStays) {
  for (const PolygonSoup& mesh : bodies()) {
    EXPECT_TRUE(paths::oriented(mesh).turned.empty());
    EXPECT_TRUE(paths::oriented(reversed(mesh)).turned.empty());
  }
  // A cavity stays one, though some of the faces around it are turned.
  base::Random random(3);
  const PolygonSoup outer = cube(0, 9, 4), cavity = reversed(cube(3, 6, 4));
  EXPECT_TRUE(paths::oriented(joined({outer, cavity})).turned.empty());
  const auto some_flipped = [&](const PolygonSoup& mesh) {
    return flipped(mesh, 1 + random.below(mesh.face_count() / 5), random);
  };
  for (int round = 0; round < 20; ++round) {
    const Interior body{Object(joined({some_flipped(outer), some_flipped(cavity)}))};
    EXPECT_TRUE(body.closed());
    EXPECT_TRUE(body.contains({1, 1.1, 1.2}));
    EXPECT_FALSE(body.contains({4.4, 4.5, 4.6}));
  }
}

// No way round is more likely than the other: then no body undoes what another one encloses.
TEST(Orientation, WhatIsTurnedByHalfCountsLikeTheRest) {
  base::Random random(4);
  for (int round = 0; round < 40; ++round) {
    const bool inside_out = round % 2 == 0;
    PolygonSoup a = cube(0, 2, 3), b = cube(1, 3, 3);
    if (inside_out) a = reversed(a);
    const Interior body{Object(joined({a, flipped(b, b.face_count() / 2, random)}))};
    EXPECT_NEAR(body.winding_number({1.4, 1.5, 1.6}), inside_out ? -2 : 2, 1e-9);
    EXPECT_EQ(body.winding_number({1.4, 1.5, 1.6}) < 0, body.winding_number({2.4, 2.5, 2.6}) < 0);
  }
}

/// Squares in a ring, the last of which is joined to the first upside down, with both borders.
PolygonSoup moebius_strip(Index squares) {
  std::vector<double> xyz;
  for (Index i = 0; i < squares; ++i) {
    const double around = 6.283185307179586 * i / squares;
    for (const double side : {-0.3, 0.3}) {
      const double r = 1 + side * std::cos(around / 2);
      xyz.insert(xyz.end(),
                 {r * std::cos(around), r * std::sin(around), side * std::sin(around / 2)});
    }
  }
  std::vector<Index> corners, sizes(squares, 4);
  for (Index i = 0; i < squares; ++i) {
    const bool last = i + 1 == squares;
    const Index next = last ? 0 : 2 * i + 2;
    for (const Index v : {2 * i, next + (last ? 1 : 0), next + (last ? 0 : 1), 2 * i + 1})
      corners.push_back(v);
  }
  return PolygonSoup(xyz, corners, sizes);
}

TEST(Orientation, WhatCannotBeOrientedIsSaid) {
  base::Random random(5);
  const PolygonSoup strip = moebius_strip(12);
  EXPECT_EQ(inside_fault(strip), InsideFault::unoriented);
  EXPECT_EQ(inside_fault(joined({cube(-5, 5), strip})), InsideFault::unoriented);
  // Two identical boxes have four faces at each edge.
  const PolygonSoup twice = joined({cube(0, 2, 2), cube(0, 2, 2)});
  EXPECT_EQ(inside_fault(twice), InsideFault::none);
  const PolygonSoup odd = flipped(twice, 5, random);
  EXPECT_EQ(inside_fault(odd), InsideFault::unoriented);
  EXPECT_FALSE(paths::determines_inside(Interior(Object(odd))));
  EXPECT_FALSE(remark_of(InsideFault::unoriented).empty());
  EXPECT_TRUE(remark_of(InsideFault::none).empty());
}

}  // namespace
}  // namespace touche::orientation_test
