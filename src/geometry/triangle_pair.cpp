// SPDX-License-Identifier: Apache-2.0
// Guigue and Devillers 2003, "Fast and robust triangle-triangle overlap test using orientation
// predicates": every decision is the sign of one determinant of input coordinates, so exact
// predicates make the result exact. Zero-area and coplanar pairs are handled separately.
#include "geometry/triangle_pair.h"

#include <utility>

#include "geometry/point_triangle.h"
#include "geometry/segment_pair.h"
#include "geometry/segment_triangle.h"

namespace touche::geometry {

namespace {

using Signs = std::array<int, 3>;

bool same_strict_side(const Signs& s) { return s[0] != 0 && s[0] == s[1] && s[1] == s[2]; }

bool all_zero(const Signs& s) { return s[0] == 0 && s[1] == 0 && s[2] == 0; }

/// The corner that is alone on its side of the other triangle's plane, and that side. The other
/// two corners are on the opposite side or on the plane; not both on it if the lone one is.
struct LoneCorner {
  int corner, side;
};

LoneCorner lone_corner(const Signs& s) {
  for (int side : {1, -1}) {
    const std::array<bool, 3> on = {s[0] == side, s[1] == side, s[2] == side};
    if (on[0] + on[1] + on[2] == 1) return {on[0] ? 0 : on[1] ? 1 : 2, side};
  }
  // Two are on one side and one is on the plane.
  const int corner = s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2;
  return {corner, -s[(corner + 1) % 3]};
}

/// Both are in one plane, and `a` has area: a projection along an axis that keeps a's area loses
/// nothing.
bool coplanar_intersect(const Triangle& a, const Triangle& b) {
  int axis = 0;
  while (axis < 2 && orient2d(a[0], a[1], a[2], axis) == 0) ++axis;
  if (point_in_triangle_2d(b[0], a, axis) || point_in_triangle_2d(a[0], b, axis)) return true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (segments_intersect_2d(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], axis)) return true;
  return false;
}

/// Whether any edge of one triangle meets the other one: slow, but valid for all inputs.
bool edges_meet(const Triangle& a, const Triangle& b, std::uint64_t& exact) {
  for (int i = 0; i < 3; ++i) {
    if (segment_meets_triangle(a[i], a[(i + 1) % 3], b, exact)) return true;
    if (segment_meets_triangle(b[i], b[(i + 1) % 3], a, exact)) return true;
  }
  return false;
}

/// `in_plane_a`: all of b lies in the plane of a, or a has no area; likewise `in_plane_b`.
bool special_intersect(const Triangle& a, bool in_plane_a, const Triangle& b, bool in_plane_b,
                       std::uint64_t& exact) {
  if (boxes_disjoint(a, b)) return false;
  if (in_plane_a && !collinear(a[0], a[1], a[2])) return coplanar_intersect(a, b);
  if (in_plane_b && !collinear(b[0], b[1], b[2])) return coplanar_intersect(b, a);
  return edges_meet(a, b, exact);
}

/// Each triangle cuts the common line of both planes in an interval that ends on the two edges at
/// its lone corner; the intervals overlap iff each begins before the other ends.
bool intervals_overlap(const Triangle& a, const Signs& of_a, const Triangle& b, const Signs& of_b,
                       std::uint64_t& exact) {
  const auto [i, side_a] = lone_corner(of_a);
  const auto [j, side_b] = lone_corner(of_b);
  const Vec3 *a1 = &a[(i + 1) % 3], *a2 = &a[(i + 2) % 3];
  const Vec3 *b1 = &b[(j + 1) % 3], *b2 = &b[(j + 2) % 3];

  // Orient both so that each lone corner sees the other triangle counter-clockwise.
  if (side_a < 0) std::swap(b1, b2);
  if (side_b < 0) std::swap(a1, a2);
  return orient3d(a[i], *a1, b[j], *b1, exact) >= 0 && orient3d(a[i], *a2, *b2, b[j], exact) >= 0;
}

}  // namespace

bool triangles_intersect(const Triangle& a, const Triangle& b, std::uint64_t* exact_tests) {
  std::uint64_t ignored = 0;
  std::uint64_t& exact = exact_tests != nullptr ? *exact_tests : ignored;

  // Disjoint if one lies strictly on one side of the other's plane.
  const PlaneSide plane_a(a[0], a[1], a[2]);
  const Signs of_b = {plane_a.side(b[0], exact), plane_a.side(b[1], exact),
                      plane_a.side(b[2], exact)};
  if (same_strict_side(of_b)) return false;
  const PlaneSide plane_b(b[0], b[1], b[2]);
  const Signs of_a = {plane_b.side(a[0], exact), plane_b.side(a[1], exact),
                      plane_b.side(a[2], exact)};
  if (same_strict_side(of_a)) return false;

  if (all_zero(of_b) || all_zero(of_a))
    return special_intersect(a, all_zero(of_b), b, all_zero(of_a), exact);
  return intervals_overlap(a, of_a, b, of_b, exact);
}

}  // namespace touche::geometry
