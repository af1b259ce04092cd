// SPDX-License-Identifier: Apache-2.0
// Shows how the method works: volumes, pairs of volumes, trees.
#pragma once

#include <cstddef>
#include <vector>

#include "touche/methods/volume_tree.h"
#include "touche/world.h"
#include "viewer/protocol.h"

namespace touche::viewer {

/// Volumes on one level of a hierarchy, as lines in the frame of the object.
struct LevelView {
  std::vector<float> lines;
  std::size_t count = 0;  ///< including the ones that are not drawn
  int levels = 0;
};

/// Shows an object's own hierarchy, which queries use: nodes of this depth and the leaves above.
[[nodiscard]] LevelView own_level(const Object& object, int level, std::size_t most);

/// Pairs of boxes of two objects' own hierarchies that are not apart: from the roots down to so
/// many levels, or to pairs of leaves. Adds them as lines in the world.
void add_open_pairs(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                    int levels, std::size_t most, std::vector<float>& lines, std::size_t& count);

/// A tree that a client requested, and its cost.
struct BuiltTree {
  VolumeTree tree;
  protocol::Tree told;
};

struct Neighbour {
  Object object;
  Pose pose;
};
/// Builds a tree of a body and tests it against its neighbours, as the options say, and the
/// queries' own hierarchy likewise. Throws InvalidInput as VolumeTree does.
[[nodiscard]] BuiltTree build_tree(const Object& object, const Pose& pose,
                                   const std::vector<Neighbour>& neighbours,
                                   const TreeOptions& options, const Budget& budget);

[[nodiscard]] const protocol::TreeChoices& tree_choices();

/// Whether every edge belongs to two faces that run along it in opposite directions.
[[nodiscard]] bool is_closed(const Object& object);

}  // namespace touche::viewer
