// SPDX-License-Identifier: Apache-2.0
// Joints against closed forms: pendulums, slopes, chains, what is conserved.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "dynamic_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_joint_test {
namespace {

using namespace test;
using std::numbers::pi;

/// A rod that hangs from the origin and swings about y.
struct Pendulum {
  double length = 1, side = 0.05;
  World world;
  NodeId rod;
  Dynamics dynamics;
  JointId hinge;

  explicit Pendulum(double angle)
      : rod(world.add(box({side, side, length}), pose(angle))),
        dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}}) {
    dynamics.add(rod, 1000.0);
    hinge = dynamics.join({.type = JointType::hinge, .b = rod, .axis = {0, 1, 0}});
  }
  Pose pose(double angle) const {
    const Pose turn = Pose::from_axis_angle({0, 1, 0}, angle, {0, 0, 0});
    return turn * at({0, 0, -0.5 * length});
  }
  /// Returns the rate of small swings, from the moment of inertia about the hinge and that of the
  /// weight.
  double rate() const {
    const double inertia = (4 * length * length + side * side) / 12;
    return std::sqrt(kGravity * 0.5 * length / inertia);
  }
  double angle() const {
    const Vec3 down = world.pose(rod).rotate(-Vec3::UnitZ());
    return std::atan2(-down.x(), -down.z());
  }
};

// The complete elliptic integral of the first kind, by the arithmetic and geometric mean.
double elliptic(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 60; ++i) {
    const double next = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = next;
  }
  return pi / (2 * a);
}

/// The mean period of that many swings, from the times at which the angle falls through 0.
double measured_period(Pendulum& pendulum, double dt, int swings) {
  double first = 0, last = 0, before = pendulum.angle();
  int count = 0;
  for (int step = 1; count <= swings && step < 1000000; ++step) {
    (void)pendulum.dynamics.step(dt);
    const double now = pendulum.angle();
    if (before > 0 && now <= 0 && before < 1) {
      last = dt * (step - 1 + before / (before - now));
      if (count++ == 0) first = last;
    }
    before = now;
  }
  return (last - first) / swings;
}

TEST(DynamicsJoint, PeriodOfAPendulum) {
  for (const double amplitude : {0.01, 1.0, 2.5}) {
    const Pendulum like(amplitude);
    const double exact = 4 * elliptic(std::sin(0.5 * amplitude)) / like.rate();
    double errors[2];
    for (const int finer : {1, 2}) {
      Pendulum pendulum(amplitude);
      errors[finer - 1] =
          std::abs(measured_period(pendulum, 0.01 / finer, shortened(4, 1)) / exact - 1);
    }
    EXPECT_LT(errors[0], 2e-3) << amplitude;
    // The error is of the second order.
    EXPECT_LT(errors[1], 0.35 * errors[0]) << amplitude;
  }
}

TEST(DynamicsJoint, APendulumKeepsItsEnergyAndItsHinge) {
  Pendulum pendulum(2.0);
  const double weight = pendulum.dynamics.mass(pendulum.rod).mass * kGravity;
  const double start = energy(pendulum.dynamics);
  double most = 0, late = 0;
  const int steps = shortened(6000, 1200);  // some 50 swings
  for (int i = 0; i < steps; ++i) {
    const DynamicsResult& result = pendulum.dynamics.step(1.0 / 60);
    EXPECT_TRUE(result.lost.empty());
    const double off = std::abs(energy(pendulum.dynamics) - start) / weight;
    (i < steps / 2 ? most : late) = std::max(i < steps / 2 ? most : late, off);
    const JointState state = pendulum.dynamics.joint_state(pendulum.hinge);
    ASSERT_LT(state.drift, 1e-10);
    ASSERT_LT(state.tilt, 1e-10);
  }
  // It swings about its value, and does not drift away from it.
  EXPECT_LT(most, 5e-3);
  EXPECT_LT(late, 1.05 * most);
}

// About a hinge at rest bodies go on exact arcs: the joint is closed at all times.
TEST(DynamicsJoint, GoesOnAnArc) {
  Pendulum pendulum(2.0);
  pendulum.dynamics.set_velocity(pendulum.rod, {.angular = {0, 25, 0}});
  for (int i = 0; i < 50; ++i) {
    (void)pendulum.dynamics.step(0.02);
    const Motion way = pendulum.dynamics.last_motion(pendulum.rod);
    for (int k = 0; k <= 32; ++k) ASSERT_LT((way.pose(k / 32.0) * Vec3(0, 0, 0.5)).norm(), 1e-12);
  }
}

TEST(DynamicsJoint, TheHingeHoldsAPendulumsWeight) {
  Pendulum pendulum(0);
  const double weight = pendulum.dynamics.mass(pendulum.rod).mass * kGravity;
  for (int i = 0; i < 10; ++i) (void)pendulum.dynamics.step(0.01);
  const JointState state = pendulum.dynamics.joint_state(pendulum.hinge);
  EXPECT_LT((state.force - Vec3(0, 0, weight)).norm(), 1e-9 * weight);
  EXPECT_LT(state.torque.norm(), 1e-9 * weight);
  // At the lowest point of a swing from the side it holds 5/2 of it (for a thin rod).
  Pendulum swings(0.5 * pi);
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    (void)swings.dynamics.step(0.001);
    most = std::max(most, swings.dynamics.joint_state(swings.hinge).force.norm());
  }
  const double slim = (4 - 1) / (4 + swings.side * swings.side);
  EXPECT_NEAR(most / weight, 1 + 2 * slim, 0.01);
}

// Two rods, one on the other: chaotic, but its energy stays, and its joints.
TEST(DynamicsJoint, DoublePendulum) {
  World world;
  const NodeId upper = world.add(box({0.05, 0.05, 1}), at({0, 0, 0.5}));
  const NodeId lower = world.add(box({0.05, 0.05, 1}), at({0, 0.1, 1.5}));
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}});
  dynamics.add(upper, 1000.0, {.linear = {0.05, 0, 0}, .angular = {0, 0.1, 0}});
  dynamics.add(lower, 1000.0);
  const JointId top = dynamics.join({.type = JointType::hinge, .b = upper, .axis = {0, 1, 0}});
  const JointId middle = dynamics.join(
      {.type = JointType::hinge, .a = upper, .b = lower, .point = {0, 0, 1}, .axis = {0, 2, 0}});
  const double weight = dynamics.mass(upper).mass * kGravity;
  (void)dynamics.step(1e-6);
  const double start = energy(dynamics);
  double fastest = 0;
  for (int i = 0; i < shortened(3000, 500); ++i) {
    (void)dynamics.step(1.0 / 240);
    ASSERT_LT(std::abs(energy(dynamics) - start), 0.02 * weight) << i;
    for (const JointId joint : {top, middle}) {
      ASSERT_LT(dynamics.joint_state(joint).drift, 1e-9);
      ASSERT_LT(dynamics.joint_state(joint).tilt, 1e-9);
    }
    fastest = std::max(fastest, dynamics.velocity(lower).angular.norm());
    // Within the step joints open by no more than the tolerance.
    const Motion way_a = dynamics.last_motion(upper), way_b = dynamics.last_motion(lower);
    for (int k = 0; k <= 8; ++k) {
      const Vec3 apart =
          way_a.pose(k / 8.0) * Vec3(0, 0, 0.5) - way_b.pose(k / 8.0) * Vec3(0, -0.1, -0.5);
      ASSERT_LT(apart.norm(), 1e-3);
    }
  }
  EXPECT_GT(fastest, 5);
}

// a = g sin α.
TEST(DynamicsJoint, ASliderOnASlope) {
  for (const double slope : {0.2, 0.7, 1.4}) {
    World world;
    const Vec3 down(std::cos(slope), 0, -std::sin(slope));
    const NodeId part =
        world.add(box({0.3, 0.2, 0.1}), Pose::from_axis_angle({1, 2, 3}, 1, {0, 0, 0}));
    Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
    dynamics.add(part, 700.0);
    const JointId joint = dynamics.join(
        {.type = JointType::slider, .b = part, .point = {0.4, 0, 0.2}, .axis = 3 * down});
    const Pose start = world.pose(part);
    const double weight = dynamics.mass(part).mass * kGravity;
    for (int i = 1; i <= 60; ++i) {
      (void)dynamics.step(1.0 / 60);
      const double t = i / 60.0, way = 0.5 * kGravity * std::sin(slope) * t * t;
      const JointState state = dynamics.joint_state(joint);
      ASSERT_NEAR(state.position, way, 1e-9);
      ASSERT_NEAR(state.speed, kGravity * std::sin(slope) * t, 1e-9);
      ASSERT_LT((world.pose(part).translation() - start.translation() - way * down).norm(), 1e-9);
      ASSERT_LT((world.pose(part).matrix() - start.matrix()).norm(), 1e-9);
      // The force that holds it is its weight across the slope.
      ASSERT_NEAR(state.force.norm(), weight * std::cos(slope), 1e-6 * weight);
      ASSERT_LT(std::abs(state.force.dot(down)), 1e-6 * weight);
    }
  }
}

TEST(DynamicsJoint, AFixedBeamHoldsItsLoad) {
  World world;
  const NodeId beam = world.add(box({1, 0.1, 0.1}), at({0.5, 0, 0}));
  const NodeId tip = world.add(box({0.2, 0.2, 0.2}), at({1.2, 0, 0}));
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  dynamics.add(beam, 1000.0);
  dynamics.add(tip, 5000.0);
  const JointId wall = dynamics.join({.type = JointType::fixed, .b = beam});
  (void)dynamics.join({.type = JointType::fixed, .a = beam, .b = tip, .point = {1, 0, 0}});
  const double weight_beam = dynamics.mass(beam).mass * kGravity,
               weight_tip = dynamics.mass(tip).mass * kGravity;
  const Pose start_beam = world.pose(beam), start_tip = world.pose(tip);
  for (int i = 0; i < 300; ++i) {
    (void)dynamics.step(1.0 / 60);
    const JointState state = dynamics.joint_state(wall);
    ASSERT_LT((state.force - Vec3(0, 0, weight_beam + weight_tip)).norm(), 1e-7 * weight_tip);
    ASSERT_LT((state.torque - Vec3(0, -(0.5 * weight_beam + 1.2 * weight_tip), 0)).norm(),
              1e-7 * weight_tip);
  }
  EXPECT_LT((world.pose(beam).translation() - start_beam.translation()).norm(), 1e-12);
  EXPECT_LT((world.pose(tip).translation() - start_tip.translation()).norm(), 1e-12);
  EXPECT_LT((world.pose(tip).matrix() - start_tip.matrix()).norm(), 1e-12);
}

TEST(DynamicsJoint, AChainHangs) {
  World world;
  const int links = 40;
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  std::vector<NodeId> chain;
  std::vector<JointId> joints;
  for (int i = 0; i < links; ++i) {
    chain.push_back(world.add(box({0.02, 0.02, 0.1}), at({0, 0, -0.1 * i - 0.05})));
    dynamics.add(chain.back(), i + 1 == links ? 100000.0 : 1000.0);  // a weight at its end
    Joint joint{.type = JointType::ball, .b = chain.back(), .point = {0, 0, -0.1 * i}};
    if (i > 0) joint.a = chain[static_cast<std::size_t>(i) - 1];
    joints.push_back(dynamics.join(joint));
  }
  for (int i = 0; i < 100; ++i) (void)dynamics.step(1.0 / 60);
  double below = 0;
  for (int i = links; i-- > 0;) {
    below += dynamics.mass(chain[static_cast<std::size_t>(i)]).mass * kGravity;
    const JointState state = dynamics.joint_state(joints[static_cast<std::size_t>(i)]);
    EXPECT_LT((state.force - Vec3(0, 0, below)).norm(), 1e-7 * below) << i;
    EXPECT_LT(state.drift, 1e-11);
  }
  EXPECT_LT((world.pose(chain.back()).translation() - Vec3(0, 0, -0.1 * links + 0.05)).norm(),
            1e-9);
}

// Bodies of all joints, free in space.
TEST(DynamicsJoint, FreeBodiesKeepMomentumAndAngularMomentum) {
  base::Random random(71);
  for (int i = 0; i < scaled(20, 4); ++i) {
    World world;
    Dynamics dynamics(world, {.tolerance = 1e-3});
    std::vector<NodeId> nodes;
    std::vector<JointId> joints;
    constexpr JointType kTypes[] = {JointType::fixed, JointType::ball, JointType::hinge,
                                    JointType::slider};
    for (int n = 0; n < 6; ++n) {
      const Vec3 axis = random.direction(), place(1.5 * n, 0, 0);
      const double angle = random.uniform(0, 3);
      nodes.push_back(world.add(box({0.5, 0.3, 0.2}), Pose::from_axis_angle(axis, angle, place)));
      const double density = std::pow(10, random.uniform(-1, 1));
      dynamics.add(nodes.back(), density, {random.in_box(1), random.in_box(2)});
      if (n == 0) continue;
      const Vec3 along = random.direction();
      joints.push_back(dynamics.join({.type = kTypes[random.below(4)],
                                      .a = nodes[random.below(static_cast<std::uint32_t>(n))],
                                      .b = nodes.back(),
                                      .point = place - Vec3(0.75, 0, 0),
                                      .axis = along}));
    }
    const Vec3 momentum = dynamics.momentum(), angular = dynamics.angular_momentum();
    (void)dynamics.step(1e-9);  // velocities that joints allow
    const double start = dynamics.kinetic_energy();
    for (int step = 0; step < 100; ++step) {
      const DynamicsResult& result = dynamics.step(0.005);
      if (!result.impacts.empty() || !result.contacts.empty()) break;  // met, which takes energy
      EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-10) << i;
      EXPECT_LT((dynamics.angular_momentum() - angular).norm(), 1e-9) << i;
      EXPECT_NEAR(dynamics.kinetic_energy(), start, 0.02 * start) << i << " " << step;
      for (const JointId joint : joints) {
        EXPECT_LT(dynamics.joint_state(joint).drift, 1e-9) << i;
        EXPECT_LT(dynamics.joint_state(joint).tilt, 1e-9) << i;
      }
    }
  }
}

// Four hinges in a plane say more than is free: a loop.
TEST(DynamicsJoint, AParallelogramSwings) {
  World world;
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
  const double angle = 0.4, length = 1;
  const Vec3 arm = length * Vec3(std::sin(angle), 0, -std::cos(angle));
  std::vector<NodeId> bars;
  for (const double x : {0.0, 2.0}) {
    bars.push_back(world.add(box({0.04, 0.04, length}),
                             Pose::from_axis_angle({0, 1, 0}, -angle, Vec3(x, 0, 0) + 0.5 * arm)));
    dynamics.add(bars.back(), 1e-3);
    (void)dynamics.join(
        {.type = JointType::hinge, .b = bars.back(), .point = {x, 0, 0}, .axis = {0, 1, 0}});
  }
  const NodeId coupler = world.add(box({2, 0.1, 0.1}), at(Vec3(1, 0.2, 0) + arm));
  dynamics.add(coupler, 1000.0);
  std::vector<JointId> joints;
  for (std::size_t k = 0; k < 2; ++k)
    joints.push_back(dynamics.join({.type = JointType::hinge,
                                    .a = bars[k],
                                    .b = coupler,
                                    .point = Vec3(2.0 * static_cast<double>(k), 0, 0) + arm,
                                    .axis = {0, 1, 0}}));
  // The coupler does not turn: a mathematical pendulum of the length of the bars.
  const double period = 4 * elliptic(std::sin(0.5 * angle)) * std::sqrt(length / kGravity);
  const int steps = 1000;
  for (int i = 0; i < steps; ++i) {
    (void)dynamics.step(period / steps);
    ASSERT_LT((world.pose(coupler).matrix() - Mat3(Mat3::Identity())).norm(), 1e-7);
    for (const JointId joint : joints) ASSERT_LT(dynamics.joint_state(joint).drift, 1e-7);
  }
  EXPECT_LT((world.pose(coupler).translation() - Vec3(1, 0.2, 0) - arm).norm(), 1e-3);
}

}  // namespace
}  // namespace touche::dynamics_joint_test
