// SPDX-License-Identifier: Apache-2.0
// The best rectangle around points of a plane, by rotating callipers.
#pragma once

#include <span>
#include <vector>

#include "methods/bounds/bounding_volume.h"

namespace touche::bounds {

using Vec2 = Eigen::Vector2d;

/// Corners of the convex hull, counter-clockwise, without points on its edges. Exact.
std::vector<Vec2> convex_hull(std::vector<Vec2> points);

/// Direction of a side of the rectangle that is best as the base of a box of this height: in the
/// box's volume (for height 0: area), diameter or surface area.
Vec2 min_rectangle_direction(std::span<const Vec2> points, double height, Criterion criterion);

}  // namespace touche::bounds
