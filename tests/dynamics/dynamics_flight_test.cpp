// SPDX-License-Identifier: Apache-2.0
// Free bodies against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamic_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_flight_test {
namespace {

using namespace test;

TEST(DynamicsFlight, FallsOnAParabola) {
  World world;
  const NodeId node = world.add(box({1, 2, 3}), at({0, 0, 5}));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  dynamics.add(node, 2.0, {.linear = {1, 0, 4}});
  const double start = energy(dynamics);
  for (int i = 1; i <= 60; ++i) {
    (void)dynamics.step(1.0 / 60);
    const double t = i / 60.0;
    EXPECT_LT(
        (world.pose(node).translation() - Vec3(t, 0, 5 + 4 * t - 0.5 * kGravity * t * t)).norm(),
        1e-12);
    EXPECT_LT((dynamics.velocity(node).linear - Vec3(1, 0, 4 - kGravity * t)).norm(), 1e-12);
    EXPECT_NEAR(energy(dynamics), start, 1e-12 * start);
  }
}

// They are near enough for contacts at rest, but nothing presses one against the other.
TEST(DynamicsFlight, FallsOnAParabolaBesideAnother) {
  constexpr double kTolerance = 1e-3;
  for (const double gap : {1.5, 2.0, 3.0, 6.0}) {
    World world;
    const NodeId below = world.add(box({1, 1, 1}), at({0, 0, 0}));
    const NodeId above = world.add(box({1, 1, 1}), at({0, 0, 1 + gap * kTolerance}));
    const NodeId beside = world.add(box({1, 1, 1}), at({1 + gap * kTolerance, 0, 0.3}));
    Dynamics dynamics(world, {.tolerance = kTolerance, .gravity = {0, 0, -kGravity}});
    for (const NodeId node : {below, above, beside}) dynamics.add(node, 2.0);
    const Vec3 start = world.pose(below).translation();
    std::size_t near = 0;
    for (int i = 1; i <= 30; ++i) {
      near += dynamics.step(1.0 / 60).contacts.size();
      const double t = i / 60.0;
      EXPECT_LT(
          (world.pose(below).translation() - start - Vec3(0, 0, -0.5 * kGravity * t * t)).norm(),
          1e-12)
          << gap;
      EXPECT_LT((dynamics.velocity(beside).linear - Vec3(0, 0, -kGravity * t)).norm(), 1e-12);
    }
    EXPECT_GT(near, 0U) << gap;
  }
}

TEST(DynamicsFlight, TheCentreOfMassFliesStraight) {
  // Its origin is a corner, which goes around.
  World world;
  const NodeId node = world.add(Object(scenes::box({0, 0, 0}, {1, 1, 1})));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  dynamics.add(node, 1.0, {.linear = {3, 0, 0}, .angular = {0, 0, 5}});
  for (int i = 0; i < 100; ++i) (void)dynamics.step(0.01);
  EXPECT_LT((world.pose(node) * Vec3(0.5, 0.5, 0.5) - Vec3(3.5, 0.5, 0.5)).norm(), 1e-12);
}

TEST(DynamicsFlight, TurnsAtAThousandRadiansPerSecond) {
  World world;
  const NodeId node = world.add(box({1, 2, 3}));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  dynamics.add(node, 1.0, {.angular = {0, 0, 1000}});
  for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
  const Vec3 x = world.pose(node).rotate(Vec3::UnitX());
  EXPECT_LT((x - Vec3(std::cos(1000.0), std::sin(1000.0), 0)).norm(), 1e-10);
}

// Turned about its middle axis, a body tumbles over and over; energy and angular momentum stay.
TEST(DynamicsFlight, DzhanibekovsBody) {
  World world;
  const NodeId node = world.add(box({1, 2, 3}));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  dynamics.add(node, 1.0, {.angular = {1e-3, 10, 0}});
  const double start = dynamics.kinetic_energy();
  const Vec3 momentum = dynamics.angular_momentum();
  int upside_down = 0, upright = 0;
  const int steps = scaled(100000, 2000);
  for (int i = 0; i < steps; ++i) {
    (void)dynamics.step(1.0 / 120);
    ++(world.pose(node).rotate(Vec3::UnitY()).y() < 0 ? upside_down : upright);
  }
  EXPECT_NEAR(dynamics.kinetic_energy(), start, 1e-12 * start);
  EXPECT_EQ(dynamics.angular_momentum(), momentum);
  EXPECT_GT(upside_down, steps / 5);
  EXPECT_GT(upright, steps / 5);
}

// A symmetric body's axis goes around its angular momentum at |L| / I across the axis.
TEST(DynamicsFlight, ASymmetricBodyPrecesses) {
  World world;
  const NodeId node = world.add(box({1, 1, 3}));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  dynamics.add(node, 1.0, {.angular = {1, 0, 2}});
  const Vec3 momentum = dynamics.angular_momentum();
  const double rate = momentum.norm() / dynamics.mass(node).inertia(0, 0);
  const int steps = 2000;
  for (int i = 0; i < steps; ++i) (void)dynamics.step(1.0 / steps);
  const Vec3 expected =
      Eigen::AngleAxisd(rate, momentum.normalized()).toRotationMatrix() * Vec3::UnitZ();
  EXPECT_LT((world.pose(node).rotate(Vec3::UnitZ()) - expected).norm(), 1e-6);
}

// A fast top whose weight acts a distance from where it is held goes around at m g l / (I ω).
TEST(DynamicsFlight, AHeavyTopPrecesses) {
  World world;
  const NodeId node = world.add(box({1, 1, 0.5}));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  MassProperties mass = mass_properties(world.object(node).soup(), 1);
  dynamics.add(node, mass);
  const double spin = 500, weight_arm = 0.2, across = mass.inertia(0, 0),
               along = mass.inertia(2, 2);
  // Steady precession of a level top: its axis turns about z, and that is all.
  const double precession = weight_arm / (along * spin);
  world.set_pose(node, Pose::from_axis_angle(Vec3::UnitY(), std::acos(0.0), Vec3::Zero()));
  dynamics.set_velocity(node, {.angular = {spin, 0, precession}});
  EXPECT_GT(across, 0);
  const int steps = scaled(4000, 2000);
  const double dt = 1e-3;
  for (int i = 0; i < steps; ++i) {
    const Vec3 axis = world.pose(node).rotate(Vec3::UnitZ());
    dynamics.apply_torque(node, weight_arm * Vec3::UnitZ().cross(axis));
    (void)dynamics.step(dt);
  }
  const double angle = precession * steps * dt;
  const Vec3 axis = world.pose(node).rotate(Vec3::UnitZ());
  EXPECT_LT((axis - Vec3(std::cos(angle), std::sin(angle), 0)).norm(), 1e-3 * angle);
}

TEST(DynamicsFlight, ForcesAndImpulses) {
  World world;
  const NodeId node = world.add(box({1, 1, 1}));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  dynamics.add(node, 6.0);  // mass 6, inertia 1
  dynamics.apply_force(node, {3, 0, 0}, {0, 0.5, 0});
  dynamics.apply_force(node, {3, 0, 0});
  dynamics.apply_torque(node, {0, 0, 0.5});
  (void)dynamics.step(1);
  EXPECT_LT((dynamics.velocity(node).linear - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((dynamics.velocity(node).angular - Vec3(0, 0, -1)).norm(), 1e-12);
  (void)dynamics.step(1);  // they last for one step
  EXPECT_LT((dynamics.velocity(node).linear - Vec3(1, 0, 0)).norm(), 1e-12);
  const Vec3 centre = world.pose(node).translation();
  dynamics.apply_impulse(node, {0, 6, 0}, centre + Vec3(1, 0, 0));
  EXPECT_LT((dynamics.velocity(node).linear - Vec3(1, 1, 0)).norm(), 1e-12);
  EXPECT_LT((dynamics.velocity(node).angular - Vec3(0, 0, 5)).norm(), 1e-12);
}

}  // namespace
}  // namespace touche::dynamics_flight_test
