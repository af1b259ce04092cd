// SPDX-License-Identifier: Apache-2.0
// The loops of expanding_polytope.cpp over all faces. They give the same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/three.h"

namespace touche::convex {

/// Columns have room for a multiple of this, and are read and written up to a multiple: columns of
/// few faces as a whole.
inline constexpr std::size_t kFaceBlock = 8;

/// Columns have room for at least this many faces, and at least this many are processed, because
/// the end of a shorter loop would be mispredicted. Entries beyond the last face are not alive.
inline constexpr std::size_t kUsualFaces = 32;

/// One number for each face.
struct FaceColumns {
  std::array<double*, 3> cross;   ///< of two edges at the anchor, outwards
  std::array<double*, 3> anchor;  ///< a corner
  /// Times the sum of the magnitudes of the difference, an upper bound of the rounding of (x −
  /// anchor) · cross. Negative if products were out of range.
  double* rounding;
  /// The distance of the plane from the origin, times its magnitude: m |m| / |cross|², with m the
  /// least cross · corner. It is ordered like the distances, without the latency of a root.
  double* signed_square;
};

/// A point padded to a vector of four numbers, so that it can be read as one without a stall.
struct alignas(32) PointRow {
  double x = 0, y = 0, z = 0, none = 0;

  PointRow() = default;
  explicit PointRow(const Vec3& p) : x(p.x()), y(p.y()), z(p.z()) {}
  [[nodiscard]] math::Three at() const { return {x, y, z}; }
};

/// A face's corners, counter-clockwise seen from outside.
struct PolytopeFace {
  std::array<std::uint32_t, 3> corner;
};

/// Stands for any face that a point may be beyond.
inline constexpr std::uint32_t kAnyFace = ~std::uint32_t{0};

/// The data of a polytope. Dead faces keep their numbers.
struct PolytopeTables {
  const PointRow* points = nullptr;
  std::size_t count = 0;  ///< of faces
  PolytopeFace* faces = nullptr;
  /// The face that has the edge from point p to point q, counter-clockwise, at stride p + q; so
  /// neighbours need not be stored. Undefined if there is no such edge.
  std::uint16_t* face_at = nullptr;
  std::size_t stride = 0;
  FaceColumns columns = {};
  std::uint64_t* alive = nullptr;  ///< a bit for each face; 0 from `count` on

  // Used only while a point is added.
  std::uint64_t* sees = nullptr;
  std::uint64_t* unsure = nullptr;
  std::uint32_t *from = nullptr, *to = nullptr;  ///< ends of edges, with room for kFaceBlock more
};

inline void set_edges(const PolytopeTables& tables, std::uint32_t face) {
  const auto& [p, q, r] = tables.faces[face].corner;
  const auto number = static_cast<std::uint16_t>(face);
  tables.face_at[tables.stride * p + q] = number;
  tables.face_at[tables.stride * q + r] = number;
  tables.face_at[tables.stride * r + p] = number;
}

/// The first face with the least signed square.
struct LeastFace {
  double signed_square;
  std::uint32_t face;
};

struct Grown {
  std::size_t buried;  ///< faces that were removed
  bool fits;           ///< whether all products stayed in range; otherwise `least` is not known
  LeastFace least;
};

enum class Added : std::uint8_t {
  beyond,  ///< the point is beyond the face, and faces were made
  not_beyond,
  open,  ///< nothing was done, since rounding prevents a decision: `sees` and `unsure` are set
  too_many_faces,  ///< nothing was done
};

struct PolytopeKernels {
  /// Sets a bit of `sees` for each face whose plane point number `point` is certainly beyond, and
  /// of `unsure` if rounding prevents a decision. Bits from `count` on are undefined.
  void (*see)(const PolytopeTables& tables, std::uint32_t point);
  /// `see` and `grow` in one call, if all is decided and one word has a bit for each face. `face`
  /// is the argument of ExpandingPolytope::grow.
  Added (*add)(PolytopeTables& tables, std::uint32_t point, std::uint32_t face, Grown& grown);
  /// Removes the faces of `sees`, which are alive; makes the faces from their border to the point.
  Grown (*grow)(PolytopeTables& tables, std::uint32_t point);
  /// Makes the columns of faces 0 to 3, whose corners are known.
  Grown (*start)(const PolytopeTables& tables);
  LeastFace (*nearest)(const PolytopeTables& tables);
};

const PolytopeKernels& best_polytope_kernels();
/// One table for each instruction set of this machine, the best one first. For tests.
std::vector<PolytopeKernels> polytope_kernels_of_targets();

}  // namespace touche::convex
