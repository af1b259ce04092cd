// SPDX-License-Identifier: Apache-2.0
// The memory of small_polytope-inl.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "convex/polytope_kernels.h"
#include "math/three.h"

namespace touche::convex {

/// So many points a small polytope is begun with.
inline constexpr std::size_t kFirst = 8;

/// A polytope of few points and faces. Columns may be read and written up to kBlock beyond the last
/// face.
struct SmallTables {
  /// A polytope has at most as many as a word has bits.
  static constexpr std::size_t kMost = 64, kBlock = kFaceBlock;

  PointRow points[kMost] = {};
  std::array<std::uint32_t, kMost> corner_a = {}, corner_b = {};  ///< of the bodies
  /// The first points, coordinate by coordinate, and the same again: from any of them on, the
  /// others follow.
  alignas(64) double first[3][2 * kFirst] = {};

  // Each face has these:
  alignas(64) double cross[3][kMost + kBlock] = {};  ///< of two edges, outwards
  double most[kMost + kBlock] = {};                  ///< the largest of cross · corner
  double tolerance2[kMost + kBlock] = {};            ///< see SmallPolytope::see
  double square[kMost + kBlock] = {};                ///< see SmallPolytope::make
  std::uint32_t corners[kMost + kBlock] = {};        ///< three numbers, a byte each
  /// The face that has the edge from point p to point q at kMost p + q.
  std::uint8_t face_at[kMost * kMost] = {};

  /// For the length of a growth: ends of edges, a byte each.
  std::uint32_t edges[3 * kMost + kBlock] = {};

  void set_first(std::size_t i, const Three& w) {
    first[0][i] = first[0][i + kFirst] = w.x;
    first[1][i] = first[1][i + kFirst] = w.y;
    first[2][i] = first[2][i + kFirst] = w.z;
    set_point(i, w);
  }
  void set_point(std::size_t i, const Three& w) {
    points[i].x = w.x, points[i].y = w.y, points[i].z = w.z;
  }
};

}  // namespace touche::convex
