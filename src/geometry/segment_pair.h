// SPDX-License-Identifier: Apache-2.0
// Two segments, which may have length zero: intersection test, and closest points of nearly
// parallel ones.
#pragma once

#include <algorithm>

#include "geometry/predicates.h"

namespace touche::geometry {

/// Exact. Segments p–q and r–s, as closed sets.
bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s,
                        std::uint64_t& exact);

/// The same for four coplanar points, projected along `axis`.
bool segments_intersect_2d(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s, int axis);

/// The limit for nearly parallel segments, as sin² of the angle: below it, |u|²|v|² − (u·v)² loses
/// too many digits by cancellation. At the limit the distance is still accurate to a hundred
/// rounding errors.
inline constexpr double kParallel = 1e-4;

/// The point of the segment along u that is closest to the line along v, as a multiple of u in [0,
/// 1], for nearly parallel lines: |u × v|² is |u|²|v|² − (u·v)² without the cancellation. w = q −
/// p.
inline double closest_to_parallel_line(const Vec3& u, const Vec3& v, const Vec3& w) {
  const Vec3 n = u.cross(v);
  const double nn = n.squaredNorm();
  return nn > 0 ? std::clamp(w.cross(v).dot(n) / nn, 0.0, 1.0) : 0;
}

}  // namespace touche::geometry
