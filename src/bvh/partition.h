// SPDX-License-Identifier: Apache-2.0
// Decides which triangles lie together in leaves and nodes: cuts them in two again and again, as
// the surface-area heuristic says, and makes nodes of up to eight children of the parts.
#pragma once

#include <span>
#include <vector>

#include "bvh/triangle_item.h"

namespace touche {

/// More items than this are shared between threads.
inline constexpr std::size_t kParallelGrain = 8192;

/// A leaf or node over items [begin, end).
struct Subtree {
  std::size_t begin, end;
  int height = 0;                      // 0: a leaf
  std::size_t nodes = 0, leaves = 1;   // in it
  std::vector<Subtree> children = {};  // two to eight of them, one after the other

  /// Sets the height and the numbers from the children.
  void count_children();
};

/// Puts at least one item in order and returns the tree over all. The result does not depend on the
/// number of threads.
Subtree partition(std::span<TriangleItem> items);

}  // namespace touche
