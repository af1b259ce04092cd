// SPDX-License-Identifier: Apache-2.0
// What a world holds: the scene graph, the bodies on its nodes, and their boxes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "touche/broadphase.h"
#include "world/scene_graph.h"

namespace touche {

struct World::Data {
  struct Body {
    std::optional<Object> object;  // none: the node is a group
    BodyOptions options;
    Pose pose;          // in the world, at the last refresh
    Index box = kNone;  // number in the broad phase; kNone: not in it yet
  };

  SceneGraph graph;
  std::vector<Body> bodies;  // of each node
  Index body_count = 0;
  PairFilter filter;

  std::unique_ptr<BroadPhase> boxes = make_broad_phase();
  std::vector<Index> node_of_box;  // of each number

  Index checked_body(NodeId body) const;
  const Object& object(Index body) const { return *bodies[body].object; }

  /// Brings poses and boxes of all bodies up to date.
  void refresh();
  void put_box(Index node);
  void drop_box(Index node);

  /// Whether two bodies are a pair at all.
  bool may_pair(Index a, Index b) const;
  /// Pairs whose boxes overlap, or are at most that far apart, in ascending order.
  std::vector<std::pair<Index, Index>> candidates(double clearance);
  /// Bodies whose boxes overlap a box, in ascending order.
  std::vector<Index> in_box(const Aabb& box) const;
};

/// A box that holds a placed object, also after rounding.
Aabb world_box(const Object& object, const Pose& pose);

}  // namespace touche
