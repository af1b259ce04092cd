// SPDX-License-Identifier: Apache-2.0
// The distances of several pairs of triangles at a time.
#pragma once

#include <vector>

#include "geometry/triangle_pair.h"

namespace touche::geometry {

/// Up to eight pairs of triangles that do not intersect.
struct TrianglePairs {
  static constexpr int kMost = 8;

  alignas(64) double a[3][3][kMost], b[3][3][kMost];  // [corner][axis][lane]

  void put(int lane, const Triangle& at_a, const Triangle& at_b) {
    for (std::size_t v = 0; v < 3; ++v)
      for (int k = 0; k < 3; ++k) a[v][k][lane] = at_a[v][k], b[v][k][lane] = at_b[v][k];
  }
  /// Unused lanes repeat the first.
  void fill_up(int count) {
    for (double(*t)[3][kMost] : {a, b})
      for (int v = 0; v < 3; ++v)
        for (int k = 0; k < 3; ++k)
          for (int lane = count; lane < kMost; ++lane) t[v][k][lane] = t[v][k][0];
  }
  Triangle triangle_a(int lane) const { return triangle(a, lane); }
  Triangle triangle_b(int lane) const { return triangle(b, lane); }

 private:
  static Triangle triangle(const double (&t)[3][3][kMost], int lane) {
    Triangle result;
    for (std::size_t v = 0; v < 3; ++v) result[v] = {t[v][0][lane], t[v][1][lane], t[v][2][lane]};
    return result;
  }
};

/// The pairs must be filled up. Computes the same distances as closest_points_apart(), in all
/// digits, for the first `count` pairs. Sets a bit in the result for each pair that must be left to
/// that function: triangles that are very small or very large.
using TriangleDistances = std::uint32_t (*)(const TrianglePairs& pairs, int count,
                                            double (&distance)[TrianglePairs::kMost]);
TriangleDistances triangle_distances();

/// The same for each instruction set that this machine supports, the best one first. For tests.
std::vector<TriangleDistances> triangle_distances_of_targets();

}  // namespace touche::geometry
