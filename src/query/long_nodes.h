// SPDX-License-Identifier: Apache-2.0
// Long nodes, as bundles of rods are. Two that cross are mostly apart along no axis of theirs, but
// along the cross product of their long ones.
#pragma once

#include <algorithm>

#include "bvh/kernels.h"
#include "math/rounding.h"
#include "query/relative.h"

namespace touche {

/// Whether a box is more than twice as long as wide and high together.
inline bool is_elongated(const Box& box) {
  const float x = box.half[0], y = box.half[1], z = box.half[2];
  return 3 * std::max(x, std::max(y, z)) > 2 * (x + y + z);
}

/// Number of the longest axis.
inline int long_axis(const Box& box) {
  return static_cast<int>(std::max_element(box.half, box.half + 3) - box.half);
}

/// A unit vector from a to b, on a's axes, across the long axes of both; zero if one is not long.
inline Vec3 across_long_axes(const Bvh& a, const Bvh& b, const RelativePose& pose) {
  const Bounds &bounds_a = a.bounds(a.root()), &bounds_b = b.bounds(b.root());
  if (!is_elongated(bounds_a.box) || !is_elongated(bounds_b.box)) return Vec3::Zero();
  const auto along = [](const Bounds& bounds) {
    const int k = long_axis(bounds.box);
    return Vec3(bounds.frame.axis(k, 0), bounds.frame.axis(k, 1), bounds.frame.axis(k, 2));
  };
  const Vec3 n = unit_or_zero(along(bounds_a).cross(pose.rotation * along(bounds_b)));
  return n.dot(pose * b.centre() - a.centre()) < 0 ? Vec3(-n) : n;
}

inline void look_along(const Vec3& direction, NearTarget& target) {
  for (int k = 0; k < 3; ++k) target.towards[k] = static_cast<float>(direction[k]);
}

}  // namespace touche
