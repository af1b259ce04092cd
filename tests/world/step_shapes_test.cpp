// SPDX-License-Identifier: Apache-2.0
// Steps of objects and convex shapes together: closed forms, and motions checked by distances at
// instants.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "hit_share.h"
#include "mixed_world.h"
#include "signed_session.h"
#include "temporary_folder.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/response.h"
#include "touche/shape.h"
#include "touche/step.h"

namespace touche::step_shapes_test {
namespace {

using test::MixedWays;
using test::random_pose;

constexpr double kTolerance = 1e-3;

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }

// ---- closed forms -------------------------------------------------------------------------------

TEST(StepShapes, ABallFallsOntoTheGround) {
  World world;
  const NodeId ground = world.add(Shape::half_space({0, 0, 1}, 0), {}, {.fixed = true});
  const NodeId ball = world.add(Shape::sphere(1), at(0, 0, 3));
  Stepper stepper(world);
  stepper.move(ball, Motion::interpolated(at(0, 0, 3), at(5, 0, -1)));
  const StepResult& step = stepper.run({.tolerance = kTolerance, .policy = StepPolicy::each});
  ASSERT_EQ(step.contacts.size(), 1u);
  EXPECT_EQ(step.contacts[0].a, ground);
  EXPECT_EQ(step.contacts[0].b, ball);
  EXPECT_EQ(step.contacts[0].status, ToiStatus::contact);
  // It touches at half of its path; between a half and all of the tolerance is left.
  EXPECT_GE(step.groups[0].reached, 0.5 - kTolerance / 4 - 1e-12);
  EXPECT_LE(step.groups[0].reached, 0.5 - kTolerance / 8 + 1e-12);
  EXPECT_LT((step.contacts[0].contact->normal - Vec3(0, 0, 1)).norm(), 1e-9);
  EXPECT_GT(world.pose(ball).translation().z(), 1 + 0.4 * kTolerance);
}

TEST(StepShapes, APlateFallsOntoAPart) {
  // The plate is a half space that moves, the part a soup.
  World world;
  const NodeId part =
      world.add(Object(scenes::box({-1, -1, 0}, {1, 1, 1}, 1)), {}, {.fixed = true});
  const NodeId plate = world.add(Shape::half_space({0, 0, -1}, 0), at(0, 0, 4));
  Stepper stepper(world);
  stepper.move(plate, Motion::interpolated(at(0, 0, 4), at(0, 0, -2)));
  const StepResult& step = stepper.run({.tolerance = kTolerance, .policy = StepPolicy::together});
  ASSERT_EQ(step.contacts.size(), 1u);
  EXPECT_NEAR(step.time.lower, 0.5, kTolerance);
  EXPECT_LT(step.time.lower, 0.5);
  EXPECT_NE(step.contacts[0].contact->face_a, kNone);
  EXPECT_EQ(step.contacts[0].contact->face_b, kNone);
  EXPECT_EQ(step.contacts[0].a, part);
  EXPECT_GT(world.pose(plate).translation().z(), 1);
}

TEST(StepShapes, ARodTurnsUntilItMeetsABall) {
  // A capsule of half length 2 and radius 0.1 turns about z; the ball at distance 1.5, angle 60°.
  World world;
  const double radius = 0.2, angle = std::numbers::pi / 3;
  const Pose lies = Pose::from_axis_angle(Vec3::UnitY(), std::numbers::pi / 2, Vec3::Zero());
  const NodeId rod = world.add(Shape::capsule(0.1, 4), lies);
  world.add(Shape::sphere(radius), at(1.5 * std::cos(angle), 1.5 * std::sin(angle), 0));
  Stepper stepper(world);
  stepper.move(rod, Motion::screw(lies, Vec3::Zero(), Vec3::UnitZ(), 2, 0));
  const StepResult& step = stepper.run({.tolerance = 1e-6, .policy = StepPolicy::each});
  const double touches = (angle - std::asin((radius + 0.1) / 1.5)) / 2;
  ASSERT_EQ(step.contacts.size(), 1u);
  EXPECT_NEAR(step.groups[0].reached, touches, 1e-6);
  EXPECT_LT(step.groups[0].reached, touches);
}

TEST(StepShapes, WhatIsInsideASurfaceIsFree) {
  World world;
  const NodeId ball = world.add(Shape::sphere(0.5));
  world.add(Object(scenes::box(Vec3::Constant(-2), Vec3::Constant(2), 1)));
  Stepper stepper(world);
  stepper.move(ball, Motion::interpolated({}, at(1.4, 0, 0)));
  EXPECT_EQ(stepper.run({.tolerance = kTolerance, .policy = StepPolicy::each}).groups[0].reached,
            1);
  stepper.move(ball, Motion::interpolated(at(1.4, 0, 0), at(9, 0, 0)));
  const StepResult& out = stepper.run({.tolerance = kTolerance, .policy = StepPolicy::each});
  EXPECT_NEAR(out.groups[0].reached, 0.1 / 7.6, kTolerance);
}

TEST(StepShapes, WhoTouchesMayLeaveAndSlide) {
  World world;
  world.add(Shape::half_space({0, 0, 1}, 0), {}, {.fixed = true});
  const NodeId box = world.add(Shape::box({1, 1, 1}), at(0, 0, 1));  // on the ground
  Stepper stepper(world);
  const StepOptions options{.tolerance = kTolerance, .policy = StepPolicy::each};
  stepper.move(box, Motion::interpolated(world.pose(box), at(1, 0, 0.9)));
  EXPECT_LT(stepper.run(options).groups[0].reached, 1e-9);
  stepper.move(box, Motion::interpolated(world.pose(box), at(1, 0, 2)));
  EXPECT_EQ(stepper.run(options).groups[0].reached, 1);

  // Down and along: it slides.
  StepOptions sliding = options;
  sliding.policy = StepPolicy::respond;
  sliding.respond = slide_response(world, 0.1);
  stepper.move(box, Motion::interpolated(world.pose(box), at(5, 0, 0)));
  EXPECT_EQ(stepper.run(sliding).groups[0].reached, 1);
  EXPECT_NEAR(world.pose(box).translation().x(), 5, 1e-9);
  EXPECT_GT(world.pose(box).translation().z(), 1);
  EXPECT_LT(world.pose(box).translation().z(), 1 + 2 * kTolerance);
}

TEST(StepShapes, EventsTellOfShapes) {
  World world;
  const NodeId ground = world.add(Shape::half_space({0, 0, 1}, 0), {}, {.fixed = true});
  const NodeId part = world.add(Object(scenes::box(Vec3::Zero(), Vec3::Ones(), 1)), at(0, 0, 3));
  Stepper stepper(world);
  const StepOptions options{
      .tolerance = kTolerance, .policy = StepPolicy::each, .events = true, .near_distance = 0.5};
  const auto go_to = [&](double z) -> const StepResult& {
    stepper.move(part, Motion::interpolated(world.pose(part), at(0, 0, z)));
    return stepper.run(options);
  };
  EXPECT_TRUE(go_to(1).near_events.began.empty());
  const StepResult& near = go_to(0.4);
  ASSERT_EQ(near.near_events.began.size(), 1u);
  EXPECT_EQ(near.near_events.began[0].a, ground);
  EXPECT_EQ(near.near_events.began[0].b, part);
  EXPECT_TRUE(near.contact_events.began.empty());
  EXPECT_EQ(go_to(-1).contact_events.began.size(), 1u);
  const StepResult& away = go_to(2);
  EXPECT_EQ(away.contact_events.ended.size(), 1u);
  EXPECT_EQ(away.near_events.ended.size(), 1u);
}

// ---- random worlds ------------------------------------------------------------------------------

struct MixedSteps {
  World world;
  std::vector<NodeId> bodies, groups;
  std::vector<Motion> motions;

  explicit MixedSteps(base::Random& random) {
    const Index count = 2 + random.below(7);
    for (Index i = 0; i < count; ++i) {
      std::optional<NodeId> above;
      if (i > 0 && random.below(5) == 0) above = bodies.back();
      bodies.push_back(
          test::add_some_body(world, random, random_pose(random, above ? 1 : 2.2), {}, above));
    }
    if (random.below(2) == 0) world.add(Shape::half_space({0, 0, 1}, -2.5), {}, {.fixed = true});
    move(random);
  }
  void move(base::Random& random) {
    groups.clear();
    motions.clear();
    for (const NodeId body : bodies) {
      if (random.below(3) == 0) continue;
      const Pose start = world.pose(body);
      const Pose end = random_pose(random, 2);
      const Vec3 to = start.translation() + random.in_box(2);
      groups.push_back(body);
      switch (random.below(3)) {
        case 0:
          motions.push_back(
              Motion::interpolated(start, Pose::from_quaternion_unchecked(start.rotation(), to)));
          break;
        case 1:
          motions.push_back(
              Motion::interpolated(start, Pose::from_quaternion_unchecked(end.rotation(), to)));
          break;
        default:
          motions.push_back(Motion::screw(start, to, random.direction(), random.uniform(-2, 2),
                                          random.uniform(-1, 1)));
      }
    }
  }
  void give_motions(Stepper& stepper) const {
    for (std::size_t g = 0; g < groups.size(); ++g) stepper.move(groups[g], motions[g]);
  }
};

TEST(StepShapes, EverybodyStaysFreeOnTheWay) {
  base::Random random(31);
  int stopped = 0, moved = 0;
  for (int round = 0; round < test::scaled(60, 12); ++round) {
    MixedSteps scene(random);
    Stepper stepper(scene.world);
    const double clearance = round % 3 == 0 ? 0.05 : 0;
    for (int k = 0; k < 3; ++k) {
      if (k > 0) scene.move(random);
      const MixedWays ways(scene.world, scene.groups, scene.motions);
      scene.give_motions(stepper);
      const StepResult& step =
          stepper.run({.tolerance = kTolerance,
                       .clearance = clearance,
                       .policy = k == 1 ? StepPolicy::together : StepPolicy::each});
      ways.expect_free(step, [](std::size_t, std::size_t) { return false; });
      if (HasFatalFailure()) return;
      for (const StepGroup& group : step.groups) {
        stopped += group.reached < 1;
        ++moved;
      }
    }
  }
  test::expect_about_half(stopped, moved);
}

// Contacts that are reported are contacts; the motions of the other pairs are free.
TEST(StepShapes, ReportsAreThoseOfEachPair) {
  base::Random random(32);
  int contacts = 0, pairs = 0, touched = 0;
  for (int round = 0; round < test::scaled(60, 20); ++round) {
    MixedSteps scene(random);
    Stepper stepper(scene.world);
    const MixedWays ways(scene.world, scene.groups, scene.motions);
    const std::vector<NodeId> bodies = scene.world.bodies();
    scene.give_motions(stepper);
    StepResult step = stepper.run({.tolerance = kTolerance, .threads = 1 + 3 * (round % 2)});
    EXPECT_TRUE(step.undecided.empty());
    for (StepGroup& group : step.groups) group.reached = 1;  // all of the motions are checked
    const auto number = [&](NodeId body) {
      return static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), body) -
                                      bodies.begin());
    };
    for (const StepPair& pair : step.contacts) {
      const auto &a = ways.ways[number(pair.a)], &b = ways.ways[number(pair.b)];
      EXPECT_LE(MixedWays::gap(a, b, pair.time.upper).lower, kTolerance);
      // Before they really touch.
      const ToiResult alone =
          brute_force::time_of_impact(a.shape, a.motion, b.shape, b.motion, {.tolerance = 1e-9});
      EXPECT_NE(alone.status, ToiStatus::undecided);
      if (alone.status == ToiStatus::contact) {
        EXPECT_LT(pair.time.lower, alone.time.upper);
      }
      touched += alone.status == ToiStatus::contact;
      ASSERT_TRUE(pair.contact);
      EXPECT_EQ(pair.contact->face_a == kNone, a.shape.kind() != ShapeKind::soup);
      EXPECT_EQ(pair.contact->face_b == kNone, b.shape.kind() != ShapeKind::soup);
    }
    ways.expect_free(step, [&](std::size_t i, std::size_t j) {
      const bool met = std::any_of(
          step.contacts.begin(), step.contacts.end(),
          [&](const StepPair& pair) { return pair.a == bodies[i] && pair.b == bodies[j]; });
      contacts += met;
      ++pairs;
      return met;
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(touched, contacts / 6);
  EXPECT_GT(contacts, pairs / 10);
  EXPECT_LT(contacts, pairs / 2);
}

// A budget stops early, stays honest, and in the end all is as without one.
TEST(StepShapes, BudgetsAreHonest) {
  base::Random random(33);
  int undecided = 0, steps = 0;
  for (int round = 0; round < test::scaled(40, 12); ++round) {
    MixedSteps scene(random);
    const BudgetShare share = std::array{BudgetShare::one_queue, BudgetShare::equal,
                                         BudgetShare::by_distance}[random.below(3)];
    Stepper all(scene.world), bit_by_bit(scene.world);
    scene.give_motions(all);
    const std::vector<StepPair> expected = all.run({.tolerance = kTolerance}).contacts;
    scene.give_motions(bit_by_bit);
    StepOptions options{.tolerance = kTolerance, .share = share, .guess = Guess::volumes};
    options.budget.max_work = 20;
    const StepResult* step = &bit_by_bit.run(options);
    undecided += !step->undecided.empty();
    ++steps;
    for (const StepPair& pair : step->undecided) {
      ASSERT_TRUE(pair.guess);
      EXPECT_GE(*pair.guess, pair.time.lower);
      EXPECT_LE(*pair.guess, 1);
    }
    for (int i = 0; i < 200 && !step->undecided.empty(); ++i) {
      options.budget.max_work *= 2;
      step = &bit_by_bit.go_on(options);
    }
    ASSERT_TRUE(step->undecided.empty());
    ASSERT_EQ(step->contacts.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(step->contacts[i].a, expected[i].a);
      EXPECT_EQ(step->contacts[i].b, expected[i].b);
      EXPECT_EQ(step->contacts[i].status, expected[i].status);
      EXPECT_EQ(step->contacts[i].time, expected[i].time);
    }

    // Taken with little: groups stop early, and nobody meets anybody.
    const MixedWays ways(scene.world, scene.groups, scene.motions);
    Stepper poor(scene.world);
    scene.give_motions(poor);
    options = {.tolerance = kTolerance, .policy = StepPolicy::each, .share = share};
    options.budget.max_work = 30;
    ways.expect_free(poor.run(options), [](std::size_t, std::size_t) { return false; });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(undecided, steps / 4);
}

// ---- sessions -----------------------------------------------------------------------------------

// Writes some steps of random worlds, in which objects become shapes and the other way round.
void record_steps(const std::filesystem::path& file, std::uint64_t seed, int count) {
  base::Random random(seed);
  MixedSteps scene(random);
  Stepper stepper(scene.world);
  stepper.record(file);
  for (int k = 0; k < count; ++k) {
    scene.move(random);
    const NodeId body = scene.bodies[random.below(static_cast<Index>(scene.bodies.size()))];
    if (k % 3 == 1) scene.world.replace(body, test::some_shape(random, k));
    if (k % 3 == 2) scene.world.replace(body, test::some_soup(random));
    scene.give_motions(stepper);
    StepOptions options{.tolerance = kTolerance, .policy = StepPolicy::each, .events = true};
    if (k % 4 == 1) options.budget.max_work = 30;
    if (k % 4 == 2) {
      options.policy = StepPolicy::respond;
      options.respond = slide_response(scene.world, 0.1);
    }
    (void)stepper.run(options);
  }
}

TEST(StepShapes, RecordedStepsAreTakenAgain) {
  const test::TemporaryFolder folder;
  int steps = 0, contacts = 0;
  for (int round = 0; round < test::scaled(16, 5); ++round) {
    const auto file = folder.path() / std::to_string(round);
    record_steps(file, 50 + static_cast<std::uint64_t>(round), 6);
    SessionReplay replay(file);
    for (; const ReplayedStep* step = replay.next(1 + 2 * (round % 2)); ++steps) {
      EXPECT_TRUE(step->same) << round << " " << step->error;
      ASSERT_TRUE(step->result);
      contacts += !step->result->contacts.empty();
    }
  }
  EXPECT_EQ(steps, 6 * test::scaled(16, 5));
  EXPECT_GT(contacts, steps / 4);
}

// Whatever a file says of shapes, with right checksums: it is refused, or it is an answer.
TEST(StepShapes, AlteredSessionsDoNoHarm) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "recorded", altered = folder.path() / "altered";
  record_steps(file, 77, 3);
  std::string bytes;
  {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  base::Random random(51);
  int refused = 0;
  const int rounds = test::scaled(150, 60);
  for (int round = 0; round < rounds; ++round) {
    std::string changed = bytes;
    for (Index i = 1 + random.below(3); i > 0; --i)
      changed[random.below(static_cast<Index>(changed.size()))] =
          static_cast<char>(random.below(256));
    test::sign_session(changed);
    std::ofstream(altered, std::ios::binary) << changed;
    try {
      SessionReplay replay(altered);
      while (replay.next(1) != nullptr) {
      }
    } catch (const LoadError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 20);
}

}  // namespace
}  // namespace touche::step_shapes_test
