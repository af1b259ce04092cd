// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "flat_polygon.h"

namespace touche {
namespace {

using test::polygon;
using Numbers = std::vector<double>;
using Indices = std::vector<Index>;

double signed_area(const PolygonSoup& soup, Index t) {
  const auto [i, j, k] = soup.triangle(t);
  const Vec3 u = soup.vertex(j) - soup.vertex(i), v = soup.vertex(k) - soup.vertex(i);
  return 0.5 * (u.x() * v.y() - u.y() * v.x());
}

double polygon_area(const PolygonSoup& soup) {
  double sum = 0;
  const auto face = soup.face(0);
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vec3 &p = soup.vertex(face[i]), &q = soup.vertex(face[(i + 1) % face.size()]);
    sum += 0.5 * (p.x() * q.y() - p.y() * q.x());
  }
  return sum;
}

/// n − 2 triangles of non-negative area that add up to the polygon's: they do not overlap.
void expect_tiling(const PolygonSoup& soup) {
  ASSERT_EQ(soup.triangle_count(), soup.corner_count() - 2);
  const double area = polygon_area(soup);
  double sum = 0;
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    EXPECT_GE(signed_area(soup, t) * area, -1e-12 * area * area) << "triangle " << t;
    sum += signed_area(soup, t);
  }
  EXPECT_NEAR(sum, area, 1e-9 * std::abs(area));
}

TEST(Triangulate, ConvexFacesAreFans) {
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 12; ++i)
    points.push_back({std::cos(i * std::numbers::pi / 6), std::sin(i * std::numbers::pi / 6)});
  const PolygonSoup soup = polygon(points);
  expect_tiling(soup);
  for (Index t = 0; t < soup.triangle_count(); ++t) EXPECT_EQ(soup.triangle(t)[0], 0u);
}

TEST(Triangulate, ConcaveFaces) {
  // An L, its mirror image, an arrow whose fan would leave it, a comb.
  expect_tiling(polygon({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}));
  expect_tiling(polygon({{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}}));
  expect_tiling(polygon({{1, 0}, {0, 2}, {1, 1}, {2, 2}}));
  std::vector<std::array<double, 2>> comb = {{20, -1}, {20, 3}};
  for (int i = 19; i > 0; --i) comb.push_back({double(i), i % 2 == 0 ? 3.0 : 0.0});
  comb.push_back({0, 3});
  comb.push_back({0, -1});
  expect_tiling(polygon(comb));
}

TEST(Triangulate, RandomStarShapedFaces) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> radius(0.05, 1);
  for (int round = 0; round < 200; ++round) {
    const int n = 4 + round % 60;
    std::vector<std::array<double, 2>> points;
    for (int i = 0; i < n; ++i) {
      const double r = radius(engine), angle = i * 2 * std::numbers::pi / n;
      points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    if (round % 2 == 0) std::reverse(points.begin(), points.end());
    expect_tiling(polygon(points));
  }
}

TEST(Triangulate, FaceWithAHoleJoinedByABridge) {
  expect_tiling(
      polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}));
}

TEST(Triangulate, CollinearCornersAndTouchingCorners) {
  expect_tiling(polygon({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {1, 1}, {0, 1}, {0, 0.5}}));
  expect_tiling(polygon({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}));  // touches its own edge
}

TEST(Triangulate, AnyFaceGivesTwoLessTrianglesThanCorners) {
  std::mt19937 engine(3);
  for (int round = 0; round < 2'000; ++round) {
    const int n = 3 + static_cast<int>(engine() % 20), grid = 1 + static_cast<int>(engine() % 6);
    Numbers points;
    Indices corners;
    for (int i = 0; i < n; ++i) {
      for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<double>(engine() % grid));
      corners.push_back(static_cast<Index>(engine() % n));
    }
    const PolygonSoup soup(points, corners, Indices{static_cast<Index>(n)});
    ASSERT_EQ(soup.triangle_count(), static_cast<Index>(n - 2));
    std::set<Index> used;
    for (const auto& t : soup.triangles()) used.insert(t.begin(), t.end());
    ASSERT_EQ(used, std::set<Index>(corners.begin(), corners.end()));
    (void)examine(soup);
  }
}

TEST(Triangulate, ManyCorners) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::array<double, 2>> star, tangle;
  for (int i = 0; i < 3'000; ++i) {
    const double r = 0.5 + uniform(engine), angle = i * 2 * std::numbers::pi / 3'000;
    star.push_back({r * std::cos(angle), r * std::sin(angle)});
    tangle.push_back({uniform(engine), uniform(engine)});
  }
  expect_tiling(polygon(star));
  EXPECT_EQ(polygon(tangle).triangle_count(), 2'998u);
}

TEST(Triangulate, PentagramIsNotAFan) {
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 5; ++i)
    points.push_back({std::cos(0.8 * i * std::numbers::pi), std::sin(0.8 * i * std::numbers::pi)});
  const PolygonSoup soup = polygon(points);
  EXPECT_EQ(soup.triangle_count(), 3u);
  EXPECT_EQ(examine(soup).concave_faces, 1u);
}

}  // namespace
}  // namespace touche
