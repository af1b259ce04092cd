// SPDX-License-Identifier: Apache-2.0
// Every search relies on this: each node is reached once, from a parent before it, and each face is
// in one leaf.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "methods/tree/partition.h"

namespace touche::tree {

inline constexpr int kMostDepth = 1000;  ///< limit for options and files

/// Calls fail(what is wrong), which throws. `nodes` have a member `node`.
template <typename Nodes, typename Fail>
void check_structure(const Nodes& nodes, std::span<const Index> order, Index faces, Fail&& fail) {
  const auto check = [&](bool good, std::size_t i, const char* what) {
    if (!good) fail("has a node " + std::to_string(i) + " that " + what);
  };
  if (nodes.empty() || faces == 0 || order.size() != faces) fail("is not of this many faces");
  std::vector<bool> seen(faces);
  for (const Index face : order) {
    if (face >= faces || seen[face]) fail("names a face that does not exist, or names it twice");
    seen[face] = true;
  }
  std::vector<int> depth(nodes.size(), -1);  // until it is reached
  depth[0] = 0;
  if (nodes[0].node.begin != 0 || nodes[0].node.end != faces) fail("does not begin with all faces");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i].node;
    check(depth[i] >= 0, i, "has no parent");
    check(depth[i] <= kMostDepth, i, "lies too deep");
    check(node.begin < node.end, i, "has no faces");  // and its end is its parent's or before
    if (node.degree == 0) continue;
    check(node.degree >= 2 && node.degree <= 8, i, "has a wrong number of children");
    check(node.first_child > i && node.first_child < nodes.size() &&
              node.degree <= nodes.size() - node.first_child,
          i, "has children that do not exist");
    Index end = node.begin;
    for (std::size_t child = node.first_child; child < node.first_child + node.degree; ++child) {
      check(depth[child] < 0, child, "is held twice");
      check(nodes[child].node.begin == end && nodes[child].node.end <= node.end, child,
            "has faces that are not its own");
      end = nodes[child].node.end;
      depth[child] = depth[i] + 1;
    }
    check(end == node.end, i, "has faces that no child has");
  }
}

}  // namespace touche::tree
