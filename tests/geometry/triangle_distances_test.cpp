// SPDX-License-Identifier: Apache-2.0
// Distances of several pairs of triangles at a time equal the distances of single pairs, to the
// last digit, on every instruction set.
#include "geometry/triangle_distances.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "geometry/triangle_pair.h"
#include "test_scale.h"
#include "triangle_families.h"

namespace touche {
namespace {

void expect_same_distances(const geometry::TrianglePairs& pairs, int count, int& measured) {
  std::uint32_t left_by_first = 0;
  bool is_first = true;
  for (const geometry::TriangleDistances measure : geometry::triangle_distances_of_targets()) {
    double distance[geometry::TrianglePairs::kMost];
    std::fill(std::begin(distance), std::end(distance), -1.0);
    const std::uint32_t left = measure(pairs, count, distance);
    EXPECT_EQ(left >> count, 0u);
    if (is_first) left_by_first = left;
    is_first = false;
    EXPECT_EQ(left, left_by_first);
    for (int n = 0; n < geometry::TrianglePairs::kMost; ++n) {
      if (n >= count) {
        EXPECT_EQ(distance[n], -1) << "is not requested";
        continue;
      }
      if ((left >> n & 1) != 0) continue;
      const Triangle a = pairs.triangle_a(n), b = pairs.triangle_b(n);
      EXPECT_EQ(distance[n], geometry::closest_points_apart(a, b).distance);
    }
  }
  measured += count - std::popcount(left_by_first);
}

TEST(TriangleDistances, AreThoseOfSinglePairsToTheLastDigit) {
  test::Pairs random(21);
  int measured = 0, total = 0;
  for (int round = 0; round < test::scaled(6000, 600) && !testing::Test::HasFailure(); ++round) {
    geometry::TrianglePairs pairs;
    const int count = random.integer(1, geometry::TrianglePairs::kMost);
    for (int lane = 0; lane < geometry::TrianglePairs::kMost; ++lane) {
      if (lane >= count) {
        pairs.put(lane, pairs.triangle_a(0), pairs.triangle_b(0));
        continue;
      }
      auto [a, b] = round % 2 == 0 ? random.any() : random.general();
      if (geometry::triangles_intersect(a, b)) {
        const double size = (a[1] - a[0]).norm() + (b[2] - b[0]).norm();
        for (Vec3& p : b) p += random.real(0, 4) * size * random.point();
        if (geometry::triangles_intersect(a, b)) {  // points that coincide are apart by nothing
          --lane;
          continue;
        }
      }
      pairs.put(lane, a, b);
    }
    expect_same_distances(pairs, count, measured);
    total += count;
  }
  EXPECT_GT(measured, 0.9 * total);
}

// Triangles too small or too large for products of four numbers are left.
TEST(TriangleDistances, LeaveWhatNeedsMoreThanThat) {
  test::Pairs random(22);
  geometry::TrianglePairs pairs;
  auto [a, b] = random.general();
  for (Vec3& p : b) p += Vec3(5, 0, 0);
  for (int lane = 0; lane < geometry::TrianglePairs::kMost; ++lane) pairs.put(lane, a, b);
  const auto scaled = [](Triangle t, double factor) {
    for (Vec3& p : t) p *= factor;
    return t;
  };
  pairs.put(1, scaled(a, 1e-80), scaled(b, 1e-80));
  pairs.put(4, scaled(a, 1e80), scaled(b, 1e80));
  Triangle parallel = a;
  for (Vec3& p : parallel) p += Vec3(0, 9, 0);
  pairs.put(6, a, parallel);
  for (const geometry::TriangleDistances measure : geometry::triangle_distances_of_targets()) {
    double distance[geometry::TrianglePairs::kMost];
    EXPECT_EQ(measure(pairs, 8, distance), 1u << 1 | 1u << 4);
    EXPECT_EQ(distance[6], geometry::closest_points_apart(a, parallel).distance);
    EXPECT_EQ(distance[7], geometry::closest_points_apart(a, b).distance);
  }
}

}  // namespace
}  // namespace touche
