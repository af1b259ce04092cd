// SPDX-License-Identifier: Apache-2.0
// Steps in which contacts are answered, and what a step refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "step_cases.h"

namespace touche::step_respond_test {
namespace {

using test::at;
using test::cube;
using test::kTolerance;
using test::shifted;
using test::Wall;
using test::with;

// ---- responses ----------------------------------------------------------------------------------

// A cube between two walls goes to and fro.
TEST(Step, ResponsesMayReflect) {
  World world;
  const NodeId part = world.add(cube(), at(0));
  world.add(cube(), at(3), {.fixed = true});
  world.add(cube(), at(-3), {.fixed = true});
  Stepper stepper(world);
  stepper.move(part, shifted(world, part, {20, 0, 0}));
  StepOptions options = with(StepPolicy::respond);
  double last = 0;
  options.respond = [&](const StepContact& contact) {
    EXPECT_EQ(contact.group_a, part);
    EXPECT_EQ(contact.group_b.index, kNone);
    EXPECT_GE(contact.pair.time.lower, last);
    last = contact.pair.time.lower;
    const Vec3 left = contact.rest_a.pose(1).translation() - contact.pose_a.translation();
    EXPECT_NEAR(left.norm(), 20 * (1 - last), 1e-9);
    return std::vector<GroupMotion>{
        {part,
         Motion::interpolated(contact.pose_a, at(contact.pose_a.translation().x() - left.x()))}};
  };
  const StepResult& step = stepper.run(options);
  // 2 to the right, 4 to the left, 4, 4, 4, and 2.
  EXPECT_EQ(step.contacts.size(), 5U);
  EXPECT_EQ(step.stats.responses, 5U);
  EXPECT_EQ(step.groups[0].reached, 1);
  EXPECT_NEAR(world.pose(part).translation().x(), 0, 10 * kTolerance);
}

// A pair that met at the end of a step, or at its start, may meet at the start of the next one.
TEST(Step, APairIsAskedAboutInEachStep) {
  World world;
  const NodeId part = world.add(cube(), at(0));
  world.add(cube(), at(1), {.fixed = true});
  Stepper stepper(world);
  StepOptions options = with(StepPolicy::respond);
  int calls = 0;
  options.respond = [&](const StepContact& contact) {
    EXPECT_EQ(contact.pair.time.lower, 0);
    ++calls;
    return std::vector<GroupMotion>{};
  };
  for (int i = 1; i <= 3; ++i) {
    stepper.move(part, shifted(world, part, {0.5, 0, 0}));
    (void)stepper.run(options);
    EXPECT_EQ(calls, i);
  }
}

TEST(Step, WithoutAnAnswerTheyStop) {
  World world;
  const NodeId a = world.add(cube(), at(0)), b = world.add(cube(), at(3));
  Stepper stepper(world);
  StepOptions options = with(StepPolicy::respond);
  int calls = 0;
  // The one that is met is pushed on; the one that met it stops.
  options.respond = [&](const StepContact& contact) {
    ++calls;
    EXPECT_EQ(contact.group_b, b);
    return std::vector<GroupMotion>{
        {b, Motion::interpolated(contact.pose_b, at(contact.pose_b.translation().x() + 1))}};
  };
  stepper.move(a, shifted(world, a, {4, 0, 0}));
  stepper.move(b, Motion::at(world.pose(b)));
  const StepResult& step = stepper.run(options);
  EXPECT_EQ(calls, 1);
  EXPECT_NEAR(step.groups[0].reached, 0.5, kTolerance);
  EXPECT_NEAR(world.pose(a).translation().x(), 2, kTolerance);
  EXPECT_NEAR(world.pose(b).translation().x(), 4, kTolerance);
}

TEST(Step, ResponsesThatDoNotHelpEnd) {
  for (const int most : {0, 1, 1000}) {
    Wall s;
    StepOptions options = with(StepPolicy::respond);
    options.max_responses = most;
    options.respond = [&](const StepContact& contact) {  // on into the wall
      return std::vector<GroupMotion>{{s.part, contact.rest_a}};
    };
    const StepResult& step = s.go(options);
    EXPECT_LE(step.stats.responses, static_cast<std::size_t>(std::min(most, 20)));
    EXPECT_LT(step.groups[0].reached, 0.25);
    EXPECT_LT(s.world.pose(s.part).translation().x(), 1);
  }
}

TEST(Step, BadResponsesAreErrorsAndNothingMoves) {
  for (const bool elsewhere : {false, true}) {
    Wall s;
    StepOptions options = with(StepPolicy::respond);
    options.respond = [&](const StepContact& contact) {
      return std::vector<GroupMotion>{elsewhere ? GroupMotion{s.part, Motion::at(at(7))}
                                                : GroupMotion{s.wall, contact.rest_b}};
    };
    EXPECT_THROW((void)s.go(options), InvalidInput);
    EXPECT_EQ(s.world.pose(s.part).translation(), Vec3::Zero());
    EXPECT_EQ(s.go(with(StepPolicy::report)).contacts.size(), 1U);  // as if nothing had happened
  }
}

// ---- what is refused ----------------------------------------------------------------------------

TEST(Step, BadInputIsRefused) {
  Wall s;
  EXPECT_THROW(s.stepper.move({}, Motion::at({})), InvalidInput);
  EXPECT_THROW((void)s.go({}), InvalidInput);
  EXPECT_THROW((void)s.go({.tolerance = -1}), InvalidInput);
  EXPECT_THROW((void)s.go({.tolerance = 1, .clearance = -1}), InvalidInput);
  EXPECT_THROW((void)s.go({.tolerance = kInfinity}), InvalidInput);
  EXPECT_THROW((void)s.go({.tolerance = 1, .policy = StepPolicy::respond}), InvalidInput);
  EXPECT_TRUE(s.stepper.run(with(StepPolicy::each)).groups.empty());
  const NodeId other = s.world.add(cube(), at(0, 5));
  s.stepper.move(other, Motion::at({}));
  s.world.remove(other);
  EXPECT_THROW((void)s.go(with(StepPolicy::each)), InvalidInput);
  EXPECT_EQ(s.go(with(StepPolicy::each)).groups.size(), 1U);
  // The last motion counts; a node that reuses the index of another is another node.
  const NodeId next = s.world.add(cube(), at(0, 5));
  s.stepper.move(next, Motion::at({}));
  s.stepper.move(next, shifted(s.world, next, {0, 1, 0}));
  EXPECT_EQ(s.stepper.run(with(StepPolicy::each)).groups.size(), 1U);
  EXPECT_EQ(s.world.pose(next).translation(), Vec3(0, 6, 0));
}

}  // namespace
}  // namespace touche::step_respond_test
