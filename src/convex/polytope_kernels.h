// SPDX-License-Identifier: Apache-2.0
// What expanding_polytope.cpp does with all faces at a time. The same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "convex/three.h"

namespace touche::convex {

/// Columns have room for a multiple of this, and are written up to one: columns of few faces are
/// read and written as a whole.
inline constexpr std::size_t kFaceBlock = 8;

/// One number for each face.
struct FaceColumns {
  std::array<double*, 3> cross;   ///< of two edges at the anchor, outwards
  std::array<double*, 3> anchor;  ///< a corner
  double* rounding;  ///< of (x − anchor) · cross: times the sum of magnitudes of the difference
  double* inverse;   ///< times the cross product: the unit normal. 0: products did not fit
  double* offset;    ///< the least of normal · corner
};

/// Edges of faces that are to be made: coordinates of their ends.
struct StagedEdges {
  std::array<double*, 3> from, to;
};

/// A face's corners counter-clockwise, seen from outside.
struct PolytopeFace {
  std::array<std::uint32_t, 3> corner;
};

struct BorderEdge {
  std::uint32_t from, to;
};

/// What a polytope is made of. Faces that are no more keep their numbers.
struct PolytopeTables {
  const Three* points = nullptr;
  std::size_t count = 0;  ///< of faces
  PolytopeFace* faces = nullptr;
  /// The face that has the edge from point p to point q, counter-clockwise, at stride p + q: who is
  /// whose neighbour need not be kept then. Anything where there is no such edge.
  std::uint16_t* face_at = nullptr;
  std::size_t stride = 0;
  FaceColumns columns = {};
  std::uint64_t* alive = nullptr;  ///< a bit for each face; none beyond `count`

  // For the length of a growth.
  StagedEdges staged = {};
  std::uint64_t* sees = nullptr;
  std::uint64_t* unsure = nullptr;
  BorderEdge* border = nullptr;
};

inline void set_edges(const PolytopeTables& tables, std::uint32_t face) {
  const auto& [p, q, r] = tables.faces[face].corner;
  const auto number = static_cast<std::uint16_t>(face);
  tables.face_at[tables.stride * p + q] = number;
  tables.face_at[tables.stride * q + r] = number;
  tables.face_at[tables.stride * r + p] = number;
}

/// A face of the least offset, the first one.
struct LeastOffset {
  double offset;
  std::uint32_t face;
};

struct Grown {
  std::size_t buried;  ///< faces that are no more
  bool fits;           ///< whether all products did fit; else `least` is not known
  LeastOffset least;
};

struct PolytopeKernels {
  /// Sets a bit of `sees` for each face whose plane point number `point` is surely beyond, and of
  /// `unsure` where rounding leaves that open. Bits beyond `count` are anything.
  void (*see)(const PolytopeTables& tables, std::uint32_t point);
  /// Leaves out the faces of `sees`, which are alive; makes those from their border to the point.
  Grown (*grow)(PolytopeTables& tables, std::uint32_t point);
  /// Makes the columns of faces 0 to 3, whose corners are known.
  Grown (*start)(const PolytopeTables& tables);
  LeastOffset (*nearest)(const PolytopeTables& tables);
};

const PolytopeKernels& best_polytope_kernels();
/// For each instruction set that this machine has, the best one first. For tests.
std::vector<PolytopeKernels> polytope_kernels_of_targets();

}  // namespace touche::convex
