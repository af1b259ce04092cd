// SPDX-License-Identifier: Apache-2.0
// Bodies that are convex shapes: closed forms, rest, and that nothing enters anything.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

#include "shape_bodies.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche::dynamics_shapes_test {
namespace {

using namespace test;

// ---- impacts -----------------------------------------------------------------------------------

// The heights of a ball that bounces: each is e² of the one before.
TEST(DynamicsShapes, ABallBouncesInAGeometricSeries) {
  const double e = 0.8, height = 1, tolerance = 1e-6, dt = 1.0 / 960;
  World world;
  add_plane(world);
  const NodeId ball = world.add(Shape::sphere(0.1), at({0, 0, 0.1 + height}));
  Dynamics dynamics(world, {.tolerance = tolerance,
                            .gravity = {0, 0, -kGravity},
                            .surface = {.restitution = e, .friction = 0.3}});
  dynamics.add(ball, 1000.0);
  double time = 0, expected = std::sqrt(2 * height / kGravity), speed = kGravity * expected;
  int impacts = 0;
  for (int i = 0; i < 3840 && impacts < 8; ++i) {
    for (const Impact& impact : dynamics.step(dt).impacts) {
      EXPECT_NEAR(time + impact.time, expected, 5e-5);
      EXPECT_NEAR(impact.speed, speed, 1e-3 * speed);
      speed *= e;
      expected += 2 * speed / kGravity;
      ++impacts;
    }
    time += dt;
  }
  EXPECT_EQ(impacts, 8);
  EXPECT_EQ(world.pose(ball).translation().x(), 0);
}

// Balls, without friction: all impacts together keep momentum and energy.
TEST(DynamicsShapes, BilliardsKeepMomentumAndEnergy) {
  World world;
  std::vector<NodeId> balls;
  Dynamics dynamics(world, {.tolerance = 1e-7, .surface = {.restitution = 1, .friction = 0}});
  base::Random random(3);
  for (int row = 0; row < 4; ++row)
    for (int i = 0; i <= row; ++i)
      balls.push_back(world.add(Shape::sphere(0.5), at({0.9 * row, 1.04 * (i - 0.5 * row), 0})));
  balls.push_back(world.add(Shape::sphere(0.5), at({-5, 0.03, 0})));
  for (const NodeId ball : balls) dynamics.add(ball, 1.0);
  dynamics.set_velocity(balls.back(), {.linear = {20, 0, 0}, .angular = {0, 0, 0}});
  const double before = dynamics.kinetic_energy();
  const Vec3 momentum = dynamics.momentum(), turn = dynamics.angular_momentum();
  std::size_t impacts = 0;
  for (int i = 0; i < 60; ++i) {
    impacts += dynamics.step(1.0 / 60).impacts.size();
    EXPECT_NEAR(dynamics.kinetic_energy(), before, 1e-12 * before);
    EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-12 * momentum.norm());
    EXPECT_LT((dynamics.angular_momentum() - turn).norm(), 1e-11 * momentum.norm());
  }
  EXPECT_GT(impacts, 8U);
  EXPECT_LT(dynamics.velocity(balls.back()).linear.x(), 15);
}

// ---- rolling -----------------------------------------------------------------------------------

// Down a slope with as much friction as it needs: 5/7 g sin α for a ball, 2/3 for a cylinder.
TEST(DynamicsShapes, TheyRollDownASlope) {
  const double angle = 0.3, dt = 1.0 / 240;
  struct Case {
    Shape shape;
    double share;
    bool soup;
  };
  const Pose lying = Pose::from_axis_angle(Vec3::UnitX(), 0.5 * std::numbers::pi, Vec3::Zero());
  for (const Case& c :
       {Case{Shape::sphere(0.2), 5.0 / 7, false}, Case{Shape::sphere(0.2), 5.0 / 7, true},
        Case{Shape::cylinder(0.2, 0.5), 2.0 / 3, false},
        Case{Shape::cylinder(0.2, 0.5), 2.0 / 3, true}}) {
    World world;
    const Pose slope = Pose::from_axis_angle(Vec3::UnitY(), angle, Vec3::Zero());
    if (c.soup)
      world.add(Object(scenes::box({-50, -5, -1}, {50, 5, 0})), slope, {.fixed = true});
    else
      add_plane(world, slope);
    const NodeId node = world.add(c.shape, slope * at({0, 0, 0.2002}) * lying);
    Dynamics dynamics(world, {.tolerance = 1e-4,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = 0, .friction = 0.5}});
    dynamics.add(node, 1000.0);
    const auto place = [&] { return (slope.inverse() * world.pose(node).translation()).eval(); };
    for (int i = 0; i < 24; ++i) (void)dynamics.step(dt);
    const double start = place().x(),
                 speed = slope.inverse().rotate(dynamics.velocity(node).linear).x();
    for (int i = 0; i < 240; ++i) EXPECT_TRUE(dynamics.step(dt).lost.empty());
    const double acceleration = c.share * kGravity * std::sin(angle);
    EXPECT_NEAR(slope.inverse().rotate(dynamics.velocity(node).linear).x(), speed + acceleration,
                1e-3 * acceleration);
    // Off by the first order in the length of the step.
    EXPECT_NEAR(place().x() - start, speed + 0.5 * (1 + dt) * acceleration, 1e-3 * acceleration);
    EXPECT_NEAR(place().z(), 0.2002, 2e-4);
    EXPECT_LT(std::abs(place().y()), 1e-4);
    // It rolls: where it touches, in the middle of the gap, it stands still.
    EXPECT_NEAR(0.2001 * dynamics.velocity(node).angular.norm(),
                dynamics.velocity(node).linear.norm(), 2e-4);
  }
}

// ---- rest --------------------------------------------------------------------------------------

TEST(DynamicsShapes, TheyStayOnASlopeOrSlide) {
  const double friction = 0.5, limit = std::atan(friction), dt = 1.0 / 240;
  const std::vector<Shape> shapes = {Shape::box({0.5, 0.5, 0.25}), Shape::cylinder(0.5, 0.5)};
  for (const Shape& shape : shapes)
    for (const double angle : {0.9 * limit, 0.99 * limit, 1.01 * limit, 1.3 * limit}) {
      World world;
      const Pose slope = Pose::from_axis_angle(Vec3::UnitY(), angle, Vec3::Zero());
      add_plane(world, slope);
      const NodeId node = world.add(shape, slope * at({0, 0, 0.2502}));
      Dynamics dynamics(world, {.tolerance = 1e-4,
                                .gravity = {0, 0, -kGravity},
                                .surface = {.restitution = 0, .friction = friction}});
      dynamics.add(node, 1000.0);
      const auto place = [&] { return (slope.inverse() * world.pose(node).translation()).eval(); };
      for (int i = 0; i < 24; ++i) (void)dynamics.step(dt);
      const double start = place().x(),
                   speed = slope.inverse().rotate(dynamics.velocity(node).linear).x();
      for (int i = 0; i < 120; ++i) EXPECT_TRUE(dynamics.step(dt).lost.empty());
      const double acceleration =
          std::max(0.0, kGravity * (std::sin(angle) - friction * std::cos(angle)));
      EXPECT_NEAR(place().x() - start, 0.5 * speed + 0.125 * acceleration,
                  5e-4 + 0.01 * acceleration);
      EXPECT_LT(std::abs(place().y()), 1e-5);
      EXPECT_NEAR(place().z(), 0.2502, 2e-4);
    }
}

TEST(DynamicsShapes, BoxesStandOnEachOther) {
  World world;
  add_plane(world);
  std::vector<NodeId> boxes;
  for (int i = 0; i < 10; ++i)
    boxes.push_back(
        world.add(Shape::box({0.5, 0.5, 0.5}), at({0.01 * (i % 3), 0, 0.5003 + 1.0003 * i})));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  for (const NodeId node : boxes) dynamics.add(node, 1000.0);
  double force = 0;
  for (int i = 0; i < scaled(600, 120); ++i) {
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

struct Patch {
  std::map<std::tuple<int, Index, int, Index>, Vec3> points;
  explicit Patch(const DynamicsResult& step) {
    for (const RestingContact& c : step.contacts)
      points[{static_cast<int>(c.feature_a.kind), c.feature_a.index,
              static_cast<int>(c.feature_b.kind), c.feature_b.index}] = c.point;
  }
};

// While a body moves by less than a micrometre its contacts are the same, and move as little.
TEST(DynamicsShapes, PatchesOfThoseAtRestDoNotJump) {
  struct Case {
    Shape shape;
    double height;
    Pose turn;
    std::size_t contacts;
  };
  const Pose lying = Pose::from_axis_angle(Vec3::UnitY(), 0.5 * std::numbers::pi, Vec3::Zero());
  for (const Case& c :
       {Case{Shape::cylinder(0.3, 0.4), 0.2, {}, 16},
        Case{Shape::cylinder(0.3, 0.4), 0.3, lying, 2},
        Case{Shape::capsule(0.3, 0.4), 0.3, lying, 2},
        Case{Shape::box({0.3, 0.2, 0.1}), 0.1, {}, 4}, Case{Shape::cone(0.3, 0.4), 0.2, {}, 16},
        Case{Shape::box({0.3, 0.2, 0.1}).rounded(0.05), 0.15, {}, 4}})
    for (const bool soup : {false, true}) {
      World world;
      if (soup)
        add_ground(world);
      else
        add_plane(world);
      const NodeId node = world.add(c.shape, at({0.1, 0.05, c.height + 2e-3}) * c.turn);
      Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}});
      dynamics.add(node, 1000.0);
      for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
      std::optional<Patch> last;
      const Pose start = world.pose(node);
      for (int i = 0; i < 60; ++i) {
        const Pose before = world.pose(node);
        const DynamicsResult& step = dynamics.step(1.0 / 60);
        EXPECT_TRUE(step.lost.empty());
        const Patch now(step);
        EXPECT_EQ(now.points.size(), c.contacts) << name(c.shape.kind());
        if (last) {
          ASSERT_EQ(now.points.size(), last->points.size());
          EXPECT_LT((before.translation() - world.pose(node).translation()).norm(), 1e-6);
          for (const auto& [feature, point] : now.points) {
            ASSERT_TRUE(last->points.contains(feature)) << name(c.shape.kind());
            EXPECT_LT((last->points.at(feature) - point).norm(), 2e-6);
          }
        }
        last = now;
      }
      EXPECT_LT((start.translation() - world.pose(node).translation()).norm(), 1e-5);
      expect_no_contact(world, dynamics);
    }
}

// A box on a cylinder on a soup on a plane, a ball in a corner of soups, a capsule across two
// boxes.
TEST(DynamicsShapes, MixedTowersStand) {
  World world;
  add_plane(world);
  std::vector<NodeId> nodes = {
      world.add(box({1, 1, 0.4}), at({0, 0, 0.202})),
      world.add(Shape::cylinder(0.4, 0.6), at({0.05, 0, 0.704})),
      world.add(Shape::box({0.5, 0.3, 0.1}), at({0, 0.05, 1.106})),
      world.add(Shape::box({0.1, 0.3, 0.3}), at({3, 0, 0.302})),
      world.add(Shape::box({0.1, 0.3, 0.3}), at({4, 0, 0.302})),
      world.add(Shape::capsule(0.1, 1.2),
                at({3.5, 0, 0.704}) *
                    Pose::from_axis_angle(Vec3::UnitY(), 0.5 * std::numbers::pi, Vec3::Zero()))};
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}});
  std::vector<Vec3> start;
  for (const NodeId node : nodes) {
    dynamics.add(node, 1000.0);
    start.push_back(world.pose(node).translation());
  }
  for (int i = 0; i < scaled(240, 60); ++i) {
    EXPECT_TRUE(dynamics.step(1.0 / 60).lost.empty());
    if (i % 30 == 0) expect_no_contact(world, dynamics);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_LT((world.pose(nodes[i]).translation() - start[i]).norm(), 0.02) << i;
    EXPECT_LT(dynamics.velocity(nodes[i]).linear.norm(), 1e-2) << i;
  }
}

TEST(DynamicsShapes, TheyMayBeginInTouch) {
  World world;
  add_plane(world);
  const NodeId ball = world.add(Shape::sphere(0.5), at({0, 0, 0.5}));
  const NodeId crate = world.add(Shape::box({0.5, 0.5, 0.5}), at({3, 0, 0.5}));
  const NodeId upper = world.add(Shape::box({0.5, 0.5, 0.5}), at({3, 0, 1.5}));
  const NodeId can = world.add(Shape::cylinder(0.5, 1), at({6, 0, 0.5}));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  for (const NodeId node : {ball, crate, upper, can}) dynamics.add(node, 1000.0);
  for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
  const DynamicsResult& step = dynamics.step(1.0 / 60);
  EXPECT_TRUE(step.lost.empty());
  EXPECT_TRUE(step.stuck.empty());
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
  EXPECT_LT((world.pose(upper).translation() - Vec3(3, 0, 1.5)).norm(), 1e-3);
  expect_no_contact(world, dynamics);
}

TEST(DynamicsShapes, TheyFallAsleepAndAreWoken) {
  World world;
  add_plane(world);
  const NodeId can = world.add(Shape::cylinder(0.3, 0.4), at({0, 0, 0.202}));
  const NodeId ball = world.add(Shape::sphere(0.2), at({0.05, 0, 3}));
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}, .sleep_time = 0.2});
  dynamics.add(can, 1000.0);
  dynamics.add(ball, 1000.0);
  bool slept = false, woke = false;
  for (int i = 0; i < 90; ++i) {
    (void)dynamics.step(1.0 / 60);
    slept = slept || dynamics.is_asleep(can);
    woke = woke || (slept && !dynamics.is_asleep(can));
  }
  EXPECT_TRUE(slept);
  EXPECT_TRUE(woke);
}

// ---- many, fast and wrong -----------------------------------------------------------------------

// Plates are less thick than what lies askew may be lower at its far end.
TEST(DynamicsShapes, CardsComeToLieOnEachOther) {
  World world;
  add_plane(world);
  const double thickness = 0.001, tolerance = 1e-5;
  Dynamics dynamics(world, {.tolerance = tolerance, .gravity = {0, 0, -kGravity}});
  std::vector<NodeId> cards;
  for (int i = 0; i < 5; ++i) {
    cards.push_back(world.add(Shape::box({0.03, 0.045, 0.5 * thickness}),
                              at({0.003 * i, 0.002 * i, 0.00055 + 0.00105 * i})));
    dynamics.add(cards.back(), 2700.0);
  }
  double lost = 0;
  const double start = energy(dynamics);
  for (int i = 0; i < 60; ++i) {
    const DynamicsResult& step = dynamics.step(1.0 / 60);
    for (const LostTime& part : step.lost) lost += part.time;
    expect_no_contact(world, dynamics);
  }
  EXPECT_EQ(lost, 0);
  EXPECT_LE(energy(dynamics), start);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const double gaps =
        world.pose(cards[i]).translation().z() - (static_cast<double>(i) + 0.5) * thickness;
    EXPECT_GT(gaps, (static_cast<double>(i) + 1) * 0.9 * tolerance) << i;
    EXPECT_LT(gaps, (static_cast<double>(i) + 1) * 2.1 * tolerance) << i;
  }
}

TEST(DynamicsShapes, ABulletDoesNotPassAWall) {
  for (const double restitution : {0.0, 1.0}) {
    World world;
    world.add(Shape::box({5e-4, 5, 5}), {}, {.fixed = true});
    const NodeId bullet = world.add(Shape::capsule(0.005, 0.01), at({-50, 0.1, 0.2}));
    Dynamics dynamics(world, {.tolerance = 1e-5, .surface = {.restitution = restitution}});
    dynamics.add(bullet, 1e4, {.linear = {10000, 0, 0}, .angular = {300, 200, 100}});
    for (int i = 0; i < 4; ++i) (void)dynamics.step(1.0 / 60);
    EXPECT_LT(world.pose(bullet).translation().x(), 0);
    EXPECT_LE(dynamics.velocity(bullet).linear.x(), 1e-9);
  }
}

TEST(DynamicsShapes, WhatCannotBe) {
  World world;
  const NodeId plane = world.add(ground());
  const NodeId soft = world.add(Shape::cone(1, 1).rounded(0.1), at({0, 0, 5}));
  Dynamics dynamics(world, {.tolerance = 1e-3});
  EXPECT_THROW(dynamics.add(plane, 1.0), InvalidInput);
  EXPECT_THROW(dynamics.add(plane, mass_properties(Shape::sphere(1), 1)), InvalidInput);
  EXPECT_THROW(dynamics.add(soft, 1.0), InvalidInput);
  dynamics.add(soft, mass_properties(Shape::cone(1.1, 1.2), 1));
  (void)dynamics.step(0.1);
}

}  // namespace
}  // namespace touche::dynamics_shapes_test
