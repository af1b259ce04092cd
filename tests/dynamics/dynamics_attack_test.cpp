// SPDX-License-Identifier: Apache-2.0
// Tries rigid bodies with extreme masses, speeds and scales, and checks paths, momentum and energy.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "judged_step.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/dynamics.h"

namespace touche::dynamics_attack_test {
namespace {

using test::at;
using test::block;
using test::judged_step;
using test::scaled;

/// Loose bodies of all sorts in a closed room, whose walls stand still.
struct Cloud {
  World world;
  std::vector<NodeId> bodies;

  Cloud(base::Random& random, int count, double scale, bool walls) {
    if (walls)
      world.add(Object(scenes::box(Vec3::Constant(-3 * scale), Vec3::Constant(3 * scale), 1)), {},
                {.fixed = true});
    for (int i = 0; i < count; ++i) {
      const double size = scale * random.uniform(0.2, 0.5);
      const Vec3 axis = random.direction();
      const double angle = random.uniform(0, 3);
      const Vec3 place(scale * (1.3 * (i % 3) - 1.3), scale * (1.3 * (i / 3 % 3) - 1.3),
                       scale * (1.3 * (i / 9) - 1.3));
      bodies.push_back(
          world.add(some_object(random, size), Pose::from_axis_angle(axis, angle, place)));
    }
  }
  static Object some_object(base::Random& random, double size) {
    switch (random.below(4)) {
      case 0:
        return block({size, size, 0.02 * size});
      case 1:
        return block({size, 0.05 * size, 0.05 * size});
      case 2:
        return Object(scenes::torus(0.7 * size, 0.25 * size, 10, 6));
      default:
        return block(Vec3::Constant(0.6 * size));
    }
  }
};

TEST(DynamicsAttack, FastThinBodiesKeepOutOfEachOtherAndKeepMomentum) {
  base::Random random(61);
  std::size_t impacts = 0;
  const int cases = scaled(40, 4);
  for (int i = 0; i < cases; ++i) {
    Cloud cloud(random, 9, 1, false);
    DynamicsOptions options;
    options.tolerance = 1e-4;
    options.surface = {.restitution = random.uniform(), .friction = random.uniform()};
    Dynamics dynamics(cloud.world, options);
    for (const NodeId body : cloud.bodies) {
      const double speed = std::pow(10, random.uniform(-1, 2.5));
      const Vec3 inwards = -speed * cloud.world.pose(body).translation();
      const Vec3 axis = random.direction();
      const Vec3 spin = std::pow(10, random.uniform(0, 3)) * axis;
      dynamics.add(body, std::pow(10, random.uniform(-3, 3)), {inwards, spin});
    }
    const Vec3 momentum = dynamics.momentum(), angular = dynamics.angular_momentum();
    double energy = dynamics.kinetic_energy(), most = 0, most_angular = 0;
    for (const NodeId body : cloud.bodies) {
      const Velocity v = dynamics.velocity(body);
      most += dynamics.mass(body).mass * v.linear.norm();
      most_angular += 2 * dynamics.mass(body).mass * v.linear.norm() +
                      dynamics.mass(body).inertia.norm() * v.angular.norm();
    }
    for (int step = 0; step < 6; ++step) {
      const DynamicsResult& result = judged_step(cloud.world, dynamics, 0.01, options.tolerance);
      if (testing::Test::HasFatalFailure()) return;
      impacts += result.impacts.size();
      EXPECT_LT((dynamics.momentum() - momentum).norm(), 1e-9 * most) << i << " " << step;
      EXPECT_LT((dynamics.angular_momentum() - angular).norm(), 1e-3 * most_angular)
          << i << " " << step;
      EXPECT_LE(dynamics.kinetic_energy(), energy * (1 + 1e-3)) << i << " " << step;
      energy = dynamics.kinetic_energy();
    }
  }
  EXPECT_GT(impacts, static_cast<std::size_t>(cases));
}

TEST(DynamicsAttack, InARoomTheyStayWhateverTheyWeigh) {
  base::Random random(62);
  for (int i = 0; i < scaled(6, 2); ++i) {
    Cloud cloud(random, 10, 1, true);
    DynamicsOptions options;
    options.tolerance = 1e-3;
    options.gravity = {0, 0, -9.81};
    Dynamics dynamics(cloud.world, options);
    for (const NodeId body : cloud.bodies) dynamics.add(body, std::pow(10, random.uniform(-3, 3)));
    for (int step = 0; step < 40; ++step) {
      (void)judged_step(cloud.world, dynamics, 1.0 / 60, options.tolerance);
      if (testing::Test::HasFatalFailure()) return;
    }
    for (const NodeId body : cloud.bodies) {
      const Vec3 place = cloud.world.pose(body).translation();
      EXPECT_TRUE(place.allFinite());
      EXPECT_LT(place.cwiseAbs().maxCoeff(), 3) << i;
      const Velocity v = dynamics.velocity(body);
      EXPECT_LT(v.linear.norm(), 100);
    }
  }
}

TEST(DynamicsAttack, ScalesDoNotMatter) {
  std::vector<Vec3> ends;
  for (const double scale : {1.0, 0x1p-20, 0x1p20}) {
    World world;
    const NodeId part = world.add(block(scale * Vec3(0.5, 0.4, 0.3)),
                                  Pose::from_axis_angle({1, 2, 3}, 0.7, scale * Vec3(0, 0, 1.2)));
    world.add(block(scale * Vec3(4, 4, 0.1)), at(0, 0, -0.1 * scale), {.fixed = true});
    DynamicsOptions options;
    options.tolerance = 0x1p-10 * scale;
    options.gravity = scale * Vec3(0, 0, -9.81);
    Dynamics dynamics(world, options);
    dynamics.add(part, 1, {scale * Vec3(1, 0, 0), {0, 3, 0}});
    for (int step = 0; step < 200; ++step) {
      (void)judged_step(world, dynamics, 1.0 / 64, options.tolerance);
      if (testing::Test::HasFatalFailure()) return;
    }
    ends.push_back(world.pose(part).translation() / scale);
    // It fell on the floor, slid and lies there.
    EXPECT_LT(ends.back().z(), 0.6);
    EXPECT_GT(ends.back().x(), 0.1);
    EXPECT_LT(dynamics.velocity(part).linear.norm(), 0.5 * scale);
  }
  EXPECT_LT((ends[1] - ends[0]).norm(), 1e-6);
  EXPECT_LT((ends[2] - ends[0]).norm(), 1e-6);
}

TEST(DynamicsAttack, TheSameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> all[3];
  const int threads[] = {1, 2, 4};
  for (int run = 0; run < 3; ++run) {
    base::Random random(63);
    Cloud cloud(random, 12, 1, true);
    DynamicsOptions options;
    options.tolerance = 1e-3;
    options.gravity = {0, 0, -9.81};
    options.threads = threads[run];
    Dynamics dynamics(cloud.world, options);
    for (const NodeId body : cloud.bodies)
      dynamics.add(body, 1, {random.in_box(3), random.in_box(20)});
    for (int step = 0; step < 25; ++step) (void)dynamics.step(1.0 / 60);
    for (const NodeId body : cloud.bodies) {
      const Pose pose = cloud.world.pose(body);
      const Velocity v = dynamics.velocity(body);
      for (int k = 0; k < 3; ++k)
        for (const double x : {pose.translation()[k], v.linear[k], v.angular[k]})
          all[run].push_back(std::bit_cast<std::uint64_t>(x));
      const Eigen::Quaterniond turn = pose.rotation();
      for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()})
        all[run].push_back(std::bit_cast<std::uint64_t>(x));
    }
  }
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

}  // namespace
}  // namespace touche::dynamics_attack_test
