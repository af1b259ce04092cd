// SPDX-License-Identifier: Apache-2.0
// A nut on a standing bolt: without friction it spins down as its energy requires, with friction it
// stays. Each path that it takes is proved again, by a separate query.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dynamic_scenes.h"
#include "touche/dynamics.h"
#include "touche/query.h"

namespace touche::dynamics_thread_test {
namespace {

constexpr double kStep = 1.0 / 60, kPitch = 2, kTolerance = 0.01;  // s, mm

struct StandingBolt {
  World world;
  Object bolt, nut;
  NodeId fixed, moving;
  std::optional<Dynamics> dynamics;
  double lost = 0;

  explicit StandingBolt(double friction)
      : StandingBolt(scenes::standing_bolt({.friction = friction})) {}
  explicit StandingBolt(const scenes::DynamicScene& scene)
      : bolt(scene.meshes[0].soup), nut(scene.meshes[1].soup) {
    fixed = world.add(bolt, scene.bodies[0].pose, {.fixed = true});
    moving = world.add(nut, scene.bodies[1].pose);
    dynamics.emplace(world, DynamicsOptions{.tolerance = kTolerance,
                                            .gravity = 1e3 * scene.gravity,
                                            .surface = {.friction = scene.bodies[1].friction},
                                            .threads = 1});
    dynamics->add(moving, 1e-9 * scene.density);
    dynamics->prepare();
  }

  double height() const { return world.pose(moving).translation().z(); }
  double energy() const { return dynamics->kinetic_energy() + dynamics->potential_energy(); }

  void step() {
    const Pose before = world.pose(fixed);
    for (const LostTime& one : dynamics->step(kStep).lost) lost += one.time;
    const ToiResult meets = time_of_impact(bolt, Motion::at(before), nut,
                                           dynamics->last_motion(moving), {.tolerance = 1e-4});
    EXPECT_EQ(meets.status, ToiStatus::free);
  }
};

TEST(DynamicsThread, ANutSpinsDownItsBoltAsEnergySays) {
  StandingBolt scene(0.0);
  // It falls by its play first, and what it has then is lost when it meets the thread.
  for (int i = 0; i < 6; ++i) scene.step();
  const double start = scene.energy(), kinetic = scene.dynamics->kinetic_energy(),
               top = scene.height();
  const double weight = 9810 * scene.dynamics->mass(scene.moving).mass;
  double last = kinetic;
  for (int i = 6; i < 60; ++i) {
    scene.step();
    const double now = scene.dynamics->kinetic_energy();
    EXPECT_GT(now, 0.95 * last) << i;
    last = now;
    // It may be lifted to the distance that it keeps.
    EXPECT_LE(scene.energy(), start + 3 * kTolerance * weight) << i;
  }
  // The height that it lost has become motion, except for what facets and their play take.
  const Velocity velocity = scene.dynamics->velocity(scene.moving);
  EXPECT_GT(last - kinetic, 0.93 * weight * (top - scene.height()));
  EXPECT_GT(top - scene.height(), 3);
  // It turns as its thread says.
  EXPECT_NEAR(velocity.linear.z() / velocity.angular.z(), kPitch / (2 * std::numbers::pi),
              0.05 * kPitch / (2 * std::numbers::pi));
  EXPECT_EQ(scene.lost, 0);
}

TEST(DynamicsThread, ANutStaysOnItsBoltWithFriction) {
  StandingBolt scene(0.3);
  for (int i = 0; i < 20; ++i) scene.step();
  const double top = scene.height();
  for (int i = 0; i < 40; ++i) scene.step();
  EXPECT_NEAR(scene.height(), top, 0.01);
  EXPECT_LT(scene.dynamics->velocity(scene.moving).angular.norm(), 1e-2);
  EXPECT_EQ(scene.lost, 0);
}

}  // namespace
}  // namespace touche::dynamics_thread_test
