// SPDX-License-Identifier: Apache-2.0
// A tree without volumes: which faces belong to which node.
#pragma once

#include <vector>

#include "methods/tree/splitter.h"

namespace touche::tree {

struct Node {
  Index begin = 0, end = 0;  ///< its faces, in `order`
  Index first_child = 0;     ///< children lie side by side, after their parent
  std::uint32_t degree = 0;  ///< 0: a leaf
};

struct Partition {
  std::vector<Index> order;  ///< of the faces
  std::vector<Node> nodes;   ///< the root first
  double gap = 0;            ///< the largest of a split
};

/// Top down and level by level (Fig. 3.1), so that nodes of a depth follow each other; in parallel,
/// but threads change nothing.
/// Throws InvalidInput for options out of range, and when there are no faces.
Partition divide(const Faces& faces, const Fitter& fitter, const TreeOptions& options);

}  // namespace touche::tree
