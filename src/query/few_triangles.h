// SPDX-License-Identifier: Apache-2.0
// The inner loops of FewSearch, once for each instruction set. All give the same bits.
#pragma once

#include <cstdint>

#include "bvh/kernels.h"

namespace touche {

/// The triangles of one object, if they are few, in the local coordinates of another.
struct FewTriangles {
  static constexpr int kMostLeaves = 4, kMost = kMostLeaves * kWidth;

  alignas(64) float corner[3][3][kMost];  // [corner][axis][lane]
  float normal[3][kMost];                 // of length one, or zero where there is none
  float error = 0;  // bound of the error of a coordinate that was moved to a node's frame
};

/// Which of them the children of a node may meet.
struct FewMeetings {
  /// Less where the plane of one of the triangles passes nearer to the child's middle, with the
  /// child's number in the last six bits; PairKeys::kNone for a child that meets none.
  alignas(64) std::int32_t key[kWidth];
  std::int32_t triangles[kWidth];  // a bit for each
};

/// Which of them the children of a node may be near to.
struct FewNear {
  alignas(64) std::int32_t key[kWidth];  // of the bounds below and numbers, as in FewMeetings
  std::int32_t triangles[kWidth];
  /// Lower bounds of the distances, squared, in local units of the nodes' object.
  float squared[kWidth];
};

struct FewKernels {
  /// Puts the triangles of a leaf into lanes `first`, `first` + 1, ... of `few`, in the local
  /// coordinates that the map leads to, and raises the error to what these need.
  void (*place)(const LocalMap& map, const BvhLeaf& leaf, int first, FewTriangles& few);

  /// Tells which of some triangles (a bit each) the children of a node may meet; where these are
  /// none at all, `out` is left as it was. Returns the least key.
  std::int32_t (*meet)(const BvhNode& node, const FewTriangles& few, std::uint32_t triangles,
                       FewMeetings& out);

  /// Tells in the same way which of them may be no farther from the children than `target`, which
  /// is squared, in local units of the nodes' object.
  std::int32_t (*near)(const BvhNode& node, const FewTriangles& few, std::uint32_t triangles,
                       float target, FewNear& out);
};

/// Returns those of the instruction set that kernels() is of.
const FewKernels& few_kernels();

}  // namespace touche
