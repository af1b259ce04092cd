// SPDX-License-Identifier: Apache-2.0
// Which pairs begin, go on and end to be in contact, and near: compared with distances of all pairs
// after each step.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/step.h"

namespace touche::step_events_test {
namespace {

using scenes::Random;
using Pair = std::pair<NodeId, NodeId>;

constexpr double kTolerance = 1e-3;

Object cube(double half = 0.5) {
  return Object(scenes::box(Vec3::Constant(-half), Vec3::Constant(half), 1));
}
Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }
Motion shifted(const World& world, NodeId node, const Vec3& by) {
  const Pose start = world.pose(node);
  return Motion::interpolated(
      start, Pose::from_quaternion_unchecked(start.rotation(), start.translation() + by));
}
StepOptions telling(StepPolicy policy = StepPolicy::each, double near_distance = 0) {
  return {
      .tolerance = kTolerance, .policy = policy, .events = true, .near_distance = near_distance};
}
std::vector<Pair> pairs_of(const std::vector<PairEvent>& events) {
  std::vector<Pair> pairs;
  for (const PairEvent& event : events) pairs.emplace_back(event.a, event.b);
  return pairs;
}

// Two cubes with a gap of 1.
struct Two {
  World world;
  NodeId a = world.add(cube(), at(0)), b = world.add(cube(), at(2));
  Stepper stepper{world};

  const StepResult& push(double by, const StepOptions& options = telling()) {
    stepper.move(a, shifted(world, a, {by, 0, 0}));
    return stepper.run(options);
  }
  const StepResult& wait(const StepOptions& options = telling()) { return stepper.run(options); }
};

// began, going on, ended
std::array<std::size_t, 3> counts(const PairEvents& events) {
  return {events.began.size(), events.going_on.size(), events.ended.size()};
}
using Counts = std::array<std::size_t, 3>;

TEST(StepEvents, AContactBeginsGoesOnAndEnds) {
  Two s;
  EXPECT_EQ(counts(s.push(0.5).contact_events), (Counts{0, 0, 0}));
  EXPECT_EQ(counts(s.push(2).contact_events), (Counts{1, 0, 0}));
  const PairEvent began = s.push(0).contact_events.going_on.at(0);
  EXPECT_EQ(began.a, s.a);
  EXPECT_EQ(began.b, s.b);
  EXPECT_EQ(s.push(1).contact_events.going_on.at(0).id, began.id);  // it pushes on
  EXPECT_EQ(s.wait().stats.measured, 0U);                           // no pair to measure
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 1, 0}));
  const StepResult& apart = s.push(-0.5);
  EXPECT_EQ(counts(apart.contact_events), (Counts{0, 0, 1}));
  EXPECT_EQ(apart.contact_events.ended[0].id, began.id);
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 0, 0}));
  const StepResult& again = s.push(2);
  EXPECT_EQ(counts(again.contact_events), (Counts{1, 0, 0}));
  EXPECT_NE(again.contact_events.began[0].id, began.id);
}

TEST(StepEvents, NearnessBeginsBeforeAContactAndEndsAfterIt) {
  Two s;
  const StepOptions options = telling(StepPolicy::each, 0.4);
  EXPECT_EQ(counts(s.push(0.5, options).near_events), (Counts{0, 0, 0}));
  EXPECT_EQ(counts(s.push(0.2, options).near_events), (Counts{1, 0, 0}));
  const StepResult& contact = s.push(2, options);
  EXPECT_EQ(counts(contact.near_events), (Counts{0, 1, 0}));
  EXPECT_EQ(counts(contact.contact_events), (Counts{1, 0, 0}));
  const StepResult& apart = s.push(-0.2, options);
  EXPECT_EQ(counts(apart.near_events), (Counts{0, 1, 0}));
  EXPECT_EQ(counts(apart.contact_events), (Counts{0, 0, 1}));
  EXPECT_EQ(counts(s.push(-0.5, options).near_events), (Counts{0, 0, 1}));
}

TEST(StepEvents, ChangesBetweenStepsCount) {
  Two s;
  (void)s.wait();
  s.world.set_pose(s.a, at(1.0005));
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{1, 0, 0}));
  s.world.set_options(s.a, {.mask = 0});
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 0, 1}));
  s.world.set_options(s.a, {});
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{1, 0, 0}));
  s.world.set_pair_filter([](NodeId, NodeId) { return false; });
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 0, 1}));
  s.world.set_pair_filter({});
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{1, 0, 0}));
  s.world.replace(s.b, cube(0.4));
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 0, 1}));
  s.world.replace(s.b, cube());
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{1, 0, 0}));
}

TEST(StepEvents, WhoTakesAPlaceIsAnother) {
  Two s;
  s.world.set_pose(s.a, at(1));
  const std::uint64_t first = s.wait().contact_events.began.at(0).id;
  s.world.remove(s.b);
  const NodeId other = s.world.add(cube(), at(2));
  ASSERT_EQ(other.index, s.b.index);
  const PairEvents& events = s.wait().contact_events;
  ASSERT_EQ(counts(events), (Counts{1, 0, 1}));
  EXPECT_EQ(events.began[0].b, other);
  EXPECT_NE(events.began[0].id, first);
  EXPECT_EQ(events.ended[0].b, s.b);
  EXPECT_EQ(events.ended[0].id, first);
  s.world.remove(other);
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 0, 1}));
}

TEST(StepEvents, AnotherReachMeasuresAnew) {
  Two s;
  EXPECT_EQ(counts(s.wait(telling(StepPolicy::each, 0.5)).near_events), (Counts{0, 0, 0}));
  EXPECT_EQ(counts(s.wait(telling(StepPolicy::each, 2)).near_events), (Counts{1, 0, 0}));
  EXPECT_EQ(counts(s.wait(telling(StepPolicy::each, 3)).near_events), (Counts{0, 1, 0}));
  StepOptions wide = telling();
  wide.clearance = 1.5;
  const StepResult& step = s.wait(wide);
  EXPECT_EQ(counts(step.near_events), (Counts{0, 0, 1}));
  EXPECT_EQ(counts(step.contact_events), (Counts{1, 0, 0}));
}

TEST(StepEvents, StepsThatTellNoneAreCaughtUpWith) {
  Two s;
  (void)s.wait();
  EXPECT_EQ(counts(s.push(2, {.tolerance = kTolerance, .policy = StepPolicy::each}).contact_events),
            (Counts{0, 0, 0}));
  EXPECT_EQ(counts(s.push(1, telling(StepPolicy::report)).contact_events), (Counts{0, 0, 0}));
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{1, 0, 0}));
}

TEST(StepEvents, BodiesOfOneGroupKeepWhatTheyHave) {
  World world;
  const NodeId group = world.add_group();
  const NodeId a = world.add(cube(), at(0), {}, group), b = world.add(cube(), at(1), {}, group);
  Stepper stepper(world);
  EXPECT_EQ(counts(stepper.run(telling()).contact_events), (Counts{1, 0, 0}));
  stepper.move(group, shifted(world, group, {1, 2, 3}));
  const StepResult& step = stepper.run(telling());
  EXPECT_EQ(counts(step.contact_events), (Counts{0, 1, 0}));
  EXPECT_EQ(step.stats.measured, 0U);
  world.set_local_pose(b, at(3));
  stepper.move(group, shifted(world, group, {1, 2, 3}));
  EXPECT_EQ(counts(stepper.run(telling()).contact_events), (Counts{0, 0, 1}));
  EXPECT_TRUE(world.has(a));
}

TEST(StepEvents, WhatTheBudgetLeavesOpenStaysAsItWas) {
  Two s;
  s.world.set_pose(s.a, at(1));
  StepOptions none = telling();
  const Cancel cancel = test::requested();
  none.budget.cancel = cancel;
  EXPECT_EQ(counts(s.wait(none).contact_events), (Counts{0, 0, 0}));
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{1, 0, 0}));
  s.world.set_pose(s.a, at(1.1));
  EXPECT_EQ(counts(s.wait(none).contact_events), (Counts{0, 1, 0}));
  EXPECT_EQ(counts(s.wait().contact_events), (Counts{0, 1, 0}));
}

// Bodies that begin in contact, come apart and meet again stop a little earlier than others.
TEST(StepEvents, WhoWasStoppedIsInContactWhereverItStands) {
  Two s;
  s.world.set_pose(s.a, at(1));
  const std::vector<Pose> there_and_back = {at(1), at(-9), at(1.5)};
  s.stepper.move(s.a, Motion::through(there_and_back));
  const StepOptions options = telling(StepPolicy::each, 0.05);
  const StepResult& step = s.stepper.run(options);
  EXPECT_EQ(counts(step.contact_events), (Counts{1, 0, 0}));
  EXPECT_EQ(counts(step.near_events), (Counts{1, 0, 0}));
  EXPECT_GT(1 - s.world.pose(s.a).translation().x(), kTolerance);
  EXPECT_EQ(counts(s.wait(options).contact_events), (Counts{0, 1, 0}));
}

TEST(StepEvents, BadInputIsRefused) {
  Two s;
  EXPECT_THROW((void)s.wait(telling(StepPolicy::each, -1)), InvalidInput);
  EXPECT_THROW((void)s.wait(telling(StepPolicy::each, kInfinity)), InvalidInput);
  StepOptions options = telling(StepPolicy::each, 1);
  options.events = false;
  EXPECT_THROW((void)s.wait(options), InvalidInput);
}

// ---- random worlds ------------------------------------------------------------------------------

// Bodies that move, are moved, come, go, and hang on each other.
struct Traffic {
  explicit Traffic(std::uint64_t seed) : random(seed) {
    for (int i = 0; i < 12; ++i) add();
  }

  base::Random random;
  World world;
  Stepper stepper{world};

  Pose some_pose() {
    const Vec3 axis = random.direction();
    const double angle = random.uniform(0, 3);
    return Pose::from_axis_angle(axis, angle, random.in_box(3));
  }
  NodeId any() {
    const std::vector<NodeId> bodies = world.bodies();
    return bodies[random.below(static_cast<Index>(bodies.size()))];
  }
  void add() {
    const double size = random.uniform(0.3, 0.8);
    const Pose pose = some_pose();
    const bool hangs = world.body_count() > 0 && random.below(4) == 0;
    const std::optional<NodeId> above = hangs ? std::optional(any()) : std::nullopt;
    world.add(cube(size), pose, {.fixed = random.below(5) == 0}, above);
  }
  void change_world() {
    if (random.below(3) == 0) add();
    if (random.below(3) == 0 && world.body_count() > 8) world.remove(any());
    if (random.below(3) == 0) {
      const NodeId node = any();
      world.set_pose(node, some_pose());
    }
    if (random.below(4) == 0) {
      const NodeId node = any();
      const std::uint32_t category = 1 + random.below(3);
      world.set_options(node, {.category = category, .mask = 1 + random.below(3)});
    }
  }
  void give_motions() {
    for (const NodeId body : world.bodies()) {
      const Index what = random.below(5);
      if (what < 2) continue;
      const Vec3 by = random.in_box(1.5), axis = random.direction();
      const Pose start = world.pose(body);
      if (what == 2) stepper.move(body, Motion::at(start));
      if (what == 3) stepper.move(body, shifted(world, body, by));
      if (what == 4) stepper.move(body, Motion::screw(start, by, axis, by.x(), by.y()));
    }
  }

  double distance_of(const Pair& pair) const {
    return distance(world.object(pair.first), world.pose(pair.first), world.object(pair.second),
                    world.pose(pair.second))
        .distance.upper;
  }
  bool may_pair(const Pair& pair) const {
    const BodyOptions &x = world.options(pair.first), &y = world.options(pair.second);
    return !(x.fixed && y.fixed) && (x.category & y.mask) != 0 && (y.category & x.mask) != 0;
  }
  std::set<Pair> pairs_within(double most) const {
    std::set<Pair> pairs;
    const std::vector<NodeId> bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        const Pair pair(bodies[i], bodies[j]);
        if (may_pair(pair) && distance_of(pair) <= most) pairs.insert(pair);
      }
    return pairs;
  }
};

// Follows what lists say, step by step.
struct Follower {
  std::map<Pair, std::uint64_t> now;
  std::set<std::uint64_t> ids;
  std::size_t began = 0, ended = 0;

  void follow(const PairEvents& events) {
    for (const auto* list : {&events.began, &events.going_on, &events.ended}) {
      const std::vector<Pair> pairs = pairs_of(*list);
      EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    }
    std::map<Pair, std::uint64_t> left;
    for (const PairEvent& event : events.ended) {
      const auto known = now.find({event.a, event.b});
      ASSERT_TRUE(known != now.end());
      EXPECT_EQ(known->second, event.id);
      now.erase(known);
    }
    for (const PairEvent& event : events.going_on) left[{event.a, event.b}] = event.id;
    EXPECT_EQ(left, now);
    for (const PairEvent& event : events.began) {
      EXPECT_TRUE(ids.insert(event.id).second);
      EXPECT_TRUE(now.emplace(Pair(event.a, event.b), event.id).second);
    }
    began += events.began.size();
    ended += events.ended.size();
  }
  std::set<Pair> pairs() const {
    std::set<Pair> all;
    for (const auto& [pair, id] : now) all.insert(pair);
    return all;
  }
};

TEST(StepEvents, AreThoseOfAllDistances) {
  for (const StepPolicy policy : {StepPolicy::each, StepPolicy::together}) {
    Traffic traffic(221);
    Follower contact, near;
    const int steps = test::scaled(400, 60);
    for (int k = 0; k < steps; ++k) {
      traffic.change_world();
      traffic.give_motions();
      const double near_distance = 0.3;
      const StepResult& step = traffic.stepper.run(telling(policy, near_distance));
      contact.follow(step.contact_events);
      near.follow(step.near_events);
      ASSERT_EQ(contact.pairs(), traffic.pairs_within(kTolerance)) << k;
      ASSERT_EQ(near.pairs(), traffic.pairs_within(near_distance)) << k;
    }
    const auto enough = static_cast<std::size_t>(steps / 8);
    EXPECT_GT(contact.began, enough);
    EXPECT_GT(contact.ended, enough);
    EXPECT_GT(near.began, enough);
    EXPECT_GT(near.ended, enough);
  }
}

TEST(StepEvents, AnyNumberOfThreadsSaysTheSame) {
  std::vector<std::vector<std::uint64_t>> told;
  for (const int threads : {1, 2, 0}) {
    Traffic traffic(222);
    told.emplace_back();
    for (int k = 0; k < 50; ++k) {
      traffic.change_world();
      traffic.give_motions();
      StepOptions options = telling(StepPolicy::each, 0.3);
      options.threads = threads;
      const StepResult& step = traffic.stepper.run(options);
      for (const PairEvents* events : {&step.contact_events, &step.near_events})
        for (const auto* list : {&events->began, &events->going_on, &events->ended})
          for (const PairEvent& event : *list)
            told.back().insert(told.back().end(), {event.a.index, event.b.index, event.id});
    }
  }
  EXPECT_GT(told[0].size(), 100U);
  EXPECT_EQ(told[0], told[1]);
  EXPECT_EQ(told[0], told[2]);
}

}  // namespace
}  // namespace touche::step_events_test
