// SPDX-License-Identifier: Apache-2.0
// Separating axis test: two convex bodies are disjoint exactly if an axis separates them.
// Candidates are the axes of the box, the normal of the triangle, and the cross products of an axis
// of the box and an edge. For the last kind both bodies are projected along the box's axis, and a
// line through the edge separates them.
#include "geometry/box_triangle.h"

#include <algorithm>

#include "geometry/predicates.h"
#include "math/box_corner.h"

namespace touche::geometry {
namespace {

/// Returns the common sign if all eight signs are +1 or all are −1, otherwise 0.
template <class Sign>
int common_sign(const Aabb& box, const Sign& sign) {
  const int first = sign(math::corner_of(box, 0));
  for (int k = 1; k < 8 && first != 0; ++k)
    if (sign(math::corner_of(box, k)) != first) return 0;
  return first;
}

}  // namespace

bool box_meets_triangle(const Aabb& box, const Triangle& t) {
  // Test the axes of the box.
  for (int k = 0; k < 3; ++k) {
    if (std::max({t[0][k], t[1][k], t[2][k]}) < box.lo[k]) return false;
    if (std::min({t[0][k], t[1][k], t[2][k]}) > box.hi[k]) return false;
  }

  // A corner of the triangle inside the box is decisive, too.
  for (const Vec3& corner : t)
    if ((corner.array() >= box.lo.array()).all() && (corner.array() <= box.hi.array()).all())
      return true;

  // Test the plane of the triangle.
  if (common_sign(box, [&](const Vec3& x) { return orient3d(t[0], t[1], t[2], x); }) != 0)
    return false;

  // Test lines through its edges, projected along an axis: they separate if the box is on one side
  // and the opposite corner is not.
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &a = t[k], &b = t[(k + 1) % 3], &c = t[(k + 2) % 3];
      const int side = common_sign(box, [&](const Vec3& x) { return orient2d(a, b, x, axis); });
      if (side != 0 && orient2d(a, b, c, axis) != side) return false;
    }
  return true;
}

}  // namespace touche::geometry
