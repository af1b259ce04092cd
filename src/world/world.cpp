// SPDX-License-Identifier: Apache-2.0
// Adds, changes, moves and removes bodies.
#include "touche/world.h"

#include <algorithm>
#include <utility>

#include "world/world_data.h"

namespace touche {

// ---- contents of a world ------------------------------------------------------------------------

Index World::Data::checked_body(NodeId body) const {
  const Index node = graph.checked(body);
  if (!bodies[node].is_body())
    throw InvalidInput("world: node " + std::to_string(node) + " is a group, not a body");
  return node;
}

void World::Data::no_object(Index body) const {
  throw InvalidInput("world: node " + std::to_string(body) + " is a " +
                     std::string(touche::name(shape(body).kind())) + ", which has no object");
}

void World::Data::check_shape(const Shape& shape, const BodyOptions& options, Index node) const {
  if (!shape.is_convex() && shape.radius() > 0)
    throw InvalidInput(
        "world: a rounded soup is no body; give its object, and query with a clearance");
  if (shape.kind() != ShapeKind::half_space) return;
  for (Index other = 0; other < bodies.size(); ++other)
    if (other != node && bodies[other].shape && world::is_half_space(*bodies[other].shape) &&
        may_pair(options, bodies[other].options))
      throw InvalidInput(
          "world: a half space would be a pair with that of node " + std::to_string(other) +
          ", which has no answer: let both be fixed, or their masks keep them apart");
}

void World::Data::set_shape(Index node, Shape shape) {
  drop_shape(node);
  ++body_count;
  convex_count += Index{shape.is_convex()};
  bodies[node].shape = std::move(shape);
}

void World::Data::drop_shape(Index node) {
  Body& body = bodies[node];
  if (!body.is_body()) return;
  --body_count;
  convex_count -= Index{body.shape->is_convex()};
  body.shape.reset();
}

void World::Data::refresh_poses() {
  graph.take_moved([&](Index top) {
    graph.walk_below(top, [&](Index node) {
      if (bodies[node].is_body()) {
        bodies[node].pose = graph.pose(node);
        body_changed(node);
      }
      return true;
    });
  });
}

void World::Data::refresh() {
  refresh_poses();
  tighten([&](Index node) { return bodies[node].on_way; });
}

void World::Data::body_changed(Index node) {
  bodies[node].changed = ++revision;
  set_loose(node);
}

void World::Data::set_loose(Index node) {
  if (!std::exchange(bodies[node].loose, true)) loose.push_back(node);
}

void World::Data::set_box(Index node, const Aabb& box) {
  Body& body = bodies[node];
  if (body.box != kNone) {
    box_numbers.push_back(body.box);
    new_boxes.emplace_back(box);
    return;
  }
  body.box = boxes->insert(box);
  if (body.box >= node_of_box.size()) node_of_box.resize(body.box + 1);
  node_of_box[body.box] = node;
}

void World::Data::flush_boxes() {
  boxes->move(box_numbers, std::span<const RoundedBox>(new_boxes));
  box_numbers.clear();
  new_boxes.clear();
}

void World::Data::drop_box(Index node) {
  if (bodies[node].box != kNone) boxes->remove(bodies[node].box);
  bodies[node].box = kNone;
}

bool World::Data::may_pair(const BodyOptions& x, const BodyOptions& y) {
  return !(x.fixed && y.fixed) && (x.category & y.mask) != 0 && (y.category & x.mask) != 0;
}

bool World::Data::may_pair(Index a, Index b) const {
  return may_pair(bodies[a].options, bodies[b].options) &&
         (!filter || filter(graph.id(a), graph.id(b)));
}

// ---- bodies and groups --------------------------------------------------------------------------

World::World() : data_(std::make_shared<Data>()) {}
World::World(std::shared_ptr<Data> data) : data_(std::move(data)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

NodeId World::add_group(const Pose& pose, std::optional<NodeId> parent, std::string name) {
  const NodeId id = data_->graph.add(pose, parent, std::move(name));
  if (id.index >= data_->bodies.size()) data_->bodies.resize(id.index + 1);
  data_->bodies[id.index] = {};
  return id;
}

NodeId World::add(Shape shape, const Pose& pose, const BodyOptions& options,
                  std::optional<NodeId> parent, std::string name) {
  data_->check_shape(shape, options, kNone);
  const NodeId id = add_group(pose, parent, std::move(name));
  data_->set_shape(id.index, std::move(shape));
  data_->bodies[id.index].options = options;
  data_->bodies[id.index].became = ++data_->revision;
  return id;
}

void World::remove(NodeId node) {
  data_->graph.remove(node, [&](Index i) {
    data_->drop_box(i);
    data_->drop_shape(i);
    data_->bodies[i] = {};
  });
}

void World::replace(NodeId body, Shape shape) {
  const Index node = data_->checked_body(body);
  data_->check_shape(shape, data_->bodies[node].options, node);
  data_->set_shape(node, std::move(shape));
  data_->body_changed(node);
  data_->bodies[node].became = data_->revision;
}

bool World::has(NodeId node) const { return data_->graph.has(node); }

bool World::is_body(NodeId node) const {
  return data_->bodies[data_->graph.checked(node)].is_body();
}

ShapeKind World::kind(NodeId body) const { return shape(body).kind(); }

const Shape& World::shape(NodeId body) const { return data_->shape(data_->checked_body(body)); }

const Object& World::object(NodeId body) const { return data_->object(data_->checked_body(body)); }

const BodyOptions& World::options(NodeId body) const {
  return data_->bodies[data_->checked_body(body)].options;
}

void World::set_options(NodeId body, const BodyOptions& options) {
  const Index node = data_->checked_body(body);
  data_->check_shape(data_->shape(node), options, node);
  data_->bodies[node].options = options;
  data_->body_changed(node);
}

const std::string& World::name(NodeId node) const {
  return data_->graph.name(data_->graph.checked(node));
}

std::vector<NodeId> World::bodies() const {
  std::vector<NodeId> ids;
  for (Index node = 0; node < data_->bodies.size(); ++node)
    if (data_->bodies[node].is_body()) ids.push_back(data_->graph.id(node));
  return ids;
}

Index World::body_count() const { return data_->body_count; }

void World::set_pair_filter(PairFilter filter) {
  data_->filter = std::move(filter);
  for (Index node = 0; node < data_->bodies.size(); ++node)
    if (data_->bodies[node].is_body()) data_->body_changed(node);
}

// ---- the scene graph ----------------------------------------------------------------------------

std::optional<NodeId> World::parent(NodeId node) const {
  const Index above = data_->graph.parent(data_->graph.checked(node));
  if (above == kNone) return {};
  return data_->graph.id(above);
}

std::vector<NodeId> World::children(NodeId node) const {
  std::vector<NodeId> ids;
  for (const Index child : data_->graph.children(data_->graph.checked(node)))
    ids.push_back(data_->graph.id(child));
  return ids;
}

void World::attach(NodeId node, NodeId parent, Keep keep) {
  const Index above = data_->graph.checked(parent);
  data_->graph.set_parent(data_->graph.checked(node), above, keep);
}

void World::detach(NodeId node, Keep keep) {
  data_->graph.set_parent(data_->graph.checked(node), kNone, keep);
}

Pose World::pose(NodeId node) const { return data_->graph.pose(data_->graph.checked(node)); }

const Pose& World::local_pose(NodeId node) const {
  return data_->graph.local_pose(data_->graph.checked(node));
}

void World::set_pose(NodeId node, const Pose& pose) {
  data_->graph.set_pose(data_->graph.checked(node), pose);
}

void World::set_local_pose(NodeId node, const Pose& pose) {
  data_->graph.set_local_pose(data_->graph.checked(node), pose);
}

}  // namespace touche
