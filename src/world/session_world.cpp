// SPDX-License-Identifier: Apache-2.0
#include "world/session_world.h"

#include "base/data_access.h"
#include "world/session_content.h"

namespace touche::world::session {
namespace {

NodeChange get_change(Source& from, const std::vector<Shape>& shapes) {
  NodeChange change;
  change.node = get_node(from);
  from.require(change.node.index < kMaxNodes, "a node's number is too large");
  change.here = from.flag();
  if (!change.here) return change;
  for (bool* flag : {&change.moved, &change.changed, &change.became}) *flag = from.flag();
  change.name = from.text();
  change.parent = from.get<Index>();
  change.local = get_pose(from);
  change.world = get_pose(from);
  const auto shape = from.get<Index>();
  from.require(shape == kNone || shape < shapes.size(), "an object or shape that there is not");
  if (shape != kNone) change.shape = shapes[shape];
  change.options.category = from.get<std::uint32_t>();
  change.options.mask = from.get<std::uint32_t>();
  change.options.fixed = from.flag();
  return change;
}

void change_body(World::Data& world, const NodeChange& change) {
  const Index node = change.node.index;
  World::Data::Body& body = world.bodies[node];
  if (!change.shape) {
    if (body.is_body()) throw InvalidInput("a body becomes a group");
    return;
  }
  // What is known of a body belongs to a revision: a new body always begins one.
  if (!body.is_body() || change.became) {
    world.set_shape(node, *change.shape);
    body.became = ++world.revision;
  }
  if (change.changed) {
    body.options = change.options;
    world.body_changed(node);
  }
}

}  // namespace

std::vector<NodeChange> get_changes(Source& from, const std::vector<Shape>& shapes) {
  std::vector<NodeChange> changes(from.count(sizeof(NodeId)));
  for (NodeChange& change : changes) change = get_change(from, shapes);
  return changes;
}

void make_changes(World& of, const std::vector<NodeChange>& changes) {
  World::Data& world = DataAccess::mutable_data(of);
  SceneGraph& graph = world.graph;
  // Nodes that stay are detached first, so that they are not removed together with an old parent.
  for (const NodeChange& change : changes)
    if (change.here && change.moved && graph.has(change.node))
      graph.set_parent(change.node.index, kNone, Keep::local_pose);
  for (const NodeChange& change : changes) {
    const Index node = change.node.index;
    if (node >= graph.size() || !graph.is_taken(node)) continue;
    if (!change.here || graph.id(node) != change.node) of.remove(graph.id(node));
  }
  for (const NodeChange& change : changes)
    if (change.here && !graph.has(change.node)) graph.put(change.node, change.name);
  world.bodies.resize(std::max<std::size_t>(world.bodies.size(), graph.size()));
  for (const NodeChange& change : changes) {
    if (!change.here) continue;
    const Index node = change.node.index;
    if (change.moved) {
      if (change.parent != kNone &&
          (change.parent >= graph.size() || !graph.is_taken(change.parent)))
        throw InvalidInput("a node hangs on one that there is not");
      graph.set_parent(node, change.parent, Keep::local_pose);
      graph.set_local_pose(node, change.local);
    }
    change_body(world, change);
  }
  for (const NodeChange& change : changes)
    if (change.here && change.moved) graph.set_exactly(change.node.index, change.world);
  for (const NodeChange& change : changes) {
    if (!change.here) continue;  // its index may be of no node
    const World::Data::Body& body = world.bodies[change.node.index];
    if (body.shape) world.check_shape(*body.shape, body.options, change.node.index);
  }
}

}  // namespace touche::world::session
