// SPDX-License-Identifier: Apache-2.0
// Steps with callers that query, change, throw and exaggerate: whatever they do, no bodies are left
// in contact.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "step_cases.h"

namespace touche::step_misuse_test {
namespace {

using test::at;
using test::cube;
using test::kTolerance;
using test::shifted;
using test::Wall;
using test::with;

// One body is sent back by a wall and up, to where another one comes down.
struct Crossing {
  World world;
  NodeId part = world.add(cube(), at(0)), wall = world.add(cube(), at(3), {.fixed = true});
  NodeId other = world.add(cube(), at(0, 30));
  Stepper stepper{world};
  int calls = 0;

  template <class Act>
  const StepResult& go(const Act& act) {
    stepper.move(part, shifted(world, part, {4, 0, 0}));
    stepper.move(other, shifted(world, other, {0, -24, 0}));
    StepOptions options = with(StepPolicy::respond);
    options.respond = [&, act](const StepContact& contact) -> std::vector<GroupMotion> {
      act();
      if (++calls > 1) return {};
      return {{part, Motion::interpolated(contact.pose_a, at(0, 6.5))}};
    };
    return stepper.run(options);
  }
};

TEST(StepMisuse, ResponsesMayAskTheWorld) {
  for (const bool asks : {false, true}) {
    Crossing s;
    const StepResult& step = s.go([&] {
      if (!asks) return;
      EXPECT_TRUE(s.world.touching_ball({Vec3(100, 100, 100), 1}).empty());
      EXPECT_EQ(s.world.pose(s.part).translation(), Vec3::Zero());
    });
    EXPECT_EQ(step.contacts.size(), 2U);
    EXPECT_TRUE(s.world.touching_pairs().pairs.empty());
    // Boxes are of poses again, not of motions.
    EXPECT_TRUE(s.world.touching_box({Vec3(-1, 10, -1), Vec3(1, 20, 1)}).empty());
  }
}

TEST(StepMisuse, ResponsesMustNotChangeTheWorld) {
  for (int how = 0; how < 7; ++how) {
    Crossing s;
    const auto act = [&] {
      switch (how) {
        case 0:
          s.world.add_group();
          break;
        case 1:
          s.world.add(cube(), at(50));
          break;
        case 2:
          s.world.remove(s.other);
          break;
        case 3:
          s.world.set_pose(s.other, at(0, 20));
          break;
        case 4:
          s.world.replace(s.other, cube(0.1));
          break;
        case 5:
          s.stepper.move(s.other, Motion::at({}));
          break;
        default:
          (void)Stepper(s.world).run(with(StepPolicy::report));
      }
    };
    EXPECT_THROW((void)s.go(act), InvalidInput) << how;
    EXPECT_EQ(s.world.pose(s.part).translation(), Vec3::Zero());
    // The next step is as good as any.
    s.calls = 0;
    if (s.world.has(s.other)) s.world.set_pose(s.other, at(0, 30));
    if (!s.world.has(s.other)) s.other = s.world.add(cube(), at(0, 30));
    (void)s.go([] {});
    EXPECT_TRUE(s.world.touching_pairs().pairs.empty());
  }
}

TEST(StepMisuse, AChangedWorldIsNotGoneOnWith) {
  World world;
  const NodeId part = world.add(Object(scenes::bumpy_sphere(5000, 1)), at(0));
  world.add(Object(scenes::bumpy_sphere(5000, 2)), at(3), {.fixed = true});
  Stepper stepper(world);
  StepOptions options = with(StepPolicy::report);
  options.budget.max_work = 100;
  stepper.move(part, shifted(world, part, {2, 0, 0}));
  EXPECT_EQ(stepper.run(options).undecided.size(), 1U);
  for (int i = 0; i < 100; ++i) world.add_group();
  EXPECT_THROW((void)stepper.go_on(with(StepPolicy::report)), InvalidInput);
}

// Whenever a motion throws, all are where they were.
TEST(StepMisuse, AMotionThatThrowsMovesNobody) {
  for (const StepPolicy policy : {StepPolicy::together, StepPolicy::each}) {
    int thrown = 0;
    for (int n = 1; n < 400; ++n) {
      World world;
      const NodeId part = world.add(cube(), at(0)), behind = world.add(cube(), at(-1.5));
      Stepper stepper(world);
      stepper.move(behind, shifted(world, behind, {2, 0, 0}));
      int calls = 0;
      const auto way = [&](double t) {
        if (++calls == n) throw std::runtime_error("no pose");
        return at(2 * t);
      };
      stepper.move(part, Motion::function(way, 2, 0));
      StepOptions options = with(policy);
      options.threads = 1;
      try {
        (void)stepper.run(options);
        break;
      } catch (const std::runtime_error&) {
        ++thrown;
      }
      ASSERT_EQ(world.pose(part).translation(), Vec3::Zero());
      ASSERT_EQ(world.pose(behind).translation(), Vec3(-1.5, 0, 0));
    }
    EXPECT_GT(thrown, 5);
  }
}

// A gap that was being measured when a motion threw is not known.
TEST(StepMisuse, AMotionThatThrowsTeachesNothing) {
  int thrown = 0;
  for (int n = 1; n < 60; ++n) {
    World world;
    world.add(Object(scenes::torus(10, 0.2, 48, 8)), at(0), {.fixed = true});
    const NodeId part = world.add(cube(), at(0));
    Stepper stepper(world);
    StepOptions options = with(StepPolicy::each);
    options.threads = 1;
    for (int i = 0; i < 4; ++i) {
      stepper.move(part, shifted(world, part, {0.01, 0, 0}));
      (void)stepper.run(options);
    }
    world.set_pose(part, at(9.2));  // the tube begins at 9.8
    int calls = 0;
    const auto way = [&](double t) {
      if (++calls == n) throw std::runtime_error("no pose");
      return at(9.2 + 0.001 * t);
    };
    stepper.move(part, Motion::function(way, 0.001, 0));
    try {
      (void)stepper.run(options);
      break;
    } catch (const std::runtime_error&) {
      ++thrown;
    }
    stepper.move(part, shifted(world, part, {0.4, 0, 0}));
    ASSERT_LT(stepper.run(options).groups[0].reached, 1);
    ASSERT_TRUE(world.touching_pairs().pairs.empty());
  }
  EXPECT_GT(thrown, 5);
}

// Sizes that differ so much are compared triangle by triangle, which begins anew in each turn.
TEST(StepMisuse, PairsThatNeedAllAtOnceAreDecided) {
  World world;
  const NodeId part = world.add(Object(scenes::sphere(1, 128)), at(0));
  world.add(Object(scenes::sphere(1e-13, 128)), at(1.4), {.fixed = true});
  Stepper stepper(world);
  for (const BudgetShare share : {BudgetShare::one_queue, BudgetShare::equal}) {
    StepOptions options = with(StepPolicy::report);
    options.budget.max_work = 4'000'000;
    options.share = share;
    stepper.move(part, shifted(world, part, {1, 0, 0}));
    const StepResult& step = stepper.run(options);
    EXPECT_GT(step.stats.queries.brute_force, 0U);
    EXPECT_EQ(step.contacts.size(), 1U) << name(share);
  }
}

TEST(StepMisuse, NumbersMayBeHuge) {
  for (int how = 0; how < 4; ++how) {
    Wall s;
    StepOptions options = with(StepPolicy::each);
    options.events = how < 2;
    if (how == 0) options.near_distance = 2e30;
    if (how == 1) options.near_distance = 1e308;
    if (how == 2) options.viewer = Vec3(1e200, 0, 0);
    if (how == 2) options.share = BudgetShare::by_distance;
    if (how == 2) options.budget.max_work = ~std::uint64_t{0} - 1;
    if (how == 3) options.budget.deadline = Budget::Clock::time_point::min();
    const StepResult& step = s.go(options);
    EXPECT_EQ(step.contacts.size(), how < 3 ? 1U : 0U) << how;
    EXPECT_TRUE(s.world.touching_pairs().pairs.empty());
    if (how < 2) {
      EXPECT_EQ(step.near_events.began.size(), 1U);
    }
  }
}

}  // namespace
}  // namespace touche::step_misuse_test
