// SPDX-License-Identifier: Apache-2.0
// The test of vertices and planes that may come before that of separating axes (Denner 4.2): one
// box lies beyond a face of the other.
#pragma once

#include "methods/bounds/obb.h"

namespace touche::bounds {

/// Returns whether all corners of one box lie beyond the plane of some face of the other; then the
/// boxes are separate. If it is false, they may still be separate, edge to edge. Up to rounding it
/// equals the test of the six face normals (BoxAxes::faces), at four times as many products.
bool vertices_beyond_a_plane(const Obb& a, const Obb& b, const PoseMatrix& pose);

}  // namespace touche::bounds
