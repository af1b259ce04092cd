// SPDX-License-Identifier: Apache-2.0
// Rigid bodies that begin badly, are squeezed, or live in worlds that change behind their back; and
// bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "judged_step.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/dynamics.h"

namespace touche::dynamics_starts_test {
namespace {

using test::at;
using test::block;
using test::judged_step;
using test::scaled;
using test::WayJudge;

// ---- starts -------------------------------------------------------------------------------------

struct Two {
  World world;
  NodeId part, other;
  DynamicsOptions options;

  Two(const Object& a, const Pose& pose, const Object& b, bool fixed) {
    part = world.add(a, pose);
    other = world.add(b, {}, {.fixed = fixed});
    options.tolerance = 1e-3;
    options.gravity = {0, 0, -9.81};
  }
};

TEST(DynamicsStarts, BadStartsAreToldAndStayWhereTheyAre) {
  // In each other: half deep, the same, and crossing.
  for (const Vec3& place : {Vec3(0, 0, 0.5), Vec3(0, 0, 0), Vec3(0.3, 0.2, 0.1)}) {
    Two s(block(Vec3::Constant(0.5)), Pose::from_translation(place), block(Vec3::Constant(0.5)),
          true);
    Dynamics dynamics(s.world, s.options);
    dynamics.add(s.part, 1);
    for (int step = 0; step < 5; ++step) {
      const DynamicsResult& result = dynamics.step(1.0 / 60);
      ASSERT_EQ(result.stuck.size(), 1U);
      EXPECT_EQ(result.stuck[0], std::pair(s.part, s.other));
      EXPECT_EQ(s.world.pose(s.part).translation(), place);
    }
  }
}

TEST(DynamicsStarts, TouchingAndCoplanarStartsEndOutside) {
  for (const Vec3& place : {Vec3(0, 0, 1), Vec3(0.25, 0, 1), Vec3(0.3, 0.2, 1)}) {
    Two s(block(Vec3::Constant(0.5)), Pose::from_translation(place), block(Vec3::Constant(0.5)),
          true);
    Dynamics dynamics(s.world, s.options);
    dynamics.add(s.part, 1, {{0, 0, 1}, {0, 0, 0}});  // away from it
    for (int step = 0; step < 30; ++step) (void)judged_step(s.world, dynamics, 1.0 / 60, 1e-3);
    EXPECT_GE(s.world.pose(s.part).translation().z(), 1 - 1e-9) << place.transpose();
  }
}

// Surfaces count: one closed body inside another is free, and never comes out.
TEST(DynamicsStarts, WhatStartsInsideStaysInside) {
  Two s(block(Vec3::Constant(0.2)), at(0.1), block(Vec3::Constant(1)), true);
  s.options.surface.restitution = 0.5;
  Dynamics dynamics(s.world, s.options);
  dynamics.add(s.part, 1, {{300, -200, 100}, {30, 20, 10}});
  for (int step = 0; step < 30; ++step) {
    (void)judged_step(s.world, dynamics, 1.0 / 60, 1e-3);
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_LT(s.world.pose(s.part).translation().cwiseAbs().maxCoeff(), 0.85);
  }
}

TEST(DynamicsStarts, MassesOfOneToAMillionStack) {
  World world;
  world.add(block({5, 5, 0.1}), at(0, 0, -0.1), {.fixed = true});
  const NodeId light = world.add(block(Vec3::Constant(0.5)), at(0, 0, 0.51));
  const NodeId heavy = world.add(block(Vec3::Constant(0.5)), at(0, 0, 1.53));
  DynamicsOptions options;
  options.tolerance = 1e-3;
  options.gravity = {0, 0, -9.81};
  Dynamics dynamics(world, options);
  dynamics.add(light, 1e-3);
  dynamics.add(heavy, 1e3);
  for (int step = 0; step < 120; ++step) {
    (void)judged_step(world, dynamics, 1.0 / 60, options.tolerance);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_NEAR(world.pose(light).translation().z(), 0.5, 0.02);
  EXPECT_NEAR(world.pose(heavy).translation().z(), 1.5, 0.03);
}

TEST(DynamicsStarts, AThousandRadiansASecondBesideAThinWall) {
  World world;
  const NodeId rod = world.add(block({1, 0.01, 0.01}), at(0, 0, 1.05));
  world.add(block({3, 3, 1e-4}), {}, {.fixed = true});
  DynamicsOptions options;
  options.tolerance = 1e-3;
  options.gravity = {0, 0, -9.81};
  options.surface = {.restitution = 0.8, .friction = 0.3};
  Dynamics dynamics(world, options);
  dynamics.add(rod, 1000, {{0, 0, -5}, {0, 1000, 0}});
  double energy = dynamics.kinetic_energy() + dynamics.potential_energy();
  std::size_t impacts = 0;
  for (int step = 0; step < 20; ++step) {
    impacts += judged_step(world, dynamics, 1.0 / 60, options.tolerance).impacts.size();
    if (testing::Test::HasFatalFailure()) return;
    const double now = dynamics.kinetic_energy() + dynamics.potential_energy();
    EXPECT_LE(now, energy * (1 + 1e-6)) << step;
    energy = now;
    EXPECT_GT(world.pose(rod).translation().z(), 0);
  }
  EXPECT_GT(impacts, 0U);
}

// A plate that follows its motion, whatever it meets, presses bodies against a wall.
TEST(DynamicsStarts, SqueezedTheyStayOutsideAndTimeIsLost) {
  base::Random random(64);
  std::size_t lost = 0;
  for (int i = 0; i < scaled(6, 2); ++i) {
    World world;
    const Object plate = block({0.05, 3, 3});
    world.add(plate, at(2), {.fixed = true});
    const NodeId mover = world.add(plate, at(-2));
    DynamicsOptions options;
    options.tolerance = 1e-3;
    Dynamics dynamics(world, options);
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = random.direction();
      const double angle = random.uniform(0, 3), aside = random.uniform(-0.2, 0.2);
      const NodeId body = world.add(
          i % 2 == 0 ? Object(scenes::torus(0.4, 0.12, 10, 6)) : block(Vec3::Constant(0.4)),
          Pose::from_axis_angle(axis, angle, {-1.0 + k, aside, 0}));
      dynamics.add(body, std::pow(10, random.uniform(-2, 2)));
    }
    for (int step = 0; step < 16; ++step) {
      const WayJudge judge(world);
      const Vec3 next = world.pose(mover).translation() + Vec3(0.15, 0, 0);
      dynamics.move(mover, Motion::interpolated(world.pose(mover), Pose::from_translation(next)));
      lost += dynamics.step(1.0 / 60).lost.size();
      judge.expect_disjoint(
          [&](NodeId body) {
            const bool moves = body == mover || dynamics.is_dynamic(body);
            return moves ? dynamics.last_motion(body) : Motion::at(world.pose(body));
          },
          1e-6);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(lost, 0U);
}

// ---- a world that changes, and bad input --------------------------------------------------------

TEST(DynamicsStarts, TheWorldMayChangeBetweenSteps) {
  World world;
  std::vector<NodeId> bodies;
  for (int i = 0; i < 5; ++i) bodies.push_back(world.add(block(Vec3::Constant(0.4)), at(i)));
  DynamicsOptions options;
  options.tolerance = 1e-3;
  options.gravity = {0, 0, -9.81};
  Dynamics dynamics(world, options);
  for (const NodeId body : bodies) dynamics.add(body, 1);
  (void)dynamics.step(0.01);
  world.remove(bodies[0]);                           // gone
  world.replace(bodies[1], block({0.1, 0.2, 0.3}));  // another shape
  world.set_pose(bodies[2], at(3.5));                // into another
  world.set_options(bodies[3], {.category = 2, .mask = 0});
  const NodeId late = world.add(block({9, 9, 0.1}), at(0, 0, -1), {.fixed = true});
  const DynamicsResult& result = dynamics.step(0.01);
  EXPECT_EQ(dynamics.nodes().size(), 4U);
  EXPECT_FALSE(dynamics.is_dynamic(bodies[0]));
  EXPECT_THROW((void)dynamics.velocity(bodies[0]), InvalidInput);
  EXPECT_THROW(dynamics.apply_force(bodies[0], Vec3::UnitX()), InvalidInput);
  EXPECT_GE(result.stuck.size(), 1U);
  for (int step = 0; step < 100; ++step) (void)dynamics.step(0.02);
  EXPECT_GT(world.pose(bodies[4]).translation().z(), -1);
  EXPECT_LT(world.pose(bodies[3]).translation().z(), -5);  // meets nothing any more
  world.remove(late);
  for (const NodeId body : bodies)
    if (world.has(body)) world.remove(body);
  (void)dynamics.step(0.01);
  EXPECT_TRUE(dynamics.nodes().empty());
}

TEST(DynamicsStarts, BadNumbersAreRefusedAndChangeNothing) {
  const double nan = std::nan("");
  World world;
  const NodeId body = world.add(block(Vec3::Constant(0.5)));
  for (const double bad : {0.0, -1.0, nan, kInfinity}) {
    DynamicsOptions options;
    options.tolerance = bad;
    EXPECT_THROW(Dynamics(world, options), InvalidInput);
  }
  DynamicsOptions options;
  options.tolerance = 1e-3;
  options.gravity = {0, nan, 0};
  EXPECT_THROW(Dynamics(world, options), InvalidInput);
  options.gravity = {0, 0, -1};
  options.surface.restitution = 1.5;
  EXPECT_THROW(Dynamics(world, options), InvalidInput);
  options.surface = {.restitution = 0, .friction = nan};
  EXPECT_THROW(Dynamics(world, options), InvalidInput);
  options.surface = {};
  Dynamics dynamics(world, options);
  for (const double bad : {0.0, -1.0, nan, kInfinity}) {
    EXPECT_THROW(dynamics.add(body, bad), InvalidInput) << bad;
    MassProperties mass = mass_properties(world.object(body).soup(), 1);
    mass.mass = bad;
    EXPECT_THROW(dynamics.add(body, mass), InvalidInput) << bad;
    EXPECT_THROW((void)dynamics.step(bad), InvalidInput) << bad;
  }
  EXPECT_THROW(dynamics.add(NodeId{}, 1), InvalidInput);
  EXPECT_TRUE(dynamics.nodes().empty());
  dynamics.add(body, 1);
  for (const double bad : {nan, kInfinity}) {
    const Vec3 force(0, bad, 0);
    EXPECT_THROW(dynamics.apply_force(body, force), InvalidInput);
    EXPECT_THROW(dynamics.apply_force(body, force, Vec3::Zero()), InvalidInput);
    EXPECT_THROW(dynamics.apply_force(body, Vec3::Zero(), force), InvalidInput);
    EXPECT_THROW(dynamics.apply_torque(body, force), InvalidInput);
    EXPECT_THROW(dynamics.apply_impulse(body, force, Vec3::Zero()), InvalidInput);
    EXPECT_THROW(dynamics.set_velocity(body, {force, Vec3::Zero()}), InvalidInput);
    EXPECT_THROW(dynamics.set_velocity(body, {Vec3::Zero(), force}), InvalidInput);
    EXPECT_THROW(dynamics.set_gravity(force), InvalidInput);
    EXPECT_THROW(dynamics.set_surface(body, {.restitution = bad, .friction = 0}), InvalidInput);
  }
  EXPECT_THROW(dynamics.move(body, Motion::at({})), InvalidInput);  // it is dynamic
  // No mass without an inside.
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const Index corners[] = {0, 1, 2};
  const NodeId sheet = world.add(Object(PolygonSoup(xyz, corners)), at(9));
  EXPECT_THROW(dynamics.add(sheet, 1), InvalidInput);
  // On one that is dynamic.
  const NodeId child = world.add(block(Vec3::Constant(0.1)), at(2), {}, body);
  EXPECT_THROW(dynamics.add(child, 1), InvalidInput);
  (void)dynamics.step(1);
  EXPECT_NEAR(world.pose(body).translation().z(), -0.5, 1e-9);
}

// Numbers that overflow in between must not become motion.
TEST(DynamicsStarts, ForcesBeyondAllMeasureDoNoHarm) {
  for (const double size : {1e30, 1e150, 1e300}) {
    Two s(block(Vec3::Constant(0.5)), at(0, 0, 1), block({4, 4, 0.1}), true);
    Dynamics dynamics(s.world, s.options);
    dynamics.add(s.part, 1);
    dynamics.apply_force(s.part, {0, 0, -size});
    try {
      (void)judged_step(s.world, dynamics, 1.0 / 60, 1e-3);
    } catch (const InvalidInput&) {
    }
    EXPECT_TRUE(s.world.pose(s.part).translation().allFinite()) << size;
    EXPECT_GT(s.world.pose(s.part).translation().z(), 0) << size;
  }
}

TEST(DynamicsStarts, FacesTwiceAndWithoutAreaChangeNothing) {
  PolygonSoup plain = scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5));
  std::vector<double> xyz;
  for (const Vec3& v : plain.vertices()) xyz.insert(xyz.end(), {v.x(), v.y(), v.z()});
  std::vector<Index> corners;
  for (const auto& t : plain.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  const std::size_t count = corners.size();
  for (std::size_t i = 0; i < count; i += 3) {
    corners.insert(corners.end(), {corners[i], corners[i + 1], corners[i + 2]});
    corners.insert(corners.end(), {corners[i], corners[i + 1], corners[i + 1]});
  }
  Two s(Object(PolygonSoup(xyz, corners)), Pose::from_axis_angle({1, 1, 0}, 0.5, {0, 0, 2}),
        block({4, 4, 0.1}), true);
  Dynamics dynamics(s.world, s.options);
  dynamics.add(s.part, mass_properties(plain, 1));
  for (int step = 0; step < 120; ++step) {
    (void)judged_step(s.world, dynamics, 1.0 / 60, 1e-3);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_NEAR(s.world.pose(s.part).translation().z(), 0.6, 0.02);
}

TEST(DynamicsStarts, WhatFollowsAMotionStopsAtAWallAndSaysWhere) {
  World world;
  const NodeId pusher = world.add(block(Vec3::Constant(0.5)), at(0));
  world.add(block({0.1, 4, 4}), at(2), {.fixed = true});
  DynamicsOptions options;
  options.tolerance = 1e-3;
  Dynamics dynamics(world, options);
  dynamics.move(pusher, Motion::interpolated(at(0), at(3)));
  const DynamicsResult& result = judged_step(world, dynamics, 0.1, options.tolerance);
  EXPECT_NEAR(world.pose(pusher).translation().x(), 1.4, 2e-3);
  ASSERT_GE(result.impacts.size(), 1U);
  for (const Impact& impact : result.impacts) {
    EXPECT_NEAR(impact.point.x(), 1.9, 2e-3);
    EXPECT_LT((impact.normal - Vec3::UnitX()).norm(), 1e-9);
    EXPECT_EQ(impact.impulse, Vec3::Zero());
  }
}

}  // namespace
}  // namespace touche::dynamics_starts_test
