// SPDX-License-Identifier: Apache-2.0
// Many bodies that come down on each other: who does not bounce stops at all that it meets
// together, so nobody waits for the next step, and nobody gets into anybody.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "dynamic_bodies.h"
#include "dynamic_scenes.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

struct Fall {
  double lost = 0, moved = 0;  // time of all bodies
  std::size_t impacts = 0;
  double energy_gain = 0, energy = 0;  // the most that it rose, of what it began with
  std::size_t met = 0;                 // pairs in contact after any step
};

Fall fall(Index bodies, int steps, double restitution) {
  const scenes::DynamicScene scene = scenes::pile({.bodies = bodies});
  World world;
  Dynamics dynamics(world, {.tolerance = scene.tolerance,
                            .gravity = scene.gravity,
                            .surface = {.restitution = restitution, .friction = 0.5}});
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
    seen.moved += static_cast<double>(bodies) / 60;
    seen.energy_gain = std::max(seen.energy_gain, energy() - least);
    least = std::min(least, energy());
    if (i % 10 == 9) seen.met += world.touching_pairs().pairs.size();
  }
  return seen;
}

// Answered one by one, these lose a hundredth of their time.
TEST(DynamicsCrowd, WhoFallsOntoManyLosesNoTime) {
  const Fall seen = fall(96, shortened(60, 45), 0);
  EXPECT_LT(seen.lost, 1e-4 * seen.moved);
  EXPECT_LT(seen.energy_gain, 1e-9 * seen.energy);
  EXPECT_EQ(seen.met, 0);
}

// Who bounces is answered one by one, for each impact throws back what came.
TEST(DynamicsCrowd, WhoBouncesHasImpacts) {
  const Fall soft = fall(64, 45, 0), hard = fall(64, 45, 0.5);
  EXPECT_GT(hard.impacts, 2 * soft.impacts);
  EXPECT_LT(hard.energy_gain, 1e-9 * hard.energy);
  EXPECT_EQ(hard.met, 0);
}

}  // namespace
}  // namespace touche
