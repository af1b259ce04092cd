// SPDX-License-Identifier: Apache-2.0
// Steps of a world: closed forms, each pair queried alone, and poses sampled on the actual motions.
#include "touche/step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "random.h"
#include "random_world.h"
#include "requested_cancel.h"
#include "step_cases.h"
#include "test_scale.h"

namespace touche::step_test {
namespace {

using scenes::Random;
using test::RandomWorld;

using test::at;
using test::cube;
using test::kTolerance;
using test::shifted;
using test::Wall;
using test::with;

TEST(Step, ReportMovesNothing) {
  Wall s;
  const StepResult& step = s.go(with(StepPolicy::report));
  ASSERT_EQ(step.contacts.size(), 1U);
  const StepPair& pair = step.contacts[0];
  EXPECT_EQ(pair.a, s.part);
  EXPECT_EQ(pair.b, s.wall);
  EXPECT_EQ(pair.status, ToiStatus::contact);
  EXPECT_LE(pair.time.lower, 0.25);
  EXPECT_GE(pair.time.upper, 0.25 - kTolerance / 4);
  ASSERT_EQ(step.groups.size(), 1U);
  EXPECT_EQ(step.groups[0].node, s.part);
  EXPECT_EQ(step.groups[0].contact, 0U);
  EXPECT_EQ(step.groups[0].reached, pair.time.lower);
  EXPECT_EQ(step.time.lower, pair.time.lower);
  EXPECT_EQ(s.world.pose(s.part).translation(), Vec3::Zero());
}

TEST(Step, ACopyOfAResultOutlivesTheNextStep) {
  StepResult kept;
  NodeId part, wall;
  {
    Wall s;
    part = s.part;
    wall = s.wall;
    kept = s.go(with(StepPolicy::report));
    s.stepper.move(s.part, shifted(s.world, s.part, {-1, 0, 0}));
    EXPECT_TRUE(s.stepper.run(with(StepPolicy::each)).contacts.empty());
  }
  ASSERT_EQ(kept.contacts.size(), 1U);
  EXPECT_EQ(kept.contacts[0].a, part);
  EXPECT_EQ(kept.contacts[0].b, wall);
  ASSERT_TRUE(kept.contacts[0].contact);
  EXPECT_NEAR(kept.contacts[0].contact->normal.x(), 1, 1e-9);
  EXPECT_EQ(kept.groups[0].reached, kept.time.lower);
}

TEST(Step, StopsBeforeTheContact) {
  for (const StepPolicy policy : {StepPolicy::together, StepPolicy::each})
    for (const double clearance : {0.0, 0.1}) {
      Wall s;
      const StepResult& step = s.go(with(policy, clearance));
      const double left = 1 - s.world.pose(s.part).translation().x();
      EXPECT_GT(left, clearance);
      EXPECT_LE(left, clearance + kTolerance);
      EXPECT_NEAR(step.groups[0].reached, (1 - left) / 4, 1e-12);
      ASSERT_EQ(step.contacts.size(), 1U);
      EXPECT_EQ(step.groups[0].contact, 0U);
    }
}

TEST(Step, WhoStoppedIsFreeToLeaveAndToSlide) {
  Wall s;
  (void)s.go(with(StepPolicy::each));
  const double stopped = s.world.pose(s.part).translation().x();
  for (const Vec3& way : {Vec3(0, 0.25, 0), Vec3(0, -0.5, 0.25), Vec3(-1, 0, 0)}) {
    s.stepper.move(s.part, shifted(s.world, s.part, way));
    const StepResult& step = s.stepper.run(with(StepPolicy::each));
    EXPECT_EQ(step.groups[0].reached, 1);
    EXPECT_TRUE(step.contacts.empty());
  }
  EXPECT_NEAR(s.world.pose(s.part).translation().x(), stopped - 1, 1e-12);
}

// However often it pushes, rounding distinguishes the gap from a contact: it may slide, and leave.
TEST(Step, WhoPushesOnStaysFree) {
  Wall s;
  for (int i = 0; i < 200; ++i) (void)s.go(with(StepPolicy::each));
  const double left = 1 - s.world.pose(s.part).translation().x();
  EXPECT_GT(left, 1e-4 * kTolerance);
  EXPECT_LE(left, kTolerance);
  for (const Vec3& way : {Vec3(0, 0.25, 0), Vec3(0, -0.5, 0.25), Vec3(-1, 0, 0)}) {
    s.stepper.move(s.part, shifted(s.world, s.part, way));
    EXPECT_EQ(s.stepper.run(with(StepPolicy::each)).groups[0].reached, 1);
  }
}

TEST(Step, BodiesThatTouchMayComeApart) {
  for (const bool apart : {false, true}) {
    World world;
    const NodeId a = world.add(cube(), at(0)), b = world.add(cube(), at(1));
    Stepper stepper(world);
    stepper.move(a, shifted(world, a, {apart ? -0.5 : 0.5, 0, 0}));
    stepper.move(b, shifted(world, b, {0.1, 0, 0}));
    const StepResult& step = stepper.run(with(StepPolicy::each));
    EXPECT_EQ(step.groups[0].reached, apart ? 1 : 0);
    EXPECT_EQ(step.groups[1].reached, apart ? 1 : 0);
    EXPECT_EQ(step.contacts.size(), apart ? 0U : 1U);
    if (!apart) {
      EXPECT_EQ(step.contacts[0].status, ToiStatus::initially_touching);
    }
  }
}

// The first stops at the wall; the second would have followed it but runs into it.
TEST(Step, WhoStopsIsMetWhereItStands) {
  Wall s;
  const NodeId follower = s.world.add(cube(), at(-1.5));
  s.stepper.move(follower, shifted(s.world, follower, {4, 0, 0}));
  const StepResult& step = s.go(with(StepPolicy::each));
  ASSERT_EQ(step.contacts.size(), 2U);
  EXPECT_EQ(step.contacts[0].a, s.part);
  EXPECT_EQ(step.contacts[1].b, follower);
  const double x = s.world.pose(s.part).translation().x(),
               y = s.world.pose(follower).translation().x();
  EXPECT_GT(x - y, 1);
  EXPECT_LE(x - y, 1 + kTolerance);
  EXPECT_EQ(step.groups[0].contact, 1U);
  EXPECT_EQ(step.groups[1].contact, 0U);
}

// The middle one of three in a row stops early, so the others pass where they would have met it.
TEST(Step, WhoStopsIsNotMetWhereItWouldHaveBeen) {
  World world;
  const NodeId wall = world.add(cube(), at(2), {.fixed = true});
  const NodeId part = world.add(cube(), at(0));           // stops at x = 1
  const NodeId other = world.add(cube(), at(3.5, 3, 0));  // comes down behind the wall
  (void)wall;
  Stepper stepper(world);
  const auto ask = [&](StepPolicy policy) -> const StepResult& {
    stepper.move(part, shifted(world, part, {4, 0, 0}));
    stepper.move(other, shifted(world, other, {0, -3, 0}));
    return stepper.run(with(policy));
  };
  EXPECT_EQ(ask(StepPolicy::report).contacts.size(), 2U);
  const StepResult& step = ask(StepPolicy::each);
  EXPECT_EQ(step.contacts.size(), 1U);
  EXPECT_EQ(step.groups[1].reached, 1);
  EXPECT_NEAR(world.pose(other).translation().y(), 0, 1e-12);
}

TEST(Step, ResultsBeginAsProvingNothing) {
  EXPECT_EQ(StepGroup().reached, 0);
  EXPECT_EQ(StepResult().time, Bracket());
}

// The part meets the wall after 1/4 of its path, and another one does after 2/3.
TEST(Step, TellsTheTimeOfTheFirstContact) {
  for (const StepPolicy policy :
       {StepPolicy::report, StepPolicy::together, StepPolicy::each, StepPolicy::respond}) {
    Wall s;
    const NodeId other = s.world.add(cube(), at(2, 3));
    s.stepper.move(other, shifted(s.world, other, {0, -3, 0}));
    StepOptions options = with(policy);
    options.respond = [](const StepContact&) { return std::vector<GroupMotion>(); };
    const StepResult& step = s.go(options);
    EXPECT_LE(step.time.lower, 0.25) << name(policy);
    EXPECT_GE(step.time.lower, 0.25 - kTolerance / 2) << name(policy);
    EXPECT_GE(step.time.upper, 0.25 - kTolerance / 4) << name(policy);
    EXPECT_LE(step.time.upper, 0.25 + kTolerance) << name(policy);
  }
  Wall away;
  away.stepper.move(away.part, shifted(away.world, away.part, {-4, 0, 0}));
  EXPECT_EQ(away.stepper.run(with(StepPolicy::each)).time, (Bracket{1, kInfinity}));
}

TEST(Step, TogetherStopsAll) {
  Wall s;
  const NodeId free = s.world.add(cube(), at(0, 10));
  s.stepper.move(free, shifted(s.world, free, {4, 0, 0}));
  const StepResult& step = s.go(with(StepPolicy::together));
  EXPECT_EQ(step.groups[0].reached, step.groups[1].reached);
  EXPECT_EQ(step.groups[0].reached, step.time.lower);
  EXPECT_NEAR(s.world.pose(free).translation().x(), 4 * step.time.lower, 1e-12);
  EXPECT_EQ(step.groups[0].contact, kNone);
  EXPECT_EQ(step.groups[1].contact, 0U);
}

// ---- groups -------------------------------------------------------------------------------------

TEST(Step, GroupsMoveAsOne) {
  World world;
  const Pose corner = Pose::from_axis_angle(Vec3::UnitZ(), 0.3, {-3, 1, 0});
  const NodeId group = world.add_group(corner);
  const NodeId near = world.add(cube(), at(0), {}, group),
               far = world.add(cube(), at(4), {}, group);
  // The two overlap a third of their group, which is nobody's business.
  const NodeId same = world.add(cube(), at(0.5), {}, near);
  const Pose place = world.pose(far);
  const NodeId wall = world.add(cube(), at(place.translation().x() + 2.5, place.translation().y()));
  Stepper stepper(world);
  stepper.move(group, shifted(world, group, {4, 0, 0}));
  const StepResult& step = stepper.run(with(StepPolicy::each));
  ASSERT_EQ(step.contacts.size(), 1U);
  EXPECT_EQ(step.contacts[0].a, far);
  EXPECT_EQ(step.contacts[0].b, wall);
  EXPECT_LT(step.groups[0].reached, 1);
  const Vec3 by = world.pose(far).translation() - place.translation();
  EXPECT_NEAR((world.pose(group).translation() - corner.translation() - by).norm(), 0, 1e-12);
  EXPECT_NEAR(by.x(), 4 * step.groups[0].reached, 1e-12);
  EXPECT_NEAR((world.pose(same).translation() - world.pose(near).translation()).norm(), 0.5, 1e-12);
}

TEST(Step, GroupsTurnWithTheirBodies) {
  World world;
  const NodeId group = world.add_group();
  const NodeId arm = world.add(cube(), at(3), {}, group);
  const NodeId wall = world.add(cube(), at(0, 3));
  Stepper stepper(world);
  stepper.move(group, Motion::screw({}, Vec3::Zero(), Vec3::UnitZ(), std::numbers::pi / 2, 0));
  const StepResult& step = stepper.run(with(StepPolicy::each));
  ASSERT_EQ(step.contacts.size(), 1U);
  EXPECT_EQ(step.contacts[0].a, arm);
  EXPECT_EQ(step.contacts[0].b, wall);
  EXPECT_GT(step.groups[0].reached, 0.5);
  EXPECT_LT(step.groups[0].reached, 0.9);
  const DistanceResult left =
      distance(world.object(arm), world.pose(arm), world.object(wall), world.pose(wall));
  EXPECT_GT(left.distance.lower, 0);
  EXPECT_LE(left.distance.upper, kTolerance);
}

// A node with a motion of its own below another leaves the other's group.
TEST(Step, AGroupBelowAnotherGoesItsOwnWay) {
  World world;
  const NodeId below = world.add_group(at(1)), above = world.add_group();
  world.attach(below, above);
  const NodeId a = world.add(cube(), {}, {}, above), b = world.add(cube(), at(3), {}, below);
  Stepper stepper(world);
  stepper.move(below, shifted(world, below, {0, 5, 0}));
  stepper.move(above, shifted(world, above, {2, 0, 0}));
  const StepResult& step = stepper.run(with(StepPolicy::each));
  EXPECT_TRUE(step.contacts.empty());
  EXPECT_EQ(step.groups[0].node, below);
  EXPECT_NEAR((world.pose(a).translation() - Vec3(2, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((world.pose(b).translation() - Vec3(4, 5, 0)).norm(), 0, 1e-12);
}

TEST(Step, PairsAreThoseOfTheWorld) {
  for (const int how : {0, 1, 2}) {
    Wall s;
    if (how == 0) s.world.set_options(s.wall, {.category = 2});
    if (how == 0) s.world.set_options(s.part, {.mask = 1});
    if (how == 1) s.world.set_pair_filter([](NodeId, NodeId) { return false; });
    if (how == 2) s.world.remove(s.wall);
    const StepResult& step = s.go(with(StepPolicy::each));
    EXPECT_TRUE(step.contacts.empty()) << how;
    EXPECT_EQ(step.groups[0].reached, 1) << how;
  }
}

TEST(Step, TheWorldIsAskedBetweenSteps) {
  Wall s;
  (void)s.go(with(StepPolicy::report));
  EXPECT_TRUE(s.world.touching_box({Vec3(0.6, -1, -1), Vec3(1.4, 1, 1)}).empty());
  (void)s.go(with(StepPolicy::each));
  EXPECT_EQ(s.world.touching_box({Vec3(0.6, -1, -1), Vec3(1.4, 1, 1)}), std::vector{s.part});
  s.world.set_pose(s.part, at(0, 3));
  EXPECT_TRUE(s.go(with(StepPolicy::each)).contacts.empty());
  s.world.set_pose(s.wall, at(6, 3));
  EXPECT_EQ(s.go(with(StepPolicy::each)).contacts.size(), 1U);
}

// ---- random worlds ------------------------------------------------------------------------------

TEST(Step, ReportsWhatEachPairAloneSays) {
  base::Random random(211);
  int meet = 0, pairs = 0;
  for (int round = 0; round < test::scaled(300, 20); ++round) {
    RandomWorld s(random);
    Stepper stepper(s.world);
    s.give_motions(stepper);
    const StepResult& step = stepper.run(with(StepPolicy::report));
    EXPECT_TRUE(step.undecided.empty());
    for (std::size_t i = 0; i < s.bodies.size(); ++i)
      for (std::size_t j = i + 1; j < s.bodies.size(); ++j) {
        const NodeId a = std::min(s.bodies[i], s.bodies[j]), b = std::max(s.bodies[i], s.bodies[j]);
        const Index x = s.group_of(a), y = s.group_of(b);
        const auto told = std::find_if(step.contacts.begin(), step.contacts.end(),
                                       [&](const StepPair& p) { return p.a == a && p.b == b; });
        const bool meets = told != step.contacts.end();
        if (x == y) {
          EXPECT_FALSE(meets);
          continue;
        }
        const auto motion_of = [&](NodeId body, Index group) {
          if (group == kNone) return Motion::at(s.world.pose(body));
          return s.motions[group].carrying(
              relative(s.world.pose(s.groups[group]), s.world.pose(body)));
        };
        const Motion motion_a = motion_of(a, x), motion_b = motion_of(b, y);
        const ToiResult sharp = time_of_impact(s.world.object(a), motion_a, s.world.object(b),
                                               motion_b, {.tolerance = 1e-9, .may_separate = true});
        ++pairs;
        meet += meets;
        if (!meets) {
          EXPECT_EQ(sharp.status, ToiStatus::free);
          continue;
        }
        const double t = told->time.upper;
        EXPECT_LE(distance(s.world.object(a), motion_a.pose(t), s.world.object(b), motion_b.pose(t))
                      .distance.lower,
                  kTolerance);
        if (sharp.status != ToiStatus::free) {
          EXPECT_LE(told->time.lower, sharp.time.upper);
        }
      }
  }
  EXPECT_GT(meet, pairs / 25);
}

TEST(Step, AnyNumberOfThreadsSaysTheSame) {
  for (const StepPolicy policy : {StepPolicy::report, StepPolicy::together, StepPolicy::each}) {
    std::vector<StepResult> results;
    for (const int threads : {1, 2, 0}) {
      base::Random random(214);
      for (int round = 0; round < 20; ++round) {
        RandomWorld s(random);
        Stepper stepper(s.world);
        s.give_motions(stepper);
        StepOptions options = with(policy);
        options.threads = threads;
        results.push_back(stepper.run(options));
      }
    }
    const std::size_t third = results.size() / 3;
    for (std::size_t i = 0; i < 2 * third; ++i) {
      const StepResult &x = results[i], &y = results[i + third];
      ASSERT_EQ(x.contacts.size(), y.contacts.size());
      for (std::size_t k = 0; k < x.contacts.size(); ++k) {
        EXPECT_EQ(x.contacts[k].a, y.contacts[k].a);
        EXPECT_EQ(x.contacts[k].b, y.contacts[k].b);
        EXPECT_EQ(x.contacts[k].time, y.contacts[k].time);
      }
      for (std::size_t k = 0; k < x.groups.size(); ++k)
        EXPECT_EQ(x.groups[k].reached, y.groups[k].reached);
      EXPECT_EQ(x.stats.questions, y.stats.questions);
      EXPECT_EQ(x.stats.queries.node_pairs, y.stats.queries.node_pairs);
    }
  }
}

// ---- budgets ------------------------------------------------------------------------------------

TEST(Step, WhatABudgetLeavesOpenIsNotCalledFree) {
  base::Random random(215);
  int undecided = 0;
  const int rounds = test::scaled(100, 20);
  for (int round = 0; round < rounds; ++round) {
    RandomWorld s(random);
    Stepper stepper(s.world);
    const test::Ways ways(s);
    s.give_motions(stepper);
    StepOptions options = with(StepPolicy::each);
    options.budget.max_work = random.below(40);
    const StepResult& step = stepper.run(options);
    ways.expect_free(step);
    undecided += !step.undecided.empty();
  }
  EXPECT_GT(undecided, rounds / 10);
}

TEST(Step, StoppedBeforeItBeganNothingMoves) {
  Wall s;
  const Cancel cancel = test::requested();
  StepOptions options = with(StepPolicy::each);
  options.budget.cancel = cancel;
  const StepResult& step = s.go(options);
  EXPECT_EQ(step.undecided.size(), 1U);
  EXPECT_TRUE(step.contacts.empty());
  EXPECT_EQ(step.groups[0].reached, 0);
  EXPECT_EQ(s.world.pose(s.part).translation(), Vec3::Zero());
}

}  // namespace
}  // namespace touche::step_test
