// SPDX-License-Identifier: Apache-2.0
// Bodies that are joined meet others: nothing enters anything, impulses go through the joints, and
// joints stay closed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "dynamic_bodies.h"
#include "judged_step.h"
#include "test_scale.h"

namespace touche::dynamics_joint_contact_test {
namespace {

using namespace test;
using std::numbers::pi;

constexpr double kTolerance = 1e-3;

void expect_joints_closed(const Dynamics& dynamics, double drift) {
  for (const JointId joint : dynamics.joints()) {
    const JointState state = dynamics.joint_state(joint);
    ASSERT_LT(state.drift, drift);
    ASSERT_LT(state.tilt, drift);
  }
}

// It swings into a wall, which stops it.
TEST(DynamicsJointContact, APendulumMeetsAWall) {
  for (const double restitution : {0.0, 0.6}) {
    World world;
    const Pose start = Pose::from_axis_angle({0, 1, 0}, 1.2, {0, 0, 0}) * test::at({0, 0, -0.5});
    const NodeId rod = world.add(box({0.1, 0.1, 1}), start);
    const NodeId wall = world.add(box({1, 1, 1}), test::at({0.55, 0, -0.8}), {.fixed = true});
    Dynamics dynamics(world, {.tolerance = kTolerance,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = restitution}});
    dynamics.add(rod, 1000.0);
    const JointId hinge = dynamics.join({.type = JointType::hinge, .b = rod, .axis = {0, 1, 0}});
    std::size_t impacts = 0;
    double before = energy(dynamics);
    for (int i = 0; i < 300; ++i) {
      const DynamicsResult& result = judged_step(world, dynamics, 1.0 / 60, kTolerance);
      if (HasFatalFailure()) return;
      impacts += result.impacts.size();
      for (const Impact& impact : result.impacts) EXPECT_EQ(impact.b, wall);
      expect_joints_closed(dynamics, 2 * kTolerance);
      if (HasFatalFailure()) return;
      EXPECT_LT(energy(dynamics), before + 0.05) << i;
      before = energy(dynamics);
    }
    EXPECT_GE(impacts, restitution > 0 ? 3U : 1U);
    // It leans on the wall, at rest.
    EXPECT_LT(dynamics.velocity(rod).angular.norm(), 0.02);
    EXPECT_LT(std::abs(dynamics.joint_state(hinge).position), 1.2);
    EXPECT_LT(dynamics.joint_state(hinge).drift, 1e-9);
  }
}

// A ball hits a rod that hangs from a hinge: angular momentum about the hinge determines all
// speeds.
TEST(DynamicsJointContact, AnImpactOnAHingedRod) {
  for (const double restitution : {0.0, 0.5, 1.0}) {
    World world;
    const NodeId rod = world.add(box({0.1, 0.1, 1}), test::at({0, 0, -0.5}));
    const double depth = 0.8;
    const NodeId hammer = world.add(box({0.1, 0.1, 0.1}), test::at({0.3, 0, -depth}));
    Dynamics dynamics(world,
                      {.tolerance = 1e-5, .surface = {.restitution = restitution, .friction = 0}});
    dynamics.add(rod, 1000.0);
    dynamics.add(hammer, 2000.0, {.linear = {-3, 0, 0}});
    (void)dynamics.join({.type = JointType::hinge, .b = rod, .axis = {0, 1, 0}});
    const double mass = dynamics.mass(hammer).mass,
                 inertia = dynamics.mass(rod).inertia(1, 1) + 0.25 * dynamics.mass(rod).mass;
    std::size_t impacts = 0;
    for (int i = 0; i < 10; ++i) impacts += dynamics.step(0.01).impacts.size();
    EXPECT_EQ(impacts, 1U);
    // The hammer is as heavy as its height lets: it moves straight on, and does not turn.
    const double share = mass * depth * depth / inertia;
    const double turn = 3 / depth * (1 + restitution) * share / (1 + share);
    const double speed = -3 + turn * inertia / (mass * depth);
    EXPECT_NEAR(dynamics.velocity(rod).angular.y(), turn, 2e-3 * turn) << restitution;
    EXPECT_NEAR(dynamics.velocity(hammer).linear.x(), speed, 0.02) << restitution;
  }
}

// Light links that turn far in a step, and a heavy ball at their end: it comes against a wall that
// stands, or loose bricks. Joints give no energy, and no one stands still for ever.
TEST(DynamicsJointContact, AWreckingBallOnAChain) {
  constexpr double kFine = 1e-4, kLength = 0.4;
  for (const bool loose : {false, true}) {
    World world;
    (void)add_ground(world);
    Dynamics dynamics(world, {.tolerance = kFine, .gravity = {0, 0, -kGravity}});
    const double slope = 1.2;
    const Vec3 pivot(0, 0, 3.5), along(-std::sin(slope), 0, -std::cos(slope));
    NodeId last{};
    const auto hang = [&](const Object& object, double depth, double from) {
      const NodeId node =
          world.add(object, Pose::from_axis_angle({0, 1, 0}, slope, pivot + depth * along));
      dynamics.add(node, 2500.0);
      (void)dynamics.join({.type = JointType::hinge,
                           .a = last,
                           .b = node,
                           .point = pivot + from * along,
                           .axis = {0, 1, 0}});
      last = node;
    };
    for (int i = 0; i < 6; ++i) hang(box({0.06, 0.06, 0.36}), (i + 0.5) * kLength, i * kLength);
    hang(ball(0.4, 288), 7 * kLength, 6 * kLength);
    if (!loose) (void)world.add(box({0.25, 2, 1}), test::at({0.5, 0, 0.501}), {.fixed = true});
    for (int row = 0; loose && row < 4; ++row)
      for (int column = 0; column < 3; ++column)
        dynamics.add(world.add(box({0.25, 0.5, 0.25}),
                               test::at({0.5, 0.501 * column - (row % 2 == 0 ? 0.376 : 0.626),
                                         0.126 + 0.251 * row})),
                     2500.0);
    double before = energy(dynamics), most = 0, weight = 0;
    for (const NodeId node : dynamics.nodes()) weight += dynamics.mass(node).mass * kGravity;
    std::size_t impacts = 0;
    int lost_in_a_row = 0, most_in_a_row = 0;
    const int steps = shortened(120, 70);         // it meets them at the 50th
    const int judged_each = steps < 120 ? 4 : 1;  // all of them where there is time
    for (int i = 0; i < steps; ++i) {
      const DynamicsResult& result = i % judged_each == 0
                                         ? judged_step(world, dynamics, 1.0 / 60, kFine)
                                         : dynamics.step(1.0 / 60);
      if (HasFatalFailure()) return;
      impacts += result.impacts.size();
      bool loses = false;
      for (const LostTime& lost : result.lost) loses = loses || lost.node == last;
      lost_in_a_row = loses ? lost_in_a_row + 1 : 0;
      most_in_a_row = std::max(most_in_a_row, lost_in_a_row);
      expect_joints_closed(dynamics, 10 * kFine);
      if (HasFatalFailure()) return;
      // The energy of links that weigh next to nothing beside what they hold swings by so much.
      EXPECT_LE(energy(dynamics), before + 0.01 * most + 2 * kFine * weight) << loose << " " << i;
      before = energy(dynamics);
      most = std::max(most, dynamics.kinetic_energy());
    }
    EXPECT_GE(impacts, 1U);
    EXPECT_GT(most, 5000);
    EXPECT_LT(most_in_a_row, 15) << loose;
  }
}

// Chains fall on the ground and on each other.
TEST(DynamicsJointContact, ChainsFallOnTheGround) {
  for (const double dt : {1.0 / 60, 1.0 / 240}) {
    World world;
    (void)add_ground(world);
    (void)world.add(box({0.2, 3, 0.2}), test::at({0.2, 0, 0.5}), {.fixed = true});
    Dynamics dynamics(world, {.tolerance = kTolerance, .gravity = {0, 0, -kGravity}});
    std::vector<NodeId> links;
    for (int i = 0; i < 8; ++i) {
      const double x = 0.32 * i - 1;
      links.push_back(world.add(box({0.3, 0.1, 0.1}), test::at({x, 0, 1.5 + 0.05 * i})));
      dynamics.add(links.back(), 1000.0);
      if (i > 0)
        (void)dynamics.join({.type = i % 2 == 0 ? JointType::hinge : JointType::ball,
                             .a = links[links.size() - 2],
                             .b = links.back(),
                             .point = {x - 0.16, 0, 1.5 + 0.05 * (i - 0.5)},
                             .axis = {0, 1, 0}});
    }
    double lost = 0, most = energy(dynamics);
    for (int i = 0; i < scaled(static_cast<int>(3 / dt), 60); ++i) {
      const DynamicsResult& result = judged_step(world, dynamics, dt, kTolerance);
      if (HasFatalFailure()) return;
      for (const LostTime& time : result.lost) lost += time.time;
      expect_joints_closed(dynamics, 0.02);
      if (HasFatalFailure()) return;
      EXPECT_LT(energy(dynamics), most * (1 + 1e-3)) << i;
    }
    EXPECT_LT(lost, 0.5 * 3 * 8);
  }
}

// Where one is stopped, all that is joined to it is: the joint stays closed.
TEST(DynamicsJointContact, AllStopTogether) {
  // Its end is squeezed between two walls that come together: it must stop, though it spins.
  World world;
  const NodeId left = world.add(box({0.2, 1, 1}), test::at({-0.4, 0, 0}));
  const NodeId right = world.add(box({0.2, 1, 1}), test::at({0.4, 0, 0}));
  const NodeId middle = world.add(box({0.3, 0.3, 0.3}), test::at({0, 0, 0}));
  const NodeId arm = world.add(box({0.1, 0.1, 2}), test::at({0, 0, 1.7}));
  Dynamics dynamics(world, {.tolerance = kTolerance});
  dynamics.add(middle, 1000.0);
  dynamics.add(arm, 1000.0, {.angular = {0, 1, 0}});
  const JointId joint =
      dynamics.join({.type = JointType::ball, .a = middle, .b = arm, .point = {0, 0, 0.6}});
  bool stopped = false;
  double most = 0;
  for (int i = 0; i < 40; ++i) {
    for (const auto& [wall, way] : {std::pair{left, 0.01}, {right, -0.01}}) {
      const Pose pose = world.pose(wall);
      dynamics.move(wall, Motion::interpolated(pose, test::at(way, 0, 0) * pose));
    }
    const DynamicsResult& result = judged_step(world, dynamics, 1.0 / 60, kTolerance);
    if (HasFatalFailure()) return;
    bool has_middle = false, has_arm = false;
    for (const LostTime& lost : result.lost) {
      has_middle = has_middle || lost.node == middle;
      has_arm = has_arm || lost.node == arm;
    }
    EXPECT_EQ(has_middle, has_arm) << i;
    stopped = stopped || has_middle;
    most = std::max(most, dynamics.joint_state(joint).drift);
  }
  EXPECT_TRUE(stopped);
  EXPECT_LT(most, 0.02);
}

// A joined body may pass through its partner, but through no other body; with `contacts` not even
// that.
TEST(DynamicsJointContact, WhoIsJoinedIsNoPair) {
  for (const bool contacts : {false, true}) {
    World world;
    const NodeId a = world.add(box({1, 0.2, 0.2}), test::at({0, 0, 0}));
    const NodeId b = world.add(box({1, 0.2, 0.2}), test::at({1.05, 0, 0}));
    Dynamics dynamics(world, {.tolerance = kTolerance});
    dynamics.add(b, 1000.0, {.linear = {0, 1.05, 0}, .angular = {0, 0, 2}});
    (void)dynamics.join(
        {.type = JointType::hinge, .a = a, .b = b, .point = {0.525, 0, 0}, .contacts = contacts});
    bool met = false, entered = false;
    for (int i = 0; i < 120; ++i) {
      const DynamicsResult& result = dynamics.step(1.0 / 60);
      met = met || !result.impacts.empty() || !result.contacts.empty();
      entered =
          entered ||
          intersects(world.object(a), world.pose(a), world.object(b), world.pose(b)).intersects;
    }
    EXPECT_EQ(met, contacts);
    EXPECT_EQ(entered, !contacts);
  }
}

TEST(DynamicsJointContact, RandomMachinesInARoomKeepOutOfEachOther) {
  base::Random random(72);
  constexpr JointType kTypes[] = {JointType::fixed, JointType::ball, JointType::hinge,
                                  JointType::slider};
  std::size_t impacts = 0;
  for (int i = 0; i < scaled(6, 2); ++i) {
    World world;
    (void)world.add(Object(scenes::box(Vec3::Constant(-3), Vec3::Constant(3), 1)), {},
                    {.fixed = true});
    Dynamics dynamics(world, {.tolerance = kTolerance,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = random.uniform(0, 0.5)}});
    std::vector<NodeId> nodes;
    for (int n = 0; n < 9; ++n) {
      const Vec3 place(1.1 * (n % 3) - 1.1, 1.1 * (n / 3) - 1.1, random.uniform(-1, 1));
      const Vec3 axis = random.direction(), along = random.direction();
      const double angle = random.uniform(0, 3);
      nodes.push_back(world.add(box({0.5, 0.3, 0.2}), Pose::from_axis_angle(axis, angle, place)));
      dynamics.add(nodes.back(), std::pow(10, random.uniform(-1, 1)),
                   {random.in_box(3), random.in_box(3)});
      if (n % 3 == 0) continue;
      (void)dynamics.join({.type = kTypes[random.below(4)],
                           .a = nodes[nodes.size() - 2],
                           .b = nodes.back(),
                           .point = place - Vec3(0.55, 0, 0),
                           .axis = along,
                           .contacts = true});
    }
    for (int step = 0; step < 60; ++step) {
      impacts += judged_step(world, dynamics, 1.0 / 60, kTolerance).impacts.size();
      if (HasFatalFailure()) return;
      expect_joints_closed(dynamics, 0.1);
      if (HasFatalFailure()) return;
    }
    for (const NodeId node : nodes)
      EXPECT_LT(world.pose(node).translation().cwiseAbs().maxCoeff(), 3);
  }
  EXPECT_GT(impacts, 20U);
}

TEST(DynamicsJointContact, TheSameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> all[3];
  const int threads[] = {1, 2, 4};
  for (int run = 0; run < 3; ++run) {
    World world;
    (void)add_ground(world);
    Dynamics dynamics(world, {.tolerance = kTolerance,
                              .gravity = {0, 0, -kGravity},
                              .threads = threads[run],
                              .sleep_time = 0.1});
    std::vector<NodeId> links;
    for (int i = 0; i < 10; ++i) {
      links.push_back(world.add(box({0.3, 0.1, 0.1}), test::at({0.35 * i, 0, 0.2 + 0.03 * i})));
      dynamics.add(links.back(), 1000.0, {.linear = {0, 0.1 * i, 0}});
      if (i % 5 != 0)
        (void)dynamics.join({.type = JointType::hinge,
                             .a = links[links.size() - 2],
                             .b = links.back(),
                             .point = {0.35 * i - 0.175, 0, 0.2 + 0.03 * i},
                             .axis = {0, 1, 0}});
    }
    for (int step = 0; step < 40; ++step) (void)dynamics.step(1.0 / 60);
    for (const NodeId link : links) {
      const Pose pose = world.pose(link);
      const Velocity v = dynamics.velocity(link);
      for (int k = 0; k < 3; ++k)
        for (const double x : {pose.translation()[k], v.linear[k], v.angular[k]})
          all[run].push_back(std::bit_cast<std::uint64_t>(x));
    }
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

}  // namespace
}  // namespace touche::dynamics_joint_contact_test
