// SPDX-License-Identifier: Apache-2.0
// Steps of bodies that were moved elsewhere, and of bodies far from the origin: what is known,
// proved or given holds for the actual poses.
#include <gtest/gtest.h>

#include "mixed_world.h"
#include "temporary_folder.h"
#include "touche/step.h"
#include "world/body_boxes.h"

namespace touche::step_places_test {
namespace {

constexpr double kTolerance = 1e-3;

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }

// ---- what is known of a pair --------------------------------------------------------------------

// Says of which kind two bodies are. The half space leans a little, so its box holds everything.
enum class Kind { half_space_and_box, boxes, objects };

struct TwoBodies {
  World world;
  NodeId moved;

  explicit TwoBodies(Kind kind) {
    const Object cube(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1));
    const Shape box = Shape::box(Vec3::Constant(1));
    if (kind == Kind::half_space_and_box)
      world.add(Shape::half_space({0.001, 0, 1}, 1));
    else if (kind == Kind::boxes)
      world.add(box);
    else
      world.add(cube);
    moved = kind == Kind::objects ? world.add(cube, at(0, 0, 2)) : world.add(box, at(0, 0, 2));
  }
};

// Two that were in touch in a step before are as free as others once they were put elsewhere: on
// this way they are never nearer than 0.9 to each other.
TEST(StepPlaces, WhoWasPutElsewhereIsNotInTouchAnyMore) {
  for (const Kind kind : {Kind::half_space_and_box, Kind::boxes, Kind::objects})
    for (const bool touched : {false, true}) {
      TwoBodies two(kind);
      Stepper stepper(two.world);
      const StepOptions options{.tolerance = kTolerance, .policy = StepPolicy::each, .threads = 1};
      if (touched) {
        stepper.move(two.moved, Motion::interpolated(at(0, 0, 2), at(0, 0, 1)));
        ASSERT_EQ(stepper.run(options).contacts.size(), 1U);
      }
      two.world.set_pose(two.moved, at(0, 0, 8));
      const double height = kind == Kind::half_space_and_box ? 4 : 1;
      const std::vector<Pose> way = {at(0, 0, 8), at(4, 0, height), at(8, 0, 8)};
      stepper.move(two.moved, Motion::through(way));
      const StepResult& step = stepper.run(options);
      EXPECT_TRUE(step.contacts.empty()) << static_cast<int>(kind) << touched;
      EXPECT_EQ(step.groups[0].reached, 1) << static_cast<int>(kind) << touched;
    }
}

// And when they do meet they stop as far apart as others: by between a half and all of the
// tolerance, and not by a part of what once was their gap.
TEST(StepPlaces, WhoWasPutElsewhereStopsAsOthersDo) {
  for (const Kind kind : {Kind::half_space_and_box, Kind::boxes, Kind::objects}) {
    std::vector<double> reached;
    for (const bool touched : {false, true}) {
      TwoBodies two(kind);
      Stepper stepper(two.world);
      const StepOptions options{.tolerance = kTolerance, .policy = StepPolicy::each, .threads = 1};
      if (touched) {
        stepper.move(two.moved, Motion::interpolated(at(0, 0, 2), at(0, 0, 1)));
        ASSERT_EQ(stepper.run(options).contacts.size(), 1U);
      }
      two.world.set_pose(two.moved, at(0, 0, 4));
      stepper.move(two.moved, Motion::interpolated(at(0, 0, 4), at(0, 0, 0)));
      reached.push_back(stepper.run(options).groups[0].reached);
    }
    EXPECT_EQ(reached[0], reached[1]) << static_cast<int>(kind);
    EXPECT_LT(reached[0], 0.5);
  }
}

// ---- bodies without an end ----------------------------------------------------------------------

// A half space that moves may be anywhere during its motion, and other bodies are searched
// everywhere when it stops. It rises to 4, and the body's lower side is at 2.
TEST(StepPlaces, AHalfSpaceStopsWithEachPolicy) {
  for (const bool is_object : {false, true})
    for (const StepPolicy policy :
         {StepPolicy::report, StepPolicy::together, StepPolicy::each, StepPolicy::respond}) {
      World world;
      const NodeId ground = world.add(Shape::half_space({0, 0, 1}, 0));
      if (is_object)
        world.add(Object(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1)), at(0, 0, 3));
      else
        world.add(Shape::box(Vec3::Constant(1)), at(0, 0, 3));
      Stepper stepper(world);
      stepper.move(ground, Motion::interpolated({}, at(0, 0, 4)));
      const StepOptions options{
          .tolerance = kTolerance, .policy = policy, .respond = [](const StepContact& contact) {
            return std::vector<GroupMotion>{{contact.group_a, Motion::at(contact.pose_a)}};
          }};
      const StepResult& step = stepper.run(options);
      ASSERT_EQ(step.contacts.size(), 1U) << name(policy);
      EXPECT_NEAR(step.contacts[0].time.lower, 0.5, kTolerance) << name(policy);
      const double stands = world.pose(ground).translation().z();
      if (policy == StepPolicy::report) {
        EXPECT_EQ(stands, 0);
      } else {
        EXPECT_LT(stands, 2) << name(policy);
        EXPECT_GT(stands, 2 - kTolerance) << name(policy);
      }
    }
}

// ---- far from the origin ------------------------------------------------------------------------

bool same(const Pose& a, const Pose& b) {
  return a.rotation().coeffs() == b.rotation().coeffs() && a.translation() == b.translation();
}

// A body far away that moves by less than its coordinates resolve still moves.
TEST(StepPlaces, DisplacementsHoldFarAway) {
  base::Random random(60);
  for (int round = 0; round < 200; ++round) {
    const Vec3 centre = random.in_box(1e9), half = Vec3::Constant(random.uniform(0.1, 1));
    const Object object(scenes::box(centre - half, centre + half, 1));
    const Pose pose = test::random_pose(random, 1);
    const double way = random.uniform(0, 1e-7);
    const Pose moved = Pose::from_quaternion_unchecked(
        pose.rotation(), pose.translation() + way * random.direction());
    EXPECT_GE(world::displacement(object, pose, Motion::at(moved)), (1 - 1e-6) * way);
    EXPECT_LT(world::displacement(object, pose, Motion::at(moved)), 1e-4);
  }
}

// A node below a node far away has the pose that it was given, and not that of its local pose,
// which rounding lets end about 1e-7 beside it.
TEST(StepPlaces, PosesAreThoseThatWereGiven) {
  base::Random random(61);
  int off = 0;
  const int rounds = 50;
  for (int round = 0; round < rounds; ++round) {
    World world;
    const NodeId top = world.add_group(test::random_pose(random, 1e9));
    const NodeId middle = world.add_group(test::random_pose(random, 1e9), top);
    const NodeId node = world.add_group({}, middle);
    const NodeId below = world.add_group(test::random_pose(random, 1), node);
    const Pose given = test::random_pose(random, 1);
    world.set_pose(node, given);
    EXPECT_TRUE(same(world.pose(node), given));
    EXPECT_TRUE(same(world.pose(below), given * world.local_pose(below)));
    const Pose led = world.pose(middle) * world.local_pose(node);
    off += !same(led, given);
    EXPECT_LT((led.translation() - given.translation()).norm(), 1e-5);

    // Nodes beside it or below it change nothing.
    world.set_pose(below, test::random_pose(random, 1));
    world.set_pose(world.add_group({}, top), {});
    EXPECT_TRUE(same(world.pose(node), given));
    // Nodes above it do.
    world.set_local_pose(round % 2 == 0 ? top : middle, test::random_pose(random, 1e9));
    EXPECT_TRUE(same(world.pose(node), world.pose(middle) * world.local_pose(node)));
    world.attach(node, top);
    const Pose stands = world.pose(node);
    world.detach(node);
    EXPECT_TRUE(same(world.pose(node), stands));
  }
  EXPECT_GT(off, rounds / 2);
}

// Two cubes, one of which hangs on a node far away and falls onto the other.
struct FarParent {
  World world;
  NodeId parent, part;
  Pose start = at(0, 0, 5);

  FarParent(base::Random& random, double far) {
    const Object cube(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1));
    world.add(cube);
    parent = world.add_group(test::random_pose(random, far));
    part = world.add(cube, {}, {}, parent);
    world.set_pose(part, start);
  }
  const StepResult& fall(Stepper& stepper, double tolerance) {
    stepper.move(part, Motion::interpolated(start, at(0, 0, 1)));
    return stepper.run({.tolerance = tolerance, .policy = StepPolicy::each, .threads = 1});
  }
};

TEST(StepPlaces, WhoHangsOnAFarParentStopsFree) {
  base::Random random(62);
  for (int round = 0; round < 40; ++round) {
    FarParent s(random, round % 2 == 0 ? 1e9 : 1e6);
    Stepper stepper(s.world);
    const StepResult& step = s.fall(stepper, 1e-9);
    ASSERT_EQ(step.contacts.size(), 1U);
    EXPECT_NEAR(s.world.pose(s.part).translation().z(), 2, 1e-9);
    EXPECT_TRUE(s.world.touching_pairs().pairs.empty()) << round;
  }
}

// A recording begins with poses that were given, and has more of them between its steps.
TEST(StepPlaces, RecordedPosesAreThoseThatWereGiven) {
  base::Random random(63);
  const test::TemporaryFolder folder;
  for (int round = 0; round < 10; ++round) {
    const auto file = folder.path() / std::to_string(round);
    FarParent s(random, 1e9);
    Stepper stepper(s.world);
    (void)s.fall(stepper, 1e-9);
    stepper.record(file);
    (void)s.fall(stepper, 1e-9);
    if (round % 3 == 0) s.world.set_local_pose(s.parent, test::random_pose(random, 1e9));
    s.world.set_pose(s.part, s.start);
    (void)s.fall(stepper, 1e-9);
    if (round % 3 == 1) s.world.set_local_pose(s.parent, test::random_pose(random, 1e9));
    stepper.move(s.parent, Motion::at(s.world.pose(s.parent)));
    (void)s.fall(stepper, 1e-9);
    stepper.record({});
    SessionReplay replay(file);
    int steps = 0;
    for (; const ReplayedStep* step = replay.next(1); ++steps)
      EXPECT_TRUE(step->same) << round << ", step " << steps;
    EXPECT_EQ(steps, 3);
    EXPECT_TRUE(same(replay.world().pose(s.part), s.world.pose(s.part)));
  }
}

// Far away by much more than bodies are apart: a plate lies under a cube that glides along it until
// it meets another. The response puts it a little beside where it is.
struct Glide {
  static constexpr double kFar = 1e6, kGap = 5e-7;
  World world;
  NodeId cube;

  Glide() {
    const Object unit(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1));
    const Object plate(scenes::box({-10, -10, -3}, {10, 10, -1 - kGap}, 1));
    world.add(plate, at(kFar, 0, 0), {.fixed = true});
    cube = world.add(unit, at(kFar, 0, 0));
    world.add(unit, at(kFar + 5, 0, 0), {.fixed = true});
  }
  const StepResult& go(Stepper& stepper, const Vec3& shift, const Vec3& rest) {
    stepper.move(cube, Motion::interpolated(at(kFar, 0, 0), at(kFar + 5, 0, 0)));
    return stepper.run(
        {.tolerance = 1e-5,
         .policy = StepPolicy::respond,
         .respond =
             [&](const StepContact& contact) {
               EXPECT_EQ(contact.group_a, cube);
               const Pose begins = Pose::from_translation(contact.pose_a.translation() + shift);
               const Pose ends = Pose::from_translation(begins.translation() + rest);
               return std::vector<GroupMotion>{{cube, Motion::interpolated(begins, ends)}};
             },
         .threads = 1});
  }
};

TEST(StepPlaces, ResponsesPutNobodyIntoOthers) {
  for (const Vec3& rest : {Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(0, 2, 0)})
    for (const double shift : {-9e-7, 9e-7, -1e-7}) {
      Glide s;
      Stepper stepper(s.world);
      const StepResult& step = s.go(stepper, {0, 0, shift}, rest);
      ASSERT_FALSE(step.contacts.empty());
      EXPECT_TRUE(s.world.touching_pairs().pairs.empty()) << shift;
      const Vec3 stands = s.world.pose(s.cube).translation();
      EXPECT_NEAR(stands.x(), Glide::kFar + 3, 1e-5);
      if (shift < -Glide::kGap) {
        EXPECT_EQ(stands.z(), 0) << "it is where it was";
        EXPECT_LT(step.groups[0].reached, 1);
      } else {
        EXPECT_NEAR(stands.z(), shift + rest.z(), 1e-12) << "it took the response";
        EXPECT_EQ(step.groups[0].reached, 1);
      }
    }
}

// A pose that differs by far more than rounding, or than the tolerance, is another pose.
TEST(StepPlaces, ResponsesBeginWhereGroupsAre) {
  Glide s;
  Stepper stepper(s.world);
  EXPECT_THROW((void)s.go(stepper, {0, 0, 2e-6}, Vec3::Zero()), InvalidInput);
  EXPECT_EQ(s.world.pose(s.cube).translation().x(), Glide::kFar);

  const double far = 1e9;
  World world;
  const Object unit(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1));
  const NodeId part = world.add(unit, at(far, 0, 5));
  world.add(unit, at(far, 0, 0));
  Stepper steps(world);
  for (const double shift : {1e-4, 5e-4}) {
    steps.move(part, Motion::interpolated(at(far, 0, 5), at(far, 0, 1)));
    const StepOptions options{
        .tolerance = 1e-5,
        .policy = StepPolicy::respond,
        .respond = [&](const StepContact& contact) {
          const Vec3 is = contact.pose_a.translation();
          return std::vector<GroupMotion>{{part, Motion::at(at(is[0], is[1], is[2] - shift))}};
        }};
    EXPECT_THROW((void)steps.run(options), InvalidInput) << shift;
  }
}

}  // namespace
}  // namespace touche::step_places_test
