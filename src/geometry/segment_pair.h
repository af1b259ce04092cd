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

/// Places on two segments: p + s u and q + t v, both in [0, 1].
struct SegmentPlaces {
  double s = 0, t = 0;
};

/// Closest places of the segments p + s u and q + t v (w = q − p). The distance between them is
/// right to a few rounding errors of the largest of |u|, |v| and |w| at any angle between the
/// segments: the usual denominator |u|²|v|² − (u·v)² cancels for nearly parallel segments, the
/// square of u × v does not.
inline SegmentPlaces closest_on_segments(const Vec3& u, const Vec3& v, const Vec3& w) {
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  const double uw = u.dot(w), vw = v.dot(w);
  const Vec3 n = u.cross(v);
  const double nn = n.squaredNorm();

  // The closest place of the two lines, kept inside the first segment.
  double s = nn > 0 ? std::clamp(w.cross(v).dot(n) / nn, 0.0, 1.0) : 0.0;

  // From there the closest place on the second; where that lies outside, or the second is a
  // point, back again.
  double t = vv > 1e-280 ? (s * uv - vw) / vv : -1.0;
  if (!(t >= 0 && t <= 1)) {
    t = t > 1 ? 1 : 0;
    s = uu > 0 ? std::clamp((t * uv + uw) / uu, 0.0, 1.0) : 0.0;
  }
  return {s, t};
}

}  // namespace touche
