// SPDX-License-Identifier: Apache-2.0
// The polytope that expands in depth.cpp: like GrowingHull a convex hull that grows by one point at
// a time, but optimised for few points. Its faces are stored in columns: a point is compared with
// several faces at once, and several new faces are made at once, by SIMD. Which faces see a point
// is nevertheless decided exactly.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "convex/polytope_kernels.h"
#include "math/three.h"

namespace touche::convex {

class ExpandingPolytope {
 public:
  /// Starts with the tetrahedron of four points whose orient3d is 1; they get the numbers 0 to 3.
  void start(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

  /// Adds a point, which gets the next number. Returns false and adds nothing if the point is not
  /// strictly beyond the plane of `face`, exactly.
  bool grow(const Vec3& point, std::uint32_t face);
  /// Any face: `grow` returns false if the point lies in the polytope.
  static constexpr std::uint32_t kAnyFace = convex::kAnyFace;

  /// Recomputes the normal of a face, exact up to rounding however thin the face is; its offset
  /// becomes that of its plane, up to a few roundings of the corners.
  void refine(std::uint32_t face);

  /// Returns the face with the least offset, which is its unit normal · corner. Whatever the
  /// rounding of the normal, the face is no nearer to the origin than this, up to a few roundings
  /// of the corners.
  [[nodiscard]] std::uint32_t nearest() const { return nearest_; }
  [[nodiscard]] double offset(std::uint32_t face) const {
    const double square = tables_.columns.signed_square[face];
    return std::copysign(std::sqrt(std::abs(square)), square);
  }
  /// Whether the face's offset is at most `offset`, which must not be negative.
  [[nodiscard]] bool is_within(std::uint32_t face, double offset) const {
    return tables_.columns.signed_square[face] <= offset * offset;
  }
  /// Outwards, of any length; zero if the face's area is too small.
  [[nodiscard]] math::Three normal(std::uint32_t face) const {
    const FaceColumns& c = tables_.columns;
    return {c.cross[0][face], c.cross[1][face], c.cross[2][face]};
  }

  using Face = PolytopeFace;
  /// The face beyond the edge from corner k of a face to the next.
  [[nodiscard]] std::uint32_t across(std::uint32_t face, std::size_t k) const {
    const Face& f = faces_[face];
    return face_at_[tables_.stride * f.corner[(k + 1) % 3] + f.corner[k]];
  }
  [[nodiscard]] const Face& face(std::uint32_t face) const { return faces_[face]; }
  /// Numbers of faces are below this; some of these faces are dead.
  [[nodiscard]] std::uint32_t faces() const { return static_cast<std::uint32_t>(tables_.count); }
  [[nodiscard]] bool is_alive(std::uint32_t face) const { return has(alive_, face); }

  /// Uses other kernels than the machine's best ones, for tests.
  void use(const PolytopeKernels& kernels) { kernels_ = &kernels; }

 private:
  using Bits = std::vector<std::uint64_t>;

  static bool has(const Bits& bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }
  const PolytopeKernels& kernels() const { return *kernels_; }
  void make_room(std::size_t points, std::size_t faces);
  Added add_open(std::uint32_t number, std::uint32_t face, Grown& grown);
  void settle_unsure(std::uint32_t number);
  bool sees_any() const;
  bool sees_exactly(const PointRow& point, std::uint32_t face) const;
  void set_all_edges();
  void mend_new(std::size_t first, const Grown& grown);
  void mend(std::uint32_t face);
  void set_normal(std::uint32_t face, const math::Three& n);
  void leave_out_dead();

  const PolytopeKernels* kernels_ = &best_polytope_kernels();
  PolytopeTables tables_;
  std::uint32_t nearest_ = 0;
  std::size_t dead_ = 0;  // among the counted faces
  // Memory of the tables.
  std::vector<PointRow> points_;
  std::vector<Face> faces_;
  std::vector<double> numbers_;
  Bits alive_, sees_, unsure_;
  std::vector<std::uint32_t> border_;
  std::vector<std::uint16_t> face_at_;
  std::vector<std::uint32_t> renumbered_;
};

}  // namespace touche::convex
