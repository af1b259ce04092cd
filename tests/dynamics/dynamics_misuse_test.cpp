// SPDX-License-Identifier: Apache-2.0
// Tests what is refused, and what is reported of nodes that come and go.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "dynamic_bodies.h"

namespace touche::dynamics_misuse_test {
namespace {

using namespace test;

const double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(DynamicsMisuse, Options) {
  World world;
  const auto refuses = [&](const DynamicsOptions& options) {
    EXPECT_THROW(Dynamics(world, options), InvalidInput);
  };
  refuses({});
  refuses({.tolerance = -1});
  refuses({.tolerance = kNan});
  refuses({.tolerance = 1, .gravity = {0, 0, kNan}});
  refuses({.tolerance = 1, .surface = {.restitution = 1.1}});
  refuses({.tolerance = 1, .surface = {.friction = -0.1}});
  refuses({.tolerance = 1, .iterations = 0});
}

TEST(DynamicsMisuse, BodiesAndForces) {
  World world;
  const NodeId group = world.add_group();
  const NodeId solid = world.add(box({1, 1, 1}), {}, {}, group, "solid");
  // Without a lid.
  const PolygonSoup closed = scenes::box({0, 0, 0}, {1, 1, 1});
  std::vector<double> coordinates;
  for (const Vec3& v : closed.vertices())
    coordinates.insert(coordinates.end(), {v.x(), v.y(), v.z()});
  std::vector<Index> corners;
  for (Index t = 0; t + 2 < closed.triangle_count(); ++t)
    for (const Index v : closed.triangle(t)) corners.push_back(v);
  const NodeId open =
      world.add(Object(PolygonSoup(coordinates, corners)), at({5, 0, 0}), {}, {}, "open");
  const NodeId empty = world.add_group();

  Dynamics dynamics(world, {.tolerance = 1e-3});
  try {
    dynamics.add(open, 1.0);
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("open"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("not closed"), std::string::npos);
  }
  EXPECT_THROW(dynamics.add(empty, 1.0), InvalidInput);
  EXPECT_THROW(dynamics.add(solid, 0.0), InvalidInput);
  EXPECT_THROW(dynamics.add(solid, MassProperties{}), InvalidInput);
  EXPECT_THROW(dynamics.add(solid, 1.0, {.linear = {kNan, 0, 0}}), InvalidInput);
  EXPECT_THROW(dynamics.apply_force(solid, {1, 0, 0}), InvalidInput);  // not dynamic yet
  EXPECT_TRUE(dynamics.nodes().empty());

  dynamics.add(open, {1, Vec3(0.5, 0.5, 0.5), Mat3::Identity()});  // its mass is given
  dynamics.add(solid, 1.0);
  EXPECT_THROW(dynamics.add(group, 1.0), InvalidInput);  // solid hangs on it
  EXPECT_THROW(dynamics.apply_force(solid, {kNan, 0, 0}), InvalidInput);
  EXPECT_THROW(dynamics.apply_force(solid, {1, 0, 0}, {kNan, 0, 0}), InvalidInput);
  EXPECT_THROW(dynamics.apply_torque(solid, {kNan, 0, 0}), InvalidInput);
  EXPECT_THROW(dynamics.apply_impulse(solid, {kNan, 0, 0}, {0, 0, 0}), InvalidInput);
  EXPECT_THROW(dynamics.set_velocity(solid, {.angular = {0, kNan, 0}}), InvalidInput);
  EXPECT_THROW(dynamics.set_gravity({kNan, 0, 0}), InvalidInput);
  EXPECT_THROW(dynamics.set_surface(group, {}), InvalidInput);
  EXPECT_THROW(dynamics.set_surface(solid, {.friction = kNan}), InvalidInput);
  EXPECT_THROW(dynamics.move(solid, Motion::at({})), InvalidInput);
  for (const double dt : {0.0, -1.0, kNan, kInfinity})
    EXPECT_THROW((void)dynamics.step(dt), InvalidInput);
  EXPECT_THROW((void)dynamics.last_motion(solid), InvalidInput);
  EXPECT_EQ(dynamics.momentum(), Vec3::Zero());
}

TEST(DynamicsMisuse, NodesComeAndGo) {
  World world;
  Dynamics dynamics(world, {.tolerance = 1e-3});
  const NodeId a = world.add(box({1, 1, 1})), b = world.add(box({1, 1, 1}), at({2, 0, 0}));
  dynamics.add(b, 1.0);
  dynamics.add(a, 2.0, {.linear = {1, 0, 0}});
  EXPECT_EQ(dynamics.nodes(), (std::vector{a, b}));
  (void)dynamics.step(0.1);
  EXPECT_NEAR(dynamics.last_motion(a).pose(0.5).translation().x(), 0.05, 1e-12);
  world.remove(b);
  EXPECT_EQ(dynamics.nodes(), std::vector{a});
  EXPECT_FALSE(dynamics.is_dynamic(b));
  EXPECT_THROW((void)dynamics.velocity(b), InvalidInput);
  for (int i = 0; i < 30; ++i) (void)dynamics.step(0.1);
  EXPECT_NEAR(world.pose(a).translation().x(), 3.1, 1e-12);
  dynamics.remove(a);
  EXPECT_TRUE(dynamics.nodes().empty());
  (void)dynamics.step(0.1);
  EXPECT_NEAR(world.pose(a).translation().x(), 3.1, 1e-12);
}

TEST(DynamicsMisuse, AGroupIsOneBody) {
  World world;
  const NodeId group = world.add_group(at({0, 0, 1}));
  world.add(box({1, 1, 1}), at({-1, 0, 0}), {}, group);
  world.add(box({1, 1, 1}), at({1, 0, 0}), {}, group);
  Dynamics dynamics(world, {.tolerance = 1e-3});
  dynamics.add(group, 3.0, {.angular = {0, 0, 2}});
  EXPECT_NEAR(dynamics.mass(group).mass, 6, 1e-12);
  EXPECT_NEAR(dynamics.mass(group).inertia(2, 2), 6 * (1.0 / 6 + 1), 1e-12);
  for (int i = 0; i < 10; ++i) (void)dynamics.step(0.1);
  EXPECT_LT((world.pose(group).rotate(Vec3::UnitX()) - Vec3(std::cos(2), std::sin(2), 0)).norm(),
            1e-9);
}

}  // namespace
}  // namespace touche::dynamics_misuse_test
