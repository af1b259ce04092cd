// SPDX-License-Identifier: Apache-2.0
// Memory of pairs from step to step: bodies that hardly move are known to be still apart.
#include "world/pair_memory.h"

#include <gtest/gtest.h>

#include "nut_and_bolt.h"
#include "random.h"
#include "test_scale.h"
#include "touche/step.h"

namespace touche::pair_memory_test {
namespace {

using scenes::Random;
using test::NutAndBolt;

constexpr double kTolerance = 0.05;

const NutAndBolt& nut_and_bolt() {
  static const NutAndBolt made(scenes::NutAndBoltOptions{.segments = 48, .turns = 1});
  return made;
}

// A nut at rest costs one proof, and none in later steps: thousands of triangles of its thread are
// near triangles of the bolt, more than are tested for the gaps of other pairs.
TEST(PairMemory, ANutAtRestIsNotAskedAgain) {
  const NutAndBolt& both = nut_and_bolt();
  base::Random random(51);
  World world;
  world.add(both.bolt, {}, {.fixed = true});
  const NodeId nut = world.add(both.nut);
  Stepper stepper(world);
  std::size_t first = 0, later = 0;
  for (int i = 0; i < 60; ++i) {
    const Pose start = world.pose(nut);
    stepper.move(nut, Motion::interpolated(
                          start, Pose::from_translation(1e-9 * random.direction()) * start));
    const StepResult& step =
        stepper.run({.tolerance = kTolerance, .policy = StepPolicy::each, .threads = 1});
    ASSERT_TRUE(step.contacts.empty() && step.undecided.empty()) << i;
    if (i == 0) first = step.stats.queries.work();
    if (i >= 20) later += step.stats.queries.work();
  }
  EXPECT_GT(first, 1000U);
  EXPECT_EQ(later, 0U);
}

// No pair is known to be apart that is not, and pairs that are apart by a little more than enough
// are known to be.
TEST(PairMemory, OnlyWhoIsApartIsKnownToBe) {
  const NutAndBolt& both = nut_and_bolt();
  base::Random random(52);
  Workspace workspace;
  int cases = 0, known = 0;
  const int count = test::scaled(200, 40);
  for (int i = 0; i < count; ++i) {
    const Pose middle = Pose::from_axis_angle(
        {0, 0, 1}, random.uniform(-0.02, 0.02),
        random.uniform(-0.08, 0.08) * Vec3(0, 0, 1) + random.uniform(0, 0.03) * random.direction());
    const double way = random.below(2) == 0 ? 0 : std::pow(10, random.uniform(-9, -2)) * kTolerance;
    const Motion rests = Motion::at({}),
                 moves = Motion::interpolated(
                     middle, Pose::from_translation(way * random.direction()) * middle);
    const world::PairQuestion question{.a = both.bolt,
                                       .motion_a = rests,
                                       .b = both.nut,
                                       .motion_b = moves,
                                       .tolerance = kTolerance};
    world::PairState state;
    state.wait = 0;
    state.tests = 1U << 20;
    QueryStats stats;
    const bool is_known = world::is_known_apart(question, state, stats, workspace);
    double least = kInfinity;
    for (const double t : {0.0, 0.5, 1.0})
      least = std::min(least, distance(both.bolt, {}, both.nut, moves.pose(t)).distance.upper);
    ++cases;
    known += is_known;
    if (is_known) {
      EXPECT_GT(least, kTolerance) << i;
    } else {
      EXPECT_LT(least, 1.2 * kTolerance + 40 * way) << i;
    }
  }
  EXPECT_GT(known, 0.3 * cases);
  EXPECT_LT(known, 0.7 * cases);
}

// A question that took little work is worth no more than little.
TEST(PairMemory, AGapIsWorthAsMuchAsItsQuestion) {
  const NutAndBolt& both = nut_and_bolt();
  const Motion rests = Motion::at({});
  const world::PairQuestion question{
      .a = both.bolt, .motion_a = rests, .b = both.nut, .motion_b = rests, .tolerance = kTolerance};
  Workspace workspace;
  const auto work = [&](std::uint64_t of_question) {
    world::PairState state;
    state.wait = 0;
    state.tests = of_question;
    QueryStats stats;
    EXPECT_EQ(world::is_known_apart(question, state, stats, workspace), of_question > 100000);
    return stats.work();
  };
  const std::uint64_t little = work(0), some = work(1000), all = work(1U << 20);
  EXPECT_LT(little, some);
  EXPECT_LT(some, all);
  EXPECT_LT(some - little, 2 * 1000U);
}

}  // namespace
}  // namespace touche::pair_memory_test
