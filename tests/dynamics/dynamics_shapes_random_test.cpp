// SPDX-License-Identifier: Apache-2.0
// Random worlds of convex shapes and soups: nothing enters anything.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "shape_bodies.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche::dynamics_shapes_random_test {
namespace {

using namespace test;

struct RandomShapes {
  World world;
  std::optional<Dynamics> dynamics;
  std::vector<NodeId> dynamic;
  double weight = 0;

  RandomShapes(std::uint64_t seed, int threads) {
    base::Random random(seed);
    const double friction = random.uniform(0, 1), restitution = random.uniform(0, 1);
    dynamics.emplace(world, DynamicsOptions{.tolerance = 1e-3,
                                            .gravity = {0, 0, -kGravity},
                                            .surface = {restitution, friction},
                                            .threads = threads});
    if (seed % 2 == 0)
      add_ground(world);
    else
      add_plane(world);
    for (int i = 0; i < 10; ++i) {
      const Pose pose = at(Vec3(1.9 * (i % 2), 1.9 * (i / 2 % 2), 1.6 + 2.2 * (i / 4))) *
                        random_pose(random, 0.1);
      if (i % 5 == 4) {
        dynamic.push_back(world.add(box({0.9, 0.5, 0.3}), pose));
        dynamics->add(dynamic.back(), 1.0);
      } else {
        const Shape shape = some_shape(random, static_cast<int>(random.below(11)));
        dynamic.push_back(world.add(shape, pose));
        dynamics->add(dynamic.back(), mass_of(shape));
      }
      const Vec3 linear = 4 * random.in_box(1), angular = 5 * random.in_box(1);
      dynamics->set_velocity(dynamic.back(), {linear, angular});
      weight += dynamics->mass(dynamic.back()).mass * kGravity;
    }
  }
  // Where there is no closed form, that of its box.
  static MassProperties mass_of(const Shape& shape) {
    try {
      return mass_properties(shape, 1);
    } catch (const InvalidInput&) {
      const Aabb& box = shape.bounds();
      return placed(mass_properties(Shape::box(0.5 * (box.hi - box.lo)), 1), at(box.centre()));
    }
  }
};

TEST(DynamicsShapes, NothingEntersAnything) {
  std::size_t impacts = 0, resting = 0;
  double lost = 0;
  const int runs = scaled(6, 2), steps = 90;
  for (int run = 0; run < runs; ++run) {
    RandomShapes world(static_cast<std::uint64_t>(run), 0);
    double last = energy(*world.dynamics);
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      const DynamicsResult& step = world.dynamics->step(1.0 / 60);
      impacts += step.impacts.size();
      resting += step.contacts.size();
      for (const LostTime& part : step.lost) lost += part.time;
      expect_no_contact(world.world, *world.dynamics);
      const double now = energy(*world.dynamics);
      EXPECT_LE(now, last + 1e-9 * std::abs(last) + 2e-3 * world.weight) << run << " " << i;
      last = now;
    }
  }
  EXPECT_GT(impacts, 10U * static_cast<std::size_t>(runs));
  EXPECT_GT(resting, 10U * static_cast<std::size_t>(runs));
  EXPECT_LT(lost, 0.1 * runs * steps / 60.0 * 10);
}

TEST(DynamicsShapes, ThreadsChangeNothing) {
  RandomShapes one(3, 1), four(3, 4);
  for (int i = 0; i < 60; ++i) {
    (void)one.dynamics->step(1.0 / 60);
    (void)four.dynamics->step(1.0 / 60);
    for (std::size_t k = 0; k < one.dynamic.size(); ++k) {
      const NodeId a = one.dynamic[k], b = four.dynamic[k];
      ASSERT_EQ(one.world.pose(a).translation(), four.world.pose(b).translation());
      ASSERT_EQ(one.dynamics->velocity(a).angular, four.dynamics->velocity(b).angular);
    }
  }
}

}  // namespace
}  // namespace touche::dynamics_shapes_random_test
