// SPDX-License-Identifier: Apache-2.0
// A convex hull in space that grows by one point at a time: the polytope that expands in depth.cpp,
// and what finds the corners of a set of points. Which faces see a point is decided exactly
// (geometry/predicates.h), so that they are one piece, whose border is one loop, and the hull is
// convex and closed at all times, whatever the points.
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
    std::array<std::uint32_t, 3> across;  ///< the face beyond the edge from corner k to the next
    std::uint32_t anchor;                 ///< the corner that the cross product is at
    bool alive;
    Vec3 cross;       ///< of two edges, in double precision
    Vec3 normal;      ///< outwards, of unit length up to rounding; zero where the area is too small
    double rounding;  ///< of heights over the face: times the magnitudes of a difference
  };

  /// The tetrahedron of four points; false, and no hull, where they lie in one plane.
  bool start(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

  /// Whether the point is strictly beyond the plane of a face, exactly.
  [[nodiscard]] bool sees(const Vec3& point, std::uint32_t face) const;

  /// Adds a point that sees `face`; its number is points().size() - 1 then. New faces take the
  /// numbers of dead ones first; `fresh` tells them.
  void grow(const Vec3& point, std::uint32_t face);

  /// Returns a face's least normal · corner; infinity for dead ones. Whatever the rounding of the
  /// normal, the face is no nearer to the origin than this, up to few roundings of the corners.
  [[nodiscard]] double offset(std::uint32_t face) const { return offset_[face]; }
  /// The face of the least offset.
  [[nodiscard]] std::uint32_t nearest() const;

  [[nodiscard]] const std::vector<Vec3>& points() const { return points_; }
  [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }  ///< also dead ones
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
