// SPDX-License-Identifier: Apache-2.0
// The swept spheres share a proved bound of the distance of two convex cores, found from a
// direction that need not be proved.
#pragma once

#include <algorithm>
#include <span>

#include "math/rounding.h"
#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

/// The gap between the convex hulls of two sets of corners along a direction of any length: never
/// more than their distance, and equal to it along the shortest connection. 0 if there is none. A
/// projection of a difference of points is off by 4 u of the product of magnitudes, the division by
/// the rounded length by another 6 u.
inline double gap_along(std::span<const Vec3> a, std::span<const Vec3> b, const Vec3& direction) {
  const double length = direction.norm();
  if (!(length > 0)) return 0;
  const Vec3 n = direction / length;
  const Vec3& origin = a[0];
  double a_hi = 0, b_lo = kInfinity, size = 0;
  for (const Vec3& p : a) {
    a_hi = std::max(a_hi, n.dot(p - origin));
    size = std::max(size, (p - origin).lpNorm<1>());
  }
  for (const Vec3& p : b) {
    b_lo = std::min(b_lo, n.dot(p - origin));
    size = std::max(size, (p - origin).lpNorm<1>());
  }
  return std::max(0.0, b_lo - a_hi - 16 * math::kUnitRoundoff * size);
}

/// Gap of cores minus the radii, rounded down; `slack` bounds the error of the corner positions.
inline double gap_of_swept(double core_gap, double radius_a, double radius_b, double slack) {
  return std::max(0.0, core_gap * (1 - 4 * math::kUnitRoundoff) -
                           (radius_a + radius_b) * (1 + 4 * math::kUnitRoundoff) - slack);
}

}  // namespace touche::bounds
