// SPDX-License-Identifier: Apache-2.0
// Random worlds, step by step: nothing enters anything, momentum and angular momentum stay where
// nothing acts from outside, energy does not grow. Judged by another path of code than the one that
// moves bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/random.h"
#include "judged_step.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/dynamics.h"

namespace touche::dynamics_property_test {
namespace {

using test::block;
using test::judged_step;
using test::scaled;

// A box without a lid, which other bodies may fall into.
Object open_box(double size) {
  std::vector<double> corners;
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4}) corners.push_back((i & axis) != 0 ? size : -size);
  const std::vector<Index> faces = {0, 2, 3, 1, 0, 1, 5, 4, 1, 3, 7, 5, 3, 2, 6, 7, 2, 0, 4, 6};
  return Object(PolygonSoup(corners, faces, std::vector<Index>(5, 4)));
}

struct RandomWorld {
  World world;
  std::optional<Dynamics> dynamics;
  std::vector<NodeId> bodies;
  DynamicsOptions options;
  bool closed = false;  // nothing acts from outside
  double weight = 0, dt = 1.0 / 60, size = 1;

  explicit RandomWorld(base::Random& random) {
    size = std::pow(2.0, random.uniform(-10, 10));
    options.tolerance = size * std::pow(10, random.uniform(-4.5, -2.5));
    options.surface = {.restitution = random.uniform(), .friction = random.uniform(0, 1.2)};
    const Index kind = random.below(3);
    closed = kind == 0;
    dt = 1 / random.uniform(40, 300);
    if (!closed) options.gravity = size * random.uniform(1, 20) * -Vec3::UnitZ();
    if (kind == 1)
      world.add(Object(scenes::box(size * Vec3(-9, -9, -3), size * Vec3(9, 9, -2))), {},
                {.fixed = true});
    if (kind == 2)
      world.add(Object(scenes::box(Vec3::Constant(-2.5 * size), Vec3::Constant(2.5 * size))), {},
                {.fixed = true});
    dynamics.emplace(world, options);
    const Index count = 3 + random.below(7);
    for (Index i = 0; i < count; ++i) add(random, i);
  }

  void add(base::Random& random, Index i) {
    const double s = size * random.uniform(0.15, 0.55);
    const auto half = [&] { return s * random.uniform(0.1, 1); };
    const auto object = [&] {
      switch (random.below(6)) {
        case 0:
          return block({s, s, 0.01 * s});  // paper
        case 1:
          return block({s, 0.02 * s, 0.02 * s});  // a needle
        case 2:
          return Object(scenes::torus(0.7 * s, 0.25 * s, 10, 6));
        case 3:
          return Object(scenes::cylinder(0.6 * s, s, 12));
        case 4:
          return open_box(0.7 * s);
        default:
          const double x = half(), y = half();
          return block({x, y, half()});
      }
    }();
    const Vec3 axis = random.direction();
    const double angle = random.uniform(0, 3);
    const Vec3 cell(1.3 * (i % 3) - 1.3, 1.3 * (i / 3 % 3) - 1.3, 1.3 * (i / 9));
    const NodeId body = world.add(object, Pose::from_axis_angle(axis, angle, size * cell));
    bodies.push_back(body);
    dynamics->set_surface(body,
                          {.restitution = random.uniform(), .friction = random.uniform(0, 1.2)});
    // All are as heavy as full boxes of their size, be they closed or not.
    const double density = std::pow(10, random.uniform(-2, 2)), mass = density * s * s * s;
    const double fast = random.below(4) == 0 ? std::pow(10, random.uniform(0, 2.5)) : 1;
    const Vec3 velocity = size * fast * random.in_box(2);
    const Vec3 spin = (random.below(4) == 0 ? 100 : 3) * random.in_box(1);
    const double x = random.uniform(0.5, 1), y = random.uniform(0.5, 1);
    const Vec3 inertia = 0.2 * mass * s * s * Vec3(x, y, std::max(x, y));
    dynamics->add(body, {.mass = mass, .centre = Vec3::Zero(), .inertia = inertia.asDiagonal()},
                  {velocity, spin});
    weight += mass * options.gravity.norm();
  }

  double energy() const { return dynamics->kinetic_energy() + dynamics->potential_energy(); }
  double largest_turn() const {  // in a step, at most 1
    double turn = 0;
    for (const NodeId body : bodies)
      turn = std::max(turn, dt * dynamics->velocity(body).angular.norm());
    return std::min(turn, 1.0);
  }
  double most_momentum() const {
    double sum = 0;
    for (const NodeId body : bodies)
      sum += dynamics->mass(body).mass * dynamics->velocity(body).linear.norm();
    return sum;
  }
  double most_angular_momentum() const {  // about the origin
    double sum = 0;
    for (const NodeId body : bodies) {
      const MassProperties& mass = dynamics->mass(body);
      const Velocity velocity = dynamics->velocity(body);
      sum += mass.mass * world.pose(body).translation().norm() * velocity.linear.norm() +
             mass.inertia.norm() * velocity.angular.norm();
    }
    return sum;
  }
};

struct Tally {
  std::size_t worlds = 0, closed = 0, impacts = 0, resting = 0;
};

void attack(base::Random& random, int steps, Tally& tally) {
  RandomWorld world(random);
  Dynamics& dynamics = *world.dynamics;
  const Vec3 momentum = dynamics.momentum(), angular = dynamics.angular_momentum();
  const double most = world.most_momentum();
  double most_angular = world.most_angular_momentum();
  double last = world.energy(), largest = std::abs(last);
  ++tally.worlds;
  tally.closed += world.closed;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const DynamicsResult& result =
        judged_step(world.world, dynamics, world.dt, world.options.tolerance);
    if (testing::Test::HasFatalFailure()) return;
    tally.impacts += result.impacts.size();
    tally.resting += result.contacts.size();
    // Regaining the gap that bodies keep lifts them, by at most two tolerances. Contacts at rest
    // take one inertia for a whole step, which is not that of a body that turns far in it.
    const double now = world.energy(), turn = world.largest_turn();
    largest = std::max(largest, std::abs(now));
    EXPECT_LE(now, last + 1e-9 * largest + 2 * world.options.tolerance * world.weight +
                       2e-3 * turn * turn * dynamics.kinetic_energy());
    last = now;
    if (world.closed) {
      EXPECT_LE((dynamics.momentum() - momentum).norm(), 1e-9 * most);
      most_angular = std::max(most_angular, world.most_angular_momentum());
      // An impulse acts at two points, which are less than the tolerance apart.
      EXPECT_LE((dynamics.angular_momentum() - angular).norm(),
                1e-10 * most_angular + 0.1 * world.options.tolerance * most);
    }
    if (testing::Test::HasFailure()) return;
  }
}

// Two of them hold each other from impacts within a step on, and make room for their rotation: they
// move otherwise than their velocities say. Their angular momentum changed by seven tenths of a
// tolerance times the momentum of all.
TEST(DynamicsProperty, BodiesThatHoldEachOtherKeepTheirAngularMomentum) {
  base::Random random(1'795'984'444);
  RandomWorld world(random);
  ASSERT_TRUE(world.closed);
  const Vec3 angular = world.dynamics->angular_momentum();
  const double most = world.most_momentum();
  std::size_t corrections = 0;
  for (int step = 0; step < 12; ++step) {
    corrections += world.dynamics->step(world.dt).corrections.size();
    EXPECT_LE((world.dynamics->angular_momentum() - angular).norm(),
              1e-9 * world.options.tolerance * most)
        << step;
  }
  EXPECT_GT(corrections, 4U);
}

// Two of them turn far together and press each other: their motions against each other are damped,
// so that they could not pay for the angular momentum that opening their gap took. A twentieth of a
// tolerance times the momentum of all was lost in each step.
TEST(DynamicsProperty, PressedBodiesThatTurnFarKeepTheirAngularMomentum) {
  base::Random random(1'796'067'087);
  RandomWorld world(random);
  ASSERT_TRUE(world.closed);
  const Vec3 angular = world.dynamics->angular_momentum();
  const double most = world.most_momentum();
  std::size_t corrections = 0;
  for (int step = 0; step < 30; ++step) {
    corrections += world.dynamics->step(world.dt).corrections.size();
    EXPECT_LE((world.dynamics->angular_momentum() - angular).norm(),
              1e-9 * world.options.tolerance * most)
        << step;
  }
  EXPECT_GT(corrections, 4U);
}

TEST(DynamicsProperty, RandomWorldsStayWhole) {
  Tally tally;
  const int worlds = scaled(1700, 10);  // 102,000 steps
  for (int world = 0; world < worlds; ++world) {
    SCOPED_TRACE(test::case_of_seed(world));
    base::Random random(1000 + test::first_seed() + static_cast<std::uint64_t>(world));
    attack(random, 60, tally);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tally.impacts, 3 * tally.worlds);
  EXPECT_GT(tally.resting, 3 * tally.worlds);
  EXPECT_GT(tally.closed, tally.worlds / 5);
  EXPECT_LT(tally.closed, tally.worlds / 2 + 2);
}

}  // namespace
}  // namespace touche::dynamics_property_test
