// SPDX-License-Identifier: Apache-2.0
// Impacts against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "dynamic_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_impact_test {
namespace {

using namespace test;

/// All impacts until some time; their times count from the start.
std::vector<Impact> impacts(Dynamics& dynamics, int steps, double dt) {
  std::vector<Impact> all;
  for (int i = 0; i < steps; ++i)
    for (Impact impact : dynamics.step(dt).impacts) {
      impact.time += i * dt;
      all.push_back(impact);
    }
  return all;
}

TEST(DynamicsImpact, ABoxBouncesInAGeometricSeries) {
  World world;
  add_ground(world);
  const NodeId node = world.add(box({1, 1, 1}), at({0, 0, 1.5}));
  Dynamics dynamics(world, {.tolerance = 1e-6,
                            .gravity = {0, 0, -kGravity},
                            .surface = {.restitution = 0.5, .friction = 0.5}});
  dynamics.add(node, 1000.0);
  const std::vector<Impact> all = impacts(dynamics, 2000, 1e-3);
  ASSERT_GE(all.size(), 6U);
  double speed = std::sqrt(2 * kGravity), time = speed / kGravity;
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(all[i].time, time, 5e-5);
    EXPECT_NEAR(all[i].speed, speed, 1e-3 * speed);
    EXPECT_NEAR(all[i].impulse.z(), 1000 * 1.5 * speed, 2 * speed);
    speed *= 0.5;
    time += 2 * speed / kGravity;
  }
  // In the end it lies there, level, and as high as it keeps its distance.
  EXPECT_EQ(dynamics.step(1e-3).contacts.size(), 4U);
  EXPECT_LT(dynamics.velocity(node).linear.norm(), 1e-9);
  EXPECT_LT(std::abs(world.pose(node).translation().z() - 0.5), 2.1e-6);
}

TEST(DynamicsImpact, ACopyOfAResultOutlivesTheNextStep) {
  World world;
  const NodeId ground = add_ground(world), node = world.add(box({1, 1, 1}), at({0, 0, 0.6}));
  DynamicsResult kept;
  {
    Dynamics dynamics(world, {.tolerance = 1e-6,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = 0.5, .friction = 0.5}});
    dynamics.add(node, 1000.0, {.linear = {0, 0, -2}});
    kept = dynamics.step(0.06);
    EXPECT_TRUE(dynamics.step(0.01).impacts.empty());
  }
  ASSERT_EQ(kept.impacts.size(), 1U);
  EXPECT_EQ(std::min(kept.impacts[0].a, kept.impacts[0].b), std::min(ground, node));
  EXPECT_EQ(std::max(kept.impacts[0].a, kept.impacts[0].b), std::max(ground, node));
  EXPECT_GT(kept.impacts[0].speed, 2);
}

// Thesis, figure D.59: a rod falls onto the ground with one end ahead.
TEST(DynamicsImpact, AFallingRod) {
  const double length = 2, thickness = 0.02, tilt = 0.5, height = 3;
  for (const double restitution : {0.0, 0.6, 1.0}) {
    World world;
    const NodeId ground = add_ground(world);
    const NodeId rod = world.add(box({length, thickness, thickness}),
                                 Pose::from_axis_angle(Vec3::UnitY(), tilt, {0, 0, height}));
    Dynamics dynamics(world, {.tolerance = 1e-7,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = restitution, .friction = 0}});
    dynamics.add(rod, 1000.0);
    const MassProperties mass = dynamics.mass(rod);
    // The lower edge of its end.
    const double x = 0.5 * (length * std::cos(tilt) - thickness * std::sin(tilt));
    const double drop = height - 0.5 * (length * std::sin(tilt) + thickness * std::cos(tilt));
    const double time = std::sqrt(2 * drop / kGravity), speed = kGravity * time;
    const double impulse = (1 + restitution) * speed / (1 / mass.mass + x * x / mass.inertia(1, 1));

    const double dt = 1e-4;
    const int steps = static_cast<int>(time / dt);
    ASSERT_TRUE(impacts(dynamics, steps, dt).empty());
    const DynamicsResult& step = dynamics.step(dt);
    ASSERT_EQ(step.impacts.size(), 1U);
    const Impact& impact = step.impacts[0];
    EXPECT_EQ(impact.a, ground);
    EXPECT_EQ(impact.b, rod);
    EXPECT_NEAR(steps * dt + impact.time, time, 1e-7);
    EXPECT_NEAR(impact.impulse.z(), impulse, 1e-5 * impulse);
    EXPECT_LT((impact.point - Vec3(x, 0, 0)).norm(), 1e-6);
    EXPECT_LT((impact.normal - Vec3::UnitZ()).norm(), 1e-12);
    const Velocity after = dynamics.velocity(rod);
    EXPECT_NEAR(after.linear.z(), impulse / mass.mass - speed, 1e-3 * speed);
    EXPECT_NEAR(after.angular.y(), -impulse * x / mass.inertia(1, 1), 1e-3 * speed);
    EXPECT_LT(std::abs(after.angular.x()), 1e-6);
  }
}

// Balls with facets, so that they also turn each other.
TEST(DynamicsImpact, BilliardsKeepMomentumAndEnergy) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  std::size_t met = 0;
  for (int run = 0; run < scaled(20, 4); ++run) {
    World world;
    Dynamics dynamics(world, {.tolerance = 1e-4, .surface = {.restitution = 1, .friction = 0}});
    const Object object = ball(0.5, 128);
    for (int i = 0; i < 27; ++i) {
      const Vec3 cell(i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0);
      const double x = number(random), y = number(random), z = number(random);
      dynamics.add(world.add(object, at(1.2 * cell)), 1.0, {.linear = {x, y, z}});
    }
    const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
    const double start = dynamics.kinetic_energy();
    for (int i = 0; i < 40; ++i) {
      const DynamicsResult& step = dynamics.step(0.02);
      met += step.impacts.size();
      EXPECT_TRUE(step.lost.empty());
    }
    EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-12);
    EXPECT_LT((dynamics.angular_momentum() - turning).norm(), 1e-11);
    EXPECT_NEAR(dynamics.kinetic_energy(), start, 1e-12 * start);
  }
  EXPECT_GT(met, 30U);
}

TEST(DynamicsImpact, NewtonsCradle) {
  World world;
  Dynamics dynamics(world, {.tolerance = 1e-5, .surface = {.restitution = 1, .friction = 0}});
  std::vector<NodeId> boxes;
  for (int i = 0; i < 5; ++i) {
    boxes.push_back(world.add(box({1, 1, 1}), at({1.001 * i + (i == 0 ? -1 : 0), 0, 0})));
    dynamics.add(boxes.back(), 1.0);
  }
  dynamics.set_velocity(boxes[0], {.linear = {2, 0, 0}});
  for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
  for (int i = 0; i < 4; ++i) EXPECT_LT(dynamics.velocity(boxes[i]).linear.norm(), 1e-12) << i;
  EXPECT_LT((dynamics.velocity(boxes[4]).linear - Vec3(2, 0, 0)).norm(), 1e-12);
}

// A body that comes in obliquely slides all through the impact: friction is the coefficient times
// the normal impulse. With more friction it rolls on. Energy never grows.
TEST(DynamicsImpact, FrictionIsCoulombs) {
  for (const double friction : {0.0, 0.1, 0.2, 0.5, 2.0})
    for (const double restitution : {0.0, 0.5, 1.0}) {
      World world;
      add_ground(world);
      const NodeId node = world.add(ball(0.5, 2048), at({0, 0, 1}));
      Dynamics dynamics(world, {.tolerance = 1e-6,
                                .surface = {.restitution = restitution, .friction = friction}});
      dynamics.add(node, 1.0, {.linear = {3, 0, -4}});
      const double before = dynamics.kinetic_energy();
      const std::vector<Impact> all = impacts(dynamics, 20, 0.01);
      ASSERT_GE(all.size(), 1U);
      const double normal = all[0].impulse.z(), along = -all[0].impulse.x();
      EXPECT_LE(along, friction * normal * (1 + 1e-9));
      if (friction <= 0.1) {
        EXPECT_NEAR(along, friction * normal, 1e-9 * normal);
      }
      if (friction == 2) {
        EXPECT_LT(along, 0.5 * friction * normal);
      }
      EXPECT_LE(dynamics.kinetic_energy(), before * (1 + 1e-12));
    }
}

TEST(DynamicsImpact, WithFrictionMomentumIsKept) {
  World world;
  Dynamics dynamics(world, {.tolerance = 1e-4, .surface = {.restitution = 0.5, .friction = 0.8}});
  const NodeId a = world.add(box({1, 1, 1}), at({0, 0, 0}));
  const NodeId b = world.add(box({1, 1, 1}), Pose::from_axis_angle({1, 2, 3}, 1, {2, 0.3, 0.2}));
  dynamics.add(a, 1.0, {.linear = {2, 0, 0}, .angular = {0, 1, 2}});
  dynamics.add(b, 1e3);
  const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
  double last = dynamics.kinetic_energy();
  std::size_t met = 0;
  for (int i = 0; i < 100; ++i) {
    met += dynamics.step(0.01).impacts.size();
    EXPECT_LE(dynamics.kinetic_energy(), last * (1 + 1e-12));
    last = dynamics.kinetic_energy();
  }
  EXPECT_GT(met, 0U);
  EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-12);
  EXPECT_LT((dynamics.angular_momentum() - turning).norm(), 1e-11);
}

TEST(DynamicsImpact, ABodyThatIsMovedPushes) {
  World world;
  const NodeId pusher = world.add(box({1, 1, 1}), at({-2, 0, 0}));
  const NodeId node = world.add(box({1, 1, 1}));
  Dynamics dynamics(world, {.tolerance = 1e-4});
  dynamics.add(node, 1.0);
  for (int i = 0; i < 60; ++i) {
    const Pose from = world.pose(pusher);
    dynamics.move(pusher, Motion::interpolated(from, at(from.translation() + Vec3(0.1, 0, 0))));
    const DynamicsResult& step = dynamics.step(0.05);
    EXPECT_TRUE(step.lost.empty());
    EXPECT_NEAR(world.pose(pusher).translation().x(), -2 + 0.1 * (i + 1), 1e-12);
  }
  // It goes as fast as what pushes it, ahead of it.
  EXPECT_NEAR(dynamics.velocity(node).linear.x(), 2, 1e-5);
  EXPECT_GT(world.pose(node).translation().x() - world.pose(pusher).translation().x(), 1);
}

// Relative to what follows a motion, a body is thrown back at the speed with which it comes: it
// leaves at that motion's speed and e times as much again, in any frame.
TEST(DynamicsImpact, ABodyThatIsMovedThrowsBack) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    for (const double comes : {0.0, -1.0, 1.0}) {
      World world;
      const NodeId pusher = world.add(box({1, 1, 1}), at({-2, 0, 0}));
      const NodeId node = world.add(box({1, 1, 1}));
      Dynamics dynamics(world, {.tolerance = 1e-6, .surface = {.restitution = restitution}});
      dynamics.add(node, 1.0, {.linear = {comes, 0, 0}});
      std::size_t impacts = 0;
      for (int i = 0; i < 30; ++i) {
        const Pose from = world.pose(pusher);
        dynamics.move(pusher, Motion::interpolated(from, at(from.translation() + Vec3(0.1, 0, 0))));
        impacts += dynamics.step(0.05).impacts.size();
      }
      EXPECT_EQ(impacts, 1U);
      EXPECT_NEAR(dynamics.velocity(node).linear.x(), 2 + restitution * (2 - comes), 1e-9)
          << restitution << " " << comes;
    }
  }
}

// A paddle that turns throws back by the speed that it has where it hits.
TEST(DynamicsImpact, APaddleThrowsBack) {
  World world;
  const NodeId paddle = world.add(box({4, 0.1, 1}));
  const double arm = 1.5, radius = 0.25;
  const NodeId ball = world.add(Shape::sphere(radius), at({arm, 0.5, 0}));
  Dynamics dynamics(world, {.tolerance = 1e-6, .surface = {.restitution = 1, .friction = 0}});
  dynamics.add(ball, 1.0);
  const double turn = 0.05, dt = 0.01;
  std::size_t impacts = 0;
  for (int i = 0; i < 10; ++i) {
    dynamics.move(paddle, Motion::screw(world.pose(paddle), {0, 0, 0}, {0, 0, 1}, turn, 0));
    for (const Impact& impact : dynamics.step(dt).impacts) {
      ++impacts;
      const Vec3 speed = Vec3(0, 0, turn / dt).cross(impact.point);
      const Vec3 leaves = 2 * speed.dot(impact.normal) * impact.normal;
      EXPECT_NEAR((dynamics.velocity(ball).linear - leaves).norm(), 0, 1e-3 * leaves.norm());
    }
  }
  EXPECT_EQ(impacts, 1U);
}

}  // namespace
}  // namespace touche::dynamics_impact_test
