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

/// A segment's direction, prepared for many calls.
struct SegmentDirection {
  Vec3 u;
  double length2, per_length2;  // the latter 0 for a segment that is a point
  explicit SegmentDirection(const Vec3& direction)
      : u(direction),
        length2(direction.squaredNorm()),
        per_length2(length2 > 1e-280 ? 1 / length2 : 0) {}
};

/// Places on two segments, p + s u and q + t v, both in [0, 1].
struct SegmentPlaces {
  double s = 0, t = 0;
};

/// Closest places of the segments p + s u and q + t v, where w = q − p. The distance between them
/// is right to a hundred rounding errors of the largest of |u|, |v| and |w| at any angle.
inline SegmentPlaces closest_on_segments(const SegmentDirection& u, const SegmentDirection& v,
                                         const Vec3& w) {
  const double uv = u.u.dot(v.u), uw = u.u.dot(w), vw = v.u.dot(w);
  const double product = u.length2 * v.length2, determinant = product - uv * uv;

  // The closest place of the two lines, kept inside the first segment. The determinant, |u × v|²,
  // cancels for nearly parallel segments; computed from the cross product it does not.
  double s = 0;
  if (determinant > 1e-4 * product) {
    s = std::clamp((uw * v.length2 - uv * vw) / determinant, 0.0, 1.0);
  } else {
    const Vec3 n = u.u.cross(v.u);
    const double nn = n.squaredNorm();
    if (nn > 0) s = std::clamp(w.cross(v.u).dot(n) / nn, 0.0, 1.0);
  }

  // From there the closest place on the second; where that lies outside, or the second is a
  // point, back again.
  double t = (s * uv - vw) * v.per_length2;
  if (!(t >= 0 && t <= 1) || v.per_length2 == 0) {
    t = t > 1 ? 1 : 0;
    s = std::clamp((t * uv + uw) * u.per_length2, 0.0, 1.0);
  }
  return {s, t};
}

}  // namespace touche
