// SPDX-License-Identifier: Apache-2.0
// A part held by a hand: closed forms, and motions that are proved again by other queries.
#include "touche/handling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "committed_way.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::handling_test {
namespace {

using scenes::Random;
using test::CommittedWay;
using test::scaled;

constexpr double kTolerance = 1e-3, kClearance = 0.01;
// Between what is pressed together, at most.
constexpr double kRest = kClearance + 2.1 * kTolerance;

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }
Object cube(double half = 0.5) {
  return Object(scenes::box(Vec3::Constant(-half), Vec3::Constant(half), 1));
}
Object block(const Vec3& lo, const Vec3& hi) { return Object(scenes::box(lo, hi, 1)); }
const HandlingOptions kOptions{.tolerance = kTolerance, .clearance = kClearance};

Vec3 sum_of_forces(const HandlingStep& step) {
  Vec3 sum = Vec3::Zero();
  for (const HandlingContact& contact : step.contacts) sum += contact.force;
  return sum;
}

// A cube of edge 1 above a floor at z = 0, and a wall at x = 3.
struct Corner {
  World world;
  NodeId part = world.add(cube(), at(0, 0, 2));
  NodeId floor = world.add(block({-20, -20, -1}, {20, 20, 0}), {}, {.fixed = true});
  NodeId wall = world.add(block({3, -20, 0}, {4, 20, 10}), {}, {.fixed = true});
  Handling hand{world, part, kOptions};
  CommittedWay way{world, part, kClearance};

  const HandlingStep& go(const Pose& target) {
    const HandlingStep& step = hand.step(target);
    EXPECT_EQ(way.complaint(step), "");
    return step;
  }
};

TEST(Handling, ArrivesWhereNothingIsInTheWay) {
  Corner s;
  const Pose target = Pose::from_axis_angle({1, 2, 3}, 2.5, {-4, 2, 3});
  const HandlingStep& step = s.go(target);
  EXPECT_EQ(step.status, HandlingStatus::arrived);
  EXPECT_LT((step.pose.translation() - target.translation()).norm(), 1e-9);
  EXPECT_LT((step.pose.matrix() - target.matrix()).norm(), 1e-9);
  EXPECT_LT(step.distance_left + step.angle_left, 1e-9);
  EXPECT_TRUE(step.contacts.empty());
  EXPECT_EQ(s.world.pose(s.part).translation(), step.pose.translation());
  EXPECT_EQ(s.go(target).motions.size(), 0U);
}

TEST(Handling, ACopyOfAResultOutlivesTheNextStep) {
  HandlingStep kept;
  NodeId floor;
  {
    Corner s;
    floor = s.floor;
    kept = s.go(at(1.5, 1, -2));
    EXPECT_TRUE(s.go(at(0, 0, 4)).contacts.empty());
  }
  EXPECT_EQ(kept.status, HandlingStatus::held_back);
  ASSERT_FALSE(kept.contacts.empty());
  EXPECT_EQ(kept.contacts[0].other, floor);
  ASSERT_FALSE(kept.motions.empty());
  EXPECT_LT((kept.motions.back().pose(1).translation() - kept.pose.translation()).norm(), 1e-9);
}

TEST(Handling, SlidesOnAFloor) {
  Corner s;
  const HandlingStep& step = s.go(at(1.5, 1, -2));
  EXPECT_EQ(step.status, HandlingStatus::held_back);
  const Vec3 reached = step.pose.translation();
  EXPECT_NEAR(reached.x(), 1.5, kTolerance);
  EXPECT_NEAR(reached.y(), 1, kTolerance);
  EXPECT_GT(reached.z(), 0.5 + kClearance);
  EXPECT_LT(reached.z(), 0.5 + kRest);
  // The spring pulls by its length, the floor pushes back, by no more torque than the spring has.
  EXPECT_NEAR((step.force - Vec3(0, 0, reached.z() + 2)).norm(), 0, 10 * kTolerance);
  EXPECT_LT(step.torque.norm(), 10 * kTolerance);
  EXPECT_LT((sum_of_forces(step) - step.force).norm(), 1e-9);
  EXPECT_NEAR(step.distance_left, reached.z() + 2, 2 * kTolerance);
  for (const HandlingContact& contact : step.contacts) {
    EXPECT_EQ(contact.held, s.part);
    EXPECT_EQ(contact.other, s.floor);
    EXPECT_LT((contact.contact.normal + Vec3::UnitZ()).norm(), 1e-6);
    EXPECT_GT(contact.force.z(), 0);
  }
}

TEST(Handling, StopsInACorner) {
  Corner s;
  const HandlingStep& step = s.go(at(7, 1, -1));
  EXPECT_EQ(step.status, HandlingStatus::held_back);
  const Vec3 reached = step.pose.translation();
  EXPECT_LT((reached - Vec3(2.5 - kClearance, 1, 0.5 + kClearance)).norm(), 4 * kTolerance);
  EXPECT_NEAR((step.force - Vec3(reached.x() - 7, 0, reached.z() + 1)).norm(), 0, 10 * kTolerance);
}

// A cube that is turned about its edge on the floor lies flat as long as it is not turned too far.
TEST(Handling, IsPressedFlat) {
  Corner s;
  const HandlingStep& step = s.go(Pose::from_axis_angle(Vec3::UnitY(), 0.1, {0, 0, -4}));
  EXPECT_EQ(step.status, HandlingStatus::held_back);
  EXPECT_LT((step.pose.matrix() - Mat3::Identity()).norm(), 10 * kTolerance);
  EXPECT_NEAR(step.angle_left, 0.1, 10 * kTolerance);
  // The floor bears the force of the spring, and its torque: stiffness · J / m · angle.
  EXPECT_NEAR(step.force.z(), 4.5, 0.05);
  EXPECT_NEAR(step.torque.y(), -0.1 / 6, 2e-3);
}

TEST(Handling, ForcesScaleWithStiffness) {
  Vec3 forces[2];
  for (int i = 0; i < 2; ++i) {
    Corner s;
    HandlingOptions options = kOptions;
    options.stiffness = i == 0 ? 1 : 250;
    s.hand = Handling(s.world, s.part, options);
    forces[i] = s.go(at(4, 1, -1)).force;
  }
  EXPECT_LT((250 * forces[0] - forces[1]).norm(), 1e-6 * forces[1].norm());
  EXPECT_GT(forces[0].norm(), 1);
}

// On a floor, pulled aside by less than friction bears: it stays; by more: it slides.
TEST(Handling, SticksWithinTheConeOfFriction) {
  for (const double aside : {0.3, 0.7}) {
    Corner s;
    HandlingOptions options = kOptions;
    options.friction = 0.5;
    s.hand = Handling(s.world, s.part, options);
    s.go(at(0, 0, 0.4));
    s.go(at(0, 0, -0.5 + kClearance));
    const HandlingStep& step = s.go(at(aside, 0, -0.5 + kClearance));
    EXPECT_EQ(step.status, HandlingStatus::held_back);
    EXPECT_NEAR(step.pose.translation().x(), aside < 0.5 ? 0 : aside, 2 * kTolerance);
    EXPECT_NEAR(step.force.x(), aside < 0.5 ? -aside : 0, 10 * kTolerance);
    EXPECT_NEAR(step.force.z(), 1, 10 * kTolerance);
  }
}

// However thin the wall and however far the target jumps.
TEST(Handling, NeverTunnels) {
  scenes::Random random(1);
  int held = 0, arrived = 0;
  for (int i = 0; i < scaled(60, 10); ++i) {
    World world;
    const NodeId part = world.add(cube(), at(0));
    const double thin = std::pow(10, random.uniform(-9, -2));
    // Six walls around the part, with gaps at their edges that are too small for it.
    for (int k = 0; k < 3; ++k)
      for (const double side : {-1.0, 1.0}) {
        Vec3 lo = Vec3::Constant(-1.8), hi = Vec3::Constant(1.8);
        lo[k] = 2 * side - thin / 2;
        hi[k] = 2 * side + thin / 2;
        world.add(block(lo, hi), {}, {.fixed = true});
      }
    Handling hand(world, part, kOptions);
    CommittedWay way(world, part, kClearance);
    for (int j = 0; j < 6; ++j) {
      const Vec3 axis = random.direction(), far = random.in_box(std::pow(10, random.uniform(0, 3)));
      const double angle = random.uniform(0, 3);
      const HandlingStep& step = hand.step(Pose::from_axis_angle(axis, angle, far));
      ASSERT_EQ(way.complaint(step), "") << i << ' ' << j;
      ASSERT_LT(step.pose.translation().cwiseAbs().maxCoeff(), 1.5) << i << ' ' << j;
      ASSERT_NE(step.status, HandlingStatus::touching);
      ++(step.status == HandlingStatus::arrived ? arrived : held);
    }
  }
  EXPECT_GT(held, arrived);
  EXPECT_GT(arrived, 0);
}

TEST(Handling, MovesGroupsWithAllThatHangsOnThem) {
  World world;
  const NodeId group = world.add_group(at(0, 0, 3));
  const NodeId left = world.add(cube(), at(-1), {}, group);
  world.add(cube(), at(1, 0, 0.3), {}, group);
  world.add(block({-20, -20, -1}, {20, 20, 0}), {}, {.fixed = true});
  Handling hand(world, group, kOptions);
  EXPECT_NEAR(hand.mass().mass, 2, 1e-12);
  EXPECT_LT((hand.mass().centre - Vec3(0, 0, 0.15)).norm(), 1e-12);
  EXPECT_EQ(hand.held(), group);
  CommittedWay way(world, group, kClearance);
  const HandlingStep& step = hand.step(at(0, 0, -1));
  EXPECT_EQ(way.complaint(step), "");
  EXPECT_EQ(step.status, HandlingStatus::held_back);
  // Both stand on the floor, the higher one on an edge.
  EXPECT_EQ(step.contacts.front().held, left);
  EXPECT_NE(step.contacts.back().held, left);
}

TEST(Handling, SaysThatItBeganInContact) {
  for (const double height : {0.5, 0.5 + kClearance / 2, 0.3}) {
    Corner s;
    s.world.set_pose(s.part, at(0, 0, height));
    const Pose start = s.world.pose(s.part);
    const HandlingStep& pressed = s.hand.step(at(0, 0, 0));
    if (height != 0.3) continue;
    EXPECT_EQ(pressed.status, HandlingStatus::touching);
    EXPECT_EQ(pressed.pose.translation(), start.translation());
    EXPECT_TRUE(pressed.motions.empty());
  }
}

TEST(Handling, LeavesAContactThatOpens) {
  for (const double height : {0.5, 0.5 + kClearance / 2}) {
    Corner s;
    s.world.set_pose(s.part, at(0, 0, height));
    const HandlingStep& step = s.hand.step(at(0, 0, 2));
    EXPECT_EQ(step.status, HandlingStatus::arrived) << height;
    EXPECT_NEAR(step.pose.translation().z(), 2, 1e-9);
  }
}

TEST(Handling, StopsWhereItsBudgetEnds) {
  Corner s;
  HandlingOptions options = kOptions;
  options.budget.max_work = 0;
  s.hand = Handling(s.world, s.part, options);
  EXPECT_EQ(s.go(at(7, 1, -1)).status, HandlingStatus::undecided);
  options.budget = {};
  options.max_rounds = 1;
  s.hand = Handling(s.world, s.part, options);
  const HandlingStep& one = s.go(at(7, 1, -1));
  EXPECT_EQ(one.status, HandlingStatus::undecided);
  EXPECT_EQ(one.stats.rounds, 1);
  EXPECT_EQ(one.motions.size(), 1U);
  s.hand = Handling(s.world, s.part, kOptions);
  EXPECT_EQ(s.hand.step(at(7, 1, -1), Budget::Clock::now()).status, HandlingStatus::undecided);
  EXPECT_EQ(s.go(at(7, 1, -1)).status, HandlingStatus::held_back);
}

// A step that is content with less takes the first of the same rounds; the steps after it take a
// part to where one that goes on until nothing gains has it.
TEST(Handling, LeavesWhatGainsLittleToTheNextStep) {
  base::Random random(5);
  int fewer = 0, total = 0;
  for (int round = 0; round < scaled(40, 10); ++round) {
    struct Scene {
      World world;
      NodeId part, ground;
      HandlingOptions options{.tolerance = 0.01, .clearance = kClearance};
    } scenes[2];
    const auto seed = static_cast<std::uint64_t>(round);
    const Pose start = Pose::from_axis_angle(random.direction(), 1, Vec3(0, 0, 2.5)),
               target =
                   Pose::from_axis_angle(random.direction(), 0.1, Vec3(0.5, 0.2, -1.3)) * start;
    std::vector<Handling> hands;
    for (Scene& scene : scenes) {
      scene.part = scene.world.add(Object(scenes::bumpy_sphere(160, seed)), start);
      scene.ground =
          scene.world.add(Object(scenes::bumpy_sphere(300, seed + 1)), {}, {.fixed = true});
    }
    scenes[0].options.least_gain = 0;
    scenes[1].options.least_gain = 0.9;
    for (Scene& scene : scenes) hands.emplace_back(scene.world, scene.part, scene.options);
    const HandlingStep all = hands[0].step(target), some = hands[1].step(target);
    ASSERT_LE(some.motions.size(), all.motions.size());
    for (std::size_t i = 0; i < some.motions.size(); ++i)
      EXPECT_EQ(some.motions[i].pose(1).translation(), all.motions[i].pose(1).translation());
    EXPECT_NE(some.status, HandlingStatus::undecided);
    fewer += some.motions.size() < all.motions.size() ? 1 : 0;
    ++total;

    double left[2];
    for (std::size_t i = 0; i < 2; ++i) {
      for (int step = 0; step < 30; ++step) left[i] = hands[i].step(target).distance_left;
    }
    EXPECT_NEAR(left[0], left[1], 0.05) << round;
  }
  EXPECT_GT(fewer, total / 4);
}

TEST(Handling, RefusesWhatMakesNoSense) {
  Corner s;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [&](auto change) {
    HandlingOptions options = kOptions;
    change(options);
    EXPECT_THROW(Handling(s.world, s.part, options), InvalidInput);
  };
  for (const double bad : {0.0, -1.0, nan, kInfinity}) {
    refuse([&](HandlingOptions& o) { o.tolerance = bad; });
    refuse([&](HandlingOptions& o) { o.clearance = bad; });
    refuse([&](HandlingOptions& o) { o.stiffness = bad; });
    if (bad != 0) refuse([&](HandlingOptions& o) { o.max_distance = bad; });
    if (bad != 0) refuse([&](HandlingOptions& o) { o.friction = bad; });
  }
  refuse([&](HandlingOptions& o) { o.max_rounds = 0; });
  for (const double bad : {-1.0, 1.0, nan}) refuse([&](HandlingOptions& o) { o.least_gain = bad; });
  refuse([&](HandlingOptions& o) { o.mass = MassProperties{}; });
  EXPECT_THROW(Handling(s.world, s.world.add_group(), kOptions), InvalidInput);
  EXPECT_THROW(Handling(s.world, NodeId{99, 0}, kOptions), InvalidInput);
  s.world.remove(s.part);
  EXPECT_THROW((void)s.hand.step({}), InvalidInput);
}

}  // namespace
}  // namespace touche::handling_test
