// SPDX-License-Identifier: Apache-2.0
// A segment and a triangle (edge–face): do they touch.
#pragma once

#include "geometry/triangle_pair.h"

namespace touche {

/// Exact for all inputs, also a segment without length and a triangle without area. Closed.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Triangle& t, std::uint64_t& exact);

}  // namespace touche
