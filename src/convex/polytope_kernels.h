// SPDX-License-Identifier: Apache-2.0
// These kernels are the loops of expanding_polytope.cpp over all faces. They give the same bits on
// every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/three.h"

namespace touche::convex {

/// Columns have room for a multiple of this, and are written up to one: columns of few faces are
/// read and written as a whole.
inline constexpr std::size_t kFaceBlock = 8;

/// Columns have room for at least so many, and that many are looked at where there are less: where
/// a loop ends would be mispredicted. Entries beyond the last face are no faces that are alive.
inline constexpr std::size_t kUsualFaces = 32;

/// One number for each face.
struct FaceColumns {
  std::array<double*, 3> cross;   ///< of two edges at the anchor, outwards
  std::array<double*, 3> anchor;  ///< a corner
  /// (x − anchor) · cross is rounded by no more than this times the sum of magnitudes of the
  /// difference. It is below 0 where products did not fit.
  double* rounding;
  /// How far the plane is from the origin, times its magnitude: m |m| / |cross|², with m the least
  /// of cross · corner. In the same order as the distances, but there is no root to wait for.
  double* signed_square;
};

/// A point, as long as a vector of four numbers: whoever reads it so need not wait.
struct alignas(32) PointRow {
  double x = 0, y = 0, z = 0, none = 0;

  PointRow() = default;
  explicit PointRow(const Vec3& p) : x(p.x()), y(p.y()), z(p.z()) {}
  [[nodiscard]] Three at() const { return {x, y, z}; }
};

/// A face's corners counter-clockwise, seen from outside.
struct PolytopeFace {
  std::array<std::uint32_t, 3> corner;
};

/// Stands for any of the faces that a point may lie beyond.
inline constexpr std::uint32_t kAnyFace = ~std::uint32_t{0};

/// Holds what a polytope is made of. Faces that are no more keep their numbers.
struct PolytopeTables {
  const PointRow* points = nullptr;
  std::size_t count = 0;  ///< of faces
  PolytopeFace* faces = nullptr;
  /// The face that has the edge from point p to point q, counter-clockwise, at stride p + q: who is
  /// whose neighbour need not be kept then. Anything where there is no such edge.
  std::uint16_t* face_at = nullptr;
  std::size_t stride = 0;
  FaceColumns columns = {};
  std::uint64_t* alive = nullptr;  ///< a bit for each face; none beyond `count`

  // For the length of a growth.
  std::uint64_t* sees = nullptr;
  std::uint64_t* unsure = nullptr;
  std::uint32_t *from = nullptr, *to = nullptr;  ///< ends of edges, and room for kFaceBlock more
};

inline void set_edges(const PolytopeTables& tables, std::uint32_t face) {
  const auto& [p, q, r] = tables.faces[face].corner;
  const auto number = static_cast<std::uint16_t>(face);
  tables.face_at[tables.stride * p + q] = number;
  tables.face_at[tables.stride * q + r] = number;
  tables.face_at[tables.stride * r + p] = number;
}

/// The first face of the least signed square.
struct LeastFace {
  double signed_square;
  std::uint32_t face;
};

struct Grown {
  std::size_t buried;  ///< faces that are no more
  bool fits;           ///< whether all products did fit; else `least` is not known
  LeastFace least;
};

enum class Added : std::uint8_t {
  beyond,  ///< it lies beyond the face, and faces were made
  not_beyond,
  open,            ///< nothing was done, as rounding leaves it open: `sees` and `unsure` are set
  too_many_faces,  ///< nothing was done
};

struct PolytopeKernels {
  /// Sets a bit of `sees` for each face whose plane point number `point` is surely beyond, and of
  /// `unsure` where rounding leaves that open. Bits beyond `count` are anything.
  void (*see)(const PolytopeTables& tables, std::uint32_t point);
  /// Both `see` and `grow`, where that is sure and one word has a bit for each face. `face` is what
  /// ExpandingPolytope::grow takes.
  Added (*add)(PolytopeTables& tables, std::uint32_t point, std::uint32_t face, Grown& grown);
  /// Leaves out the faces of `sees`, which are alive; makes those from their border to the point.
  Grown (*grow)(PolytopeTables& tables, std::uint32_t point);
  /// Makes the columns of faces 0 to 3, whose corners are known.
  Grown (*start)(const PolytopeTables& tables);
  LeastFace (*nearest)(const PolytopeTables& tables);
};

const PolytopeKernels& best_polytope_kernels();
/// For each instruction set that this machine has, the best one first. For tests.
std::vector<PolytopeKernels> polytope_kernels_of_targets();

}  // namespace touche::convex
