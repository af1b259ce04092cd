// SPDX-License-Identifier: Apache-2.0
// Tests of long nodes, such as bundles of rods. Two that cross are usually separated by none of
// their own axes, but by the cross product of their long axes.
#pragma once

#include <algorithm>

#include "bvh/kernels.h"
#include "math/rounding.h"
#include "query/relative.h"

namespace touche::query {

/// Whether a box is more than twice as long as wide and high together.
inline bool is_elongated(const bvh::Box& box) {
  const float x = box.half[0], y = box.half[1], z = box.half[2];
  return 3 * std::max(x, std::max(y, z)) > 2 * (x + y + z);
}

/// Number of the longest axis.
inline int long_axis(const bvh::Box& box) {
  return static_cast<int>(std::max_element(box.half, box.half + 3) - box.half);
}

/// A unit vector orthogonal to the long axes of both roots, oriented from a to b, in a's
/// coordinates; zero if one of the boxes is not long.
inline Vec3 across_long_axes(const bvh::Bvh& a, const bvh::Bvh& b, const RelativePose& pose) {
  const bvh::Bounds &bounds_a = a.bounds(a.root()), &bounds_b = b.bounds(b.root());
  if (!is_elongated(bounds_a.box) || !is_elongated(bounds_b.box)) return Vec3::Zero();
  const auto along = [](const bvh::Bounds& bounds) {
    const int k = long_axis(bounds.box);
    return Vec3(bounds.frame.axis(k, 0), bounds.frame.axis(k, 1), bounds.frame.axis(k, 2));
  };
  const Vec3 n = math::unit_or_zero(along(bounds_a).cross(pose.rotation * along(bounds_b)));
  return n.dot(pose * b.centre() - a.centre()) < 0 ? Vec3(-n) : n;
}

inline void look_along(const Vec3& direction, bvh::NearTarget& target) {
  for (int k = 0; k < 3; ++k) target.towards[k] = static_cast<float>(direction[k]);
}

}  // namespace touche::query
