// SPDX-License-Identifier: Apache-2.0
// Functions shared by the volumes of the plane: measures of convex polygons, and rounding.
#pragma once

#include "math/rounding.h"
#include "plane/vec2.h"
#include "touche/plane_volumes.h"

namespace touche::plane {

/// Measures of convex polygons, counter-clockwise; with two corners the perimeter is twice their
/// distance.
double polygon_area(std::span<const Vec2> corners);
double polygon_perimeter(std::span<const Vec2> corners);
double polygon_diameter(std::span<const Vec2> corners);

/// Rounding of the norm of a difference: both components have a relative error of u, their squares
/// 3 u, the sum 4 u, the root half of that and another u. 8 u is more than all of it.
inline constexpr double kNormUp = 1 + 8 * math::kUnitRoundoff;

}  // namespace touche::plane
