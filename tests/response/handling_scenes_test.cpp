// SPDX-License-Identifier: Apache-2.0
// Hands that tremble and are inexact: pegs go into their holes, nuts come off their bolts, bulbs
// out of their lamps, and nothing is met meanwhile.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "committed_way.h"
#include "hand_scene.h"
#include "test_scale.h"

namespace touche::handling_scenes_test {
namespace {

using test::CommittedWay;
using test::HandScene;
using test::scaled;
using test::shortened;

struct Outcome {
  double left = 0;    // along z, in the end
  int held_back = 0;  // steps
};

// `part`: the fraction of the hand's path to follow.
Outcome follow(const scenes::Scene& made, const HandlingOptions& options, double part = 1) {
  HandScene scene(made);
  Handling hand(scene.world, scene.held, options);
  CommittedWay way(scene.world, scene.held, options.clearance);
  Outcome outcome;
  const auto steps = static_cast<std::size_t>(part * static_cast<double>(scene.targets.size()));
  for (std::size_t i = 0; i < steps; ++i) {
    const HandlingStep& step = hand.step(scene.targets[i]);
    const std::string complaint = way.complaint(step);
    EXPECT_EQ(complaint, "") << "step " << i;
    if (!complaint.empty()) break;
    EXPECT_NE(step.status, HandlingStatus::touching);
    if (step.status == HandlingStatus::held_back) {
      ++outcome.held_back;
      EXPECT_FALSE(step.contacts.empty());
    }
    outcome.left = std::abs((step.pose.translation() - scene.targets[i].translation()).z());
  }
  return outcome;
}

// 0.1 mm of play, 2 mm and 3 degrees of error.
TEST(HandlingScenes, PegsGoIn) {
  for (const bool round : {true, false})
    for (int seed = 1; seed <= scaled(5, 2); ++seed) {
      scenes::PegByHandOptions options;
      options.peg.round = round;
      options.trembling.seed = static_cast<std::uint64_t>(seed);
      const Outcome outcome =
          follow(scenes::peg_by_hand(options), {.tolerance = 1e-3, .clearance = 0.01});
      EXPECT_LT(outcome.left, 0.5) << round << ' ' << seed;
      EXPECT_GT(outcome.held_back, 50);
    }
}

// With a clearance of two tolerances this one tilted until two contacts had no room left, and
// stood.
TEST(HandlingScenes, APegThatIsTightComesFree) {
  scenes::PegByHandOptions options;
  options.peg.round = true;
  options.trembling.seed = 50;
  const Outcome outcome =
      follow(scenes::peg_by_hand(options), {.tolerance = 1e-3, .clearance = 2e-3});
  EXPECT_LT(outcome.left, 0.5);
  EXPECT_GT(outcome.held_back, 50);
}

// 0.1 mm of play, 0.5 mm and 2 degrees of trembling.
TEST(HandlingScenes, ANutComesOff) {
  scenes::ThreadByHandOptions options;
  options.thread.segments = 24;
  options.turns_per_second = 4;
  const double part = shortened(100, 20) / 100.0;  // of the path
  const Outcome outcome =
      follow(scenes::thread_by_hand(options), {.tolerance = 5e-3, .clearance = 0.01}, part);
  EXPECT_LT(outcome.left, 0.5);
  EXPECT_GT(outcome.held_back, 50 * part);
}

// A hand that turns only, and is always far ahead: its thread lifts the nut. The budget of a step
// is too short for all of that turn to be proved, so shorter ones are tried. That holds nobody
// back, and no step takes more work.
TEST(HandlingScenes, ANutRisesAlsoInStepsThatAreCutShort) {
  const scenes::Scene made = scenes::nut_and_bolt({.segments = 24, .poses_per_turn = 0});
  for (const std::uint64_t share : {2, 3, 4}) {
    World world;
    world.add(Object(made.parts[0].soup), made.parts[0].pose, {.fixed = true});
    const NodeId nut = world.add(Object(made.parts[1].soup), made.parts[1].pose);
    HandlingOptions options{.tolerance = 1e-3, .clearance = 2e-3};
    Handling probe(world, nut, options);
    world.set_pose(nut, world.pose(nut) * Pose::from_translation({0, 0, 1e-6}));
    const QueryStats look = probe.step(world.pose(nut)).stats.queries;
    options.budget.max_work = share * look.work();
    Handling hand(world, nut, options);
    CommittedWay way(world, nut, options.clearance);
    const double start = world.pose(nut).translation().z();
    int cut = 0, moved = 0;
    for (int i = 0; i < (share == 4 ? 100 : 40); ++i) {
      const HandlingStep& step =
          hand.step(world.pose(nut) * Pose::from_axis_angle(Vec3::UnitZ(), 2.5, Vec3::Zero()));
      ASSERT_EQ(way.complaint(step), "") << "step " << i;
      ASSERT_NE(step.status, HandlingStatus::arrived);
      if (step.status == HandlingStatus::held_back) {
        EXPECT_FALSE(step.contacts.empty()) << "step " << i;
      }
      cut += step.status == HandlingStatus::undecided;
      moved += step.motions.empty() ? 0 : 1;
      EXPECT_LE(step.stats.queries.node_pairs, options.budget.max_work) << "step " << i;
    }
    EXPECT_GT(cut, 10);
    EXPECT_GT(moved, share == 2 ? 4 : 10);  // none where the same is tried again and again
    if (share == 4) {
      EXPECT_GT(world.pose(nut).translation().z() - start, 0.5);
    }
  }
}

TEST(HandlingScenes, ABulbComesOut) {
  scenes::BulbByHandOptions options;
  options.triangles = 20000;
  const Outcome outcome =
      follow(scenes::bulb_by_hand(options), {.tolerance = 0.01, .clearance = 0.05});
  EXPECT_LT(outcome.left, 0.5);
  EXPECT_GT(outcome.held_back, 10);
}

// The same for any number of threads.
TEST(HandlingScenes, RepeatToTheBit) {
  Pose ends[3];
  for (int i = 0; i < 3; ++i) {
    HandScene scene(scenes::peg_by_hand({.offset = 1}));
    HandlingOptions options{.tolerance = 1e-3, .clearance = 0.01};
    options.threads = i;
    Handling hand(scene.world, scene.held, options);
    for (std::size_t k = 0; k < 200; ++k) ends[i] = hand.step(scene.targets[k]).pose;
  }
  for (const Pose& end : ends) {
    EXPECT_EQ(end.translation(), ends[0].translation());
    EXPECT_EQ(end.rotation().coeffs(), ends[0].rotation().coeffs());
  }
}

}  // namespace
}  // namespace touche::handling_scenes_test
