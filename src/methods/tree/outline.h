// SPDX-License-Identifier: Apache-2.0
// A level of a tree as lines, to be drawn.
#pragma once

#include "methods/bounds/outline.h"
#include "touche/methods/volume_tree.h"

namespace touche::tree {

struct LevelOutline {
  bounds::Lines lines;    ///< in the frame of the soup
  std::size_t count = 0;  ///< number of volumes on the level, including the ones that are not drawn
};

/// The nodes of a depth and the leaves above it; of these at most the first `most` are drawn.
LevelOutline outline(const VolumeTree& tree, int level, std::size_t most);

}  // namespace touche::tree
