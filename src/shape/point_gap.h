// SPDX-License-Identifier: Apache-2.0
// A point and a convex shape, with the plane that proves them apart.
#pragma once

#include "touche/shape.h"

namespace touche {

struct PointGap {
  Vec3 normal = Vec3::UnitX();  ///< unit length up to rounding, from the shape to the point
  /// No point of the shape is nearer to the point along the normal: this is proved. Not above 0
  /// where nothing is.
  double lower = 0;
  double distance = 0;         ///< 0 inside
  Vec3 offset = Vec3::Zero();  ///< from the shape's nearest point
};
/// In the shape's frame, of a convex shape.
PointGap point_gap(const Shape& shape, const Vec3& x);

/// point_gap may leave this share of the coordinates open; it is more than its rounding.
inline constexpr double kPointGapError = 0x1p-28;
/// How far coordinates of a convex shape get; of a half space the distance of its plane.
double size_of(const Shape& shape);

}  // namespace touche
