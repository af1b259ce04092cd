// SPDX-License-Identifier: Apache-2.0
#include "geometry/point_triangle.h"

#include <algorithm>

#include "geometry/segment_pair.h"

namespace touche::geometry {

bool point_in_triangle_2d(const Vec3& p, const Triangle& t, int axis) {
  const int side0 = orient2d(t[0], t[1], p, axis), side1 = orient2d(t[1], t[2], p, axis),
            side2 = orient2d(t[2], t[0], p, axis);
  if (side0 == 0 && side1 == 0 && side2 == 0) {
    // The triangle has no area, and the point is on its line.
    return segments_intersect_2d(p, p, t[0], t[1], axis) ||
           segments_intersect_2d(p, p, t[1], t[2], axis) ||
           segments_intersect_2d(p, p, t[2], t[0], axis);
  }
  return (side0 >= 0 && side1 >= 0 && side2 >= 0) || (side0 <= 0 && side1 <= 0 && side2 <= 0);
}

bool point_on_triangle(const Vec3& p, const Triangle& t, std::uint64_t& exact) {
  // The three projections together are equivalent to the test in space, as for segments.
  for (int axis = 0; axis < 3; ++axis)
    if (!point_in_triangle_2d(p, t, axis)) return false;
  return orient3d(t[0], t[1], t[2], p, exact) == 0;
}

namespace {

/// The vector from the nearest point of the segment a–b to p.
Vec3 segment_offset(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a, w = p - a;
  const double length2 = along.squaredNorm();
  return length2 > 0 ? Vec3(w - std::clamp(w.dot(along) / length2, 0.0, 1.0) * along) : w;
}

}  // namespace

// Let u be 2^-53, L the longest edge, d the distance; |p − t₀| <= d + L. The position of a foot on
// an edge is accurate to 16 u (d + L). An inner foot is equally accurate along the longest edge.
// Across it, the direction of a triangle of height h is accurate to 16 u L / h: that moves the foot
// by δ <= 16 u (d L / h + L), but by at most h, because both feet lie in the triangle. It lengthens
// the offset, which is orthogonal to it, by at most min(δ, δ² / 2 d). If d <= h this is below 32 u
// L; otherwise δ² <= h · 32 u d L / h makes it 16 u L. If the foot is wrongly classified as
// outside, an edge is no farther than δ from it, and the same holds. 2^-45 = 256 u exceeds all of
// these.
Vec3 nearest_offset(const Vec3& p, const Triangle& t) {
  Vec3 nearest = segment_offset(p, t[0], t[1]);
  double least = nearest.squaredNorm();
  const auto take = [&](const Vec3& offset) {
    if (const double d2 = offset.squaredNorm(); d2 < least) least = d2, nearest = offset;
  };
  take(segment_offset(p, t[1], t[2]));
  take(segment_offset(p, t[2], t[0]));
  if (const auto inner = TriangleFrame(t).offset(p)) take(*inner);
  return nearest;
}

}  // namespace touche::geometry
