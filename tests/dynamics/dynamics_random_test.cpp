// SPDX-License-Identifier: Apache-2.0
// Random worlds: no body ever enters another one, by a proof of its own and by looking; energy does
// not grow; threads change nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dynamic_bodies.h"
#include "test_scale.h"
#include "touche/query.h"

namespace touche::dynamics_random_test {
namespace {

using namespace test;

struct Options {
  double scale = 1, speed = 5, spin = 5, mass_ratio = 1, gravity = kGravity, dt = 1.0 / 60;
  bool ground = true;
  int threads = 0;
};

struct RandomWorld {
  World world;
  std::optional<Dynamics> dynamics;
  std::vector<NodeId> all, dynamic;
  double weight = 0;

  RandomWorld(std::uint64_t seed, const Options& options) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const double s = options.scale;
    const double friction = 0.5 + 0.5 * number(random), restitution = std::abs(number(random));
    dynamics.emplace(world, DynamicsOptions{.tolerance = 1e-3 * s,
                                            .gravity = {0, 0, -options.gravity * s},
                                            .surface = {restitution, friction},
                                            .threads = options.threads});
    if (options.ground)
      all.push_back(world.add(Object(scenes::box(Vec3(-20, -20, -1) * s, Vec3(20, 20, 0) * s)), {},
                              {.fixed = true}));
    for (int i = 0; i < 8; ++i) {
      const Vec3 size = Vec3(1, 0.6, i % 2 ? 0.05 : 0.8) * s;
      const Object object = i % 3 ? box(size) : Object(scenes::torus(0.5 * s, 0.15 * s, 8, 5));
      const double x = number(random), y = number(random), z = number(random);
      const double angle = 3 * number(random);
      const Vec3 place = s * Vec3(1.6 * (i % 2) + 0.2 * x, 1.6 * (i / 2 % 2), 1.2 + 1.6 * (i / 4));
      const double vx = number(random), vy = number(random), vz = number(random);
      const double wx = number(random), wy = number(random), wz = number(random);
      const double density = i % 2 ? options.mass_ratio : 1;
      dynamic.push_back(world.add(object, Pose::from_axis_angle({x, y, z + 1.5}, angle, place)));
      dynamics->add(dynamic.back(), density,
                    {options.speed * s * Vec3(vx, vy, vz), options.spin * Vec3(wx, wy, wz)});
      weight += dynamics->mass(dynamic.back()).mass * options.gravity * s;
    }
    all.insert(all.end(), dynamic.begin(), dynamic.end());
  }

  Motion way(NodeId node) const {
    return dynamics->is_dynamic(node) ? dynamics->last_motion(node) : Motion::at(world.pose(node));
  }

  // Checks the paths of the last step, each pair by itself.
  void expect_no_contact() const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Motion motion_a = way(all[i]);
      for (std::size_t k = i + 1; k < all.size(); ++k) {
        const Motion motion_b = way(all[k]);
        const Object &a = world.object(all[i]), &b = world.object(all[k]);
        const ToiResult proof =
            time_of_impact(a, motion_a, b, motion_b, {.tolerance = 1e-12 * a.bounds().diagonal()});
        EXPECT_NE(proof.status, ToiStatus::contact) << i << " " << k << " at " << proof.time.upper;
        EXPECT_NE(proof.status, ToiStatus::initially_touching) << i << " " << k;
        for (const double t : {0.0, 0.3, 0.7, 1.0})
          EXPECT_FALSE(intersects(a, motion_a.pose(t), b, motion_b.pose(t)));
      }
    }
  }
};

struct Tally {
  std::size_t impacts = 0, resting = 0;
  double lost = 0;
};

Tally attack(std::uint64_t seed, const Options& options, int steps) {
  RandomWorld world(seed, options);
  Tally tally;
  double last = energy(*world.dynamics);
  for (int i = 0; i < steps; ++i) {
    const DynamicsResult& step = world.dynamics->step(options.dt);
    tally.impacts += step.impacts.size();
    tally.resting += step.contacts.size();
    for (const LostTime& lost : step.lost) tally.lost += lost.time;
    world.expect_no_contact();
    // Regaining the distance that bodies keep lifts them.
    const double now = energy(*world.dynamics);
    EXPECT_LE(now, last + 1e-9 * std::abs(last) + 2e-3 * options.scale * world.weight) << i;
    last = now;
    if (testing::Test::HasFailure()) break;
  }
  return tally;
}

TEST(DynamicsRandom, NothingEntersAnything) {
  Tally all;
  const int runs = scaled(10, 2), steps = 120;
  for (int run = 0; run < runs; ++run) {
    const Tally tally = attack(run, {}, steps);
    all.impacts += tally.impacts;
    all.resting += tally.resting;
    all.lost += tally.lost;
  }
  EXPECT_GT(all.impacts, 10U * runs);
  EXPECT_GT(all.resting, 10U * runs);
  // Little of all bodies' time is lost.
  EXPECT_LT(all.lost, 0.2 * runs * steps / 60.0 * 8);
}

TEST(DynamicsRandom, AtAnySpeed) { EXPECT_GT(attack(3, {.speed = 300}, 30).impacts, 0U); }
TEST(DynamicsRandom, AtAThousandRadians) {
  EXPECT_GT(attack(4, {.spin = 1000, .dt = 1.0 / 240}, 30).impacts, 0U);
}
TEST(DynamicsRandom, AtAnyRatioOfMasses) {
  EXPECT_GT(attack(5, {.mass_ratio = 1e6}, 60).impacts, 0U);
}
TEST(DynamicsRandom, AtAnyScale) {
  EXPECT_GT(attack(6, {.scale = 1e-6}, 60).impacts, 0U);
  EXPECT_GT(attack(6, {.scale = 1e6}, 60).impacts, 0U);
}
TEST(DynamicsRandom, WithoutGravity) {
  EXPECT_GT(attack(7, {.gravity = 0, .ground = false}, 60).impacts, 0U);
}

TEST(DynamicsRandom, ThreadsChangeNothing) {
  RandomWorld one(9, {.threads = 1}), four(9, {.threads = 4});
  for (int i = 0; i < 90; ++i) {
    (void)one.dynamics->step(1.0 / 60);
    (void)four.dynamics->step(1.0 / 60);
    for (std::size_t k = 0; k < one.dynamic.size(); ++k) {
      const NodeId a = one.dynamic[k], b = four.dynamic[k];
      ASSERT_EQ(one.world.pose(a).translation(), four.world.pose(b).translation());
      ASSERT_EQ(one.dynamics->velocity(a).angular, four.dynamics->velocity(b).angular);
    }
  }
}

// Far faster than its own length in a step, at a wall that is thinner than paper.
TEST(DynamicsRandom, ABulletDoesNotPassAWall) {
  for (const double restitution : {0.0, 1.0}) {
    World world;
    world.add(Object(scenes::box({0, -5, -5}, {1e-3, 5, 5})), {}, {.fixed = true});
    const NodeId bullet = world.add(box({0.02, 0.01, 0.01}), at({-50, 0.1, 0.2}));
    Dynamics dynamics(world, {.tolerance = 1e-5, .surface = {.restitution = restitution}});
    dynamics.add(bullet, 1e4, {.linear = {10000, 0, 0}, .angular = {300, 200, 100}});
    for (int i = 0; i < 10; ++i) (void)dynamics.step(1.0 / 60);
    EXPECT_LT(world.pose(bullet).translation().x(), 0);
    EXPECT_LE(dynamics.velocity(bullet).linear.x(), 1e-9);
  }
}

}  // namespace
}  // namespace touche::dynamics_random_test
