// SPDX-License-Identifier: Apache-2.0
// What expanding_polytope.cpp does with all faces at a time. The same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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
  double* offset;    ///< the least of normal · corner; infinite of faces that are no more
};

/// Edges of faces that are to be made: coordinates of their ends.
struct StagedEdges {
  std::array<double*, 3> from, to;
};

struct PolytopeKernels {
  /// A bit for each of `count` faces: whether (x, y, z) is surely beyond its plane, and whether
  /// rounding leaves that open. Bits beyond `count` are anything.
  void (*see)(const FaceColumns& faces, std::size_t count, double x, double y, double z,
              std::uint64_t* sees, std::uint64_t* unsure);
  /// Makes faces number `first` and so on, from an edge each to (x, y, z). Whether all products
  /// did fit.
  bool (*add)(const FaceColumns& faces, std::size_t first, std::size_t count,
              const StagedEdges& edges, double x, double y, double z);
  /// The first face of the least offset.
  std::uint32_t (*nearest)(const FaceColumns& faces, std::size_t count);
};

const PolytopeKernels& best_polytope_kernels();
/// For each instruction set that this machine has, the best one first. For tests.
std::vector<PolytopeKernels> polytope_kernels_of_targets();

}  // namespace touche::convex
