// SPDX-License-Identifier: Apache-2.0
// The zonotope: the Minkowski sum of segments (Guibas, Nguyen, Zhang 2003). With three at right
// angles it is a box; here four more may cut the box's corners and edges.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "methods/bounds/obb.h"

namespace touche::bounds {

/// The points x + Σ tₖ sₖ with x in the box and |tₖ| <= 1. Its seven generators are the box's axes
/// times its half widths, and the segments.
struct Zonotope {
  static constexpr std::string_view kName = "zonotope";
  Obb box;
  std::array<Vec3, 4> segments = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};

  /// Has the least mean width, by linear programming, among zonotopes whose generators have the
  /// directions of a fitted box's axes and diagonals. For a flat box, its sides are first raised to
  /// a quarter of the longest.
  static Zonotope fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;

  std::array<Vec3, 7> generators() const;
};

/// A parallelogram of two generators. Where several lie in one plane, theirs tile a face.
struct ZonotopeFace {
  Vec3 centre, half_u, half_v;  ///< (half_u × half_v) points outwards
};
std::vector<ZonotopeFace> faces(const Zonotope& z);

Zonotope moved(const Zonotope& z, const PoseMatrix& pose);
bool overlap(const Zonotope& a, const Zonotope& b, const PoseMatrix& pose);
double lower_bound(const Zonotope& a, const Zonotope& b, const PoseMatrix& pose);

// Required by convex_pair.h.
Sphere ball_of(const Zonotope& z);
Vec3 farthest(const Zonotope& z, const Vec3& d);
double reach(const Zonotope& z, const Vec3& d);

}  // namespace touche::bounds
