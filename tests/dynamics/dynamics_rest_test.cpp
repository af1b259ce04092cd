// SPDX-License-Identifier: Apache-2.0
// Bodies that lie, slide and lean on each other.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "dynamic_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_rest_test {
namespace {

using namespace test;

// A block on a slope stays below the friction angle, and slides above it with g (sin − μ cos). At
// the angle, to rounding, friction takes what gravity gives: a block keeps the speed that it has,
// and none gets faster.
TEST(DynamicsRest, ABlockOnASlope) {
  const double friction = 0.5, limit = std::atan(friction);
  for (const double angle : {0.8 * limit, 0.99 * limit, limit, 1.01 * limit, 1.3 * limit}) {
    World world;
    const Pose slope = Pose::from_axis_angle(Vec3::UnitY(), angle, Vec3::Zero());
    world.add(Object(scenes::box({-50, -5, -1}, {50, 5, 0})), slope, {.fixed = true});
    const NodeId node = world.add(box({1, 1, 0.5}), slope * at({0, 0, 0.2502}));
    Dynamics dynamics(world, {.tolerance = 1e-4,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = 0, .friction = friction}});
    dynamics.add(node, 1000.0);
    const double dt = 1.0 / 240;
    const auto place = [&] { return (slope.inverse() * world.pose(node).translation()).eval(); };
    for (int i = 0; i < 24; ++i) (void)dynamics.step(dt);
    const double start = place().x(),
                 speed = slope.inverse().rotate(dynamics.velocity(node).linear).x();
    const int steps = 240;
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(dynamics.step(dt).lost.empty());
    const double later = slope.inverse().rotate(dynamics.velocity(node).linear).x();
    if (angle <= limit) {
      EXPECT_LE(later, speed + 1e-3 * 1e-4 / dt);  // what passes take for no change
    }
    const double acceleration =
        std::max(0.0, kGravity * (std::sin(angle) - friction * std::cos(angle)));
    EXPECT_NEAR(place().x() - start, speed + 0.5 * acceleration, 1e-3 + 0.01 * acceleration);
    EXPECT_LT(std::abs(place().y()), 1e-6);
    EXPECT_NEAR(place().z(), 0.2502, 2e-4);
  }
}

TEST(DynamicsRest, TenBoxesStand) {
  World world;
  add_ground(world);
  std::vector<NodeId> boxes;
  for (int i = 0; i < 10; ++i)
    boxes.push_back(world.add(box({1, 1, 1}), at({0.01 * (i % 3), 0, 0.5003 + 1.0003 * i})));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  for (const NodeId node : boxes) dynamics.add(node, 1000.0);
  double force = 0;
  for (int i = 0; i < scaled(3600, 200); ++i) {
    const DynamicsResult& step = dynamics.step(1.0 / 60);
    EXPECT_TRUE(step.lost.empty());
    force = 0;
    for (const RestingContact& contact : step.contacts)
      if (contact.b == boxes[0] && contact.a != boxes[1]) force += contact.force.z();
  }
  EXPECT_NEAR(force, 10 * 1000 * kGravity, 1e-2 * force);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_LT((world.pose(boxes[i]).translation() -
               Vec3(0.01 * static_cast<double>(i % 3), 0, 0.5 + static_cast<double>(i)))
                  .norm(),
              0.01);
    EXPECT_LT(dynamics.velocity(boxes[i]).linear.norm(), 1e-2);
  }
}

// Corners above corners: four hold a box at three, so impulses are not unique.
struct Stack {
  World world;
  std::vector<NodeId> boxes;
  std::optional<Dynamics> dynamics;
  double lost = 0, dt;

  Stack(int count, double offset, double step) : dt(step) {
    add_ground(world);
    for (int i = 0; i < count; ++i)
      boxes.push_back(
          world.add(box({1, 1, 1}), at({offset * (i % 3), 0, 0.5 + i + 1e-3 * (i + 1)})));
    dynamics.emplace(
        world,
        DynamicsOptions{.tolerance = 1e-4, .gravity = {0, 0, -kGravity}, .surface = {0, 0.6}});
    for (const NodeId node : boxes) dynamics->add(node, 1000.0);
  }
  void play(double seconds) {
    for (int i = 0; i < seconds / dt - 0.5; ++i)
      for (const LostTime& part : dynamics->step(dt).lost) lost += part.time;
  }
  std::vector<Vec3> places() const {
    std::vector<Vec3> all;
    for (const NodeId node : boxes) all.push_back(world.pose(node).translation());
    return all;
  }
  double energy_of_unit_mass() const {
    return dynamics->kinetic_energy() / (1000.0 * static_cast<double>(boxes.size()));
  }
};

TEST(DynamicsRest, StacksRestHoweverTheyAreAligned) {
  for (const double step : {1.0 / 60, 1.0 / 240})
    for (const int count : {5, 10, 15})
      for (const double offset : {0.0, 1e-4}) {
        SCOPED_TRACE(fmt::format("{} boxes, {} m apart, steps of {} s", count, offset, step));
        Stack stack(count, offset, step);
        stack.play(2);
        const std::vector<Vec3> before = stack.places();
        stack.lost = 0;
        stack.play(3);
        EXPECT_EQ(stack.lost, 0);
        EXPECT_LT(stack.energy_of_unit_mass(), 1e-6);
        const std::vector<Vec3> after = stack.places();
        for (std::size_t i = 0; i < after.size(); ++i)
          EXPECT_LT((after[i] - before[i]).norm(), 5e-4) << i;
      }
}

TEST(DynamicsRest, BodiesMayBeginInTouch) {
  World world;
  add_ground(world);
  std::vector<NodeId> boxes;
  for (int i = 0; i < 3; ++i) boxes.push_back(world.add(box({1, 1, 1}), at({0, 0, 0.5 + i})));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  for (const NodeId node : boxes) dynamics.add(node, 1000.0);
  for (int i = 0; i < 120; ++i) (void)dynamics.step(1.0 / 60);
  EXPECT_TRUE(dynamics.step(1.0 / 60).lost.empty());
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(
        (world.pose(boxes[i]).translation() - Vec3(0, 0, 0.5 + static_cast<double>(i))).norm(),
        1e-3);
}

TEST(DynamicsRest, BodiesInEachOtherStay) {
  World world;
  const NodeId a = world.add(box({1, 1, 1})), b = world.add(box({1, 1, 1}), at({0.5, 0.2, 0.1}));
  const NodeId c = world.add(box({1, 1, 1}), at({5, 0, 0}));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -1}});
  for (const NodeId node : {a, b, c}) dynamics.add(node, 1.0);
  for (int i = 0; i < 5; ++i) {
    const DynamicsResult& step = dynamics.step(0.1);
    ASSERT_EQ(step.stuck.size(), 1U);
    EXPECT_EQ(step.stuck[0], std::pair(a, b));
    ASSERT_EQ(step.lost.size(), 2U);
    EXPECT_EQ(step.lost[0].time, 0.1);
  }
  EXPECT_EQ(world.pose(a).translation(), Vec3::Zero());
  EXPECT_LT(world.pose(c).translation().z(), -0.1);
}

// They win no speed with which they would go when somebody parts them.
TEST(DynamicsRest, BodiesInEachOtherGetNoFaster) {
  World world;
  world.add(box({50, 50, 0.5}), at({0, 0, -0.25}), {.fixed = true});
  Dynamics dynamics(world, {.tolerance = 5e-4, .gravity = {0, 0, -490}, .surface = {0, 0.3}});
  dynamics.add(world.add(box({1, 1, 1}), at({0, 0, 0.4})), 1.0);
  dynamics.add(world.add(box({1, 1, 1}), at({0.6, 0.15, 1.25})), 1.0);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(dynamics.step(1.0 / 60).stuck.size(), 2U);
    ASSERT_LT(dynamics.kinetic_energy(), 1e-9) << i;
  }
}

// Each knocks over the next one.
TEST(DynamicsRest, Dominoes) {
  World world;
  add_ground(world);
  std::vector<NodeId> dominoes;
  for (int i = 0; i < 8; ++i)
    dominoes.push_back(world.add(box({0.2, 0.5, 1}), at({0.5 * i, 0, 0.5002})));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  for (const NodeId node : dominoes) dynamics.add(node, 1000.0);
  for (int i = 0; i < 30; ++i) (void)dynamics.step(1.0 / 120);
  dynamics.apply_impulse(dominoes[0], {150, 0, 0}, world.pose(dominoes[0]) * Vec3(0, 0, 0.5));
  std::vector<int> fell(dominoes.size(), -1);
  double lost = 0;
  for (int i = 0; i < 480; ++i) {
    for (const LostTime& part : dynamics.step(1.0 / 120).lost) lost += part.time;
    for (std::size_t k = 0; k < dominoes.size(); ++k)
      if (fell[k] < 0 && world.pose(dominoes[k]).rotate(Vec3::UnitZ()).z() < 0.9) fell[k] = i;
  }
  for (std::size_t k = 0; k < fell.size(); ++k) {
    EXPECT_GT(fell[k], k == 0 ? 0 : fell[k - 1]) << k;
  }
  EXPECT_LT(lost, 0.1 * 4 * 8);
  EXPECT_LT(dynamics.kinetic_energy(), 1);
}

}  // namespace
}  // namespace touche::dynamics_rest_test
