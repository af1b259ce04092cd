// SPDX-License-Identifier: Apache-2.0
// Nodes with poses relative to their parents. Each change sets a stamp; the world pose of a node is
// evaluated on demand, if a stamp on the path to the root is newer. A node placed in world
// coordinates keeps that pose exactly until it or an ancestor changes: its relative pose would lead
// elsewhere, by the rounding of the parent's coordinates.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "touche/world.h"

namespace touche::world {

class SceneGraph {
 public:
  NodeId add(const Pose& local, std::optional<NodeId> parent, std::string name);
  /// Adds a node with exactly this id below the world; its index must be free.
  void put(NodeId node, std::string name);
  /// Calls `visit(index)` for the node and all below it, then removes them.
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
  /// Its index. Throws InvalidInput if there is no such node.
  Index checked(NodeId node) const;
  NodeId id(Index index) const { return {index, nodes_[index].generation}; }

  Index size() const { return static_cast<Index>(nodes_.size()); }  // number of indices given out
  bool is_taken(Index node) const { return nodes_[node].taken; }
  /// Changes with each change of its local pose or its parent.
  std::uint64_t stamp(Index node) const { return nodes_[node].changed; }

  const std::string& name(Index node) const { return nodes_[node].name; }
  Index parent(Index node) const { return nodes_[node].parent; }
  std::vector<Index> children(Index node) const;
  /// Calls `visit(index)` for the node and all below it, parents first; leaves out the nodes below
  /// one for which it returns false.
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
  /// The number of its ancestors.
  Index depth(Index node) const;

  /// A parent of kNone is the world.
  void set_parent(Index node, Index parent, Keep keep);

  const Pose& local_pose(Index node) const { return nodes_[node].local; }
  const Pose& pose(Index node) const { return nodes_[evaluate(node)].world; }
  void set_pose(Index node, const Pose& pose);
  void set_local_pose(Index node, const Pose& pose);
  /// Sets the exact world pose of a node that was just given a local pose, which leads there except
  /// for rounding. Poses of the node and of nodes below it must not have been evaluated since then.
  void set_exactly(Index node, const Pose& world);

  /// Calls `visit(index)` for each node that was moved since the last call; the nodes below it
  /// moved with it.
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
    std::uint64_t changed = 0;            // when its local pose or its parent changed
    mutable std::uint64_t evaluated = 0;  // the newest change up to the root in `world`
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
  mutable std::vector<Index> way_;  // memory of evaluate
  std::uint64_t now_ = 0;
};

}  // namespace touche::world
