// SPDX-License-Identifier: Apache-2.0
// Obstacles of something that moves: one shape, or the bodies of a world.
#pragma once

#include <cstdint>
#include <vector>

#include "base/data_access.h"
#include "world/world_data.h"

namespace touche::response {

/// A body that may be met.
struct Obstacle {
  const Shape* shape;
  Pose pose;
  NodeId body;  ///< none if it is a single shape
};

class Obstacles {
 public:
  /// One shape, which must outlive this and is returned for every box.
  Obstacles(const Shape& shape, const Pose& pose) : found_{{&shape, pose, {}}} {}

  /// The bodies whose categories are in the mask, except one. The world must outlive this, and no
  /// body of it may move.
  Obstacles(World& world, std::uint32_t mask, NodeId ignored = {})
      : world_(&DataAccess::mutable_data(world)), mask_(mask), ignored_(ignored) {
    world_->refresh_for_search();
  }

  /// The obstacles that may be in a box. Valid until the next call.
  const std::vector<Obstacle>& in(const Aabb& box) {
    if (world_ == nullptr) return found_;
    found_.clear();
    for (const Index node : world_->in_box(box)) {
      const World::Data::Body& body = world_->bodies[node];
      const NodeId id = world_->graph.id(node);
      if ((body.options.category & mask_) != 0 && id != ignored_)
        found_.push_back({&*body.shape, body.pose, id});
    }
    return found_;
  }

 private:
  World::Data* world_ = nullptr;
  std::uint32_t mask_ = 0;
  NodeId ignored_;
  std::vector<Obstacle> found_;
};

}  // namespace touche::response
