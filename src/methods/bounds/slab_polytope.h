// SPDX-License-Identifier: Apache-2.0
// The intersection of slabs of any directions (Kay, Kajiya 1986). The kinds of such volumes differ
// in how directions are chosen: slabs.h, direction_dop.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/bounds/obb_forms.h"
#include "methods/bounds/sphere.h"

namespace touche::bounds {

/// Holds what lies in all of some slabs, three of which must not be parallel to one line. Its
/// corners are rounded and lead searches; what they find is proved by the slabs.
class SlabPolytope {
 public:
  /// The sine of the least angle between two normals.
  static constexpr double kAlike = 1e-4;

  /// Throws InvalidInput unless there are three directions that are independent, of about the
  /// same length, and lo <= hi; and where two are parallel up to kAlike, rounding included.
  explicit SlabPolytope(std::span<const Slab> slabs);
  /// The smallest with these normals around the points.
  static SlabPolytope around(std::span<const Vec3> points, std::span<const Vec3> normals);
  SlabPolytope() = default;  ///< the origin

  std::span<const Slab> slabs() const { return slabs_; }
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
  /// The faces that have an area, counter-clockwise from outside. Rounded.
  std::vector<std::vector<Vec3>> faces() const;

  // Required by convex_pair.h.
  friend const Sphere& ball_of(const SlabPolytope& p) { return p.ball_; }
  friend Vec3 farthest(const SlabPolytope& p, const Vec3& d);
  friend double reach(const SlabPolytope& p, const Vec3& d);

 private:
  /// Where three planes meet; plane 2 i is the upper end of slab i, 2 i + 1 the lower.
  struct Corner {
    Vec3 at;  // from the ball's centre
    std::array<std::uint8_t, 3> planes;
  };
  struct Plane {
    Vec3 normal;    // outwards
    double height;  // from the ball's centre, rounded up
  };

  void find_ball();
  void find_corners();
  /// Σ λ heights for d = Σ λ normals of three planes, which bounds d · x; proved for any three.
  double bound_by(const Corner& corner, const Vec3& d) const;

  std::vector<Slab> slabs_;
  std::vector<Plane> planes_;
  std::vector<Corner> corners_ = {{Vec3::Zero(), {}}};
  Sphere ball_;
};

/// Contains the moved set, and has the turned normals.
SlabPolytope moved(const SlabPolytope& p, const PoseMatrix& pose);
/// Contains the moved set, and has these normals: the smallest up to rounding.
SlabPolytope moved(const SlabPolytope& p, const PoseMatrix& pose, std::span<const Vec3> normals);
bool overlap(const SlabPolytope& a, const SlabPolytope& b, const PoseMatrix& pose);
double lower_bound(const SlabPolytope& a, const SlabPolytope& b, const PoseMatrix& pose);

}  // namespace touche::bounds
