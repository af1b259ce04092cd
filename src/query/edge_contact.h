// SPDX-License-Identifier: Apache-2.0
// Two edges in the plane z = 0 that touch, or are closest.
#pragma once

#include "touche/distance.h"

namespace touche {

/// The direction from a to b, of unit length, of two edges whose closest points are known. If they
/// intersect, it is across one of them, whichever lets b come apart from a by the shorter shift.
Vec3 edge_normal(const Segment& a, const Segment& b, const RegionDistance& closest);

}  // namespace touche
