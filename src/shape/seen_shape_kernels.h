// SPDX-License-Identifier: Apache-2.0
// These kernels are the loops of seen_shape.cpp over eight corners, boxes or triangles at a time.
// They give the same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bvh/bvh.h"

namespace touche {

/// Holds those of eight lanes.
using SquaredGaps = std::array<float, kWidth>;

/// An interval along each of a frame's axes.
struct FloatSpan {
  float lo[3], hi[3];
};

struct SeenShapeKernels {
  /// The least and the largest axis · corner along each of the frame's axes, over `padded` corners,
  /// a multiple of eight, coordinate by coordinate.
  void (*span)(const std::array<const float*, 3>& corners, std::size_t padded, const Frame& frame,
               FloatSpan& span);
  /// Squares of the distances between a span and each child's box, or the box around each triangle.
  void (*node_gaps)(const NodeView& node, const FloatSpan& span, SquaredGaps& squares);
  void (*leaf_gaps)(const BvhLeaf& leaf, const FloatSpan& span, SquaredGaps& squares);
};

const SeenShapeKernels& seen_shape_kernels();
/// For each instruction set that this machine has, the best one first. For tests.
std::vector<SeenShapeKernels> seen_shape_kernels_of_targets();

}  // namespace touche
