// SPDX-License-Identifier: Apache-2.0
// Bodies that turn too often in a step lose time, and steps take bounded work.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamic_bodies.h"

namespace touche::dynamics_spin_test {
namespace {

using namespace test;

constexpr double kTolerance = 1e-3, kStep = 1.0 / 60;
constexpr double kFarthestTurn = 402;  // radians in a step
// Limit of the slices of time that a step examines: 40 at most were counted.
constexpr std::uint64_t kMostSlices = 200;

double lost_by(const DynamicsResult& result, NodeId node) {
  for (const LostTime& lost : result.lost)
    if (lost.node == node) return lost.time;
  return 0;
}

void expect_disjoint(const World& world, const Dynamics& dynamics) {
  const std::vector<NodeId> bodies = world.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const auto way = [&](NodeId body) {
        return dynamics.is_dynamic(body) ? dynamics.last_motion(body)
                                         : Motion::at(world.pose(body));
      };
      const Motion a = way(bodies[i]), b = way(bodies[j]);
      if (a.is_still() && b.is_still()) continue;
      for (int k = 0; k <= 500; ++k)
        ASSERT_FALSE(intersects(world.object(bodies[i]), a.pose(k / 500.0), world.object(bodies[j]),
                                b.pose(k / 500.0)))
            << i << " and " << j << " at " << k;
    }
}

void expect_kept(const Vec3& now, const Vec3& before, double share) {
  EXPECT_LE((now - before).norm(), share * before.norm());
}

TEST(DynamicsSpin, AFreeBodyLosesTimeAndNothingElse) {
  for (const Vec3& spin : {Vec3(0, 0, 1e8), Vec3(1e8, 3e5, 2e7), Vec3(1e200, 2e199, 0)}) {
    World world;
    const NodeId node = world.add(box({1, 0.4, 0.2}), at({0, 0, 3}));
    Dynamics dynamics(world, {.tolerance = kTolerance, .gravity = {0, 0, -kGravity}});
    dynamics.add(node, 1000.0, {.linear = {7, 0, 0}, .angular = spin});
    const double rate = kFarthestTurn / (kStep * spin.stableNorm());
    const Vec3 turning = dynamics.velocity(node).angular;
    const double energy_before = dynamics.kinetic_energy();
    const DynamicsResult& result = dynamics.step(kStep);
    EXPECT_NEAR(lost_by(result, node), (1 - rate) * kStep, 1e-9 * kStep);
    EXPECT_EQ(result.lost[0].turning, result.lost[0].time);
    EXPECT_NEAR(world.pose(node).translation().x(), 7 * rate * kStep, 1e-12);
    EXPECT_LT(dynamics.last_motion(node).pose(0.5).translation().x(), 7 * rate * kStep);
    EXPECT_NEAR(dynamics.velocity(node).linear.z(), -kGravity * rate * kStep, 1e-12);
    if (spin.x() < 1e100) {
      EXPECT_NEAR(dynamics.kinetic_energy(), energy_before, 1e-9 * energy_before);
      EXPECT_LT(dynamics.velocity(node).angular.norm(), 4 * turning.norm());
    }
    EXPECT_TRUE(dynamics.velocity(node).linear.allFinite());
    EXPECT_TRUE(world.pose(node).matrix().allFinite());
  }
}

TEST(DynamicsSpin, AThousandRadiansPerSecondLoseNoTime) {
  World world;
  const NodeId node = world.add(box({1, 0.4, 0.2}));
  Dynamics dynamics(world, {.tolerance = kTolerance});
  dynamics.add(node, 1000.0, {.angular = {600, 800, 0}});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(dynamics.step(kStep).lost.empty());
}

/// A body beside a wall, or in a box of walls, which flies towards one of them.
void spin_among_walls(bool all_around, int threads, std::vector<Pose>& ends) {
  World world;
  const auto wall = [&](const Vec3& half, const Vec3& place) {
    world.add(box(2 * half), at(place), {.fixed = true});
  };
  wall({0.1, 2, 2}, {0.8, 0, 0});
  if (all_around) {
    wall({0.1, 2, 2}, {-0.8, 0, 0});
    wall({2, 0.1, 2}, {0, 0.8, 0});
    wall({2, 0.1, 2}, {0, -0.8, 0});
  }
  const NodeId node = world.add(box({1, 0.4, 0.2}));
  Dynamics dynamics(
      world,
      {.tolerance = kTolerance, .surface = {.restitution = 1, .friction = 0}, .threads = threads});
  dynamics.add(node, 1000.0, {.linear = {2e5, 1e5, 0}, .angular = {1e8, 2e7, 3e7}});
  for (int i = 0; i < 6; ++i) {
    const double before = dynamics.kinetic_energy();
    const DynamicsResult& result = dynamics.step(kStep);
    EXPECT_LT(result.stats.queries.time_splits, kMostSlices);
    EXPECT_LE(dynamics.kinetic_energy(), before * (1 + 1e-8));
    EXPECT_GT(lost_by(result, node), 0.9 * kStep);
    ASSERT_NO_FATAL_FAILURE(expect_disjoint(world, dynamics));
    ends.push_back(world.pose(node));
  }
}

TEST(DynamicsSpin, WallsAreNotEntered) {
  for (const bool all_around : {false, true}) {
    std::vector<Pose> one, two;
    spin_among_walls(all_around, 1, one);
    spin_among_walls(all_around, 2, two);
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].translation(), two[i].translation());
      EXPECT_EQ(one[i].matrix(), two[i].matrix());
    }
  }
}

// Both go at the slower rate once they have met: so they come apart. The right one may be joined to
// a third body, and so heavy that it hardly turns itself.
TEST(DynamicsSpin, ThoseThatHitEachOtherKeepTheirMomentum) {
  for (const auto& [joined, density] :
       {std::pair(false, 1e3), {true, 1e3}, {false, 1e8}, {true, 1e8}}) {
    World world;
    const NodeId left = world.add(box({1, 0.4, 0.2}), at({-0.7, 0, 0})),
                 right = world.add(box({0.5, 0.5, 0.5}), at({0.7, 0.1, 0}));
    Dynamics dynamics(world,
                      {.tolerance = kTolerance, .surface = {.restitution = 1, .friction = 0}});
    dynamics.add(left, 1000.0, {.linear = {1e5, 0, 0}, .angular = {1e8, 2e7, 3e7}});
    dynamics.add(right, density, {.linear = {-10, 0, 0}});
    std::vector<NodeId> slowed = {right};
    if (joined) {
      const NodeId third = slowed.emplace_back(world.add(box({0.5, 0.5, 0.5}), at({1.5, 0.1, 0})));
      dynamics.add(third, density, {.linear = {-10, 0, 0}});
      dynamics.join({.a = right, .b = third});
    }
    const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
    std::size_t impacts = 0;
    for (int i = 0; i < 10; ++i) {
      const double before = dynamics.kinetic_energy();
      const DynamicsResult& result = dynamics.step(kStep);
      impacts += result.impacts.size();
      for (const NodeId node : slowed) {
        if (result.impacts.empty()) break;
        EXPECT_GT(lost_by(result, node), 0.5 * (kStep - result.impacts.front().time));
      }
      EXPECT_LT(result.stats.queries.time_splits, kMostSlices);
      EXPECT_LE(dynamics.kinetic_energy(), before * (1 + 1e-8));
      ASSERT_NO_FATAL_FAILURE(expect_disjoint(world, dynamics));
    }
    EXPECT_GT(impacts, 0U);
    expect_kept(dynamics.momentum(), momentum, 1e-8);
    expect_kept(dynamics.angular_momentum(), turning, 1e-8);
  }
}

// Two that press each other and turn as one, by 0.8 radians in a step and about none of their axes,
// met at the beginning of each step and stood still for ever.
TEST(DynamicsSpin, TwoThatTurnAsOneGoOn) {
  for (const Vec3& about : {Vec3(0.9, 0.3, 0.3), Vec3(0.6, 0.6, 0.5), Vec3(1, 0, 0)})
    for (const double gap : {0.05, 0.4, 0.8}) {
      constexpr double kFine = 1e-4;
      World world;
      const NodeId left = world.add(box({0.4, 0.3, 0.2}), at({-0.2 - 0.5 * gap * kFine, 0, 0})),
                   right = world.add(box({0.6, 0.2, 0.5}), at({0.3 + 0.5 * gap * kFine, 0.03, 0}));
      Dynamics dynamics(world, {.tolerance = kFine, .surface = {0, 0.4}});
      const Vec3 spin = 50 * about.normalized();
      for (const NodeId node : {left, right}) {
        dynamics.add(node, 1000.0);
        dynamics.set_velocity(
            node, {.linear = spin.cross(world.pose(node).translation()), .angular = spin});
      }
      const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
      const double start = dynamics.kinetic_energy();
      double lost = 0;
      for (int i = 0; i < 60; ++i) {
        const DynamicsResult& result = dynamics.step(kStep);
        for (const NodeId node : {left, right}) lost += lost_by(result, node) / (2 * kStep);
        ASSERT_NO_FATAL_FAILURE(expect_disjoint(world, dynamics));
      }
      EXPECT_LT(lost, 30) << about.transpose() << ", " << gap;
      EXPECT_LE(dynamics.kinetic_energy(), start * (1 + 1e-8));
      EXPECT_GT(dynamics.kinetic_energy(), 0.99 * start);
      expect_kept(dynamics.momentum(), momentum, 1e-8);
      expect_kept(dynamics.angular_momentum(), turning, 5e-3);
    }
}

// It has lost nearly all of each step for long, but never stood still: so it need not turn less
// where it is pressed.
TEST(DynamicsSpin, LostTurnsAreNoIdleTime) {
  World world;
  world.add(box({4, 4, 1}), at({0, 0, -0.5}), {.fixed = true});
  const NodeId node = world.add(box({1, 1, 0.2}), at({0, 0, 0.1 + 2 * kTolerance}));
  Dynamics dynamics(world, {.tolerance = kTolerance,
                            .gravity = {0, 0, -kGravity},
                            .surface = {.restitution = 0, .friction = 0}});
  dynamics.add(node, 1000.0, {.angular = {0, 0, 1e6}});
  for (int i = 0; i < 60; ++i) {
    world.set_pose(node, at({0, 0, 0.1 + 0.4 * kTolerance}));
    const DynamicsResult& result = dynamics.step(kStep);
    ASSERT_EQ(result.lost.size(), 1U);
    EXPECT_GT(result.lost[0].turning, 0.9 * kStep);
  }
  EXPECT_NEAR(dynamics.velocity(node).angular.z(), 1e6, 1);
}

// A rotor on a hinge.
TEST(DynamicsSpin, JoinedBodiesLoseTimeTogether) {
  World world;
  const NodeId rotor = world.add(box({1, 0.4, 0.2})),
               body = world.add(box({0.4, 0.4, 0.4}), at({0, 0, 1}));
  Dynamics dynamics(world, {.tolerance = kTolerance});
  dynamics.add(rotor, 1000.0, {.linear = {3, 0, 0}, .angular = {0, 0, 1e8}});
  dynamics.add(body, 1000.0, {.linear = {3, 0, 0}});
  const JointId hinge =
      dynamics.join({.type = JointType::hinge, .a = body, .b = rotor, .axis = Vec3::UnitZ()});
  const double rate = kFarthestTurn / (1e8 * kStep), before = dynamics.kinetic_energy();
  const DynamicsResult& result = dynamics.step(kStep);
  for (const NodeId node : {rotor, body}) {
    EXPECT_NEAR(lost_by(result, node), (1 - rate) * kStep, 1e-9);
    EXPECT_NEAR(dynamics.velocity(node).linear.x(), 3, 1e-6);
  }
  EXPECT_NEAR(world.pose(rotor).translation().x(), 3 * rate * kStep, 1e-9);
  EXPECT_NEAR(dynamics.kinetic_energy(), before, 1e-6 * before);
  EXPECT_LT(dynamics.joint_state(hinge).drift, kTolerance);
}

}  // namespace
}  // namespace touche::dynamics_spin_test
