// SPDX-License-Identifier: Apache-2.0
// The inner loops over boxes, once per instruction set, behind one table of functions. They only
// compare numbers, so that all give the same results.
#pragma once

#include <span>
#include <vector>

#include "broadphase/growing_array.h"
#include "broadphase/neighbour.h"
#include "broadphase/wide_tree.h"

namespace touche {

struct BoxKernels {
  /// Appends all items below a node whose boxes overlap this one.
  void (*find)(const WideTree::Node* nodes, Index root, const PackedBox& box,
               std::vector<Index>& found);

  /// The same for each of several items, which have boxes. There is an end for each, unset.
  void (*find_of_each)(const WideTree::Node* nodes, Index root, const PackedBox* boxes,
                       std::span<const Index> items, WideTree::Findings& findings);

  /// Appends all pairs of items below a node whose boxes overlap, each once.
  void (*find_pairs)(const WideTree::Node* nodes, Index root, std::vector<BoxPair>& found);

  /// Appends the neighbours whose boxes overlap now and did not, or the other way round, of all
  /// boxes that moved: a bit for each.
  void (*find_flips)(const PackedBox* boxes, const NeighbourRange* ranges,
                     const GrowingArray<Neighbour>& neighbours,
                     const std::vector<std::uint64_t>& moved, std::vector<Flip>& flips);

  /// The same of all boxes, and most pairs are looked at once.
  void (*find_all_flips)(const PackedBox* boxes, std::span<const NeighbourRange> ranges,
                         const GrowingArray<Neighbour>& neighbours, std::vector<Flip>& flips);
};

/// For the instruction set in use, see touche/simd.h.
const BoxKernels& box_kernels();

}  // namespace touche
