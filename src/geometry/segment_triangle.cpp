// SPDX-License-Identifier: Apache-2.0
#include "geometry/segment_triangle.h"

#include <algorithm>
#include <cmath>

#include "geometry/point_triangle.h"
#include "geometry/segment_pair.h"

namespace touche::geometry {

bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Triangle& t, std::uint64_t& exact) {
  const PlaneSide plane(t[0], t[1], t[2]);
  const int side_p = plane.side(p, exact), side_q = plane.side(q, exact);
  if (side_p * side_q > 0) return false;

  // The segment is in the plane of the triangle, or the triangle has no area: test an end against
  // the triangle, and the segment against the edges.
  if (side_p == 0 && side_q == 0) {
    return point_on_triangle(p, t, exact) || segments_intersect(p, q, t[0], t[1], exact) ||
           segments_intersect(p, q, t[1], t[2], exact) ||
           segments_intersect(p, q, t[2], t[0], exact);
  }

  // The segment crosses the plane in one point; it is inside if the line passes all edges on the
  // same side.
  const int side0 = orient3d(p, q, t[0], t[1], exact), side1 = orient3d(p, q, t[1], t[2], exact),
            side2 = orient3d(p, q, t[2], t[0], exact);
  return (side0 >= 0 && side1 >= 0 && side2 >= 0) || (side0 <= 0 && side1 <= 0 && side2 <= 0);
}

namespace {

/// The parameter at which p–q first meets a–b; p must not lie on a–b, and they must meet.
double first_on_segment(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  // Both lines lie in one plane: projected along any axis the ratio is the same, unless they
  // coincide.
  double best = 0, t = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double at_p = determinant2d(a, b, p, axis), at_q = determinant2d(a, b, q, axis);
    const double size = std::abs(at_p) + std::abs(at_q);
    if (size > best) best = size, t = std::abs(at_p) / size;
  }
  if (best > 0) return t;
  // The lines coincide: take the nearer end, along the longest coordinate.
  int k = 0;
  (q - p).cwiseAbs().maxCoeff(&k);
  return std::min((a[k] - p[k]) / (q[k] - p[k]), (b[k] - p[k]) / (q[k] - p[k]));
}

}  // namespace

std::optional<SegmentHit> first_common_point(const Vec3& p, const Vec3& q, const Triangle& t) {
  std::uint64_t exact = 0;
  if (!segment_meets_triangle(p, q, t, exact)) return std::nullopt;

  // The segment crosses the plane: heights of both ends have opposite signs, so nothing cancels.
  const double at_p = determinant3d(t[0], t[1], t[2], p), at_q = determinant3d(t[0], t[1], t[2], q);
  if (at_p != 0 || at_q != 0)
    return SegmentHit{std::abs(at_p) / (std::abs(at_p) + std::abs(at_q)),
                      at_p < 0 || at_q > 0 ? 1 : -1};

  // The segment is in the plane: it starts inside the triangle, or enters over the first edge.
  if (point_on_triangle(p, t, exact)) return SegmentHit{};
  double first = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &a = t[k], &b = t[(k + 1) % 3];
    if (segments_intersect(p, q, a, b, exact))
      first = std::min(first, first_on_segment(p, q, a, b));
  }
  return SegmentHit{first, 0};
}

}  // namespace touche::geometry
