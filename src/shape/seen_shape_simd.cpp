// SPDX-License-Identifier: Apache-2.0
// Compiled for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "shape/seen_shape_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include "shape/seen_shape_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace touche::shape {
namespace HWY_NAMESPACE {
namespace seen_shape {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, bvh::kWidth>;
using V = hn::Vec<D>;

void Span(const std::array<const float*, 3>& corners, std::size_t padded, const bvh::Frame& frame,
          FloatSpan& span) {
  const D d;
  V axis[3][3], least[3], most[3];
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) axis[k][c] = hn::Set(d, frame.axis(k, c));
    least[k] = hn::Set(d, 1e30f);
    most[k] = hn::Set(d, -1e30f);
  }
  for (std::size_t i = 0; i < padded; i += hn::MaxLanes(d)) {
    const V x = hn::LoadU(d, corners[0] + i), y = hn::LoadU(d, corners[1] + i),
            z = hn::LoadU(d, corners[2] + i);
    for (int k = 0; k < 3; ++k) {
      const V along =
          hn::Add(hn::Add(hn::Mul(axis[k][0], x), hn::Mul(axis[k][1], y)), hn::Mul(axis[k][2], z));
      least[k] = hn::Min(least[k], along);
      most[k] = hn::Max(most[k], along);
    }
  }
  for (int k = 0; k < 3; ++k) {
    span.lo[k] = hn::GetLane(hn::MinOfLanes(d, least[k]));
    span.hi[k] = hn::GetLane(hn::MaxOfLanes(d, most[k]));
  }
}

/// Adds the square of the distance between two intervals. Zero distances are always +0.
HWY_INLINE V AddSquare(V before, V lo, V hi, float span_lo, float span_hi) {
  const D d;
  const V above = hn::Sub(lo, hn::Set(d, span_hi)), below = hn::Sub(hn::Set(d, span_lo), hi);
  const V gap = hn::Max(hn::Max(above, below), hn::Zero(d));
  return hn::Add(before, hn::Mul(gap, gap));
}

void NodeGaps(const bvh::NodeView& node, const FloatSpan& span, SquaredGaps& squares) {
  const D d;
  for (std::size_t i = 0; i < bvh::kWidth; i += hn::MaxLanes(d)) {
    V sum = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const V centre = hn::LoadU(d, node.children.centre[k] + i),
              half = hn::LoadU(d, node.children.half[k] + i);
      sum = AddSquare(sum, hn::Sub(centre, half), hn::Add(centre, half), span.lo[k], span.hi[k]);
    }
    hn::StoreU(sum, d, squares.data() + i);
  }
}

void LeafGaps(const bvh::BvhLeaf& leaf, const FloatSpan& span, SquaredGaps& squares) {
  const D d;
  for (std::size_t i = 0; i < bvh::kWidth; i += hn::MaxLanes(d)) {
    V sum = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const V x = hn::LoadU(d, leaf.corner[0][k] + i), y = hn::LoadU(d, leaf.corner[1][k] + i),
              z = hn::LoadU(d, leaf.corner[2][k] + i);
      sum = AddSquare(sum, hn::Min(hn::Min(x, y), z), hn::Max(hn::Max(x, y), z), span.lo[k],
                      span.hi[k]);
    }
    hn::StoreU(sum, d, squares.data() + i);
  }
}

}  // namespace seen_shape

SeenShapeKernels MakeSeenShapeKernels() {
  return {&seen_shape::Span, &seen_shape::NodeGaps, &seen_shape::LeafGaps};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::shape
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::shape {
namespace {

HWY_EXPORT(MakeSeenShapeKernels);

}  // namespace

const SeenShapeKernels& seen_shape_kernels() {
  static const SeenShapeKernels best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakeSeenShapeKernels)(); });
  return best;
}

std::vector<SeenShapeKernels> seen_shape_kernels_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeSeenShapeKernels)(); });
}

}  // namespace touche::shape
#endif
