// SPDX-License-Identifier: Apache-2.0
// Compares the bodies near a point with the ones that a query of every body finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/world.h"

namespace touche::nearest_test {
namespace {

using scenes::Random;
using Found = std::vector<std::pair<double, NodeId>>;

Found every_body(const World& world, const Vec3& point, std::size_t count, double max_distance) {
  Found all;
  for (const NodeId body : world.bodies()) {
    const double away = closest_point(world.object(body), world.pose(body), point).distance;
    if (away <= max_distance) all.emplace_back(away, body);
  }
  std::sort(all.begin(), all.end());
  all.resize(std::min(count, all.size()));
  return all;
}

Found nearest(World& world, const Vec3& point, std::size_t count, double max_distance = kInfinity) {
  Found found;
  for (const NearestBody& body : world.nearest(point, count, max_distance))
    found.emplace_back(body.closest.distance, body.body);
  return found;
}

Object cube(double size) {
  return Object(scenes::box(Vec3::Constant(-size), Vec3::Constant(size), 1));
}

Pose turned(base::Random& random, const Vec3& at) {
  const Vec3 axis = random.direction();
  return Pose::from_axis_angle(axis, random.uniform(0, 3), at);
}

// Bodies of all sizes, some clusters of them, some around all others, some gone.
World some_world(base::Random& random, int bodies) {
  World world;
  std::vector<NodeId> ids;
  Vec3 centre = Vec3::Zero();
  double reach = 10;
  for (int i = 0; i < bodies; ++i) {
    if (random.uniform() < 0.05) {
      centre = random.in_box(20);
      reach = std::pow(10, random.uniform(-2, 1));
    }
    const double size =
        reach * std::pow(10, random.uniform(-2, random.uniform() < 0.02 ? 1 : -0.5));
    const Vec3 at = centre + random.in_box(reach);
    ids.push_back(world.add(cube(size), turned(random, at)));
  }
  static_cast<void>(world.nearest(Vec3::Zero(), 1));  // so that all have boxes
  for (const NodeId id : ids)
    if (random.uniform() < 0.3) world.remove(id);
  return world;
}

TEST(Nearest, AsIfEveryBodyWereAsked) {
  base::Random random(1);
  int full = 0, asked = 0;
  for (int round = 0; round < test::scaled(24, 6); ++round) {
    World world = some_world(random, static_cast<int>(random.below(400)));
    const std::vector<NodeId> bodies = world.bodies();
    for (int question = 0; question < 100; ++question) {
      if (!bodies.empty() && random.uniform() < 0.2) {
        const NodeId body = bodies[random.below(static_cast<Index>(bodies.size()))];
        world.set_pose(body, turned(random, random.in_box(10)));
      }
      const double scale = std::pow(10, random.uniform(-2, 2));
      const Vec3 point = random.in_box(scale);
      const std::size_t count = random.below(12);
      const double most = random.uniform() < 0.5 ? kInfinity : random.uniform(0, 2 * scale);
      const Found expected = every_body(world, point, count, most);
      ASSERT_EQ(nearest(world, point, count, most), expected) << "round " << round;
      full += expected.size() == count;
      ++asked;
    }
  }
  EXPECT_GT(full, asked / 3);
  EXPECT_LT(full, asked);
}

// A grid of cubes: from its points of symmetry many are at one distance, some are there twice.
TEST(Nearest, OfThoseAtOneDistanceTheFirst) {
  base::Random random(2);
  World world;
  const Object one = cube(0.25);
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -4; z <= 4; ++z)
        for (int copy = 0; copy < 1 + (x + y + z) % 2; ++copy)
          static_cast<void>(world.add(one, Pose::from_translation({1.0 * x, 1.0 * y, 1.0 * z})));
  int ties = 0, asked = 0;
  for (; asked < test::scaled(300, 60); ++asked) {
    const Vec3 half = (2 * random.in_box(6)).array().round();
    const Vec3 point = 0.5 * half;
    const std::size_t count = random.below(30);
    const double most = random.uniform() < 0.7 ? kInfinity : 0.25 * random.below(12);
    const Found expected = every_body(world, point, count + 1, most);
    if (count > 0 && expected.size() > count)
      ties += expected[count].first == expected[count - 1].first;
    ASSERT_EQ(nearest(world, point, count, most), every_body(world, point, count, most));
  }
  test::expect_about_half(ties, asked);
}

TEST(Nearest, FromFarAway) {
  base::Random random(3);
  World world = some_world(random, 300);
  for (const double away : {1e2, 1e4, 1e8, 1e15, 1e25, 1e29})
    for (int k = 0; k < 10; ++k) {
      const Vec3 point = away * random.direction();
      const Found found = nearest(world, point, 3),
                  expected = every_body(world, point, 3, kInfinity);
      ASSERT_EQ(found, expected);
      EXPECT_TRUE(nearest(world, point, 3, 0.5 * away).empty());
    }
}

TEST(Nearest, NoneSomeOrAll) {
  base::Random random(4);
  World empty;
  EXPECT_TRUE(empty.nearest(Vec3::Zero(), 5).empty());
  static_cast<void>(empty.add_group());
  EXPECT_TRUE(empty.nearest(Vec3::Zero(), 5).empty());
  World world = some_world(random, 100);
  EXPECT_TRUE(world.nearest(Vec3::Zero(), 0).empty());
  const std::size_t all = world.body_count();
  EXPECT_EQ(world.nearest(Vec3::Zero(), all).size(), all);
  EXPECT_EQ(world.nearest(Vec3::Zero(), all + 1).size(), all);
  EXPECT_EQ(world.nearest(Vec3::Zero(), ~std::size_t{0}).size(), all);
}

// The limit belongs to what counts.
TEST(Nearest, UpToADistance) {
  World world;
  const NodeId body = world.add(cube(1));
  EXPECT_EQ(nearest(world, {3, 0, 0}, 1, 2), (Found{{2.0, body}}));
  EXPECT_TRUE(world.nearest({3, 0, 0}, 1, 2 - 1e-9).empty());
  EXPECT_EQ(nearest(world, {1, 0, 0}, 1, 0), (Found{{0.0, body}}));
  EXPECT_EQ(nearest(world, {0, 0, 0}, 1), (Found{{1.0, body}}));  // its faces count, no inside
}

TEST(ClosestPoint, OfABodyWhereverItHangs) {
  base::Random random(5);
  World world;
  const NodeId group = world.add_group(), inner = world.add_group({}, group);
  const Object sphere(scenes::bumpy_sphere(200, 1));
  const NodeId body = world.add(sphere, {}, {}, inner);
  int near = 0;
  const int rounds = test::scaled(200, 40);
  for (int round = 0; round < rounds; ++round) {
    world.set_local_pose(group, turned(random, random.in_box(2)));
    world.set_local_pose(inner, turned(random, random.in_box(2)));
    const Vec3 point = random.in_box(3);
    const double most = random.uniform(0, 4);
    const ClosestPoint found = world.closest_point(body, point, most),
                       slow = brute_force::closest_point(sphere, world.pose(body), point, most);
    ASSERT_EQ(found.face == kNone, slow.face == kNone);
    near += found.face != kNone;
    if (found.face == kNone) continue;
    ASSERT_NEAR(found.distance, slow.distance, 1e-12);
    ASSERT_NEAR((found.point - point).norm(), found.distance, 1e-12);
  }
  test::expect_about_half(near, rounds);
  EXPECT_EQ(world.closest_point(body, Vec3::Zero()).distance,
            world.nearest(Vec3::Zero(), 1)[0].closest.distance);
}

TEST(ClosestPoint, RefusesWhatMakesNoSense) {
  World world;
  const NodeId group = world.add_group(), body = world.add(cube(1)), gone = world.add(cube(1));
  world.remove(gone);
  EXPECT_THROW(static_cast<void>(world.closest_point(group, Vec3::Zero())), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.closest_point(gone, Vec3::Zero())), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.closest_point(body, Vec3::Zero(), -1)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.closest_point(body, Vec3::Zero(), std::nan(""))),
               InvalidInput);
  EXPECT_THROW(static_cast<void>(world.closest_point(body, Vec3::Constant(std::nan("")))),
               InvalidInput);
}

}  // namespace
}  // namespace touche::nearest_test
