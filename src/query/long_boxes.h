// SPDX-License-Identifier: Apache-2.0
// Continuous test of two long thin boxes, such as those around rods or around long thin triangles.
#pragma once

#include "bvh/bvh.h"
#include "query/triangle_impact.h"

namespace touche {

/// Whether a node's box is many times longer than wide and high.
bool is_long(const Bounds& bounds);

/// For how long two long boxes stay apart, from the instant of the snapshot on; 0 where that is not
/// proved. Bounds along axes that are fixed suffer from the speed of far ends. This axis is at
/// right angles to both boxes' long edges and tilts so that it stays so.
double time_apart_across(const Bvh& bvh_a, const Bounds& a, const Bvh& bvh_b, const Bounds& b,
                         const Snapshot& snapshot);

}  // namespace touche
