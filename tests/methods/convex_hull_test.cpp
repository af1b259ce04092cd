// SPDX-License-Identifier: Apache-2.0
// The convex hull: a closed surface that no point lies outside of.
#include "methods/bounds/convex_hull.h"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "bounds_sets.h"
#include "geometry/predicates.h"
#include "test_scale.h"

namespace touche {
namespace {

using Faces = std::vector<std::array<Index, 3>>;

/// Each edge occurs once in each direction, and Euler's formula holds.
void expect_closed(const Faces& faces) {
  std::map<std::pair<Index, Index>, int> edges;
  std::map<Index, int> corners;
  for (const auto& f : faces)
    for (std::size_t k = 0; k < 3; ++k) ++edges[{f[k], f[(k + 1) % 3]}], ++corners[f[k]];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
  EXPECT_EQ(corners.size() + faces.size(), edges.size() / 2 + 2);
}

double area(const Faces& faces, const std::vector<Vec3>& p) {
  double sum = 0;
  for (const auto& [a, b, c] : faces) sum += 0.5 * (p[b] - p[a]).cross(p[c] - p[a]).norm();
  return sum;
}

double volume(const Faces& faces, const std::vector<Vec3>& p) {
  double sum = 0;
  for (const auto& [a, b, c] : faces) sum += (p[a] - p[0]).cross(p[b] - p[0]).dot(p[c] - p[0]) / 6;
  return sum;
}

/// Support in a direction.
double reach(const std::vector<Vec3>& points, const Vec3& n) {
  double most = -kInfinity;
  for (const Vec3& p : points) most = std::max(most, n.dot(p - points[0]));
  return most;
}

TEST(ConvexHull, IsClosedAndHoldsAllPoints) {
  test::Sets sets(1);
  for (int i = 0, n = test::scaled(300); i < n && !HasFailure(); ++i) {
    std::vector<Vec3> points = i % 4 == 0   ? sets.grid(sets.integer(9, 60))
                               : i % 4 == 1 ? sets.any()
                                            : sets.cloud(sets.integer(4, 300));
    const Faces hull = convex_hull(points);
    double size = 0;
    for (const Vec3& p : points) size = std::max(size, (p - points[0]).norm());
    if (hull.empty()) {
      EXPECT_TRUE(points.size() < 4 || size == 0) << i;
      continue;
    }
    expect_closed(hull);
    std::vector<Vec3> corners = {points[0]};
    for (const auto& f : hull)
      for (const Index v : f) corners.push_back(points[v]);
    for (int k = 0; k < 50; ++k) {
      const Vec3 d = sets.direction();
      EXPECT_NEAR(reach(corners, d), reach(points, d), 10 * kHullJoggle * size) << i;
    }
    if (i % 4 < 2) continue;
    // In general position exactly convex: no point sees a face.
    for (const auto& [a, b, c] : hull)
      for (const Vec3& p : points) {
        const Vec3 normal = (points[b] - points[a]).cross(points[c] - points[a]).normalized();
        EXPECT_LE(normal.dot(p - points[a]), 1e-5 * size);
      }
    EXPECT_EQ(hull, convex_hull(points));
  }
}

TEST(ConvexHull, MeasuresSolidsOfKnownArea) {
  std::vector<Vec3> cube, ball;
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 6; ++y)
      for (int z = 0; z < 6; ++z) cube.emplace_back(x, y, z);
  EXPECT_NEAR(area(convex_hull(cube), cube), 6 * 25, 1e-4);
  EXPECT_NEAR(volume(convex_hull(cube), cube), 125, 1e-4);
  test::Sets sets(2);
  const int n = test::scaled(20'000, 2000);
  for (int i = 0; i < n; ++i) ball.push_back(sets.direction());
  const Faces hull = convex_hull(ball);
  EXPECT_EQ(hull.size(), 2 * static_cast<std::size_t>(n) - 4);  // all are corners
  expect_closed(hull);
  EXPECT_NEAR(area(hull, ball), 4 * std::numbers::pi, 100.0 / n);
  EXPECT_LT(area(hull, ball), 4 * std::numbers::pi);
  // A plate has two sides.
  const std::vector<Vec3> plate = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {1, 1, 0}};
  EXPECT_NEAR(area(convex_hull(plate), plate), 12, 1e-6);
}

}  // namespace
}  // namespace touche
