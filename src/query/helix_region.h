// SPDX-License-Identifier: Apache-2.0
// The position of a triangle in the profile of a helix (helix_motion.h), and its range of angles.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "touche/types.h"

namespace touche::query {

/// A point or a direction in the profile: radius and height.
struct HelixPoint {
  double r = 0, w = 0;

  double dot(HelixPoint n) const { return r * n.r + w * n.w; }
  HelixPoint operator-(HelixPoint other) const { return {r - other.r, w - other.w}; }
  HelixPoint across() const { return {-w, r}; }
  /// Returns the vector scaled to unit length; zero for the zero vector.
  HelixPoint unit() const {
    const double length = std::hypot(r, w);
    return length > 0 ? HelixPoint{r / length, w / length} : HelixPoint{};
  }
};

struct HelixRange {
  double lo = kInfinity, hi = -kInfinity;

  void include(double x) {
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
  void include(const HelixRange& other) {
    lo = std::min(lo, other.lo);
    hi = std::max(hi, other.hi);
  }
  double size() const { return hi - lo; }
  double middle() const { return 0.5 * (lo + hi); }
};

inline bool parted(const HelixRange& a, const HelixRange& b, double gap) {
  return b.lo - a.hi > gap || a.lo - b.hi > gap;
}

/// The profile of a triangle. Between the corners, a point's radius is less than the linear
/// interpolation of the corners' radii by at most `radius_error`, and its height is off by at most
/// `height_error` in either direction.
struct HelixRegion {
  HelixPoint corner[3];
  double radius_error = 0, height_error = 0;
  HelixRange angle;  // without jumps, so it may extend beyond [−π, π]
  HelixRange z;
  double least_radius = 0;  // of the triangle's points

  double size_of_errors() const { return radius_error + height_error; }
  /// Returns the range of all points along a direction.
  HelixRange along(HelixPoint n) const {
    HelixRange range;
    for (const HelixPoint& c : corner) range.include(c.dot(n));
    range.lo -= std::max(n.r, 0.0) * radius_error + std::abs(n.w) * height_error;
    range.hi += std::max(-n.r, 0.0) * radius_error + std::abs(n.w) * height_error;
    return range;
  }
};

/// Corners in coordinates whose z axis is that of the helix.
using HelixTriangle = std::array<Vec3, 3>;
HelixRegion helix_region(const HelixTriangle& corner, double advance);

/// The four triangles into which the lines between the midpoints of its edges divide a triangle.
std::array<HelixTriangle, 4> quarters(const HelixTriangle& triangle);

}  // namespace touche::query
