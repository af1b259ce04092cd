// SPDX-License-Identifier: Apache-2.0
// Intersection test of an axis-aligned box and a triangle.
#pragma once

#include "geometry/triangle_pair.h"

namespace touche::geometry {

/// Exact, also for a triangle without area and a box without volume. Both are closed sets.
bool box_meets_triangle(const Aabb& box, const Triangle& t);

}  // namespace touche::geometry
