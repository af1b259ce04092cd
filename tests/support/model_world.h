// SPDX-License-Identifier: Apache-2.0
// The slow reference implementation of a World: a list of nodes with poses relative to their
// parents, with every query run for every body. Calls have the names, arguments and errors of
// World's.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "touche/world.h"

namespace touche::test {

class ModelWorld {
 public:
  /// `id` is the name that the world gave it.
  void add(NodeId id, std::optional<Object> object, const Pose& pose, const BodyOptions& options,
           std::optional<NodeId> parent);
  void remove(NodeId node);
  void replace(NodeId body, const Object& object) { checked_body(body).object = object; }

  bool has(NodeId node) const { return nodes_.contains(node); }
  bool is_body(NodeId node) const { return checked(node).object.has_value(); }
  void set_options(NodeId body, const BodyOptions& options) {
    checked_body(body).options = options;
  }
  std::vector<NodeId> bodies() const;
  Index body_count() const { return static_cast<Index>(bodies().size()); }
  void set_pair_filter(World::PairFilter filter) { filter_ = std::move(filter); }

  std::optional<NodeId> parent(NodeId node) const { return checked(node).parent; }
  std::vector<NodeId> children(NodeId node) const { return checked(node).children; }
  void attach(NodeId node, NodeId parent, Keep keep);
  void detach(NodeId node, Keep keep);

  Pose pose(NodeId node) const;
  Pose local_pose(NodeId node) const { return checked(node).local; }
  void set_pose(NodeId node, const Pose& pose);
  void set_local_pose(NodeId node, const Pose& pose) { checked(node).local = pose; }

  TouchingPairs touching_pairs(const BatchOptions& = {}) const;
  NearPairs near_pairs(double clearance, const BatchOptions& = {}) const;
  std::vector<NodeId> touching_body(NodeId body) const;
  std::vector<NodeId> touching_box(const Aabb& box) const;
  std::vector<NodeId> touching_ball(const Ball& ball) const;
  ClosestPoint closest_point(NodeId body, const Vec3& point, double max_distance) const;
  std::vector<NearestBody> nearest(const Vec3& point, std::size_t count, double max_distance) const;
  std::optional<BodyHit> cast_ray(const Ray& ray, std::uint32_t mask) const;
  std::vector<BodyHit> all_ray_hits(const Ray& ray, std::uint32_t mask) const;

  /// Where questions take a body to be: at the world's numbers, which differ from these by
  /// rounding, so that bodies that just touch do so for both.
  void place(NodeId body, const Pose& pose) { checked_body(body).placed = pose; }

 private:
  struct Node {
    std::optional<Object> object;
    BodyOptions options;
    Pose local, placed;
    std::optional<NodeId> parent;
    std::vector<NodeId> children;  // newest first
  };
  const Node& checked(NodeId node) const;
  Node& checked(NodeId node) { return const_cast<Node&>(std::as_const(*this).checked(node)); }
  const Node& checked_body(NodeId body) const;
  Node& checked_body(NodeId body) {
    return const_cast<Node&>(std::as_const(*this).checked_body(body));
  }
  void hang(NodeId node, std::optional<NodeId> parent, Keep keep);
  bool may_pair(NodeId a, NodeId b) const;

  std::map<NodeId, Node> nodes_;
  World::PairFilter filter_;
};

}  // namespace touche::test
