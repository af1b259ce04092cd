// SPDX-License-Identifier: Apache-2.0
// A bounding ball of a shape.
#pragma once

#include <algorithm>

#include "math/rounding.h"
#include "shape/shape_data.h"

namespace touche::shape {

/// Contains a convex shape that is no half space, in its own frame: around its origin, or around
/// its box if that ball is smaller.
inline Ball ball_around(const Shape& shape) {
  const convex::Body& body = body_of(shape);
  const Ball around_origin{Vec3::Zero(), math::kRoundUp * (body.reach + body.radius)};
  const Aabb& box = shape.bounds();
  const Ball around_box{box.centre(), math::kRoundUp * 0.5 * box.diagonal() +
                                          math::kFormulaError * (box.lo.norm() + box.hi.norm())};
  return around_box.radius < around_origin.radius ? around_box : around_origin;
}

}  // namespace touche::shape
