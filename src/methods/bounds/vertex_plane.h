// SPDX-License-Identifier: Apache-2.0
// The test of vertices and planes that may come before that of separating axes (Denner 4.2): one
// box lies beyond a face of the other.
#pragma once

#include "methods/bounds/obb.h"

namespace touche::bounds {

/// Whether all corners of one box lie beyond the plane of some face of the other: then they are
/// apart. Boxes of which this is false may be apart all the same, edge to edge. Up to rounding it
/// is what the six normals of faces tell (BoxAxes::faces), for four times as many products.
bool vertices_beyond_a_plane(const Obb& a, const Obb& b, const PoseMatrix& pose);

}  // namespace touche::bounds
