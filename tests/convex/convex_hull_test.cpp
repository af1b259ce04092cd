// SPDX-License-Identifier: Apache-2.0
// Hulls that grow: closed, convex and around all points, whatever the points are like.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "convex/extreme_points.h"
#include "convex/growing_hull.h"
#include "exact_hulls.h"
#include "geometry/predicates.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;
using convex::GrowingHull;

void expect_closed_and_convex(const GrowingHull& hull) {
  for (std::uint32_t f = 0; f < hull.faces().size(); ++f) {
    const GrowingHull::Face& face = hull.faces()[f];
    if (!face.alive) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const GrowingHull::Face& next = hull.faces()[face.across[k]];
      ASSERT_TRUE(next.alive);
      bool shared = false;
      for (std::size_t l = 0; l < 3; ++l)
        shared |= next.corner[l] == face.corner[(k + 1) % 3] &&
                  next.corner[(l + 1) % 3] == face.corner[k] && next.across[l] == f;
      EXPECT_TRUE(shared);
    }
    for (const Vec3& p : hull.points()) EXPECT_FALSE(hull.sees(p, f));
    for (const std::uint32_t c : face.corner)
      EXPECT_GE(face.normal.dot(hull.points()[c]), hull.offset(f));
  }
}

std::vector<Vec3> points_of(base::Random& random, int kind, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    Vec3 p = random.in_box(1);
    if (kind == 1) p = (2 * p).array().round();            // on a grid
    if (kind == 2) p.z() = 1e-16 * std::round(2 * p.z());  // nearly in a plane
    if (kind == 3) p = p.normalized();                     // all corners
    if (kind == 4) p = Vec3(1e8, 1e8, 1e8) + 1e-7 * p;     // rounded to few values
    if (kind == 5) p = p.x() * Vec3(1, 1, 1) + 1e-15 * Vec3(p.y(), 0, p.z());  // nearly on a line
    points.push_back(p);
  }
  return points;
}

TEST(GrowingHull, StaysClosedAndConvex) {
  base::Random random(1841);
  int grown = 0;
  for (int i = 0; i < scaled(120); ++i) {
    const std::vector<Vec3> points = points_of(random, i % 6, 30);
    GrowingHull hull;
    if (!hull.start(points[0], points[1], points[2], points[3])) continue;
    for (const Vec3& p : points)
      for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
        if (hull.faces()[f].alive && hull.sees(p, f)) {
          hull.grow(p, f);
          break;
        }
    expect_closed_and_convex(hull);
    for (const Vec3& p : points)
      for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
        EXPECT_FALSE(hull.faces()[f].alive && hull.sees(p, f));
    ++grown;
  }
  EXPECT_GE(grown, scaled(120) / 2);
}

TEST(ExtremePoints, HaveTheHullOfAll) {
  base::Random random(1842);
  std::size_t left_out = 0;
  for (int i = 0; i < scaled(48, 12); ++i) {
    const std::vector<Vec3> points = points_of(random, i % 6, 9);
    const std::vector<Vec3> corners = convex::extreme_points(points);
    const std::vector<RVec> all = rational(corners);
    const auto is_corner = [&](const Vec3& p) { return std::ranges::count(corners, p) > 0; };
    bool solid = false;
    for (std::size_t a = 0; a + 3 < points.size(); ++a)
      solid |=
          touche::geometry::orient3d(points[a], points[a + 1], points[a + 2], points[a + 3]) != 0;
    if (!solid) continue;
    for (const Vec3& p : points) EXPECT_TRUE(is_corner(p) || in_hull(p, all)) << i;
    left_out += points.size() - corners.size();
    EXPECT_TRUE(i % 6 != 3 || corners.size() == points.size());
  }
  EXPECT_GE(left_out, 10u);
}

}  // namespace
}  // namespace touche
