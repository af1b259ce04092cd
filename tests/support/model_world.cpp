// SPDX-License-Identifier: Apache-2.0
#include "model_world.h"
#include "touche/reference.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace touche::test {
namespace {

void require_length(double x) {
  if (!(x >= 0)) throw InvalidInput("model: no length");
}

}  // namespace

const ModelWorld::Node& ModelWorld::checked(NodeId node) const {
  if (const auto found = nodes_.find(node); found != nodes_.end()) return found->second;
  throw InvalidInput("model: no such node");
}

const ModelWorld::Node& ModelWorld::checked_body(NodeId body) const {
  if (const Node& node = checked(body); node.object) return node;
  throw InvalidInput("model: a group");
}

// ---- the scene graph ---------------------------------------------------------------------------

void ModelWorld::add(NodeId id, std::optional<Object> object, const Pose& pose,
                     const BodyOptions& options, std::optional<NodeId> parent) {
  nodes_[id] = {std::move(object), options, pose, {}, {}, {}};
  hang(id, parent, Keep::local_pose);
}

void ModelWorld::remove(NodeId node) {
  for (const NodeId child : children(node)) remove(child);
  hang(node, {}, Keep::local_pose);
  nodes_.erase(node);
}

std::vector<NodeId> ModelWorld::bodies() const {
  std::vector<NodeId> ids;
  for (const auto& [id, node] : nodes_)
    if (node.object) ids.push_back(id);
  return ids;
}

void ModelWorld::hang(NodeId id, std::optional<NodeId> parent, Keep keep) {
  Node& node = checked(id);
  const Pose here = pose(id);
  if (node.parent) std::erase(checked(*node.parent).children, id);
  node.parent = parent;
  if (parent) {
    std::vector<NodeId>& siblings = checked(*parent).children;
    siblings.insert(siblings.begin(), id);
  }
  if (keep == Keep::world_pose) set_pose(id, here);
}

void ModelWorld::attach(NodeId node, NodeId parent, Keep keep) {
  static_cast<void>(checked(node)), static_cast<void>(checked(parent));
  for (std::optional<NodeId> above = parent; above; above = checked(*above).parent)
    if (*above == node) throw InvalidInput("model: hangs on itself");
  hang(node, parent, keep);
}

void ModelWorld::detach(NodeId node, Keep keep) { hang(node, {}, keep); }

Pose ModelWorld::pose(NodeId id) const {
  const Node& node = checked(id);
  return node.parent ? pose(*node.parent) * node.local : node.local;
}

void ModelWorld::set_pose(NodeId id, const Pose& pose) {
  Node& node = checked(id);
  node.local = node.parent ? relative(this->pose(*node.parent), pose) : pose;
}

// ---- questions ---------------------------------------------------------------------------------

bool ModelWorld::may_pair(NodeId a, NodeId b) const {
  const BodyOptions &x = checked(a).options, &y = checked(b).options;
  const bool both_fixed = x.fixed && y.fixed;
  return !both_fixed && (x.category & y.mask) && (y.category & x.mask) &&
         (!filter_ || filter_(a, b));
}

TouchingPairs ModelWorld::touching_pairs(const BatchOptions&) const {
  TouchingPairs result;
  for (const NodeId a : bodies())
    for (const NodeId b : bodies()) {
      if (!(a < b) || !may_pair(a, b)) continue;
      const Node &x = checked(a), &y = checked(b);
      const auto faces =
          brute_force::intersecting_faces(*x.object, x.placed, *y.object, y.placed).pairs;
      if (!faces.empty()) result.pairs.push_back({a, b, faces[0].a, faces[0].b});
    }
  return result;
}

NearPairs ModelWorld::near_pairs(double clearance, const BatchOptions&) const {
  require_length(clearance);
  NearPairs result;
  for (const NodeId a : bodies())
    for (const NodeId b : bodies()) {
      if (!(a < b) || !may_pair(a, b)) continue;
      const Node &x = checked(a), &y = checked(b);
      const Bracket away = brute_force::distance(*x.object, x.placed, *y.object, y.placed).distance;
      if (away.lower <= clearance) result.pairs.push_back({a, b, away, {}});
    }
  result.complete = true;
  return result;
}

std::vector<NodeId> ModelWorld::touching_body(NodeId body) const {
  static_cast<void>(checked_body(body));
  std::vector<NodeId> touching;
  for (const TouchingPair& pair : touching_pairs().pairs)
    if (pair.a == body || pair.b == body) touching.push_back(pair.a == body ? pair.b : pair.a);
  return touching;
}

std::vector<NodeId> ModelWorld::touching_box(const Aabb& box) const {
  if (box.empty()) throw InvalidInput("model: an empty box");
  std::vector<NodeId> touching;
  for (const NodeId body : bodies()) {
    const Node& node = checked(body);
    if (!brute_force::faces_in_box(*node.object, node.placed, box).empty())
      touching.push_back(body);
  }
  return touching;
}

std::vector<NodeId> ModelWorld::touching_ball(const Ball& ball) const {
  require_length(ball.radius);
  std::vector<NodeId> touching;
  for (const NodeId body : bodies())
    if (closest_point(body, ball.centre, ball.radius).face != kNone) touching.push_back(body);
  return touching;
}

ClosestPoint ModelWorld::closest_point(NodeId body, const Vec3& point, double max_distance) const {
  const Node& node = checked_body(body);
  require_length(max_distance);
  return brute_force::closest_point(*node.object, node.placed, point, max_distance);
}

std::vector<NearestBody> ModelWorld::nearest(const Vec3& point, std::size_t count,
                                             double max_distance) const {
  require_length(max_distance);
  std::vector<NearestBody> all;
  for (const NodeId body : bodies())
    if (const ClosestPoint closest = closest_point(body, point, max_distance);
        closest.face != kNone)
      all.push_back({body, closest});
  std::stable_sort(all.begin(), all.end(), [](const NearestBody& x, const NearestBody& y) {
    return x.closest.distance < y.closest.distance;
  });
  all.resize(std::min(count, all.size()));
  return all;
}

std::optional<BodyHit> ModelWorld::cast_ray(const Ray& ray, std::uint32_t mask) const {
  const std::vector<BodyHit> all = all_ray_hits(ray, mask);
  if (all.empty()) return {};
  return all.front();
}

std::vector<BodyHit> ModelWorld::all_ray_hits(const Ray& ray, std::uint32_t mask) const {
  if (ray.direction.isZero(0)) throw InvalidInput("model: no direction");
  std::vector<BodyHit> hits;
  for (const NodeId body : bodies()) {
    const Node& node = checked(body);
    if ((node.options.category & mask) == 0) continue;
    for (const RayHit& hit : touche::all_ray_hits(*node.object, node.placed, ray))
      hits.push_back({body, hit, Vec3::Zero()});
  }
  std::sort(hits.begin(), hits.end(), [](const BodyHit& x, const BodyHit& y) {
    return std::tuple(x.hit.t, x.body, x.hit.face) < std::tuple(y.hit.t, y.body, y.hit.face);
  });
  return hits;
}

}  // namespace touche::test
