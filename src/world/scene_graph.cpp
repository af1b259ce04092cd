// SPDX-License-Identifier: Apache-2.0
#include "world/scene_graph.h"

#include <algorithm>
#include <utility>

namespace touche::world {

Index SceneGraph::checked(NodeId node) const {
  if (has(node)) return node.index;
  throw InvalidInput("world: there is no node " + std::to_string(node.index) + " of generation " +
                     std::to_string(node.generation) +
                     (node.index < nodes_.size() ? "; it was removed" : ""));
}

NodeId SceneGraph::add(const Pose& local, std::optional<NodeId> parent, std::string name) {
  const Index above = parent ? checked(*parent) : kNone;
  Index at = 0;
  if (free_.empty()) {
    at = static_cast<Index>(nodes_.size());
    nodes_.emplace_back();
  } else {
    at = free_.back();
    free_.pop_back();
  }
  Node& node = nodes_[at];
  node.taken = true;
  node.local = local;
  node.name = std::move(name);
  link(at, above);
  touch(at);
  return id(at);
}

void SceneGraph::put(NodeId id, std::string name) {
  if (id.index >= nodes_.size()) nodes_.resize(id.index + 1);
  std::erase(free_, id.index);
  Node& node = nodes_[id.index];
  node = {};
  node.generation = id.generation;
  node.taken = true;
  node.name = std::move(name);
  link(id.index, kNone);
  touch(id.index);
}

void SceneGraph::forget(Index at) {
  // Nodes below it are removed, too, so only the top node is taken out of a list of siblings.
  Node& node = nodes_[at];
  if (node.parent == kNone || nodes_[node.parent].taken) unlink(at);
  const Index generation = node.generation + 1;
  node = {};
  node.generation = generation;
  free_.push_back(at);
  ++now_;
}

std::vector<Index> SceneGraph::children(Index node) const {
  std::vector<Index> all;
  for (Index child = nodes_[node].first_child; child != kNone; child = nodes_[child].next)
    all.push_back(child);
  return all;
}

Index SceneGraph::depth(Index node) const {
  Index count = 0;
  for (Index above = nodes_[node].parent; above != kNone; above = nodes_[above].parent) ++count;
  return count;
}

void SceneGraph::link(Index at, Index parent) {
  Node& node = nodes_[at];
  node.parent = parent;
  node.previous = kNone;
  node.next = parent == kNone ? kNone : nodes_[parent].first_child;
  if (parent == kNone) return;
  if (node.next != kNone) nodes_[node.next].previous = at;
  nodes_[parent].first_child = at;
}

void SceneGraph::unlink(Index at) {
  const Node& node = nodes_[at];
  if (node.next != kNone) nodes_[node.next].previous = node.previous;
  if (node.previous != kNone)
    nodes_[node.previous].next = node.next;
  else if (node.parent != kNone)
    nodes_[node.parent].first_child = node.next;
}

void SceneGraph::set_parent(Index at, Index parent, Keep keep) {
  for (Index above = parent; above != kNone; above = nodes_[above].parent)
    if (above == at)
      throw InvalidInput("world: node " + std::to_string(at) +
                         " cannot hang on itself or on what hangs on it");
  if (keep == Keep::local_pose) {
    unlink(at);
    link(at, parent);
    touch(at);
    return;
  }
  // These may throw, so nothing has changed yet.
  const Pose world = pose(at), local = parent == kNone ? world : relative(pose(parent), world);
  unlink(at);
  link(at, parent);
  set_local_pose(at, local);
  set_exactly(at, world);
}

// Computes the world pose, as far as it is not known. Walks up without recursion: the path to the
// root may be long.
Index SceneGraph::evaluate(Index at) const {
  way_.clear();
  for (Index i = at; i != kNone; i = nodes_[i].parent) way_.push_back(i);
  std::uint64_t newest = 0;
  for (; !way_.empty(); way_.pop_back()) {
    const Node& node = nodes_[way_.back()];
    newest = std::max(newest, node.changed);
    if (node.evaluated == newest) continue;
    node.world = node.parent == kNone ? node.local : nodes_[node.parent].world * node.local;
    node.evaluated = newest;
  }
  return at;
}

void SceneGraph::set_pose(Index node, const Pose& world) {
  const Index above = nodes_[node].parent;
  set_local_pose(node, above == kNone ? world : relative(pose(above), world));
  set_exactly(node, world);
}

void SceneGraph::set_exactly(Index at, const Pose& world) {
  Node& node = nodes_[at];
  node.world = world;
  node.evaluated = node.changed;
  for (Index above = node.parent; above != kNone; above = nodes_[above].parent)
    node.evaluated = std::max(node.evaluated, nodes_[above].changed);
}

void SceneGraph::set_local_pose(Index node, const Pose& local) {
  nodes_[node].local = local;
  touch(node);
}

void SceneGraph::touch(Index node) {
  nodes_[node].changed = ++now_;
  if (nodes_[node].moved) return;
  nodes_[node].moved = true;
  moved_.push_back(node);
}

}  // namespace touche::world
