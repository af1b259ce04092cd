// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bvh/bvh.h"

namespace touche {

/// How many leaves and nodes a subtree over `triangles` triangles has at a given height, when all
/// children but the last are full. Known before building, which gives every subtree its place in
/// the arrays and makes the result independent of threads.
struct SubtreeSize {
  std::size_t nodes = 0, leaves = 0;
};
SubtreeSize subtree_size(std::size_t triangles, int height);

/// Height of the lowest tree for so many triangles: 0 is a single leaf.
int tree_height(std::size_t triangles);

}  // namespace touche
