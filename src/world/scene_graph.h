// SPDX-License-Identifier: Apache-2.0
// Nodes with poses relative to their parents. Whatever moves is stamped; where a node is in the
// world is evaluated when somebody asks, as far as a stamp on the way up is newer. Who was put
// somewhere in the world is there to the last bit as long as no stamp is newer: the relative pose
// would lead elsewhere, by the rounding of the parent's coordinates.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "touche/world.h"

namespace touche {

class SceneGraph {
 public:
  NodeId add(const Pose& local, std::optional<NodeId> parent, std::string name);
  /// Adds a node of that very name, to hang on the world; none may have its index.
  void put(NodeId node, std::string name);
  /// Calls `visit(index)` for the node and all below it, then forgets them.
  template <class Visit>
  void remove(NodeId node, const Visit& visit) {
    std::vector<Index> all;
    walk_below(checked(node), [&](Index i) {
      all.push_back(i);
      return true;
    });
    for (const Index i : all) {
      visit(i);
      forget(i);
    }
  }

  /// Counts changes of any kind.
  std::uint64_t changes() const { return now_; }

  bool has(NodeId node) const {
    return node.index < nodes_.size() && nodes_[node.index].taken &&
           nodes_[node.index].generation == node.generation;
  }
  /// Its index. Throws InvalidInput for a node that is not there.
  Index checked(NodeId node) const;
  NodeId id(Index index) const { return {index, nodes_[index].generation}; }

  Index size() const { return static_cast<Index>(nodes_.size()); }  // of indices given out
  bool is_taken(Index node) const { return nodes_[node].taken; }
  /// Another number after each change of its local pose or its parent.
  std::uint64_t stamp(Index node) const { return nodes_[node].changed; }

  const std::string& name(Index node) const { return nodes_[node].name; }
  Index parent(Index node) const { return nodes_[node].parent; }
  std::vector<Index> children(Index node) const;
  /// Calls `visit(index)` for the node and all below it, parents first; what is below one for which
  /// it returns false is left out.
  template <class Visit>
  void walk_below(Index top, const Visit& visit) const {
    for (Index node = top; node != kNone;) {
      const Index down = visit(node) ? nodes_[node].first_child : kNone;
      if (down != kNone) {
        node = down;
        continue;
      }
      while (node != top && nodes_[node].next == kNone) node = nodes_[node].parent;
      node = node == top ? kNone : nodes_[node].next;
    }
  }
  /// How many nodes are above it.
  Index depth(Index node) const;

  /// kNone: the world.
  void set_parent(Index node, Index parent, Keep keep);

  const Pose& local_pose(Index node) const { return nodes_[node].local; }
  const Pose& pose(Index node) const { return nodes_[evaluate(node)].world; }
  void set_pose(Index node, const Pose& pose);
  void set_local_pose(Index node, const Pose& pose);
  /// Says where a node that was just given a local pose is: where that leads, but for rounding.
  /// Nobody may have asked where it or a node below it is since then.
  void set_exactly(Index node, const Pose& world);

  /// Calls `visit(index)` for each node that was moved since the last call; what is below it moved
  /// with it.
  template <class Visit>
  void take_moved(const Visit& visit) {
    for (const Index node : moved_)
      if (std::exchange(nodes_[node].moved, false)) visit(node);
    moved_.clear();
  }

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
  mutable std::vector<Index> way_;  // of evaluate
  std::uint64_t now_ = 0;
};

}  // namespace touche
