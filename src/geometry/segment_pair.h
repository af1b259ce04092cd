// SPDX-License-Identifier: Apache-2.0
// Two segments, also of no length: do they touch, and where are they closest.
#pragma once

#include <algorithm>

#include "geometry/predicates.h"

namespace touche {

/// Exact. Segments p–q and r–s, closed.
bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s,
                        std::uint64_t& exact);

/// The same for four points in one plane, seen along `axis`.
bool segments_intersect_2d(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s, int axis);

/// Nearly parallel: below this, |u|²|v|² − (u·v)² has lost too many digits by cancellation. It is
/// sin² of the angle; at the limit the distance still is right to a hundred rounding errors.
inline constexpr double kParallel = 1e-4;

/// Where the line along u comes closest to that along v, as a multiple of u in [0, 1], for nearly
/// parallel lines: |u × v|² is |u|²|v|² − (u·v)² without the cancellation. w = q − p.
inline double closest_to_parallel_line(const Vec3& u, const Vec3& v, const Vec3& w) {
  const Vec3 n = u.cross(v);
  const double nn = n.squaredNorm();
  return nn > 0 ? std::clamp(w.cross(v).dot(n) / nn, 0.0, 1.0) : 0;
}

}  // namespace touche
