// SPDX-License-Identifier: Apache-2.0
// Bodies that drift through a box, all of them in every step, some of them close to another: the
// same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "random.h"
#include "touche/step.h"

namespace touche::bench {

struct TrafficSetting {
  Index bodies = 1000;
  Index triangles = 10'000;  ///< of each body
  Index meshes = 50;         ///< different ones, each shared by as many bodies
  double close = 0.05;       ///< share of the bodies that go beside another, 0.02 apart from it
  std::uint64_t seed = 1;
};

/// Bumpy spheres of radius 1 ± 0.2, on average six apart. In a step a body moves by 0.1 and turns
/// by 0.05. A stopped body changes its direction, a body that leaves the box turns back. A body
/// that moves beside another deviates from its position by one and a half of their gap, so that
/// some of these meet.
class Traffic {
 public:
  explicit Traffic(const TrafficSetting& setting = {});

  World& world() { return world_; }
  const std::vector<NodeId>& bodies() const { return ids_; }
  /// Gives every body its motion for the next step, from where it is.
  void give_motions(Stepper& stepper);

  /// The same in two: chooses the motions; then they are there for any number of steppers.
  void choose_motions();
  const std::vector<Motion>& motions() const { return motions_; }

 private:
  struct Body {
    Vec3 way, axis;        // of a step
    Pose wanted;           // where it should be by now
    Index beside = kNone;  // the body it follows, which comes before it
    Pose place;            // relative to that
  };
  void choose_way(Body& body);
  void put_beside(Index follower, Index leader);

  scenes::Random random_;
  World world_;
  std::vector<NodeId> ids_;
  std::vector<Body> bodies_;
  std::vector<Motion> motions_;
  double half_side_;  // of the box
};

}  // namespace touche::bench
