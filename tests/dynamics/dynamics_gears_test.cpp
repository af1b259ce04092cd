// SPDX-License-Identifier: Apache-2.0
// Gears that are given their speeds at once, beside bodies that rest, sleep, hang on a hinge or
// follow a motion. Steps are taken in parts for all of these.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "dynamic_scenes.h"
#include "touche/dynamics.h"
#include "touche/query.h"

namespace touche::dynamics_gears_test {
namespace {

constexpr double kFrame = 1.0 / 60;

struct Gears {
  World world;
  std::optional<Dynamics> dynamics;
  std::array<NodeId, 3> gears;
  std::vector<NodeId> others;
  double metres = 1e-3, tolerance = 0;

  explicit Gears(const std::array<double, 3>& speeds, int threads = 1, double sleep_time = 0) {
    const scenes::DynamicScene scene = scenes::gears();
    dynamics.emplace(world, DynamicsOptions{.tolerance = scene.tolerance,
                                            .gravity = scene.gravity / metres,
                                            .surface = {},
                                            .threads = threads,
                                            .sleep_time = sleep_time});
    tolerance = scene.tolerance;
    std::size_t number = 0;
    for (const scenes::DynamicBody& body : scene.bodies) {
      const NodeId node =
          world.add(Object(scene.meshes[body.mesh].soup), body.pose, {.fixed = body.fixed});
      dynamics->set_surface(node, {.restitution = body.restitution, .friction = body.friction});
      if (body.fixed) continue;
      dynamics->add(node, 1e-9 * scene.density);
      gears[number++] = node;
    }
    for (std::size_t i = 0; i < gears.size(); ++i)
      dynamics->set_velocity(gears[i], {.linear = Vec3::Zero(), .angular = {0, 0, speeds[i]}});
  }
  NodeId box(const Vec3& low, const Vec3& high) {
    others.push_back(world.add(Object(scenes::box(low, high)), Pose(), {}));
    return others.back();
  }
  double speed(std::size_t gear) const { return dynamics->velocity(gears[gear]).angular.z(); }

  // Contacts may lift bodies by a tolerance.
  void step() {
    double lift = 0;
    for (const NodeId gear : gears) lift += 9810 * tolerance * dynamics->mass(gear).mass;
    const double had = dynamics->kinetic_energy() + dynamics->potential_energy();
    (void)dynamics->step(kFrame);
    EXPECT_LE(dynamics->kinetic_energy() + dynamics->potential_energy(), had + lift);
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(time_of_impact(world.object(gears[i]), dynamics->last_motion(gears[i]),
                               world.object(gears[i + 1]), dynamics->last_motion(gears[i + 1]),
                               {.tolerance = 1e-7})
                    .status,
                ToiStatus::free);
  }
};

// By up to two radians in a step, which are many teeth.
TEST(DynamicsGears, WhoMeshAtSpeedsThatAreGivenGoOn) {
  for (const double speed : {20., 60.}) {
    Gears scene({speed, -speed * 18 / 27, speed});
    const double start = scene.dynamics->kinetic_energy();
    for (int i = 0; i < 8; ++i) scene.step();
    EXPECT_GT(scene.dynamics->kinetic_energy(), 0.99 * start) << speed;
    EXPECT_NEAR(scene.speed(0), speed, 0.02 * speed);
    EXPECT_NEAR(scene.speed(1), -speed * 18 / 27, 0.02 * speed);
  }
}

// Teeth that meet with different speeds lose what no common motion has: of motions with one speed
// at the teeth, the one that is nearest in the metric of energy.
TEST(DynamicsGears, WhoMeshAtOtherSpeedsLoseAsMuchAsTheyMust) {
  Gears scene({60, 0, 60});
  const double start = scene.dynamics->kinetic_energy();
  const auto inertia = [&](std::size_t i) {
    return scene.dynamics->mass(scene.gears[i]).inertia(2, 2);
  };
  const double ratio = 18. / 27, outer = inertia(0) + inertia(2),
               share = outer / (outer + ratio * ratio * inertia(1));
  for (int i = 0; i < 15; ++i) scene.step();
  EXPECT_NEAR(scene.dynamics->kinetic_energy(), share * start, 0.03 * start);
  EXPECT_NEAR(scene.speed(0) / scene.speed(1), -27. / 18, 0.05);
}

TEST(DynamicsGears, BodiesBesideThemMoveByTheSameBitsForAnyNumberOfThreads) {
  std::vector<Eigen::Matrix4d> expected;
  for (const int threads : {1, 3, 12}) {
    Gears scene({60, -30, 60}, threads);
    Dynamics& dynamics = *scene.dynamics;
    (void)scene.box({-400, -50, -10}, {-100, 50, 0});  // the ground
    const NodeId resting = scene.box({-300, -5, 0.02}, {-290, 5, 10.02});
    const NodeId driven = scene.box({-350, -5, 0.5}, {-340, 5, 10}),
                 pushed = scene.box({-338, -5, 0.02}, {-330, 5, 10.02});
    const NodeId hanging = scene.box({-200, -5, 100}, {-150, 5, 110});
    for (const NodeId node : {resting, pushed, hanging}) {
      dynamics.set_surface(node, {.restitution = 0, .friction = 0.3});
      dynamics.add(node, 1e-6);
    }
    (void)dynamics.join(
        {.type = JointType::hinge, .a = hanging, .point = {-150, 0, 105}, .axis = Vec3::UnitY()});
    for (int i = 0; i < 12; ++i) {
      const Pose start = scene.world.pose(driven);
      dynamics.move(driven,
                    Motion::interpolated(start, Pose::from_translation({0.5, 0, 0}) * start));
      (void)dynamics.step(kFrame);
      const auto way = [&](NodeId node) {
        return dynamics.is_dynamic(node) || node == driven ? dynamics.last_motion(node)
                                                           : Motion::at(scene.world.pose(node));
      };
      for (const auto& [a, b] : {std::pair(driven, pushed), std::pair(scene.others[0], pushed),
                                 std::pair(scene.others[0], resting)})
        ASSERT_EQ(time_of_impact(scene.world.object(a), way(a), scene.world.object(b), way(b),
                                 {.tolerance = 1e-7})
                      .status,
                  ToiStatus::free)
            << i;
    }
    EXPECT_LT(scene.world.pose(resting).translation().norm(), 0.1);
    EXPECT_GT(scene.world.pose(pushed).translation().x(), 3);
    std::vector<Eigen::Matrix4d> got;
    for (const NodeId node : {scene.gears[0], scene.gears[1], resting, pushed, hanging}) {
      Eigen::Matrix4d pose = Eigen::Matrix4d::Identity();
      pose.topLeftCorner<3, 3>() = scene.world.pose(node).matrix();
      pose.topRightCorner<3, 1>() = scene.world.pose(node).translation();
      got.push_back(pose);
    }
    if (expected.empty()) expected = got;
    EXPECT_EQ(got, expected) << threads;
  }
}

/// Which bodies sleep after each step, beside gears that stand or turn: two boxes on each other and
/// one that hangs on a hinge, which nothing disturbs; one that is pushed, one that is struck from
/// above, and one on a table that is drawn away.
std::vector<std::vector<bool>> sleepers(bool turning, std::vector<Vec3>& ends) {
  const double speed = turning ? 12 : 0;
  Gears scene({speed, -speed * 18 / 27, speed}, 1, 0.11);
  Dynamics& dynamics = *scene.dynamics;
  (void)scene.box({-600, -50, -10}, {-100, 50, 0});  // the ground
  const auto loose = [&](double x, double bottom) {
    const NodeId node = scene.box({x, -5, bottom}, {x + 10, 5, bottom + 10});
    dynamics.set_surface(node, {.restitution = 0, .friction = 0.3});
    dynamics.add(node, 1e-6);
    return node;
  };
  const NodeId low = loose(-150, 0.02), high = loose(-150, 10.04), hanging = loose(-200, 100),
               pushed = loose(-300, 0.02), struck = loose(-400, 0.02), falling = loose(-400, 250),
               carried = loose(-500, 2.04);
  const NodeId pusher = scene.box({-320, -5, 0.5}, {-310, 5, 10}),
               table = scene.box({-520, -20, 0.02}, {-460, 20, 2.02});
  (void)dynamics.join(
      {.type = JointType::hinge, .a = hanging, .point = {-195, 0, 120}, .axis = Vec3::UnitY()});
  const auto draw = [&](NodeId node, int step, int first, const Vec3& way) {
    const Pose start = scene.world.pose(node);
    const bool moves = step >= first && step < first + 6;
    dynamics.move(node,
                  Motion::interpolated(
                      start, Pose::from_translation(moves ? way : Vec3(Vec3::Zero())) * start));
  };
  std::vector<std::vector<bool>> all;
  for (int i = 0; i < 28; ++i) {
    draw(pusher, i, 9, {3, 0, 0});
    draw(table, i, 10, {-2, 0, 0});
    (void)dynamics.step(kFrame);
    all.emplace_back();
    for (const NodeId node : {low, high, hanging, pushed, struck, falling, carried})
      all.back().push_back(dynamics.is_asleep(node));
  }
  for (const NodeId node : {low, high, hanging, pushed, struck, falling, carried})
    ends.push_back(scene.world.pose(node).translation());
  return all;
}

TEST(DynamicsGears, WhoSleepsBesideThemSleepsAndWakesAsInWholeSteps) {
  std::vector<Vec3> whole_ends, ends;
  const auto whole = sleepers(false, whole_ends), parts = sleepers(true, ends);
  ASSERT_EQ(whole.size(), parts.size());
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const auto first = [&](const auto& all, bool asleep, std::size_t from) {
      while (from < all.size() && all[from][k] != asleep) ++from;
      return from;
    };
    const std::size_t sleeps = first(whole, true, 0), wakes = first(whole, false, sleeps);
    const std::size_t sleeps_in_parts = first(parts, true, 0);
    // It takes some steps to come to rest after a fall or a push, and not the same ways.
    const auto expect_near = [&](std::size_t x, std::size_t y) {
      EXPECT_NEAR(static_cast<double>(x), static_cast<double>(y), 4) << k;
    };
    if (k == 5) {
      expect_near(sleeps_in_parts, sleeps);
    } else {
      EXPECT_EQ(sleeps_in_parts, sleeps) << k;
    }
    EXPECT_EQ(first(parts, false, sleeps_in_parts), wakes) << k;
    expect_near(first(parts, true, wakes), first(whole, true, wakes));
    EXPECT_EQ(wakes < whole.size(), k >= 3 && k != 5) << k;
    EXPECT_TRUE(whole.back()[k]) << k;
    EXPECT_TRUE(parts.back()[k]) << k;
    EXPECT_LT((ends[k] - whole_ends[k]).norm(), k == 3 ? 2 : 0.05) << k;
  }
}

}  // namespace
}  // namespace touche::dynamics_gears_test
