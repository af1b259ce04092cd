// SPDX-License-Identifier: Apache-2.0
// The memory of small_polytope-inl.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "convex/polytope_kernels.h"
#include "math/three.h"

namespace touche::convex {

/// A small polytope starts with this many points.
inline constexpr std::size_t kFirst = 8;

/// The tables of a polytope with few points and faces. Columns may be read and written up to kBlock
/// beyond the last face.
struct SmallTables {
  /// Maximum number of faces and of points: a word has as many bits.
  static constexpr std::size_t kMost = 64, kBlock = kFaceBlock;

  PointRow points[kMost] = {};
  std::array<std::uint32_t, kMost> corner_a = {}, corner_b = {};  ///< corners of the bodies
  /// The first points, by coordinate, and repeated: so from any of them on, the others follow.
  alignas(64) double first[3][2 * kFirst] = {};

  // For each face:
  alignas(64) double cross[3][kMost + kBlock] = {};  ///< of two edges, outwards
  double most[kMost + kBlock] = {};                  ///< the largest of cross · corner
  double tolerance2[kMost + kBlock] = {};            ///< see SmallPolytope::see
  double square[kMost + kBlock] = {};                ///< see SmallPolytope::make
  std::uint32_t corners[kMost + kBlock] = {};        ///< three numbers of points, a byte each
  /// The face that has the edge from point p to point q, at kMost p + q.
  std::uint8_t face_at[kMost * kMost] = {};

  /// Used only while a point is added: ends of edges, a byte each.
  std::uint32_t edges[3 * kMost + kBlock] = {};

  void set_first(std::size_t i, const math::Three& w) {
    first[0][i] = first[0][i + kFirst] = w.x;
    first[1][i] = first[1][i + kFirst] = w.y;
    first[2][i] = first[2][i + kFirst] = w.z;
    set_point(i, w);
  }
  void set_point(std::size_t i, const math::Three& w) {
    points[i].x = w.x, points[i].y = w.y, points[i].z = w.z;
  }
};

}  // namespace touche::convex
