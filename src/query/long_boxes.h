// SPDX-License-Identifier: Apache-2.0
// Continuous test of two long thin boxes, such as around rods or long thin triangles.
#pragma once

#include "bvh/bvh.h"
#include "query/triangle_impact.h"

namespace touche::query {

/// Whether a node's box is many times longer than it is wide and high.
bool is_long(const bvh::Bounds& bounds);

/// How long two long boxes stay apart from the instant of the snapshot on; 0 if that is not proved.
/// Bounds along fixed axes suffer from the speed of far ends. The axis used here is orthogonal to
/// the long edges of both boxes, and tilts so that it stays orthogonal.
double time_apart_across(const bvh::Bvh& bvh_a, const bvh::Bounds& a, const bvh::Bvh& bvh_b,
                         const bvh::Bounds& b, const Snapshot& snapshot);

}  // namespace touche::query
