// SPDX-License-Identifier: Apache-2.0
// Nodes with poses relative to their parents. Whatever moves is stamped; where a node is in the
// world is evaluated when somebody asks, as far as a stamp on the way up is newer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "touche/world.h"

namespace touche {

class SceneGraph {
 public:
  NodeId add(const Pose& local, std::optional<NodeId> parent, std::string name);
  /// Calls `visit(index)` for the node and all below it, then forgets them.
  template <class Visit>
  void remove(NodeId node, const Visit& visit) {
    const Index top = checked(node);
    for (const Index i : below(top)) {
      visit(i);
      forget(i);
    }
  }

  bool has(NodeId node) const {
    return node.index < nodes_.size() && nodes_[node.index].taken &&
           nodes_[node.index].generation == node.generation;
  }
  /// Its index. Throws InvalidInput for a node that is not there.
  Index checked(NodeId node) const;
  NodeId id(Index index) const { return {index, nodes_[index].generation}; }

  const std::string& name(Index node) const { return nodes_[node].name; }
  Index parent(Index node) const { return nodes_[node].parent; }
  std::vector<Index> children(Index node) const;
  /// The node and all below it, parents first.
  std::vector<Index> below(Index node) const;

  /// kNone: the world.
  void set_parent(Index node, Index parent, Keep keep);

  const Pose& local_pose(Index node) const { return nodes_[node].local; }
  const Pose& pose(Index node) const { return nodes_[evaluate(node)].world; }
  void set_pose(Index node, const Pose& pose);
  void set_local_pose(Index node, const Pose& pose);

  /// Nodes that were moved since the last call; what is below them moved with them.
  std::vector<Index> take_moved();

 private:
  struct Node {
    Pose local;
    mutable Pose world;
    std::uint64_t changed = 0;            // when its local pose or its parent did
    mutable std::uint64_t evaluated = 0;  // the newest change on the way up that `world` knows
    Index parent = kNone, first_child = kNone, next = kNone, previous = kNone;  // siblings
    Index generation = 0;
    bool taken = false, moved = false;
    std::string name;
  };

  Index evaluate(Index node) const;
  void link(Index node, Index parent);
  void unlink(Index node);
  void forget(Index node);
  void touch(Index node);

  std::vector<Node> nodes_;
  std::vector<Index> free_, moved_;
  std::uint64_t now_ = 0;
};

}  // namespace touche
