// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/types.h"

namespace touche::aabb_tree {

/// The cost of a box in the tree: half its surface area, after enlarging it by a billionth of the
/// whole, so that segments and points also differ by their extent.
class BoxSurface {
 public:
  explicit BoxSurface(const Aabb& whole) : little_(1e-9 * (whole.hi - whole.lo).maxCoeff()) {}

  double area(const Aabb& box) const {
    const Vec3 s = (box.hi - box.lo).array() + little_;
    return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  }

 private:
  double little_;
};

}  // namespace touche::aabb_tree

namespace touche {

inline Aabb merged(Aabb a, const Aabb& b) {
  a.include(b);
  return a;
}

}  // namespace touche
