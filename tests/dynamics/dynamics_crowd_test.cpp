// SPDX-License-Identifier: Apache-2.0
// Many bodies that come down on each other. Bodies that do not bounce stop at all bodies that they
// meet in a step at once, so none waits for the next step, and none enters another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "dynamic_bodies.h"
#include "dynamic_scenes.h"
#include "test_scale.h"

namespace touche::dynamics_crowd_test {
namespace {

using namespace test;

struct Fall {
  double lost = 0, moved = 0;  // time of all bodies
  std::size_t impacts = 0;
  double energy_gain = 0, energy = 0;  // the most that it rose, of what it began with
  std::size_t met = 0;                 // pairs in contact after any step
  std::size_t contacts = 0;            // the most of a step
  double energy_at_end = 0;
};

Fall fall(Index bodies, int steps, double restitution, int threads = DynamicsOptions{}.threads) {
  const scenes::DynamicScene scene = scenes::pile({.bodies = bodies});
  World world;
  Dynamics dynamics(world, {.tolerance = scene.tolerance,
                            .gravity = scene.gravity,
                            .surface = {.restitution = restitution, .friction = 0.5},
                            .threads = threads});
  std::vector<Object> objects;
  for (const scenes::DynamicMesh& mesh : scene.meshes) objects.emplace_back(mesh.soup);
  for (const scenes::DynamicBody& body : scene.bodies) {
    const NodeId node = world.add(objects[body.mesh], body.pose, {.fixed = body.fixed});
    if (!body.fixed) dynamics.add(node, scene.density, {body.velocity, body.angular_velocity});
  }
  const auto energy = [&] { return dynamics.kinetic_energy() + dynamics.potential_energy(); };
  Fall seen;
  seen.energy = energy();
  double least = seen.energy;
  for (int i = 0; i < steps; ++i) {
    const DynamicsResult& step = dynamics.step(1.0 / 60);
    for (const LostTime& part : step.lost) seen.lost += part.time;
    seen.impacts += step.impacts.size();
    seen.contacts = std::max(seen.contacts, step.contacts.size());
    seen.moved += static_cast<double>(bodies) / 60;
    seen.energy_gain = std::max(seen.energy_gain, energy() - least);
    least = std::min(least, energy());
    if (i % 10 == 9) seen.met += world.touching_pairs().pairs.size();
  }
  seen.energy_at_end = energy();
  return seen;
}

// Answered one by one, these lose a hundredth of their time.
TEST(DynamicsCrowd, WhoFallsOntoManyLosesNoTime) {
  const Fall seen = fall(96, shortened(60, 45), 0);
  EXPECT_LT(seen.lost, 1e-4 * seen.moved);
  EXPECT_LT(seen.energy_gain, 1e-9 * seen.energy);
  EXPECT_EQ(seen.met, 0);
}

// Many contacts are solved by other methods than few.
TEST(DynamicsCrowd, ThreadsChangeNothing) {
  const Fall one = fall(160, shortened(90, 75), 0, 1), some = fall(160, shortened(90, 75), 0, 3);
  EXPECT_GT(one.contacts, 256);
  EXPECT_EQ(one.energy_at_end, some.energy_at_end);
  EXPECT_EQ(one.lost, some.lost);
}

// Bodies that bounce are answered one by one, because each impact throws them back.
TEST(DynamicsCrowd, WhoBouncesHasImpacts) {
  const Fall soft = fall(64, 45, 0), hard = fall(64, 45, 0.5);
  EXPECT_GT(hard.impacts, 2 * soft.impacts);
  EXPECT_LT(hard.energy_gain, 1e-9 * hard.energy);
  EXPECT_EQ(hard.met, 0);
}

// Steps in which nuts and bolts turn by a radian and more. Nuts that were pressed together while
// they tumbled stood still for ever, or were lifted out of the scene to make room for their turns.
TEST(DynamicsCrowd, NutsThatTumbleComeToRest) {
  const scenes::DynamicScene scene = scenes::bin({.pieces = 72});
  const double metre = 1e-3;
  World world;
  Dynamics dynamics(world, {.tolerance = scene.tolerance, .gravity = scene.gravity / metre});
  std::vector<Object> objects;
  for (const scenes::DynamicMesh& mesh : scene.meshes) objects.emplace_back(mesh.soup);
  for (const scenes::DynamicBody& body : scene.bodies) {
    const NodeId node = world.add(objects[body.mesh], body.pose, {.fixed = body.fixed});
    dynamics.set_surface(node, {.restitution = body.restitution, .friction = body.friction});
    if (!body.fixed) dynamics.add(node, scene.density * metre * metre * metre);
  }
  const auto energy = [&] { return dynamics.kinetic_energy() + dynamics.potential_energy(); };
  const double start = energy();
  const int steps = 30, last = 10;  // all lie by then
  double least = start, lost = 0;
  std::map<NodeId, double> lost_at_last;
  for (int i = 0; i < steps; ++i) {
    for (const LostTime& part : dynamics.step(1.0 / 60).lost) {
      lost += part.time * 60;
      if (i >= steps - last) lost_at_last[part.node] += part.time * 60;
    }
    EXPECT_LT(energy(), least + 1e-3 * start) << i;
    least = std::min(least, energy());
  }
  EXPECT_LT(lost, 0.1 * 72 * steps);
  for (const auto& [node, time] : lost_at_last) EXPECT_LT(time, 0.5 * last) << node.index;
  EXPECT_LT(dynamics.kinetic_energy(), 1e-3 * start);
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
}

// More contacts than the iterations suffice for. Contacts of bodies that stand still are solved,
// also beside balls that roll and fall.
TEST(DynamicsCrowd, AWallStandsBesideBallsThatFall) {
  World world;
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}});
  add_ground(world);
  const Object brick = box({1, 0.5, 0.3}), round = ball(0.5, 128);
  std::vector<std::pair<NodeId, Vec3>> bricks;
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < 9; ++column) {
      const Vec3 place(1.01 * column + (row % 2 == 0 ? 0 : 0.3), 0, 0.1515 + 0.3015 * row);
      bricks.emplace_back(world.add(brick, at(place)), place);
      dynamics.add(bricks.back().first, 1000);
    }
  for (int i = 0; i < 12; ++i)
    dynamics.add(world.add(round, at({1.1 * (i % 4), 3, 1 + 1.1 * (i / 4)})), 1000,
                 {.linear = {0, 2, 0}});
  std::size_t contacts = 0;
  // All of them at any scale: while balls still fall some bricks move for a step.
  for (int i = 0; i < 120; ++i)
    contacts = std::max(contacts, dynamics.step(1.0 / 60).contacts.size());
  EXPECT_GT(contacts, 256);
  for (const auto& [node, place] : bricks) {
    EXPECT_LT((world.pose(node).translation() - place).norm(), 5e-3);
    EXPECT_LT(dynamics.velocity(node).linear.norm(), 1e-2);
  }
}

}  // namespace
}  // namespace touche::dynamics_crowd_test
