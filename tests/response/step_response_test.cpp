// SPDX-License-Identifier: Apache-2.0
// Ready-made responses in steps of worlds: closed forms, corners, and no body ever in another.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "random_world.h"
#include "step_cases.h"
#include "test_scale.h"
#include "touche/response.h"

namespace touche::step_response_test {
namespace {

using test::at;
using test::cube;
using test::kTolerance;
using test::shifted;
using test::with;

constexpr double kReach = 2 * kTolerance;

StepOptions responding(StepResponse response) {
  StepOptions options = with(StepPolicy::respond);
  options.respond = std::move(response);
  return options;
}
Object block(const Vec3& half) { return Object(scenes::box(-half, half, 1)); }

// A cube between a floor and walls at x = 2 and y = 2.
struct Corner {
  World world;
  NodeId part = world.add(cube(), at(0, 0, 0.7));
  NodeId floor = world.add(block({9, 9, 0.1}), at(0, 0, -0.1), {.fixed = true});
  NodeId wall_x = world.add(block({0.1, 9, 9}), at(2.1, 0, 0), {.fixed = true});
  NodeId wall_y = world.add(block({9, 0.1, 9}), at(0, 2.1, 0), {.fixed = true});
  Stepper stepper{world};

  StepResult go(const Vec3& by, StepResponse response) {
    stepper.move(part, shifted(world, part, by));
    return stepper.run(responding(std::move(response)));
  }
  Vec3 place() const { return world.pose(part).translation(); }
};

TEST(StepResponse, StopsAtTheFirstContact) {
  Corner s;
  const StepResult step = s.go({1, 0, -1}, stop_response());
  EXPECT_NEAR(step.groups[0].reached, 0.2, 2 * kTolerance);
  EXPECT_LT((s.place() - Vec3(0.2, 0, 0.5)).norm(), 2 * kTolerance);
}

TEST(StepResponse, SlidesOnTheFloorAlongWallsIntoTheCorner) {
  Corner s;
  const StepResult floor = s.go({1, 0.5, -1}, slide_response(s.world, kReach));
  EXPECT_EQ(floor.groups[0].reached, 1);
  EXPECT_EQ(floor.contacts.size(), 1U);
  EXPECT_LT((s.place() - Vec3(1, 0.5, 0.5)).norm(), 2 * kTolerance);
  // From where it lies, pressed down: along the floor, then in the groove.
  const StepResult groove = s.go({5, 0.5, -1}, slide_response(s.world, kReach));
  EXPECT_EQ(groove.groups[0].reached, 1);
  EXPECT_LT((s.place() - Vec3(1.5, 1, 0.5)).norm(), 4 * kTolerance);
  EXPECT_LE(groove.contacts.size(), 4U);
  // Into the corner of three walls, where nothing is left.
  (void)s.go({5, 5, -5}, slide_response(s.world, kReach));
  EXPECT_LT((s.place() - Vec3(1.5, 1.5, 0.5)).norm(), 6 * kTolerance);
  // And away.
  const StepResult away = s.go({-1, -1, 1}, slide_response(s.world, kReach));
  EXPECT_EQ(away.contacts.size(), 0U);
  EXPECT_LT((s.place() - Vec3(0.5, 0.5, 1.5)).norm(), 6 * kTolerance);
}

// Two walls that meet at an angle below a right one: no swinging between them.
TEST(StepResponse, AWedgeHoldsItAfterAFewContacts) {
  for (const double angle : {0.6, 0.2}) {  // half of the wedge, open towards +x
    World world;
    const Object ball(scenes::sphere(0.2, 80));
    const NodeId part = world.add(ball, at(6, 0.3));
    for (const double side : {-1.0, 1.0})
      world.add(block({9, 0.05, 9}), Pose::from_axis_angle(Vec3::UnitZ(), side * angle, {0, 0, 0}),
                {.fixed = true});
    Stepper stepper(world);
    stepper.move(part, shifted(world, part, {-12, 0, 1}));
    const StepResult& step = stepper.run(responding(slide_response(world, kReach)));
    EXPECT_LE(step.contacts.size(), 12U) << angle;
    EXPECT_NEAR(world.pose(part).translation().z(), step.groups[0].reached, 0.2) << angle;
    EXPECT_LT(world.pose(part).translation().x(), 0.4 / std::sin(angle));
    EXPECT_GT(world.pose(part).translation().x(), 0.2 / std::sin(angle));
  }
}

TEST(StepResponse, OffTheEndOfATableItGoesOnAndIsNotBarredByItAnyMore) {
  World world;
  const NodeId part = world.add(cube(), at(0, 0, 0.6));
  world.add(block({2, 2, 0.5}), at(0, 0, -0.5), {.fixed = true});
  // A slope beyond the table sends it downwards.
  world.add(block({9, 9, 0.1}), Pose::from_axis_angle(Vec3::UnitY(), -1.0, {8, 0, 0}),
            {.fixed = true});
  Stepper stepper(world);
  stepper.move(part, shifted(world, part, {20, 0, -2}));
  const StepResult& step = stepper.run(responding(slide_response(world, kReach)));
  EXPECT_GT(step.contacts.size(), 1U);
  EXPECT_EQ(step.groups[0].reached, 1);
  EXPECT_GT(world.pose(part).translation().x(), 3);
}

TEST(StepResponse, IsReflectedToAndFro) {
  for (const double restitution : {1.0, 0.5}) {
    World world;
    const NodeId part = world.add(cube(), at(0));
    world.add(cube(), at(3), {.fixed = true});
    world.add(cube(), at(-3), {.fixed = true});
    Stepper stepper(world);
    stepper.move(part, shifted(world, part, {20, 0, 0}));
    const StepResult& step = stepper.run(responding(reflect_response(restitution)));
    // 2, 4, 4, 4, 4, 2; or 2, 4, 4 and 0.25 of speed 20 (1 − 0.1 − 0.4 − 0.8) < 0.
    EXPECT_EQ(step.groups[0].reached, 1);
    if (restitution == 1) {
      EXPECT_EQ(step.contacts.size(), 5U);
      EXPECT_NEAR(world.pose(part).translation().x(), 0, 10 * kTolerance);
    } else {
      EXPECT_EQ(step.contacts.size(), 2U);
      EXPECT_NEAR(world.pose(part).translation().x(), -2 + 5 * (1 - 0.1 - 0.4), 10 * kTolerance);
    }
  }
}

// A row of three equal bodies, of which the first moves: what it has goes on to the last. Only
// bodies with a motion take part.
TEST(StepResponse, BodiesThatMoveExchangeWhatTheyHave) {
  World world;
  const NodeId a = world.add(cube(), at(0)), b = world.add(cube(), at(2));
  Stepper stepper(world);
  stepper.move(a, shifted(world, a, {4, 0, 0}));
  stepper.move(b, shifted(world, b, {-2, 0, 0}));
  // They meet after 1/6, at x = 2/3 and 5/3, and change roles.
  const StepResult& step = stepper.run(responding(reflect_response(1)));
  EXPECT_EQ(step.contacts.size(), 1U);
  EXPECT_NEAR(world.pose(a).translation().x(), 2.0 / 3 - 2 * 5.0 / 6, 10 * kTolerance);
  EXPECT_NEAR(world.pose(b).translation().x(), 5.0 / 3 + 4 * 5.0 / 6, 10 * kTolerance);
  // Sliding, they go on together, with what both have in the mean.
  World other;
  const NodeId c = other.add(cube(), at(0)), d = other.add(cube(), at(2));
  Stepper together(other);
  together.move(c, shifted(other, c, {4, 1, 0}));
  together.move(d, shifted(other, d, {-2, 0, 0}));
  (void)together.run(responding(slide_response(other, kReach)));
  EXPECT_NEAR(other.pose(c).translation().x(), 2.0 / 3 + 5.0 / 6, 10 * kTolerance);
  EXPECT_NEAR(other.pose(d).translation().x(), 5.0 / 3 + 5.0 / 6, 10 * kTolerance);
  EXPECT_NEAR(other.pose(c).translation().y(), 1, 10 * kTolerance);
}

TEST(StepResponse, TurningItRollsOffTheFloorRatherThanIntoIt) {
  World world;
  const NodeId part = world.add(cube(), at(0, 0, 0.51));
  world.add(block({9, 9, 0.1}), at(0, 0, -0.1), {.fixed = true});
  Stepper stepper(world);
  stepper.move(part, Motion::interpolated(world.pose(part),
                                          Pose::from_axis_angle(Vec3::UnitY(), 0.7, {0, 0, 0.51})));
  const StepResult& step = stepper.run(responding(slide_response(world, kReach)));
  EXPECT_EQ(step.groups[0].reached, 1);
  EXPECT_NEAR(world.pose(part).axis_angle().angle, 0.7, 1e-9);
  // It stands on an edge.
  EXPECT_GT(world.pose(part).translation().z(),
            std::sqrt(0.5) * std::cos(0.25 * 3.14159265 - 0.7) - 1e-6);
  EXPECT_LT(world.pose(part).translation().z(), 0.9);
}

TEST(StepResponse, RefusesWhatHasNoMeaning) {
  const World world;
  for (const double bad : {-1.0, kInfinity, std::nan("")})
    EXPECT_THROW((void)slide_response(world, bad), InvalidInput);
  for (const double bad : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW((void)reflect_response(bad), InvalidInput);
}

// ---- never in one another -----------------------------------------------------------------------

/// Records what groups really did: motions as they were given, and the times from which they count.
struct Record {
  struct Piece {
    double begin;
    Motion motion;
  };
  std::map<NodeId, std::vector<Piece>> pieces;

  StepResponse around(StepResponse response) {
    return [this, response = std::move(response)](const StepContact& contact) mutable {
      std::vector<GroupMotion> motions = response(contact);
      for (const GroupMotion& m : motions)
        pieces[m.node].push_back({contact.pair.time.lower, m.motion});
      return motions;
    };
  }
  Pose pose(NodeId group, double t, double reached) const {
    const double when = std::min(t, reached);
    const Piece* last = nullptr;
    for (const Piece& piece : pieces.at(group))
      if (piece.begin <= when) last = &piece;
    return last->motion.pose(last->begin < 1 ? (when - last->begin) / (1 - last->begin) : 1);
  }
};

TEST(StepResponse, NothingEntersAnything) {
  base::Random random(31);
  int met = 0, arrived = 0, stopped = 0;
  const int cases = test::scaled(120);
  for (int i = 0; i < cases; ++i) {
    test::RandomWorldOptions how;
    how.most = 8;
    how.room = 3;
    test::RandomWorld world(random, how);
    Stepper stepper(world.world);
    Record record;
    const bool slides = random.below(2) == 0;
    StepOptions options = responding(record.around(slides ? slide_response(world.world, kReach)
                                                          : reflect_response(random.uniform())));
    options.max_responses = 60;
    for (std::size_t g = 0; g < world.groups.size(); ++g)
      record.pieces[world.groups[g]] = {{0, world.motions[g]}};
    std::vector<Pose> before;
    for (const NodeId body : world.bodies) before.push_back(world.world.pose(body));
    std::vector<Pose> offset(world.bodies.size());
    for (std::size_t b = 0; b < world.bodies.size(); ++b)
      if (const Index g = world.group_of(world.bodies[b]); g != kNone)
        offset[b] = relative(world.world.pose(world.groups[g]), before[b]);
    world.give_motions(stepper);
    const StepResult& step = stepper.run(options);
    const auto pose = [&](std::size_t b, double t) {
      const Index g = world.group_of(world.bodies[b]);
      return g == kNone ? before[b]
                        : record.pose(world.groups[g], t, step.groups[g].reached) * offset[b];
    };
    for (const StepGroup& group : step.groups) group.reached < 1 ? ++stopped : ++arrived;
    met += !step.contacts.empty();
    for (std::size_t b = 0; b < world.bodies.size(); ++b)
      for (std::size_t c = b + 1; c < world.bodies.size(); ++c) {
        if (world.group_of(world.bodies[b]) == world.group_of(world.bodies[c])) continue;
        const Object &x = world.world.object(world.bodies[b]),
                     &y = world.world.object(world.bodies[c]);
        if (intersects(x, before[b], y, before[c]).intersects) continue;
        for (int s = 0; s <= 100; ++s) {
          ASSERT_FALSE(intersects(x, pose(b, 0.01 * s), y, pose(c, 0.01 * s)).intersects)
              << i << ": " << b << " " << c << " at " << 0.01 * s;
        }
      }
    // Where they are is where the motions led.
    for (std::size_t g = 0; g < world.groups.size(); ++g) {
      ASSERT_LT((world.world.pose(world.groups[g]).translation() -
                 record.pose(world.groups[g], 1, step.groups[g].reached).translation())
                    .norm(),
                1e-9);
    }
  }
  EXPECT_GT(met, cases / 3);
  EXPECT_GT(arrived, cases / 4);
  EXPECT_GT(stopped, cases / 10);
}

}  // namespace
}  // namespace touche::step_response_test
