// SPDX-License-Identifier: Apache-2.0
// The loops of seen_shape.cpp over eight corners, boxes or triangles at a time. They give the same
// bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bvh/bvh.h"

namespace touche::shape {

/// The squared gaps of eight lanes.
using SquaredGaps = std::array<float, bvh::kWidth>;

/// An interval along each axis of a frame.
struct FloatSpan {
  float lo[3], hi[3];
};

struct SeenShapeKernels {
  /// The least and the largest axis · corner along each of the frame's axes, over `padded` corners
  /// (a multiple of eight), which are given by coordinate.
  void (*span)(const std::array<const float*, 3>& corners, std::size_t padded,
               const bvh::Frame& frame, FloatSpan& span);
  /// The squared distances between a span and each child's box, or the box around each triangle.
  void (*node_gaps)(const bvh::NodeView& node, const FloatSpan& span, SquaredGaps& squares);
  void (*leaf_gaps)(const bvh::BvhLeaf& leaf, const FloatSpan& span, SquaredGaps& squares);
};

const SeenShapeKernels& seen_shape_kernels();
/// One table for each instruction set of this machine, the best one first. For tests.
std::vector<SeenShapeKernels> seen_shape_kernels_of_targets();

}  // namespace touche::shape
