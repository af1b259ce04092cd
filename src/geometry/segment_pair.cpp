// SPDX-License-Identifier: Apache-2.0
#include "geometry/segment_pair.h"

namespace touche::geometry {

namespace {

bool ranges_overlap(double a, double b, double c, double d) {
  return std::min(a, b) <= std::max(c, d) && std::min(c, d) <= std::max(a, b);
}

}  // namespace

bool segments_intersect_2d(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s, int axis) {
  // The boxes decide for collinear segments, whose orientations are all zero.
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  return ranges_overlap(p[x], q[x], r[x], s[x]) && ranges_overlap(p[y], q[y], r[y], s[y]) &&
         orient2d(p, q, r, axis) * orient2d(p, q, s, axis) <= 0 &&
         orient2d(r, s, p, axis) * orient2d(r, s, q, axis) <= 0;
}

bool segments_intersect(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s,
                        std::uint64_t& exact) {
  // Coplanar segments keep their shape in at least one of the three projections, so if they do not
  // meet in space, they do not meet in that one; segments that meet in space meet in all three.
  for (int axis = 0; axis < 3; ++axis)
    if (!segments_intersect_2d(p, q, r, s, axis)) return false;
  return orient3d(p, q, r, s, exact) == 0;
}

}  // namespace touche::geometry
