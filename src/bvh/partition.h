// SPDX-License-Identifier: Apache-2.0
// Decides which triangles share leaves and nodes: splits sets in two recursively by the surface
// area heuristic, and forms nodes of up to eight children from the parts.
#pragma once

#include <span>
#include <vector>

#include "bvh/triangle_item.h"

namespace touche::bvh {

/// More items than this are shared between threads.
inline constexpr std::size_t kParallelGrain = 8192;

/// A leaf or node over items [begin, end).
struct Subtree {
  std::size_t begin, end;
  int height = 0;                      // 0: a leaf
  std::size_t nodes = 0, leaves = 1;   // number of nodes and leaves in it
  std::vector<Subtree> children = {};  // two to eight, in order

  /// Computes the height and the numbers from the children.
  void count_children();
};

/// Orders the items, at least one, and returns the tree over all of them. The result does not
/// depend on the number of threads.
Subtree partition(std::span<TriangleItem> items);

}  // namespace touche::bvh
