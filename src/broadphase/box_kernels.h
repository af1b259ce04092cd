// SPDX-License-Identifier: Apache-2.0
// The inner loops over boxes, compiled for each instruction set, in one table of functions. They
// only compare numbers, so all of them give the same results.
#pragma once

#include <span>
#include <vector>

#include "broadphase/growing_array.h"
#include "broadphase/neighbour.h"
#include "broadphase/wide_tree.h"

namespace touche::broadphase {

struct BoxKernels {
  /// Appends all items below a node whose boxes overlap `box`.
  void (*find)(const WideTree::Node* nodes, Index root, const PackedBox& box,
               std::vector<Index>& found);

  /// The same for the boxes of several items. `findings` must have an end for each item, which is
  /// set here.
  void (*find_of_each)(const WideTree::Node* nodes, Index root, const PackedBox* boxes,
                       std::span<const Index> items, WideTree::Findings& findings);

  /// Appends all pairs of items below a node whose boxes overlap, each once.
  void (*find_pairs)(const WideTree::Node* nodes, Index root, std::vector<BoxPair>& found);

  /// Appends the neighbours of all boxes that moved (a bit for each) whose overlap began or ended.
  void (*find_flips)(const PackedBox* boxes, const NeighbourRange* ranges,
                     const GrowingArray<Neighbour>& neighbours,
                     const std::vector<std::uint64_t>& moved, std::vector<Flip>& flips);

  /// The same for all boxes; most pairs are tested only once.
  void (*find_all_flips)(const PackedBox* boxes, std::span<const NeighbourRange> ranges,
                         const GrowingArray<Neighbour>& neighbours, std::vector<Flip>& flips);
};

/// For the instruction set in use, see touche/simd.h.
const BoxKernels& box_kernels();

}  // namespace touche::broadphase
