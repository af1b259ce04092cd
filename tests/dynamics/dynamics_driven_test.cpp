// SPDX-License-Identifier: Apache-2.0
// Bodies that follow a motion and are stopped within it: for the rest of the step they stay where
// they were stopped, whatever meets them then.
#include <gtest/gtest.h>

#include "dynamic_bodies.h"
#include "dynamic_scenes.h"
#include "touche/query.h"

namespace touche::dynamics_driven_test {
namespace {

using test::at;
using test::box;

/// A plate pushes a block onto a wall, and a bullet hits the plate from behind. They lie along x
/// from `origin` on; the block is as long as `scale`.
struct PressedBlock {
  PressedBlock(World& world, Vec3 origin, double scale) {
    const auto add = [&](Vec3 size, double x, BodyOptions options = {}) {
      return world.add(box(scale * size), at(origin + scale * Vec3(x, 0, 0)), options);
    };
    add({1, 4, 4}, 3.5, {.fixed = true});
    block = add({1, 1, 1}, 2.499);
    plate = add({0.2, 1, 1}, 1.799);
    bullet = add({0.2, 0.2, 0.2}, 0.599);
  }
  NodeId block, plate, bullet;
};

double lost_share(const DynamicsResult& result, NodeId node, double step) {
  for (const LostTime& lost : result.lost)
    if (lost.node == node) return lost.time / step;
  return 0;
}

TEST(DynamicsDriven, WhoIsStoppedLosesTheRestOfTheStep) {
  for (const double hit : {0.3, 0.5, 0.8}) {
    World world;
    const PressedBlock bodies(world, Vec3::Zero(), 1);
    Dynamics dynamics(world, {.tolerance = 1e-4,
                              .gravity = Vec3::Zero(),
                              .surface = {.restitution = 0.5, .friction = 0}});
    dynamics.add(bodies.block, 1000.0);
    dynamics.add(bodies.bullet, 1000.0, {.linear = {1.1 / hit, 0, 0}});
    const Pose start = world.pose(bodies.plate);
    dynamics.move(bodies.plate,
                  Motion::interpolated(start, start * Pose::from_translation({1, 0, 0})));
    const DynamicsResult& result = dynamics.step(1);
    const double moved = (world.pose(bodies.plate).translation() - start.translation()).x();
    EXPECT_GT(moved, 0.09) << hit;
    EXPECT_LT(moved, 0.2) << hit;
    EXPECT_NEAR(lost_share(result, bodies.plate, 1), 1 - moved, 1e-9) << hit;
  }
}

// Gears turn beside them so fast that the step is taken in parts.
TEST(DynamicsDriven, WhoIsStoppedInAPartOfAStepDoesNotJumpInTheNext) {
  const scenes::DynamicScene scene = scenes::gears();
  for (const double hit : {0.04, 0.3}) {
    World world;
    Dynamics dynamics(world,
                      {.tolerance = scene.tolerance, .gravity = Vec3::Zero(), .surface = {}});
    std::vector<NodeId> nodes;
    for (const scenes::DynamicBody& body : scene.bodies) {
      const Object object(scene.meshes[body.mesh].soup);
      nodes.push_back(world.add(object, body.pose, {.fixed = body.fixed}));
      dynamics.set_surface(nodes.back(),
                           {.restitution = body.restitution, .friction = body.friction});
      if (!body.fixed)
        dynamics.add(nodes.back(), 1e-9 * scene.density, {body.velocity, body.angular_velocity});
    }
    const double step = 1.0 / 60;
    const auto turn = [&] {
      dynamics.apply_torque(nodes[2], {0, 0, 1e6 * scene.forces[0].torque.z()});
    };
    for (int i = 0; i < 18; ++i) {
      turn();
      (void)dynamics.step(step);
    }
    const PressedBlock bodies(world, {-5000, 0, 0}, 100);
    for (const NodeId node : {bodies.block, bodies.plate, bodies.bullet})
      dynamics.set_surface(node, {.restitution = 0.5, .friction = 0});
    dynamics.add(bodies.block, 1e-6);
    dynamics.add(bodies.bullet, 1e-6, {.linear = {110 / (hit * step), 0, 0}});
    const Pose start = world.pose(bodies.plate);
    dynamics.move(bodies.plate,
                  Motion::interpolated(start, Pose::from_translation({300, 0, 0}) * start));
    turn();
    const DynamicsResult& result = dynamics.step(step);
    const double moved = (world.pose(bodies.plate).translation() - start.translation()).x();
    EXPECT_NEAR(lost_share(result, bodies.plate, step), 1 - moved / 300, 1e-9) << hit;
    const Motion way = dynamics.last_motion(bodies.plate);
    for (int i = 0; i < 20000; ++i)
      ASSERT_LT(
          (way.pose((i + 1) / 20000.0).translation() - way.pose(i / 20000.0).translation()).norm(),
          0.1)
          << hit << ' ' << i;
    EXPECT_FALSE(intersects(world.object(bodies.plate), world.pose(bodies.plate),
                            world.object(bodies.block), world.pose(bodies.block))
                     .intersects);
  }
}

}  // namespace
}  // namespace touche::dynamics_driven_test
