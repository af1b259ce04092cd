// SPDX-License-Identifier: Apache-2.0
// The box of least volume around a small set of points, after O'Rourke 1985: two of its adjacent
// faces each contain an edge of the convex hull. All pairs of edges are tried, and for each the
// whole circle of directions the first face can have. Slow and obvious; what other fits are judged
// by, up to about 30 points.
#pragma once

#include <span>

#include "methods/bounds/obb.h"

namespace touche::bounds {

struct ExactBox {
  Obb box;
  int hull_edges = 0;
};

/// Throws InvalidInput for points of one plane, which have no hull with a volume.
ExactBox exact_box(std::span<const Vec3> points);

}  // namespace touche::bounds
