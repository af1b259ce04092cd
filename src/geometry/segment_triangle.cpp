// SPDX-License-Identifier: Apache-2.0
#include "geometry/segment_triangle.h"

#include "geometry/point_triangle.h"
#include "geometry/segment_pair.h"

namespace touche {

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Triangle& t, std::uint64_t& exact) {
  const PlaneSide plane(t[0], t[1], t[2]);
  const int side_p = plane.side(p, exact), side_q = plane.side(q, exact);
  if (side_p * side_q > 0) return false;

  // In the plane of the triangle, or the triangle has no area: an end on it, or an edge met.
  if (side_p == 0 && side_q == 0) {
    return point_on_triangle(p, t, exact) || segments_intersect(p, q, t[0], t[1], exact) ||
           segments_intersect(p, q, t[1], t[2], exact) ||
           segments_intersect(p, q, t[2], t[0], exact);
  }

  // The segment crosses the plane in one point, inside if it passes all edges on the same side.
  const int side0 = orient3d(p, q, t[0], t[1], exact), side1 = orient3d(p, q, t[1], t[2], exact),
            side2 = orient3d(p, q, t[2], t[0], exact);
  return (side0 >= 0 && side1 >= 0 && side2 >= 0) || (side0 <= 0 && side1 <= 0 && side2 <= 0);
}

}  // namespace touche
