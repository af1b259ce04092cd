// SPDX-License-Identifier: Apache-2.0
// A step of a hand with a limit of work: it keeps the limit, reports what it could not do, and the
// part gets as far as without a limit, only later.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "committed_way.h"
#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/handling.h"

namespace touche::handling_budget_test {
namespace {

using scenes::Random;
using test::CommittedWay;
using test::scaled;

const HandlingOptions kOptions{.tolerance = 1e-3, .clearance = 0.01};

HandlingOptions with_work(std::uint64_t most) {
  HandlingOptions options = kOptions;
  options.budget.max_work = most;
  return options;
}

Object pebble(Index triangles, std::uint64_t seed) {
  return Object(scenes::bumpy_sphere(triangles, seed));
}

// A pebble in a crowd of others, all of which are near: they share the limit. They have too many
// vertices for what is found by their hulls, which counts no pairs of nodes.
TEST(HandlingBudget, ManyObstaclesShareIt) {
  constexpr int kObstacles = 100;
  for (const std::uint64_t limit : {100, 1000, 10000}) {
    base::Random random(7);
    World world;
    const NodeId part = world.add(pebble(400, 1));
    const Object other = pebble(400, 2);
    for (int k = 0; k < kObstacles; ++k) {
      const Vec3 axis = random.direction();
      world.add(other, Pose::from_axis_angle(axis, k, 2.45 * random.direction()), {.fixed = true});
    }
    HandlingOptions options = with_work(limit);
    options.max_distance = 0.5;
    Handling hand(world, part, options);
    std::uint64_t most = 0;
    for (int step = 0; step < 10; ++step) {
      const Vec3 axis = random.direction();
      const HandlingStep& result = hand.step(Pose::from_axis_angle(axis, 0.3, random.in_box(0.3)));
      most = std::max(most, result.stats.queries.node_pairs);
      EXPECT_LE(result.stats.queries.node_pairs, limit) << "step " << step;
    }
    EXPECT_GT(most, limit / 3);  // each step would need more than the smaller ones of these
  }
}

// Shapes near a shape count, too: searches for contacts, and the distance queries. Each query that
// is begun is ended, so a step takes no more than one beyond its limit.
TEST(HandlingBudget, ManyShapesShareIt) {
  constexpr int kShapes = 200;
  constexpr std::uint64_t kOfOne = 50;
  std::uint64_t whole = 0;
  for (const bool soup : {false, true})
    for (const std::uint64_t limit : {Budget::kUnlimited, std::uint64_t{50}, std::uint64_t{10}}) {
      base::Random random(3);
      World world;
      const NodeId part = soup ? world.add(pebble(400, 1)) : world.add(Shape::sphere(1));
      for (int k = 0; k < kShapes; ++k) {
        const Vec3 axis = random.direction();
        world.add(Shape::cylinder(0.2, 0.5),
                  Pose::from_axis_angle(axis, k, 1.5 * random.direction()), {.fixed = true});
      }
      HandlingOptions options = with_work(limit);
      options.clearance = 0.5;  // so that all of them are too near, and are measured
      options.max_distance = 2;
      Handling hand(world, part, options);
      world.set_pose(part, Pose::from_translation({0, 0, 0.01}));
      const HandlingStep& step = hand.step(world.pose(part));
      const QueryStats& done = step.stats.queries;
      const std::uint64_t work = done.node_pairs + done.primitive_tests / 4;
      if (limit == Budget::kUnlimited) {
        whole = work;
        EXPECT_TRUE(step.complete);
        EXPECT_EQ(step.status, HandlingStatus::touching);
        continue;
      }
      EXPECT_FALSE(step.complete);
      EXPECT_TRUE(step.motions.empty());
      EXPECT_LE(work, limit + kOfOne) << soup;
      EXPECT_GT(whole, 2 * (limit + kOfOne)) << soup;
    }
}

TEST(HandlingBudget, TheStepSaysThatItEnded) {
  World world;
  const NodeId part = world.add(pebble(200, 1), Pose::from_translation({0, 0, 3}));
  world.add(pebble(2000, 2), {}, {.fixed = true});
  const Pose down = Pose::from_translation({0, 0, 0.5});
  {
    Handling hand(world, part, with_work(0));
    const HandlingStep& none = hand.step(down);
    EXPECT_FALSE(none.complete);
    EXPECT_EQ(none.status, HandlingStatus::undecided);
    EXPECT_TRUE(none.motions.empty());
  }
  const Cancel cancel = test::requested();
  HandlingOptions options = kOptions;
  options.budget.cancel = cancel;
  Handling hand(world, part, options);
  EXPECT_FALSE(hand.step(down).complete);
  EXPECT_FALSE(hand.step(down, Budget::Clock::now()).complete);
  Handling again(world, part, kOptions);
  EXPECT_TRUE(again.step(down).complete);
  EXPECT_LT(world.pose(part).translation().z(), 2.6);
  EXPECT_TRUE(again.step(world.pose(part)).complete);  // there is nothing more to do
  // Rounds are no budget.
  options = kOptions;
  options.max_rounds = 1;
  Handling once(world, part, options);
  EXPECT_TRUE(once.step(Pose::from_axis_angle({1, 0, 0}, 1, {0.5, 0.2, 0})).complete);
}

// Each begins where the same step without a limit does, is drawn into a pebble, and gets as near to
// the target in the end.
TEST(HandlingBudget, WhoIsCutShortGetsThereLater) {
  int cut = 0, rounds = 0;
  for (int round = 0; round < scaled(20, 4); ++round) {
    SCOPED_TRACE(round);
    const auto seed = static_cast<std::uint64_t>(round);
    base::Random random(seed);
    const Pose start = Pose::from_axis_angle(random.direction(), 1, Vec3(0, 0, 2.5)),
               target =
                   Pose::from_axis_angle(random.direction(), 0.3, Vec3(0.5, 0.2, -1.3)) * start;
    double left[2];
    for (const bool limited : {false, true}) {
      World world;
      const NodeId part = world.add(pebble(500, seed), start);
      world.add(pebble(1500, seed + 1), {}, {.fixed = true});
      Handling hand(world, part, with_work(limited ? 600 : Budget::kUnlimited));
      CommittedWay way(world, part, kOptions.clearance);
      for (int step = 0; step < (limited ? 100 : 30); ++step) {
        const HandlingStep& result = hand.step(target);
        ASSERT_EQ(way.complaint(result), "") << step;
        left[limited ? 1 : 0] = result.distance_left;
        if (!limited) {
          ASSERT_TRUE(result.complete);
          continue;
        }
        if (result.status == HandlingStatus::held_back) {
          EXPECT_FALSE(result.contacts.empty());
        }
        cut += result.complete ? 0 : 1;
      }
    }
    EXPECT_NEAR(left[0], left[1], 0.05);
    ++rounds;
  }
  EXPECT_GT(cut, rounds);
}

// With a limit that leaves motions of some tolerances only, each gains little. That is no contact
// that holds the part back: it is still moving.
TEST(HandlingBudget, AShortMotionIsNotTakenForAContact) {
  base::Random random(1);
  const Vec3 first = random.direction(), second = random.direction();
  const Pose start = Pose::from_axis_angle(first, 1, {0, 0, 2.5}),
             target = Pose::from_axis_angle(second, 0.3, {0.5, 0.2, -1.3}) * start;
  double rest = 0;
  int on_its_way = 0;
  for (const std::uint64_t limit : {Budget::kUnlimited, std::uint64_t{300}}) {
    World world;
    const NodeId part = world.add(pebble(500, 1), start);
    world.add(pebble(1500, 2), {}, {.fixed = true});
    Handling hand(world, part, with_work(limit));
    for (int step = 0; step < 70; ++step) {
      const HandlingStep& result = hand.step(target);
      if (limit == Budget::kUnlimited) {
        rest = result.distance_left;
        continue;
      }
      if (result.status == HandlingStatus::held_back) {
        EXPECT_NEAR(result.distance_left, rest, 5 * kOptions.tolerance) << step;
      }
      on_its_way += !result.complete && !result.motions.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(on_its_way, 10);
}

}  // namespace
}  // namespace touche::handling_budget_test
