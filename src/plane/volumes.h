// SPDX-License-Identifier: Apache-2.0
// The volumes of the plane have this in common: measures of convex polygons, rounding.
#pragma once

#include "math/rounding.h"
#include "plane/vec2.h"
#include "touche/plane_volumes.h"

namespace touche::plane {

/// Measure convex polygons, counter-clockwise; of two corners the perimeter is twice the distance.
double polygon_area(std::span<const Vec2> corners);
double polygon_perimeter(std::span<const Vec2> corners);
double polygon_diameter(std::span<const Vec2> corners);

/// The norm of a difference: both components have a relative error u, their squares 3 u, the sum
/// 4 u, the root half of that and one more u. 8 u is above all of it.
inline constexpr double kNormUp = 1 + 8 * kUnitRoundoff;

}  // namespace touche::plane
