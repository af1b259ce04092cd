// SPDX-License-Identifier: Apache-2.0
// Cubes of edge 1 that are moved along straight lines: what tests of steps begin with.
#pragma once

#include "shapes.h"
#include "touche/step.h"

namespace touche::test {

inline constexpr double kTolerance = 1e-3;

inline Object cube(double half = 0.5) {
  return Object(scenes::box(Vec3::Constant(-half), Vec3::Constant(half), 1));
}
inline Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }
inline Motion shifted(const World& world, NodeId node, const Vec3& by) {
  const Pose start = world.pose(node);
  return Motion::interpolated(
      start, Pose::from_quaternion_unchecked(start.rotation(), start.translation() + by));
}
inline StepOptions with(StepPolicy policy, double clearance = 0) {
  return {.tolerance = kTolerance, .clearance = clearance, .policy = policy};
}

// A cube at x = 0 that moves 4 to the right, and one 2 away: they meet after a quarter of the
// motion.
struct Wall {
  World world;
  NodeId part = world.add(cube(), at(0), {}, {}, "part");
  NodeId wall = world.add(cube(), at(2), {.fixed = true}, {}, "wall");
  Stepper stepper{world};

  const StepResult& go(const StepOptions& options) {
    stepper.move(part, shifted(world, part, {4, 0, 0}));
    return stepper.run(options);
  }
};

}  // namespace touche::test
