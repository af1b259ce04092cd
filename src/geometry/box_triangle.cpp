// SPDX-License-Identifier: Apache-2.0
// Two convex bodies are apart exactly if an axis separates them: one of the box, the normal of the
// triangle, or a cross product of an axis of the box and an edge. Along the last kind both are seen
// as flat figures, and a line through the edge separates them.
#include "geometry/box_triangle.h"

#include <algorithm>

#include "geometry/predicates.h"
#include "math/box_corner.h"

namespace touche {
namespace {

/// Whether all eight signs are +1, or all −1.
template <class Sign>
int common_sign(const Aabb& box, const Sign& sign) {
  const int first = sign(corner_of(box, 0));
  for (int k = 1; k < 8 && first != 0; ++k)
    if (sign(corner_of(box, k)) != first) return 0;
  return first;
}

}  // namespace

bool box_meets_triangle(const Aabb& box, const Triangle& t) {
  // Axes of the box.
  for (int k = 0; k < 3; ++k) {
    if (std::max({t[0][k], t[1][k], t[2][k]}) < box.lo[k]) return false;
    if (std::min({t[0][k], t[1][k], t[2][k]}) > box.hi[k]) return false;
  }

  // A corner inside decides as well.
  for (const Vec3& corner : t)
    if ((corner.array() >= box.lo.array()).all() && (corner.array() <= box.hi.array()).all())
      return true;

  // The plane of the triangle.
  if (common_sign(box, [&](const Vec3& x) { return orient3d(t[0], t[1], t[2], x); }) != 0)
    return false;

  // Lines through its edges, seen along an axis: the box on one side, the opposite corner not.
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &a = t[k], &b = t[(k + 1) % 3], &c = t[(k + 2) % 3];
      const int side = common_sign(box, [&](const Vec3& x) { return orient2d(a, b, x, axis); });
      if (side != 0 && orient2d(a, b, c, axis) != side) return false;
    }
  return true;
}

}  // namespace touche
