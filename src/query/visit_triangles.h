// SPDX-License-Identifier: Apache-2.0
// Traverses an object's hierarchy for queries about a single point, segment or box.
#pragma once

#include <algorithm>
#include <array>

#include "query/child_bounds.h"

namespace touche::query {

/// Calls visit(triangle) for all triangles in leaves that cannot be ruled out. Children of a node
/// are visited in the order of `bounds(node)`; children with a bound above `limit()` are skipped.
template <class Bounds, class Limit, class Visit>
void visit_triangles(const bvh::Bvh& bvh, Bounds&& bounds, Limit&& limit, Visit&& visit) {
  struct Waiting {
    bvh::NodeRef ref;
    float bound;
  };
  std::array<Waiting, bvh::kMostHeight * bvh::kWidth + 1> stack;
  std::size_t waiting = 0;
  stack[waiting++] = {bvh.root(), 0};
  while (waiting > 0) {
    const auto [ref, bound] = stack[--waiting];
    const float most = limit();
    if (bound > most) continue;
    if (bvh::is_leaf(ref)) {
      const bvh::BvhLeaf& leaf = bvh.leaf(ref);
      for (int i = 0; i < leaf.count(); ++i) visit(leaf.triangle[i]);
      continue;
    }
    bvh::Boxes8 room;
    const bvh::NodeView node = bvh.node(ref, room);
    const ChildValues values = bounds(node);
    const std::size_t bottom = waiting;
    for (int i = 0; i < node.count(); ++i) {
      const float value = values[static_cast<std::size_t>(i)];
      if (value <= most) stack[waiting++] = {node.child[i], value};
    }
    std::sort(stack.begin() + static_cast<std::ptrdiff_t>(bottom),
              stack.begin() + static_cast<std::ptrdiff_t>(waiting),
              [](const Waiting& a, const Waiting& b) { return a.bound > b.bound; });
  }
}

}  // namespace touche::query
