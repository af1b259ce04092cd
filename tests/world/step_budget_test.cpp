// SPDX-License-Identifier: Apache-2.0
// Steps that are stopped: their results are true, and unused budget goes to the pairs that need it.
#include <gtest/gtest.h>

#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/step.h"

namespace touche::step_budget_test {
namespace {

using scenes::Random;

constexpr double kTolerance = 1e-3;
constexpr BudgetShare kShares[] = {BudgetShare::one_queue, BudgetShare::equal,
                                   BudgetShare::by_distance};

Motion shifted(const Pose& start, const Vec3& by) {
  return Motion::interpolated(
      start, Pose::from_quaternion_unchecked(start.rotation(), start.translation() + by));
}

// Bodies whose flight paths cross.
struct Swarm {
  World world;
  std::vector<NodeId> bodies;
  std::vector<Motion> motions;
  Stepper stepper{world};

  explicit Swarm(std::uint64_t seed, Index count = 12) {
    base::Random random(seed);
    for (Index i = 0; i < count; ++i) {
      const Vec3 axis = random.direction(), at = random.in_box(4), way = random.in_box(4);
      const Pose pose = Pose::from_axis_angle(axis, random.uniform(0, 3), at);
      bodies.push_back(
          world.add(Object(scenes::bumpy_sphere(200 + 200 * (i % 4), seed + i)), pose));
      motions.push_back(shifted(pose, way));
    }
  }
  void give_motions() {
    for (std::size_t i = 0; i < bodies.size(); ++i) stepper.move(bodies[i], motions[i]);
  }
  // The first step of these bodies.
  StepResult run(const StepOptions& options) {
    stepper.forget();
    give_motions();
    return stepper.run(options);
  }
};

StepOptions with(StepPolicy policy, std::uint64_t max_work = Budget::kUnlimited) {
  StepOptions options;
  options.tolerance = kTolerance;
  options.policy = policy;
  options.budget.max_work = max_work;
  return options;
}

const StepPair* find(const std::vector<StepPair>& pairs, const StepPair& like) {
  const auto at = std::find_if(pairs.begin(), pairs.end(),
                               [&](const StepPair& p) { return p.a == like.a && p.b == like.b; });
  return at == pairs.end() ? nullptr : &*at;
}

void expect_same(const std::vector<StepPair>& x, const std::vector<StepPair>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].a, y[i].a);
    EXPECT_EQ(x[i].b, y[i].b);
    EXPECT_EQ(x[i].status, y[i].status);
    EXPECT_EQ(x[i].time, y[i].time);
    EXPECT_EQ(x[i].contact.has_value(), y[i].contact.has_value());
  }
}

void expect_same(const StepResult& x, const StepResult& y) {
  expect_same(x.contacts, y.contacts);
  expect_same(x.undecided, y.undecided);
  ASSERT_EQ(x.groups.size(), y.groups.size());
  for (std::size_t i = 0; i < x.groups.size(); ++i)
    EXPECT_EQ(x.groups[i].reached, y.groups[i].reached);
  EXPECT_EQ(x.time.lower, y.time.lower);
}

TEST(StepBudget, NothingIsCalledFreeThatIsNotProved) {
  int undecided = 0, decided = 0, contacts = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Swarm s(seed);
    const StepResult whole = s.run(with(StepPolicy::report));
    ASSERT_TRUE(whole.undecided.empty());
    for (const BudgetShare share : kShares)
      for (std::uint64_t work = 1; work <= 4096; work *= 4) {
        StepOptions options = with(StepPolicy::report, work);
        options.share = share;
        const StepResult part = s.run(options);
        EXPECT_LE(part.stats.queries.node_pairs, work);
        EXPECT_LE(part.time.lower, whole.time.lower);
        // All contacts found are among the contacts of the whole step.
        for (const StepPair& pair : part.contacts) {
          const StepPair* same = find(whole.contacts, pair);
          ASSERT_NE(same, nullptr);
          EXPECT_EQ(pair.time, same->time);
        }
        for (const StepPair& pair : whole.contacts) {
          if (find(part.contacts, pair) != nullptr) continue;
          const StepPair* open = find(part.undecided, pair);
          ASSERT_NE(open, nullptr);
          EXPECT_LE(open->time.lower, pair.time.upper);
        }
        undecided += static_cast<int>(part.undecided.size());
        decided += static_cast<int>(part.stats.pairs - part.undecided.size());
        contacts += static_cast<int>(part.contacts.size());
      }
  }
  EXPECT_GT(undecided, 200);
  EXPECT_GT(decided, 200);
  EXPECT_GT(contacts, 50);
}

TEST(StepBudget, ThreadsDoNotMatterWhileWorkIsTheLimit) {
  for (const StepPolicy policy : {StepPolicy::report, StepPolicy::together, StepPolicy::each})
    for (const BudgetShare share : kShares)
      for (const std::uint64_t work : {50, 300, 2000}) {
        std::vector<StepResult> results;
        for (const int threads : {1, 2, 0}) {
          Swarm s(7, 20);
          StepOptions options = with(policy, work);
          options.share = share;
          options.threads = threads;
          results.push_back(s.run(options));
        }
        expect_same(results[0], results[1]);
        expect_same(results[0], results[2]);
      }
}

// The work that all pairs need together is enough however it is shared, and one less is not.
TEST(StepBudget, WhatIsLeftOverGoesToOthers) {
  Swarm s(3);
  std::vector<std::uint64_t> needed;
  for (const BudgetShare share : kShares) {
    const auto is_enough = [&](std::uint64_t work) {
      StepOptions options = with(StepPolicy::report, work);
      options.share = share;
      return s.run(options).undecided.empty();
    };
    std::uint64_t too_little = 0, enough = 1 << 20;
    while (enough - too_little > 1) {
      const std::uint64_t middle = (enough + too_little) / 2;
      (is_enough(middle) ? enough : too_little) = middle;
    }
    needed.push_back(enough);
  }
  EXPECT_GT(needed[0], 500U);
  EXPECT_EQ(needed[1], needed[0]);
  EXPECT_EQ(needed[2], needed[0]);
}

// The pair nearer to the viewer is proved further than one that differs in its position only.
TEST(StepBudget, WhoIsNearTheViewerGetsMore) {
  World world;
  const Object body(scenes::bumpy_sphere(5000, 1)), other(scenes::bumpy_sphere(5000, 2));
  std::vector<NodeId> movers;
  for (const double y : {0.0, 50.0}) {
    movers.push_back(world.add(body, Pose::from_translation({0, y, 0})));
    (void)world.add(other, Pose::from_translation({2.3, y, 0}));
  }
  Stepper stepper(world);
  const auto reached = [&](BudgetShare share, const Vec3& viewer) {
    stepper.forget();
    for (const NodeId mover : movers) stepper.move(mover, shifted(world.pose(mover), {0.5, 1, 0}));
    StepOptions options = with(StepPolicy::report, 50);
    options.share = share;
    options.viewer = viewer;
    const StepResult& step = stepper.run(options);
    return std::pair(step.groups[0].reached, step.groups[1].reached);
  };
  const auto first = reached(BudgetShare::by_distance, {0, 0, 0});
  EXPECT_GT(first.first, first.second);
  const auto second = reached(BudgetShare::by_distance, {0, 50, 0});
  // The allowance for rounding grows with the coordinates.
  EXPECT_NEAR(second.first, first.second, 1e-9);
  EXPECT_NEAR(second.second, first.first, 1e-9);
  const auto equal = reached(BudgetShare::equal, {0, 0, 0});
  EXPECT_NEAR(equal.first, equal.second, 1e-9);
}

TEST(StepBudget, PastTheDeadlineAllIsUndecided) {
  const Cancel cancel = test::requested();
  for (const StepPolicy policy : {StepPolicy::report, StepPolicy::together, StepPolicy::each})
    for (const BudgetShare share : kShares)
      for (const bool by_flag : {false, true}) {
        Swarm s(5);
        StepOptions options = with(policy);
        options.share = share;
        if (by_flag)
          options.budget.cancel = cancel;
        else
          options.budget.deadline = Budget::Clock::now() - std::chrono::seconds(1);
        const StepResult step = s.run(options);
        EXPECT_TRUE(step.contacts.empty());
        EXPECT_FALSE(step.undecided.empty());
        EXPECT_EQ(step.time.lower, 0);
      }
}

TEST(StepBudget, AFarDeadlineChangesNothing) {
  for (const StepPolicy policy : {StepPolicy::report, StepPolicy::together, StepPolicy::each})
    for (const BudgetShare share : kShares) {
      Swarm s(6), same(6);
      StepOptions options = with(policy);
      options.share = share;
      options.budget.deadline = Budget::Clock::now() + std::chrono::hours(1);
      expect_same(s.run(options), same.run(with(policy)));
    }
}

// ---- guesses ------------------------------------------------------------------------------------

// A guess lies where nothing is proved, changes nothing else, and is nearer to the truth the more
// it examines. A pair that does not meet counts as meeting at 1.
TEST(StepBudget, GuessesAreNoProofs) {
  std::array<double, 4> error{};
  int late = 0, early = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Swarm s(seed);
    const StepResult whole = s.run(with(StepPolicy::report));
    for (const std::uint64_t work : {0, 100, 300, 1000}) {
      StepOptions options = with(StepPolicy::report, work);
      options.share = BudgetShare::equal;
      const StepResult plain = s.run(options);
      for (const StepPair& pair : plain.undecided) EXPECT_FALSE(pair.guess);
      for (const Guess guess : {Guess::proved_time, Guess::volumes, Guess::faces}) {
        options.budget.max_work = work;
        options.guess = guess;
        const StepResult part = s.run(options);
        expect_same(part, plain);
        for (const StepPair& pair : part.contacts) EXPECT_FALSE(pair.guess);
        for (const StepPair& pair : part.undecided) {
          ASSERT_TRUE(pair.guess);
          EXPECT_GE(*pair.guess, pair.time.lower);
          EXPECT_LE(*pair.guess, 1);
          if (guess == Guess::proved_time) {
            EXPECT_EQ(*pair.guess, pair.time.lower);
          }
          const StepPair* truth = find(whole.contacts, pair);
          const double meet = truth == nullptr ? 1 : truth->time.upper;
          error[static_cast<std::size_t>(guess)] += std::abs(*pair.guess - meet);
          late += *pair.guess > meet;
          early += *pair.guess < meet;
          count += guess == Guess::faces;
        }
        // Nothing of a guess is left in the searches.
        options.guess = Guess::none;
        options.budget.max_work = Budget::kUnlimited;
        expect_same(s.stepper.go_on(options), whole);
      }
    }
  }
  EXPECT_GT(late, 10);
  EXPECT_GT(early, 10);
  // Mean errors of 859 guesses: 0.50, 0.18 and 0.07.
  EXPECT_GT(count, 500);
  EXPECT_LT(error[2], 0.5 * error[1]);
  EXPECT_LT(error[3], 0.5 * error[2]);
}

// ---- going on -----------------------------------------------------------------------------------

TEST(StepBudget, StepsThatGoOnEndAsIfNothingHadStoppedThem) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const BudgetShare share : kShares) {
      Swarm s(seed);
      const StepResult whole = s.run(with(StepPolicy::report));
      StepOptions options = with(StepPolicy::report, 40);
      options.share = share;
      StepResult part = s.run(options);
      int goes = 0;
      while (!part.undecided.empty()) {
        const StepResult next = s.stepper.go_on(options);
        EXPECT_GE(next.time.lower, part.time.lower);
        for (const StepPair& pair : part.undecided)
          if (const StepPair* later = find(next.undecided, pair)) {
            EXPECT_GE(later->time.lower, pair.time.lower);
          }
        part = next;
        ++goes;
      }
      EXPECT_GT(goes, 5);
      expect_same(part, whole);
    }
}

TEST(StepBudget, AReportMayBecomeAStep) {
  for (const std::uint64_t work : {0, 100, 1000}) {
    Swarm s(4), same(4);
    (void)s.run(with(StepPolicy::report, work));
    // Swept boxes are restored although the world was queried.
    (void)s.world.touching_ball({Vec3::Zero(), 1});
    expect_same(s.stepper.go_on(with(StepPolicy::each)), same.run(with(StepPolicy::each)));
    for (std::size_t i = 0; i < s.bodies.size(); ++i)
      EXPECT_EQ(s.world.pose(s.bodies[i]).translation(),
                same.world.pose(same.bodies[i]).translation());
  }
}

TEST(StepBudget, OnlyTheSameStepGoesOn) {
  const StepOptions some = with(StepPolicy::report, 30);
  Swarm s(2);
  EXPECT_THROW((void)s.stepper.go_on(some), InvalidInput);  // none yet
  const auto refuses = [&](const auto& change) {
    (void)s.run(some);
    change();
    EXPECT_THROW((void)s.stepper.go_on(some), InvalidInput);
    EXPECT_THROW((void)s.stepper.go_on(some), InvalidInput);  // and forgets it
    EXPECT_TRUE(s.stepper.run(some).groups.empty());
  };
  refuses([&] { s.world.set_pose(s.bodies[0], Pose::from_translation({0, 0, 9})); });
  refuses([&] { (void)s.world.add(s.world.object(s.bodies[0])); });
  refuses([&] { s.world.set_options(s.bodies[1], {.category = 2}); });
  refuses([&] { s.world.replace(s.bodies[1], s.world.object(s.bodies[0])); });
  refuses([&] { s.world.remove(s.world.bodies().back()); });
  refuses([&] { s.world.set_pair_filter([](NodeId, NodeId) { return true; }); });
  // Motions that are given begin another step.
  (void)s.run(some);
  s.give_motions();
  EXPECT_THROW((void)s.stepper.go_on(some), InvalidInput);
  EXPECT_EQ(s.stepper.run(some).groups.size(), s.bodies.size());
  EXPECT_NO_THROW((void)s.stepper.go_on(some));
  StepOptions other = some;
  other.tolerance *= 2;
  EXPECT_THROW((void)s.stepper.go_on(other), InvalidInput);
  // A step that has moved bodies cannot be continued.
  (void)s.run(with(StepPolicy::each, 30));
  EXPECT_THROW((void)s.stepper.go_on(some), InvalidInput);
}

}  // namespace
}  // namespace touche::step_budget_test
