// SPDX-License-Identifier: Apache-2.0
// Bodies that meet several others at the same time, against closed forms, against their mirror
// images and in any order of bodies.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "shape_bodies.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche::dynamics_simultaneous_test {
namespace {

using namespace test;

constexpr double kTolerance = 1e-6;

/// A ball of a scene.
struct Ball {
  Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  double mass = 1, radius = 0.5;
};

struct Outcome {
  std::vector<Vec3> velocities;  // in the order of the scene
  std::vector<Impact> impacts;   // times count from the start
  double energy_before = 0, energy = 0, lost_momentum = 0, lost_turning = 0;
  bool lost_time = false;
};

struct Steps {
  int count = 1;
  double time = 0.1;
  Vec3 gravity = Vec3::Zero();
  int threads = 0;
};

/// Adds the balls to the world in an order, and lets them move.
Outcome run(const std::vector<Ball>& balls, const Surface& surface, const Steps& steps,
            std::vector<std::size_t> order = {}) {
  World world;
  Dynamics dynamics(world, {.tolerance = kTolerance,
                            .gravity = steps.gravity,
                            .surface = surface,
                            .threads = steps.threads});
  if (order.empty()) {
    order.resize(balls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  std::vector<NodeId> nodes(balls.size());
  for (const std::size_t i : order) {
    const Ball& ball = balls[i];
    nodes[i] = world.add(Shape::sphere(ball.radius), at(ball.place));
    MassProperties mass = mass_properties(Shape::sphere(ball.radius), 1);
    mass.inertia *= ball.mass / mass.mass;
    mass.mass = ball.mass;
    dynamics.add(nodes[i], mass, {.linear = ball.velocity});
  }
  Outcome outcome;
  outcome.energy_before = energy(dynamics);
  const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
  for (int i = 0; i < steps.count; ++i) {
    const DynamicsResult& step = dynamics.step(steps.time);
    outcome.lost_time = outcome.lost_time || !step.lost.empty();
    for (Impact impact : step.impacts) {
      impact.time += i * steps.time;
      outcome.impacts.push_back(impact);
    }
  }
  outcome.energy = energy(dynamics);
  outcome.lost_momentum = (dynamics.momentum() - momentum).norm();
  outcome.lost_turning = (dynamics.angular_momentum() - turning).norm();
  for (const NodeId node : nodes) outcome.velocities.push_back(dynamics.velocity(node).linear);
  return outcome;
}

void expect_kept(const Outcome& outcome) {
  EXPECT_NEAR(outcome.energy, outcome.energy_before, 1e-12 * outcome.energy_before);
  EXPECT_LT(outcome.lost_momentum, 1e-12);
  EXPECT_LT(outcome.lost_turning, 1e-12);
  EXPECT_FALSE(outcome.lost_time);
}

Vec3 mirrored(const Vec3& v) { return {v.x(), -v.y(), v.z()}; }

const Surface kElastic = {.restitution = 1, .friction = 0};

// ---- one ball between others --------------------------------------------------------------------

// Each of the two gets 2 c v / (1 + 2 c²), where c is the cosine of the angle between normal and
// path.
TEST(DynamicsSimultaneous, ABallBetweenTwoIsThrownBackByAFifth) {
  for (const double restitution : {0.3, 0.5, 1.0}) {
    std::vector<std::size_t> order = {0, 1, 2};
    do {
      const std::vector<Ball> balls = {
          {{-1.2, 0, 0}, {3, 0, 0}}, {{0, 0.505, 0}}, {{0, -0.505, 0}}};
      const Outcome outcome =
          run(balls, {.restitution = restitution, .friction = 0}, {.time = 0.2}, order);
      const double c = std::sqrt(1 - 0.505 * 0.505), push = 3 * c / (1 + 2 * c * c);
      const Vec3 first = outcome.velocities[1], second = outcome.velocities[2];
      const double share = 1 + restitution;
      EXPECT_LT((first - mirrored(second)).norm(), 1e-12);
      EXPECT_LT(std::abs(outcome.velocities[0].y()), 1e-12);
      EXPECT_NEAR(first.norm(), share * push, 10 * kTolerance);
      EXPECT_NEAR(outcome.velocities[0].x(), 3 - 2 * share * push * c, 10 * kTolerance);
      EXPECT_LT(outcome.lost_momentum, 1e-12);
      if (restitution == 1) expect_kept(outcome);
      ASSERT_EQ(outcome.impacts.size(), 2U);
      EXPECT_EQ(outcome.impacts[0].time, outcome.impacts[1].time);
      for (const Impact& impact : outcome.impacts) {
        EXPECT_NEAR(impact.speed, 3 * c, 10 * kTolerance);
        EXPECT_NEAR(impact.impulse.norm(), share * push, 10 * kTolerance);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// The same with friction: the result may depend on the order, but only as far as iterations
// converge.
TEST(DynamicsSimultaneous, SoItIsWithFriction) {
  for (const double friction : {0.1, 0.4, 1.5})
    for (const double restitution : {0.3, 0.5, 1.0}) {
      const std::vector<Ball> balls = {
          {{-1.2, 0, 0}, {3, 0, 0}}, {{0, 0.505, 0}}, {{0, -0.505, 0}}};
      const Outcome outcome =
          run(balls, {.restitution = restitution, .friction = friction}, {.time = 0.2});
      EXPECT_LT((outcome.velocities[1] - mirrored(outcome.velocities[2])).norm(), 1e-9);
      EXPECT_LE(outcome.energy, outcome.energy_before * (1 + 1e-12));
      EXPECT_LT(outcome.lost_momentum, 1e-12);
      EXPECT_LT(outcome.lost_turning, 1e-12);
      EXPECT_EQ(outcome.impacts.size(), 2U);
    }
}

// A ball falls onto three that lie beside each other in the air, in flight or not: impacts have the
// speeds of parabolas.
TEST(DynamicsSimultaneous, ABallOnATriangleKeepsItsThreeSides) {
  for (const double gravity : {0.0, kGravity}) {
    const double apart = 1.0 + 2.5 * kTolerance, r = apart / std::numbers::sqrt3;
    std::vector<Ball> balls = {{{0, 0, 1.5}, {0, 0, -4}}};
    for (int i = 0; i < 3; ++i) {
      const double angle = 2 * std::numbers::pi * i / 3;
      balls.push_back({r * Vec3(std::cos(angle), std::sin(angle), 0)});
    }
    std::vector<std::size_t> order = {0, 1, 2, 3};
    do {
      const Outcome outcome = run(balls, kElastic, {12, 1.0 / 60, {0, 0, -gravity}}, order);
      EXPECT_EQ(outcome.impacts.size(), 3U);
      EXPECT_NEAR(outcome.energy, outcome.energy_before, 1e-9 * outcome.energy_before);
      if (gravity == 0) expect_kept(outcome);
      const Mat3 third =
          Eigen::AngleAxisd(2 * std::numbers::pi / 3, Vec3::UnitZ()).toRotationMatrix();
      for (std::size_t i = 1; i < 4; ++i) {
        const Vec3& next = outcome.velocities[i % 3 + 1];
        EXPECT_LT((third * outcome.velocities[i] - next).norm(), 1e-11) << i;
      }
      EXPECT_LT(outcome.velocities[0].head<2>().norm(), 1e-11);
      const double c = std::sqrt(1 - r * r), push = 8 * c / (1 + 3 * c * c);
      EXPECT_NEAR(outcome.velocities[1].norm() * (gravity == 0 ? 1 : 0),
                  push * (gravity == 0 ? 1 : 0), 20 * kTolerance);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

// A ball that is hit from both sides at once, in opposite directions: it weighs twice as much as
// each.
TEST(DynamicsSimultaneous, TwoBallsHitOneFromBothSides) {
  for (const bool first : {false, true}) {
    std::vector<Ball> balls = {
        {{-1.3, 0, 0}, {3, 0, 0}}, {{1.3, 0, 0}, {-3, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, 2}};
    const Outcome outcome =
        run(balls, kElastic, {.time = 0.2},
            first ? std::vector<std::size_t>{2, 0, 1} : std::vector<std::size_t>{0, 1, 2});
    expect_kept(outcome);
    ASSERT_EQ(outcome.impacts.size(), 2U);
    EXPECT_LT(outcome.velocities[2].norm(), 1e-12);
    EXPECT_LT((outcome.velocities[0] - Vec3(-3, 0, 0)).norm(), 1e-12);
    EXPECT_LT((outcome.velocities[1] - Vec3(3, 0, 0)).norm(), 1e-12);
  }
}

// ---- what stands still or follows motions -------------------------------------------------------

// Two walls like a V: a ball that comes along its axis goes back on it.
TEST(DynamicsSimultaneous, ABallInACornerGoesBack) {
  for (const double tilt : {0.3, 0.6, 0.78539816339744828, 1.2}) {
    World world;
    for (const double side : {-1.0, 1.0})
      world.add(Shape::half_space({side * std::sin(tilt), 0, std::cos(tilt)}, 0), {},
                {.fixed = true});
    Dynamics dynamics(world, {.tolerance = kTolerance, .surface = kElastic});
    const double height = 0.5 / std::cos(tilt);
    const NodeId ball = world.add(Shape::sphere(0.5), at({0, 0, height + 0.3}));
    dynamics.add(ball, 1.0, {.linear = {0, 0, -3}});
    std::size_t impacts = 0;
    for (int i = 0; i < 12; ++i) impacts += dynamics.step(1.0 / 60).impacts.size();
    EXPECT_EQ(impacts, 2U) << tilt;
    EXPECT_LT((dynamics.velocity(ball).linear - Vec3(0, 0, 3)).norm(), 1e-12) << tilt;
  }
}

// Two paddles that come together like the sides of a closing V throw a ball out along its axis.
TEST(DynamicsSimultaneous, PaddlesThrowABallAlongTheirAxis) {
  World world;
  const double tilt = 0.6;
  std::vector<NodeId> paddles;
  std::vector<Vec3> normals;
  for (const double side : {-1.0, 1.0}) {
    normals.emplace_back(side * std::sin(tilt), 0, std::cos(tilt));
    // Paddles are no pair.
    paddles.push_back(
        world.add(Shape::half_space(normals.back(), 0), {}, {.category = 2, .mask = 1}));
  }
  Dynamics dynamics(world, {.tolerance = kTolerance, .surface = kElastic});
  const NodeId ball = world.add(Shape::sphere(0.5), at({0, 0, 0.5 / std::cos(tilt) + 0.01}));
  dynamics.add(ball, 1.0);
  std::size_t impacts = 0;
  for (int i = 0; i < 10; ++i) {
    for (std::size_t k = 0; k < 2; ++k)
      dynamics.move(paddles[k], Motion::interpolated(
                                    world.pose(paddles[k]),
                                    at(world.pose(paddles[k]).translation() + 0.002 * normals[k])));
    impacts += dynamics.step(0.01).impacts.size();
  }
  EXPECT_EQ(impacts, 2U);
  // Each gives it twice its speed along the normal: 0.4 = v cos(tilt).
  EXPECT_LT((dynamics.velocity(ball).linear - Vec3(0, 0, 0.4 / std::cos(tilt))).norm(), 1e-9);
}

// ---- many ---------------------------------------------------------------------------------------

std::vector<Ball> rack(int rows, double apart) {
  std::vector<Ball> balls = {{{-2, 0, 0}, {8, 0, 0}}};
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i <= row; ++i)
      balls.push_back({{row * apart * 0.5 * std::numbers::sqrt3, apart * (i - 0.5 * row), 0}});
  return balls;
}

// The numbers of balls of a rack that mirror each other.
std::vector<std::size_t> images(int rows) {
  std::vector<std::size_t> all = {0};
  for (int row = 0; row < rows; ++row) {
    const std::size_t first = all.size();
    for (int i = 0; i <= row; ++i) all.push_back(first + static_cast<std::size_t>(row - i));
  }
  return all;
}

TEST(DynamicsSimultaneous, ABreakMirrorsItself) {
  // In units of the tolerance.
  for (const double gap : {1.5, 2.5, 30.0, 3000.0})
    for (const Surface& surface : {kElastic, Surface{0.95, 0}, Surface{0.9, 0.05}}) {
      const Outcome outcome = run(rack(5, 1 + gap * kTolerance), surface, {30, 1.0 / 60});
      const std::vector<std::size_t> image = images(5);
      double most = 0;
      for (std::size_t i = 0; i < image.size(); ++i)
        most =
            std::max(most, (outcome.velocities[i] - mirrored(outcome.velocities[image[i]])).norm());
      EXPECT_LT(most, 1e-9) << gap << " " << surface.restitution << " " << surface.friction;
      EXPECT_GE(outcome.impacts.size(), 10U);
      EXPECT_LE(outcome.energy, outcome.energy_before * (1 + 1e-12));
      EXPECT_LT(outcome.lost_momentum, 1e-12 * 8);
      EXPECT_LT(outcome.lost_turning, 1e-11);
      if (surface.restitution == 1) {
        EXPECT_NEAR(outcome.energy, outcome.energy_before, 1e-12 * outcome.energy_before);
      }
    }
}

TEST(DynamicsSimultaneous, ThreadsChangeNothing) {
  const std::vector<Ball> balls = rack(5, 1 + 2.5 * kTolerance);
  const Outcome one = run(balls, {0.9, 0.1}, {30, 1.0 / 60, Vec3::Zero(), 1});
  const Outcome three = run(balls, {0.9, 0.1}, {30, 1.0 / 60, Vec3::Zero(), 3});
  ASSERT_EQ(one.impacts.size(), three.impacts.size());
  for (std::size_t i = 0; i < balls.size(); ++i)
    EXPECT_EQ(one.velocities[i], three.velocities[i]) << i;
  for (std::size_t i = 0; i < one.impacts.size(); ++i) {
    EXPECT_EQ(one.impacts[i].a, three.impacts[i].a);
    EXPECT_EQ(one.impacts[i].b, three.impacts[i].b);
    EXPECT_EQ(one.impacts[i].impulse, three.impacts[i].impulse);
    EXPECT_EQ(one.impacts[i].time, three.impacts[i].time);
  }
}

// More pairs than are solved at once.
TEST(DynamicsSimultaneous, APlateOnAHundredBalls) {
  World world;
  Dynamics dynamics(world, {.tolerance = 1e-5, .surface = kElastic});
  for (int i = 0; i < 100; ++i)
    dynamics.add(world.add(Shape::sphere(0.4), at({i % 10 - 4.5, i / 10 - 4.5, 0})), 1.0);
  dynamics.add(world.add(Shape::box({12, 12, 0.5}), at({0, 0, 1})), 0.5, {.linear = {0, 0, -2}});
  const double before = energy(dynamics);
  const Vec3 momentum = dynamics.momentum();
  std::size_t impacts = 0;
  for (int i = 0; i < 30; ++i) {
    const DynamicsResult& step = dynamics.step(1.0 / 60);
    impacts += step.impacts.size();
    EXPECT_TRUE(step.lost.empty());
  }
  EXPECT_GE(impacts, 100U);
  EXPECT_NEAR(energy(dynamics), before, 1e-11 * before);
  EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-11 * momentum.norm());
}

// ---- cradles ------------------------------------------------------------------------------------

// Only two of them come together at a time: so they meet one after the other, as near as they are.
TEST(DynamicsSimultaneous, CradlesStayCradles) {
  for (const double gap : {1.5, 3.0, 1000.0})
    for (const int flying : {1, 2, 3}) {
      std::vector<Ball> balls;
      for (int i = 0; i < 5; ++i)
        balls.push_back({{(1 + gap * kTolerance) * i - (i < flying ? 0.5 : 0), 0, 0},
                         {i < flying ? 2.0 : 0.0, 0, 0}});
      const Outcome outcome = run(balls, kElastic, {30, 1.0 / 60});
      expect_kept(outcome);
      EXPECT_EQ(outcome.impacts.size(), static_cast<std::size_t>(flying * (5 - flying)));
      for (int i = 0; i < 5; ++i)
        EXPECT_LT((outcome.velocities[i] - Vec3(i < 5 - flying ? 0 : 2, 0, 0)).norm(), 1e-12)
            << gap << " " << flying << " " << i;
    }
}

// ---- worlds and their images --------------------------------------------------------------------

/// Balls of any mass that come from all sides and meet the one in the middle at the same time.
std::vector<Ball> star(std::mt19937_64& random, int count) {
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Ball> balls = {{Vec3::Zero(), Vec3::Zero(), 1.5 + number(random)}};
  while (balls.size() <= static_cast<std::size_t>(count)) {
    const Vec3 side = Vec3(number(random), number(random), number(random));
    if (side.norm() > 1 || side.norm() < 0.1) continue;
    const double speed = 2 + number(random);
    Ball ball{(1 + 0.05 * speed) * side.normalized(), -speed * side.normalized(),
              1.5 + number(random)};
    // No ball meets another one on its path.
    const auto is_near = [&](const Ball& other) {
      return (other.place.normalized() - ball.place.normalized()).norm() < 1.1;
    };
    if (std::none_of(balls.begin() + 1, balls.end(), is_near)) balls.push_back(ball);
  }
  return balls;
}

// In the mirror, and with the bodies in another order, the same happens except for rounding.
TEST(DynamicsSimultaneous, WorldsAndTheirImagesMoveAlike) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(0, 1);
  double most = 0;
  for (int run_number = 0; run_number < scaled(300); ++run_number) {
    const std::vector<Ball> balls = star(random, 2 + run_number % 4);
    // With a restitution below a quarter, balls that meet several others would stop.
    const Surface surface{run_number % 3 == 0 ? 1 : 0.3 + 0.7 * number(random), 0};
    const Steps steps{.time = 0.06};
    std::vector<Ball> images = balls;
    for (Ball& ball : images) {
      ball.place = mirrored(ball.place);
      ball.velocity = mirrored(ball.velocity);
    }
    std::vector<std::size_t> order(balls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    const Outcome is = run(balls, surface, steps), image = run(images, surface, steps, order);
    for (std::size_t i = 0; i < balls.size(); ++i)
      most = std::max(most, (is.velocities[i] - mirrored(image.velocities[i])).norm());
    EXPECT_EQ(is.impacts.size(), balls.size() - 1) << run_number;
    EXPECT_LE(is.energy, is.energy_before * (1 + 1e-12)) << run_number;
    EXPECT_LT(is.lost_momentum, 1e-12) << run_number;
    if (surface.restitution == 1) {
      EXPECT_NEAR(is.energy, is.energy_before, 1e-12 * is.energy_before) << run_number;
    }
  }
  EXPECT_LT(most, 1e-9);
}

// ---- joined and asleep --------------------------------------------------------------------------

// Each of the two that are hit is joined to another ball beyond.
TEST(DynamicsSimultaneous, ABallBetweenTwoDumbbells) {
  for (const JointType type : {JointType::fixed, JointType::ball}) {
    World world;
    Dynamics dynamics(world, {.tolerance = kTolerance, .surface = kElastic});
    const NodeId flying = world.add(Shape::sphere(0.5), at({-1.2, 0, 0}));
    dynamics.add(flying, 1.0, {.linear = {3, 0, 0}});
    std::vector<NodeId> hit, beyond;
    for (const double side : {1.0, -1.0}) {
      hit.push_back(world.add(Shape::sphere(0.5), at({0, side * 0.505, 0})));
      beyond.push_back(world.add(Shape::sphere(0.5), at({0.3, side * 2.0, 0})));
      dynamics.add(hit.back(), 1.0);
      dynamics.add(beyond.back(), 1.0);
      (void)dynamics.join(
          {.type = type, .a = hit.back(), .b = beyond.back(), .point = {0.15, side * 1.2525, 0}});
    }
    const double before = energy(dynamics);
    const Vec3 momentum = dynamics.momentum();
    const DynamicsResult& step = dynamics.step(0.15);
    ASSERT_EQ(step.impacts.size(), 2U);
    EXPECT_EQ(step.impacts[0].time, step.impacts[1].time);
    EXPECT_NEAR(energy(dynamics), before, 1e-5 * before);
    EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-12);
    for (const auto& pair : {hit, beyond}) {
      const Velocity first = dynamics.velocity(pair[0]), second = dynamics.velocity(pair[1]);
      EXPECT_GT(first.linear.norm(), 0.1);
      EXPECT_LT((first.linear - mirrored(second.linear)).norm(), 1e-9);
      EXPECT_LT((first.angular + mirrored(second.angular)).norm(), 1e-9);
    }
    for (const JointId joint : dynamics.joints())
      EXPECT_LT(dynamics.joint_state(joint).drift, 1e-9);
  }
}

// Time passes alike for all of one impact, also where it is too short for one that is only joined
// to a body that is hit: it turns too far.
TEST(DynamicsSimultaneous, OneThatIsHitWaitsForThoseJoinedToTheOther) {
  for (const int flying : {1, 2}) {
    World world;
    Dynamics dynamics(world, {.tolerance = kTolerance, .surface = kElastic});
    const NodeId hub = world.add(Shape::box({0.25, 0.25, 0.25}), at({0, 0, 0})),
                 rotor = world.add(Shape::box({0.15, 0.15, 0.15}), at({0, 2, 0}));
    const double spin = 4e5, dt = 1.0 / 60;
    dynamics.add(hub, 1.0);
    dynamics.add(rotor, 1.0, {.angular = {0, spin, 0}});
    (void)dynamics.join({.type = JointType::hinge,
                         .a = hub,
                         .b = rotor,
                         .point = {0, 1, 0},
                         .axis = Vec3::UnitY()});
    std::vector<NodeId> balls;
    for (int i = 0; i < flying; ++i) {
      const double side = i == 0 ? -1 : 1;
      balls.push_back(world.add(Shape::sphere(0.25), at({side * 0.54, 0, 0})));
      dynamics.add(balls.back(), 1.0, {.linear = {-side * 5.0, 0, 0}});
    }
    const DynamicsResult& step = dynamics.step(dt);
    ASSERT_EQ(step.impacts.size(), static_cast<std::size_t>(flying));
    for (const NodeId ball : balls) {
      const auto lost = std::find_if(step.lost.begin(), step.lost.end(),
                                     [&](const LostTime& one) { return one.node == ball; });
      ASSERT_NE(lost, step.lost.end());
      // It goes on for as long as the rotor may turn, 64 times.
      const double passed = 64 * 2 * std::numbers::pi / spin;
      EXPECT_NEAR(lost->time, dt - step.impacts[0].time - passed, 1e-3 * dt);
    }
  }
}

// A hub stands still while what hangs on it turns: nobody was stopped.
TEST(DynamicsSimultaneous, AHubThatIsHitAtRestDoesNotStopItsRotor) {
  World world;
  Dynamics dynamics(world, {.tolerance = kTolerance, .surface = kElastic});
  const NodeId hub = world.add(Shape::box({0.25, 0.25, 0.25}), at({0, 0, 0})),
               rotor = world.add(Shape::box({0.15, 0.15, 0.15}), at({0, 2, 0})),
               ball = world.add(Shape::sphere(0.25), at({-0.54, 0, 0}));
  dynamics.add(hub, 1.0);
  dynamics.add(rotor, 1.0, {.angular = {0, 3, 0}});
  dynamics.add(ball, 1.0, {.linear = {5, 0, 0}});
  (void)dynamics.join(
      {.type = JointType::hinge, .a = hub, .b = rotor, .point = {0, 1, 0}, .axis = Vec3::UnitY()});
  const double before = dynamics.kinetic_energy();
  const DynamicsResult& step = dynamics.step(1.0 / 60);
  EXPECT_EQ(step.impacts.size(), 1u);
  EXPECT_TRUE(step.lost.empty());
  EXPECT_NEAR(dynamics.kinetic_energy(), before, 1e-3 * before);
  EXPECT_GT(dynamics.velocity(hub).linear.x(), 1);
  EXPECT_NEAR(dynamics.velocity(rotor).angular.y(), 3, 1e-3);  // its axis tilts
}

TEST(DynamicsSimultaneous, BothThatSleepWakeUp) {
  World world;
  Dynamics dynamics(world, {.tolerance = kTolerance, .surface = kElastic, .sleep_time = 0.05});
  const NodeId flying = world.add(Shape::sphere(0.5), at({-3, 0, 0}));
  const NodeId first = world.add(Shape::sphere(0.5), at({0, 0.505, 0})),
               second = world.add(Shape::sphere(0.5), at({0, -0.505, 0}));
  dynamics.add(flying, 1.0, {.linear = {3, 0, 0}});
  dynamics.add(first, 1.0);
  dynamics.add(second, 1.0);
  for (int i = 0; i < 30; ++i) (void)dynamics.step(1.0 / 60);
  ASSERT_TRUE(dynamics.is_asleep(first));
  ASSERT_TRUE(dynamics.is_asleep(second));
  for (int i = 0; i < 30; ++i) (void)dynamics.step(1.0 / 60);
  EXPECT_FALSE(dynamics.is_asleep(first));
  EXPECT_FALSE(dynamics.is_asleep(second));
  const Vec3 a = dynamics.velocity(first).linear, b = dynamics.velocity(second).linear;
  EXPECT_GT(a.norm(), 1);
  EXPECT_LT((a - mirrored(b)).norm(), 1e-12);
  EXPECT_NEAR(dynamics.kinetic_energy(), 0.5 * dynamics.mass(flying).mass * 9, 1e-12 * 9);
}

}  // namespace
}  // namespace touche::dynamics_simultaneous_test
