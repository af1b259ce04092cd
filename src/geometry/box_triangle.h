// SPDX-License-Identifier: Apache-2.0
// A box along the axes and a triangle: do they touch.
#pragma once

#include "geometry/triangle_pair.h"

namespace touche {

/// Exact, also for a triangle without area and a box without volume. Both are closed.
bool box_meets_triangle(const Aabb& box, const Triangle& t);

}  // namespace touche
