// SPDX-License-Identifier: Apache-2.0
// Joints: what is refused, limits and motors, and nodes that come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "dynamic_bodies.h"

namespace touche::dynamics_joint_misuse_test {
namespace {

using namespace test;

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(DynamicsJointMisuse, WhatIsRefused) {
  World world;
  const NodeId a = world.add(box({1, 1, 1})), b = world.add(box({1, 1, 1}), at({3, 0, 0}));
  const NodeId table = world.add(box({1, 1, 1}), at({6, 0, 0})), gone = world.add(box({1, 1, 1}));
  const NodeId child = world.add(box({1, 1, 1}), at({0, 3, 0}), {}, a);
  world.remove(gone);
  Dynamics dynamics(world, {.tolerance = 1e-3});
  dynamics.add(a, 1.0);
  dynamics.add(b, 1.0);
  const auto refuses = [&](const Joint& joint, const char* why) {
    try {
      (void)dynamics.join(joint);
      ADD_FAILURE() << why;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refuses({.a = a, .b = a}, "itself");
  refuses({.a = a, .b = child}, "move as one");
  refuses({.b = table}, "nodes that are not dynamic");
  refuses({}, "itself");
  EXPECT_THROW((void)dynamics.join({.a = a, .b = gone}), InvalidInput);
  refuses({.a = a, .b = b, .point = {0, kNan, 0}}, "point");
  refuses({.type = JointType::hinge, .a = a, .b = b, .axis = {0, kNan, 0}}, "axis");
  refuses({.type = JointType::hinge, .a = a, .b = b, .axis = {0, 0, 0}}, "axis");
  refuses({.type = JointType::hinge, .a = a, .b = b, .least = 0.5}, "limits");
  refuses({.type = JointType::hinge, .a = a, .b = b, .most = kNan}, "limits");
  refuses({.type = JointType::ball, .a = a, .b = b, .most = 1}, "limits");
  refuses({.type = JointType::slider, .a = a, .b = b, .motor = {.strength = -1}}, "strength");
  refuses({.type = JointType::slider, .a = a, .b = b, .motor = {.speed = kNan}}, "speed");
  refuses({.type = JointType::fixed, .a = a, .b = b, .motor = {.strength = 1}}, "motors");
  EXPECT_TRUE(dynamics.joints().empty());
  EXPECT_THROW(dynamics.remove(JointId{}), InvalidInput);
  EXPECT_THROW((void)dynamics.joint_state(JointId{0, 1}), InvalidInput);
  EXPECT_FALSE(dynamics.has(JointId{}));
  // The child moves with its parent: so it may be joined to others.
  const JointId joint = dynamics.join({.type = JointType::ball, .a = child, .b = b});
  EXPECT_THROW(dynamics.set_motor(joint, {.strength = 1}), InvalidInput);
  (void)dynamics.step(0.01);
  EXPECT_LT(dynamics.joint_state(joint).drift, 1e-12);
}

TEST(DynamicsJointMisuse, JointsEndWithTheirNodes) {
  World world;
  const NodeId a = world.add(box({1, 1, 1})), b = world.add(box({1, 1, 1}), at({3, 0, 0}));
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -1}});
  dynamics.add(a, 1.0);
  dynamics.add(b, 1.0);
  const JointId world_joint = dynamics.join({.b = a}), joint = dynamics.join({.a = a, .b = b});
  EXPECT_EQ(dynamics.joints(), (std::vector<JointId>{world_joint, joint}));
  (void)dynamics.step(0.1);
  EXPECT_LT(dynamics.velocity(b).linear.norm(), 1e-12);
  world.remove(a);
  EXPECT_FALSE(dynamics.has(joint));
  (void)dynamics.step(0.1);
  EXPECT_NEAR(dynamics.velocity(b).linear.z(), -0.1, 1e-12);
  EXPECT_TRUE(dynamics.joints().empty());
  // A new joint in the same slot has another id.
  const JointId next = dynamics.join({.b = b});
  EXPECT_FALSE(dynamics.has(joint) || dynamics.has(world_joint));
  EXPECT_TRUE(dynamics.has(next));
  dynamics.remove(next);
  EXPECT_FALSE(dynamics.has(next));
  EXPECT_THROW(dynamics.remove(next), InvalidInput);
  // A node that is no longer dynamic holds its partner where it stands.
  const NodeId c = world.add(box({1, 1, 1}), at({6, 0, 0}));
  dynamics.add(c, 1.0);
  (void)dynamics.join({.a = b, .b = c});
  dynamics.remove(b);
  for (int i = 0; i < 20; ++i) (void)dynamics.step(0.1);
  EXPECT_LT((world.pose(c).translation() - Vec3(6, 0, 0)).norm(), 1e-9);
}

TEST(DynamicsJointMisuse, LimitsHold) {
  // A trapdoor opens until its limit, a drawer slides until its.
  World world;
  const NodeId door = world.add(box({1, 1, 0.1}), at({0.5, 0, 0}));
  const NodeId drawer = world.add(box({1, 1, 0.1}), at({0, 5, 0}));
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {1, 0, -kGravity}});
  dynamics.add(door, 100.0);
  dynamics.add(drawer, 100.0);
  const JointId hinge = dynamics.join(
      {.type = JointType::hinge, .b = door, .axis = {0, 1, 0}, .least = -0.2, .most = 0.7});
  const JointId slider = dynamics.join(
      {.type = JointType::slider, .b = drawer, .axis = {1, 0, 0}, .least = -1, .most = 0.25});
  for (int i = 0; i < 240; ++i) {
    (void)dynamics.step(1.0 / 60);
    ASSERT_LT(dynamics.joint_state(hinge).position, 0.7 + 1e-2) << i;
    ASSERT_LT(dynamics.joint_state(slider).position, 0.25 + 1e-6) << i;
    ASSERT_LT(dynamics.joint_state(hinge).drift, 1e-9);
    ASSERT_LT(dynamics.joint_state(slider).tilt, 1e-9);
  }
  EXPECT_NEAR(dynamics.joint_state(hinge).position, 0.7, 1e-3);
  EXPECT_NEAR(dynamics.joint_state(slider).position, 0.25, 1e-3);
  EXPECT_LT(dynamics.velocity(door).angular.norm(), 1e-3);
  dynamics.set_gravity({-5, 0, 20});
  for (int i = 0; i < 240; ++i) (void)dynamics.step(1.0 / 60);
  EXPECT_NEAR(dynamics.joint_state(hinge).position, -0.2, 1e-3);
  EXPECT_NEAR(dynamics.joint_state(slider).position, -1, 1e-3);
}

// A door that is flung open stops at its limit, however fast it comes and however many turns it
// makes before, and does not bounce.
TEST(DynamicsJointMisuse, LimitsHoldWhoComesFast) {
  for (const double speed : {5.0, 60.0, 200.0, 400.0}) {
    for (const double most : {0.1, 1.0, 3.0, 7.0, 40.0}) {
      World world;
      const NodeId door = world.add(box({1, 0.04, 2}), at({0.5, 0, 0}));
      Dynamics dynamics(world, {.tolerance = 1e-5});
      dynamics.add(door, 500.0, {.linear = {0, 0.5 * speed, 0}, .angular = {0, 0, speed}});
      const double energy = dynamics.kinetic_energy();
      const JointId hinge = dynamics.join(
          {.type = JointType::hinge, .b = door, .axis = {0, 0, 1}, .least = -0.5, .most = most});
      double before = 0;
      for (int i = 0; i < 120 + 60 * most / speed; ++i) {
        (void)dynamics.step(1.0 / 60);
        const JointState state = dynamics.joint_state(hinge);
        const Vec3 along = world.pose(door).rotate(Vec3::UnitX());
        ASSERT_LT(state.position, most + 1e-3) << speed << " " << most << " " << i;
        ASSERT_GT(state.position, std::min(before, most) - 1e-3) << speed << " " << most;
        ASSERT_NEAR(
            std::remainder(state.position - std::atan2(along.y(), along.x()), 2 * std::numbers::pi),
            0, 1e-9);
        ASSERT_LT(dynamics.kinetic_energy(), energy * (1 + 1e-9));
        before = state.position;
      }
      EXPECT_NEAR(before, most, 1e-4) << speed;
      EXPECT_LT(dynamics.velocity(door).angular.norm(), 1e-3) << speed << " " << most;
    }
  }
}

// Angles count the turns of any node within a step, too.
TEST(DynamicsJointMisuse, AnglesCountTurnsWithinAStep) {
  const double dt = 1.0 / 60;
  for (const double speed : {10.0, 200.0, 1000.0, -20000.0}) {
    World world;
    const NodeId wheel = world.add(box({1, 1, 0.1}));
    Dynamics dynamics(world, {.tolerance = 1e-3});
    dynamics.add(wheel, 100.0, {.angular = {0, 0, speed}});
    const JointId hinge = dynamics.join({.type = JointType::hinge, .b = wheel});
    for (int i = 1; i <= 12; ++i) {
      (void)dynamics.step(dt);
      ASSERT_NEAR(dynamics.joint_state(hinge).position, i * speed * dt, 1e-9 * std::abs(speed))
          << i;
    }
  }
  // It stands still while what it is joined to turns.
  World world;
  const NodeId base = world.add(box({1, 1, 0.1}), at({0, 0, -1})),
               wheel = world.add(box({1, 1, 0.1}));
  Dynamics dynamics(world, {.tolerance = 1e-3});
  dynamics.add(wheel, 100.0);
  const JointId hinge = dynamics.join({.type = JointType::hinge, .a = base, .b = wheel});
  for (int i = 1; i <= 12; ++i) {
    dynamics.move(base, Motion::screw(world.pose(base), {0, 0, 0}, {0, 0, 1}, 17.0, 0));
    (void)dynamics.step(dt);
    ASSERT_NEAR(dynamics.joint_state(hinge).position, -17.0 * i, 1e-9 * i);
  }
}

TEST(DynamicsJointMisuse, MotorsDrive) {
  World world;
  const NodeId wheel = world.add(box({1, 1, 0.1}));
  const NodeId lift = world.add(box({1, 1, 1}), at({0, 5, 0}));
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}});
  dynamics.add(wheel, 100.0);
  dynamics.add(lift, 100.0);
  const double inertia = dynamics.mass(wheel).inertia(2, 2), mass = dynamics.mass(lift).mass;
  const JointId hinge = dynamics.join({.type = JointType::hinge, .b = wheel});
  const JointId slider = dynamics.join({.type = JointType::slider, .b = lift, .point = {0, 5, 0}});
  dynamics.set_motor(hinge, {.speed = 20, .strength = 4 * inertia});
  dynamics.set_motor(slider, {.speed = 0.5, .strength = 2 * mass * kGravity});
  // It turns faster by 4 in each second, until it has its speed; angles count turns.
  for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
  EXPECT_NEAR(dynamics.joint_state(hinge).speed, 4, 1e-9);
  EXPECT_NEAR(dynamics.joint_state(hinge).position, 2, 1e-9);
  EXPECT_NEAR(dynamics.joint_state(slider).speed, 0.5, 1e-9);
  for (int i = 0; i < 60 * 9; ++i) (void)dynamics.step(1.0 / 60);
  EXPECT_NEAR(dynamics.joint_state(hinge).speed, 20, 1e-9);
  EXPECT_NEAR(dynamics.joint_state(hinge).position, 0.5 * 4 * 25 + 20 * 5, 1e-6);
  // Too weak a motor lets the weight down.
  dynamics.set_motor(slider, {.speed = 0.5, .strength = 0.5 * mass * kGravity});
  for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
  EXPECT_NEAR(dynamics.joint_state(slider).speed, 0.5 - 0.5 * kGravity, 1e-9);
}

}  // namespace
}  // namespace touche::dynamics_joint_misuse_test
