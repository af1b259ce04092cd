// SPDX-License-Identifier: Apache-2.0
// Which bodies fall asleep, and which are woken.
#include <gtest/gtest.h>

#include <vector>

#include "dynamic_bodies.h"
#include "judged_step.h"

namespace touche::dynamics_sleep_test {
namespace {

using namespace test;

constexpr double kTolerance = 1e-3;

/// Boxes on each other, on a table that stands on the ground.
struct Tower {
  World world;
  NodeId ground = add_ground(world), table = world.add(box({2, 2, 0.5}), test::at({0, 0, 0.252}));
  std::vector<NodeId> boxes;
  Dynamics dynamics;

  Tower()
      : dynamics(world,
                 {.tolerance = kTolerance, .gravity = {0, 0, -kGravity}, .sleep_time = 0.3}) {
    for (int i = 0; i < 3; ++i) {
      boxes.push_back(world.add(box({0.4, 0.4, 0.4}), test::at({0, 0, 0.704 + 0.402 * i})));
      dynamics.add(boxes.back(), 1000.0);
    }
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      (void)judged_step(world, dynamics, 1.0 / 60, kTolerance);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  int sleepers() const {
    int count = 0;
    for (const NodeId node : boxes) count += dynamics.is_asleep(node) ? 1 : 0;
    return count;
  }
};

TEST(DynamicsSleep, ATowerFallsAsleepAndStandsStill) {
  Tower tower;
  tower.run(60);
  ASSERT_EQ(tower.sleepers(), 3);
  const Pose top = tower.world.pose(tower.boxes[2]);
  for (int i = 0; i < 60; ++i) {
    const DynamicsResult& result = tower.dynamics.step(1.0 / 60);
    EXPECT_EQ(result.stats.questions, 0U);
    EXPECT_TRUE(result.contacts.empty());
    EXPECT_TRUE(result.lost.empty());
  }
  EXPECT_EQ(tower.sleepers(), 3);
  EXPECT_EQ(tower.world.pose(tower.boxes[2]).translation(), top.translation());
  EXPECT_EQ(tower.dynamics.velocity(tower.boxes[2]).linear, Vec3(Vec3::Zero()));
}

TEST(DynamicsSleep, WhatWakes) {
  const auto wakes = [](const char* what, auto&& act) {
    Tower tower;
    tower.run(60);
    ASSERT_EQ(tower.sleepers(), 3);
    act(tower);
    (void)tower.dynamics.step(1.0 / 60);
    EXPECT_EQ(tower.sleepers(), 0) << what;
  };
  wakes("a velocity", [](Tower& t) { t.dynamics.set_velocity(t.boxes[0], {.linear = {1, 0, 0}}); });
  wakes("a force", [](Tower& t) { t.dynamics.apply_force(t.boxes[1], {0, 0, 9000}); });
  wakes("a torque", [](Tower& t) { t.dynamics.apply_torque(t.boxes[1], {0, 0, 9000}); });
  wakes("an impulse", [](Tower& t) {
    t.dynamics.apply_impulse(t.boxes[1], {0, 0, 90}, {0, 0, 1});
  });
  wakes("gravity", [](Tower& t) { t.dynamics.set_gravity({0, 0, -1}); });
  wakes("the table is gone", [](Tower& t) { t.world.remove(t.table); });
  wakes("the table was moved", [](Tower& t) {
    t.world.set_pose(t.table, test::at({5, 0, 0.252}));
  });
  wakes("the table moves", [](Tower& t) {
    t.dynamics.move(t.table,
                    Motion::interpolated(t.world.pose(t.table), test::at({0.1, 0, 0.252})));
  });
  wakes("one of them was moved", [](Tower& t) {
    t.world.set_pose(t.boxes[2], test::at({0.1, 0, 1.6}));
  });
  wakes("a joint", [](Tower& t) {
    (void)t.dynamics.join({.a = t.boxes[0], .b = t.boxes[1], .point = {0, 0, 1}});
  });
  wakes("by hand", [](Tower& t) { t.dynamics.wake(t.boxes[2]); });
  const auto does_not = [](const char* what, auto&& act) {
    Tower tower;
    tower.run(60);
    act(tower);
    (void)tower.dynamics.step(1.0 / 60);
    EXPECT_EQ(tower.sleepers(), 3) << what;
  };
  does_not("no force", [](Tower& t) { t.dynamics.apply_force(t.boxes[1], {0, 0, 0}); });
  does_not("the same gravity", [](Tower& t) { t.dynamics.set_gravity({0, 0, -kGravity}); });
  does_not("something far away moves", [](Tower& t) {
    const NodeId far = t.world.add(box({1, 1, 1}), test::at({9, 0, 9}));
    t.dynamics.add(far, 1.0);
  });
}

// Its support falls, and so do they.
TEST(DynamicsSleep, TheyFallWhenNothingSupportsThem) {
  Tower tower;
  tower.run(60);
  ASSERT_EQ(tower.sleepers(), 3);
  tower.world.remove(tower.table);
  tower.run(120);
  EXPECT_LT(tower.world.pose(tower.boxes[0]).translation().z(), 0.21);
}

// A ball from far away comes within one step: it must meet the mass of the sleeping box.
TEST(DynamicsSleep, AnImpactWakesAndPushes) {
  Tower tower;
  tower.run(60);
  ASSERT_EQ(tower.sleepers(), 3);
  const NodeId shot = tower.world.add(box({0.2, 0.2, 0.2}), test::at({-3, 0, 1.508}));
  tower.dynamics.add(shot, 8000.0, {.linear = {200, 0, 0}});
  const double momentum = tower.dynamics.momentum().x();
  const DynamicsResult& result = judged_step(tower.world, tower.dynamics, 1.0 / 60, kTolerance);
  if (HasFatalFailure()) return;
  ASSERT_FALSE(result.impacts.empty());
  EXPECT_EQ(tower.sleepers(), 0);
  EXPECT_GT(tower.dynamics.velocity(tower.boxes[2]).linear.x(), 50);
  EXPECT_NEAR(tower.dynamics.momentum().x(), momentum, 0.02 * momentum);
}

}  // namespace
}  // namespace touche::dynamics_sleep_test
