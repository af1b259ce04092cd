// SPDX-License-Identifier: Apache-2.0
// Where the hand rests, the part comes to rest; where hand or world move on, it does.
#include <gtest/gtest.h>

#include "random.h"
#include "test_scale.h"
#include "touche/handling.h"
#include "touche/shape.h"

namespace touche::handling_rest_test {
namespace {

using scenes::Random;
using test::scaled;

const HandlingOptions kOptions{.tolerance = 1e-3, .clearance = 0.01};

// A slim rod above a block, and a target pose for it somewhere in or beside the block.
struct Rod {
  base::Random random;
  World world;
  NodeId block = world.add(Shape::box({5, 5, 5}), Pose::from_translation({0, 0, -5}));
  NodeId rod;
  Pose target;

  explicit Rod(std::uint64_t seed) : random(seed) {
    const Pose start = turned(3, {0, 0, 4});
    rod = world.add(seed % 2 == 0 ? Shape::capsule(0.1, 2.8) : Shape::cylinder(0.1, 3), start);
    const Vec3 at = random.in_box(5);
    target = turned(2, {at.x(), at.y(), 0.5 + 0.3 * at.z()});
  }

  Pose turned(double most, const Vec3& to) {
    const Vec3 axis = random.direction();
    return Pose::from_axis_angle(axis, random.uniform(-most, most), to);
  }
  Vec3 end() const { return world.pose(rod) * Vec3(0, 0, 1.5); }
  /// How far its end moves in `steps` steps.
  double go(Handling& hand, int steps) {
    double way = 0;
    for (int i = 0; i < steps; ++i) {
      const Vec3 before = end();
      (void)hand.step(target);
      way += (end() - before).norm();
    }
    return way;
  }
};

TEST(HandlingRest, APartComesToRestWhereTheHandRests) {
  int held_back = 0;
  for (int seed = 0; seed < scaled(60); ++seed) {
    SCOPED_TRACE(seed);
    Rod r(static_cast<std::uint64_t>(seed));
    Handling hand(r.world, r.rod, kOptions);
    (void)r.go(hand, 250);
    EXPECT_LT(r.go(hand, 50), 1e-9);
    const HandlingStep& step = hand.step(r.target);
    if (step.status != HandlingStatus::held_back) continue;
    ++held_back;
    EXPECT_FALSE(step.contacts.empty());
    EXPECT_GT(step.force.norm(), 0);
    // Another target is gone to, also from there.
    r.target = Pose::from_translation({0, 0, 3}) * r.world.pose(r.rod);
    EXPECT_GT(r.go(hand, 20), 1);
  }
  EXPECT_GT(held_back, scaled(60) / 2);
}

// The screw to a distant target with a large rotation may start into the floor, though the target
// is above it: then the part goes straight.
TEST(HandlingRest, APartThatIsToTurnFarLeavesTheFloor) {
  for (int seed = 0; seed < scaled(30); ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(static_cast<std::uint64_t>(seed));
    World world;
    (void)world.add(Shape::box({50, 50, 5}), Pose::from_translation({0, 0, -5}));
    const NodeId box = world.add(Shape::box({0.5, 0.3, 0.2}), Pose::from_translation({0, 0, 1}));
    Handling hand(world, box, kOptions);
    const Pose onto_floor = Pose::from_translation({0, 0, 0.2});
    for (int i = 0; i < 20; ++i) (void)hand.step(onto_floor);
    EXPECT_LT(world.pose(box).translation().z(), 0.22);
    const Pose target = Pose::from_axis_angle(
        random.direction(), random.uniform(1.5, 3),
        {random.uniform(-30, 30), random.uniform(-30, 30), random.uniform(0.7, 20)});
    int steps = 0;
    while (steps < 100 && hand.step(target).status != HandlingStatus::arrived) ++steps;
    EXPECT_LT(steps, 100) << "left " << hand.step(target).distance_left;
  }
}

TEST(HandlingRest, APartGoesOnWhenSomethingElseMoves) {
  Rod r(0);
  r.target = Pose::from_translation({0, 0, -5});
  Handling hand(r.world, r.rod, kOptions);
  (void)r.go(hand, 300);
  EXPECT_LT(r.go(hand, 10), 1e-9);
  r.world.remove(r.block);
  EXPECT_GT(r.go(hand, 20), 1);
  EXPECT_EQ(hand.step(r.target).status, HandlingStatus::arrived);
}

}  // namespace
}  // namespace touche::handling_rest_test
