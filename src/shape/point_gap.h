// SPDX-License-Identifier: Apache-2.0
// The gap between a point and a convex shape, with the plane that proves it.
#pragma once

#include "touche/shape.h"

namespace touche::shape {

struct PointGap {
  Vec3 normal = Vec3::UnitX();  ///< unit length up to rounding, from the shape to the point
  /// Proved lower bound of the distance of the point from the shape along the normal. At most 0 if
  /// nothing is proved.
  double lower = 0;
  double distance = 0;         ///< 0 for a point inside
  Vec3 offset = Vec3::Zero();  ///< from the nearest point of the shape to the point
};
/// In the frame of the shape, which must be convex.
PointGap point_gap(const Shape& shape, const Vec3& x);

/// The gap between `lower` and `distance` may be this share of the coordinates; more than the
/// rounding error.
inline constexpr double kPointGapError = 0x1p-28;
/// Upper bound of the coordinates of a convex shape; for a half space, the distance of its plane.
double size_of(const Shape& shape);

}  // namespace touche::shape
