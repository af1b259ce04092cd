// SPDX-License-Identifier: Apache-2.0
// Two edges in the plane z = 0 that touch, or their closest points.
#pragma once

#include "touche/distance.h"

namespace touche::query {

/// The unit direction from a to b, for two edges whose closest points are known. If they intersect,
/// it is perpendicular to one of them: the one for which a shorter shift separates b from a.
Vec3 edge_normal(const Segment& a, const Segment& b, const RegionDistance& closest);

}  // namespace touche::query
