// SPDX-License-Identifier: Apache-2.0
// A convex hull in space that grows by one point at a time; used to find the corners of a set of
// points. Which faces see a point is decided exactly (geometry/predicates.h), so these faces are
// connected, their border is one loop, and the hull is always convex and closed, whatever the
// points.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "touche/types.h"

namespace touche::convex {

class GrowingHull {
 public:
  struct Face {
    std::array<std::uint32_t, 3> corner;  ///< counter-clockwise, seen from outside
    /// the neighbouring face at the edge from corner k to the next
    std::array<std::uint32_t, 3> across;
    std::uint32_t anchor;  ///< the corner at which the cross product was computed
    bool alive;
    Vec3 cross;   ///< of two edges, in double precision
    Vec3 normal;  ///< outwards, of unit length up to rounding; zero if the area is too small
    /// rounding of heights over the face: to be multiplied by the magnitudes of a difference
    double rounding;
  };

  /// Starts with the tetrahedron of four points; false, and no hull, if they are coplanar.
  bool start(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

  /// Whether the point is strictly beyond the plane of a face, exactly.
  [[nodiscard]] bool sees(const Vec3& point, std::uint32_t face) const;

  /// Adds a point that sees `face`; its number is points().size() - 1 then. New faces reuse the
  /// numbers of dead ones; `fresh` lists the new faces.
  void grow(const Vec3& point, std::uint32_t face);

  /// Returns the least normal · corner of a face; infinity for dead ones. Whatever the rounding of
  /// the normal, the face is no nearer to the origin than this, up to a few roundings of the
  /// corners.
  [[nodiscard]] double offset(std::uint32_t face) const { return offset_[face]; }
  /// The face with the least offset.
  [[nodiscard]] std::uint32_t nearest() const;

  [[nodiscard]] const std::vector<Vec3>& points() const { return points_; }
  [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }  ///< includes dead ones
  [[nodiscard]] const std::vector<std::uint32_t>& fresh() const { return fresh_; }

 private:
  struct BorderEdge {
    std::uint32_t from, to, beyond, edge_beyond;
  };
  struct Visit {
    std::uint32_t face, edge, left;
  };
  std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void bury(std::uint32_t face);
  static std::uint32_t edge_from(const Face& face, std::uint32_t corner);

  std::vector<Vec3> points_;
  std::vector<Face> faces_;
  std::vector<double> offset_;
  std::vector<std::uint32_t> dead_, fresh_;
  std::vector<BorderEdge> border_;
  std::vector<Visit> waiting_;
};

}  // namespace touche::convex
