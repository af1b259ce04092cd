// SPDX-License-Identifier: Apache-2.0
#include "geometry/point_triangle.h"

#include "geometry/segment_pair.h"

namespace touche {

bool point_in_triangle_2d(const Vec3& p, const Triangle& t, int axis) {
  const int side0 = orient2d(t[0], t[1], p, axis), side1 = orient2d(t[1], t[2], p, axis),
            side2 = orient2d(t[2], t[0], p, axis);
  if (side0 == 0 && side1 == 0 && side2 == 0) {
    // A triangle without area, and a point on its line.
    return segments_intersect_2d(p, p, t[0], t[1], axis) ||
           segments_intersect_2d(p, p, t[1], t[2], axis) ||
           segments_intersect_2d(p, p, t[2], t[0], axis);
  }
  return (side0 >= 0 && side1 >= 0 && side2 >= 0) || (side0 <= 0 && side1 <= 0 && side2 <= 0);
}

bool point_on_triangle(const Vec3& p, const Triangle& t, std::uint64_t& exact) {
  // As for segments: three projections together lose nothing.
  for (int axis = 0; axis < 3; ++axis)
    if (!point_in_triangle_2d(p, t, axis)) return false;
  return orient3d(t[0], t[1], t[2], p, exact) == 0;
}

}  // namespace touche
