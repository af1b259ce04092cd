// SPDX-License-Identifier: Apache-2.0
// The fast polytope against the hull that grows face by face, on all instruction sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "convex/expanding_polytope.h"
#include "convex/growing_hull.h"
#include "geometry/predicates.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

using Corners = std::array<std::uint32_t, 3>;

/// The least number first, as faces may begin with any of their corners.
Corners turned(Corners c) {
  std::rotate(c.begin(), std::ranges::min_element(c), c.end());
  return c;
}

std::set<Corners> faces_of(const convex::GrowingHull& hull) {
  std::set<Corners> faces;
  for (const auto& f : hull.faces())
    if (f.alive) faces.insert(turned(f.corner));
  return faces;
}

/// Also looks whether neighbours know each other.
std::set<Corners> faces_of(const convex::ExpandingPolytope& polytope) {
  std::set<Corners> faces;
  for (std::uint32_t f = 0; f < polytope.faces(); ++f) {
    if (!polytope.is_alive(f)) continue;
    const auto& face = polytope.face(f);
    faces.insert(turned(face.corner));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t across = polytope.across(f, k);
      EXPECT_TRUE(polytope.is_alive(across));
      const auto& beyond = polytope.face(across);
      const auto back = static_cast<std::size_t>(
          std::ranges::find(beyond.corner, face.corner[(k + 1) % 3]) - beyond.corner.begin());
      EXPECT_LT(back, 3u);
      EXPECT_EQ(polytope.across(across, back % 3), f);
      EXPECT_EQ(beyond.corner[(back + 1) % 3], face.corner[k]);
    }
  }
  return faces;
}

/// Random points in space; on a grid, so that many are coplanar; nearly coplanar; so small or large
/// that products are out of range; sums of pairs, so that quadruples are coplanar except for their
/// rounding.
std::vector<Vec3> cloud(base::Random& random, int kind, int count) {
  std::vector<Vec3> points;
  const Vec3 shift = random.in_box(0.5);
  const std::array<Vec3, 3> others = {random.direction(), random.direction(), random.direction()};
  for (int i = 0; i < count; ++i) {
    Vec3 p = random.direction() + shift;
    if (kind == 1) p = (3 * random.in_box(1)).array().round();
    if (kind == 2) p.z() *= 1e-9;
    if (kind == 3) p *= 1e-80;
    if (kind == 4) p *= 1e80;
    if (kind == 5 && i % 3 != 0) {
      const auto of = static_cast<std::size_t>(i % 3);
      p = (points[points.size() - of] - others[0]) + others[of];
    }
    if (kind == 5 && i % 3 == 0) p += others[0];
    points.push_back(p);
  }
  return points;
}

void expect_same_offsets(const convex::ExpandingPolytope& polytope,
                         const convex::GrowingHull& hull) {
  const double least = polytope.offset(polytope.nearest());
  const double expected = hull.offset(hull.nearest());
  double size = 0;
  for (const Vec3& p : hull.points()) size = std::max(size, p.norm());
  EXPECT_NEAR(least, expected, 1e-6 * size);  // normals of slivers differ, as anchors may
  for (std::uint32_t f = 0; f < polytope.faces(); ++f)
    if (polytope.is_alive(f)) {
      EXPECT_GE(polytope.offset(f), least);
    }
}

TEST(ExpandingPolytope, SameFacesAsTheGrowingHull) {
  base::Random random(1871);
  const auto targets = convex::polytope_kernels_of_targets();
  ASSERT_GE(targets.size(), 1u);
  std::vector<convex::ExpandingPolytope> polytopes(targets.size());
  for (std::size_t t = 0; t < targets.size(); ++t) polytopes[t].use(targets[t]);
  int grown = 0, inside = 0;
  for (int i = 0; i < scaled(60, 30); ++i) {
    // Some clouds are so large that dead faces are compacted.
    std::vector<Vec3> points = cloud(random, i % 6, i % 10 == 0 ? 150 : 20);
    const int side = geometry::orient3d(points[0], points[1], points[2], points[3]);
    if (side == 0) continue;
    if (side < 0) std::swap(points[1], points[2]);
    convex::GrowingHull hull;
    ASSERT_TRUE(hull.start(points[0], points[1], points[2], points[3]));
    for (auto& polytope : polytopes) polytope.start(points[0], points[1], points[2], points[3]);
    for (std::size_t k = 4; k < points.size(); ++k) {
      const Vec3& p = points[k];
      const std::set<Corners> before = faces_of(polytopes[0]);
      std::uint32_t from = 0;
      while (from < hull.faces().size() && !(hull.faces()[from].alive && hull.sees(p, from)))
        ++from;
      const bool beyond = from < hull.faces().size();
      if (beyond) hull.grow(p, from);
      for (auto& polytope : polytopes) {
        bool added = false;
        if (k % 2 == 0) added = polytope.grow(p, convex::ExpandingPolytope::kAnyFace);
        for (std::uint32_t f = 0; f < polytope.faces() && k % 2 != 0 && !added; ++f)
          added = polytope.is_alive(f) && polytope.grow(p, f);
        EXPECT_EQ(added, beyond);
        EXPECT_EQ(polytope.nearest(), polytopes[0].nearest());
        const std::uint32_t f = polytope.nearest();
        EXPECT_EQ(polytope.offset(f), polytopes[0].offset(f));
        EXPECT_EQ(polytope.normal(f).vec(), polytopes[0].normal(f).vec());
        EXPECT_EQ(polytope.face(f).corner, polytopes[0].face(f).corner);
      }
      (beyond ? grown : inside) += 1;
      ASSERT_EQ(faces_of(polytopes[0]), faces_of(hull)) << i << ' ' << k;
      if (!beyond) {
        EXPECT_EQ(faces_of(polytopes[0]), before);
      }
    }
    expect_same_offsets(polytopes[0], hull);
    for (auto& polytope : polytopes) EXPECT_EQ(faces_of(polytope), faces_of(hull));
  }
  EXPECT_GE(grown, 100);
  EXPECT_GE(inside, 10);
}

// A face is so thin that neither double precision nor longer numbers decide on which side of it a
// point is: the fourth corner of a parallelogram is in its plane, another point is slightly off it.
TEST(ExpandingPolytope, TellsAParallelogramFromASliver) {
  constexpr double kFar = 0x1p40;
  const Vec3 o(0, 0, 0), u(kFar, kFar + 1, 0), v(kFar + 1, kFar + 2, 0);
  for (const auto& kernels : convex::polytope_kernels_of_targets())
    for (const double up : {1.0, -1.0}) {
      const Vec3 behind(0, 0, -up * kFar), beyond(0, 0, up);
      const bool first = geometry::orient3d(o, u, v, behind) > 0;
      const Vec3 &p = first ? u : v, &q = first ? v : u;
      const std::array<std::array<Vec3, 3>, 3> turns = {{{o, p, q}, {p, q, o}, {q, o, p}}};
      for (const auto& [a, b, c] : turns) {
        convex::ExpandingPolytope polytope;
        polytope.use(kernels);
        polytope.start(a, b, c, behind);
        EXPECT_EQ(polytope.face(0).corner, (Corners{0, 1, 2}));
        for (const Vec3& fourth : {Vec3(u + v), Vec3(u - v), Vec3(v - u)})
          EXPECT_FALSE(polytope.grow(fourth, 0));
        EXPECT_FALSE(polytope.grow(-beyond, 0));
        EXPECT_TRUE(polytope.grow(beyond, 0));
      }
    }
}

TEST(ExpandingPolytope, NoCornerIsNearerThanTheOffset) {
  base::Random random(1872);
  for (int i = 0; i < scaled(50, 20); ++i) {
    std::vector<Vec3> points = cloud(random, i % 6, 12);
    const int side = geometry::orient3d(points[0], points[1], points[2], points[3]);
    if (side == 0) continue;
    if (side < 0) std::swap(points[1], points[2]);
    convex::ExpandingPolytope polytope;
    polytope.start(points[0], points[1], points[2], points[3]);
    std::vector<Vec3> taken(points.begin(), points.begin() + 4);
    for (std::size_t k = 4; k < points.size(); ++k)
      if (polytope.grow(points[k], polytope.nearest())) taken.push_back(points[k]);
    for (std::uint32_t f = 0; f < polytope.faces(); ++f) {
      if (!polytope.is_alive(f)) continue;
      const Vec3 n = polytope.normal(f).vec().stableNormalized();
      if (n.isZero(0)) continue;
      // The offset is the least of the corners, so none is nearer.
      for (const std::uint32_t c : polytope.face(f).corner)
        EXPECT_GE(n.dot(taken[c]), polytope.offset(f) - 1e-13 * taken[c].norm());
    }
  }
}

}  // namespace
}  // namespace touche
