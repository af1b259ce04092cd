// SPDX-License-Identifier: Apache-2.0
// Changes of a world, as a session records them.
#pragma once

#include <optional>
#include <vector>

#include "world/session_bytes.h"
#include "world/world_data.h"

namespace touche::world::session {

struct NodeChange {
  NodeId node;
  bool here = false;  // otherwise it was removed, and the rest has no meaning
  bool moved = false, changed = false, became = false;
  std::string name;
  Index parent = kNone;
  Pose local, world;           // relative to its parent; its exact pose in the world
  std::optional<Shape> shape;  // none: it is a group
  BodyOptions options;
};

/// `shapes`: the ones read so far, by their numbers.
std::vector<NodeChange> get_changes(Source& from, const std::vector<Shape>& shapes);

/// Throws InvalidInput for changes that cannot be made.
void make_changes(World& world, const std::vector<NodeChange>& changes);

}  // namespace touche::world::session
