// SPDX-License-Identifier: Apache-2.0
// The inner loops of few_search.h, once for each instruction set. All give the same bits.
#pragma once

#include <cstdint>

#include "bvh/kernels.h"

namespace touche::query {

/// The triangles of one object, if they are few, in the local coordinates of another.
struct FewTriangles {
  static constexpr int kMostLeaves = 4, kMost = kMostLeaves * bvh::kWidth;

  alignas(64) float corner[3][3][kMost];  // [corner][axis][lane]
  float normal[3][kMost];                 // of unit length, or zero if there is none
  float error = 0;  // bound of the error of a coordinate after the transformation to a node's frame
};

/// Says which of the triangles each child of a node may intersect.
struct FewMeetings {
  /// Smaller if the plane of one of the triangles passes nearer to the child's centre, with the
  /// child's number in the last six bits; PairKeys::kNone for a child that intersects none.
  alignas(64) std::int32_t key[bvh::kWidth];
  std::int32_t triangles[bvh::kWidth];  // a bit for each
};

/// Says which of the triangles may be near each child of a node.
struct FewNear {
  alignas(64) std::int32_t key[bvh::kWidth];  // of the bounds below, as in FewMeetings
  std::int32_t triangles[bvh::kWidth];
  /// Lower bounds of the distances, squared, in local units of the nodes' object.
  float squared[bvh::kWidth];
};

struct FewKernels {
  /// Writes the triangles of a leaf to lanes `first`, `first` + 1, ... of `few`, in the target
  /// coordinates of the map, and raises the error accordingly.
  void (*place)(const bvh::LocalMap& map, const bvh::BvhLeaf& leaf, int first, FewTriangles& few);

  /// Finds which of some triangles (a bit each) the children of a node may intersect; if none,
  /// `out` is unchanged. Returns the least key.
  std::int32_t (*meet)(const bvh::BvhNode& node, const FewTriangles& few, std::uint32_t triangles,
                       FewMeetings& out);

  /// Finds likewise which of them may be no farther from the children than `target`, which is
  /// squared, in local units of the nodes' object.
  std::int32_t (*near)(const bvh::BvhNode& node, const FewTriangles& few, std::uint32_t triangles,
                       float target, FewNear& out);
};

/// Returns the table for the same instruction set as kernels().
const FewKernels& few_kernels();

}  // namespace touche::query
