// SPDX-License-Identifier: Apache-2.0
// Scenes that a hand moves parts of: the hand starts where the parts are free, means to get
// somewhere, is as unsteady as it should be, and ignores obstacles.
#include <gtest/gtest.h>

#include <cmath>

#include "scenes.h"
#include "temporary_folder.h"
#include "touche/handle.h"
#include "touche/study.h"

namespace touche::scenes {
namespace {

const HandMotion& hand_of(const Scene& scene) {
  return std::get<HandMotion>(scene.groups.at(0).motion);
}

std::vector<Scene> all(std::uint64_t seed) {
  Trembling trembling;
  trembling.seed = seed;
  using Moved = ThreadByHandOptions::Moved;
  using Lamp = BulbByHandOptions::Lamp;
  std::vector<Scene> scenes;
  for (const Moved moved : {Moved::nut, Moved::bolt})
    scenes.push_back(thread_by_hand(
        {.moved = moved, .thread = {.size = "M8", .segments = 24}, .trembling = trembling}));
  for (const bool round : {true, false})
    scenes.push_back(peg_by_hand({.peg = {.round = round, .clearance = 0.1},
                                  .trembling = {.shift = 0.2, .angle = 0.01, .seed = seed}}));
  for (const Lamp lamp : {Lamp::main, Lamp::auxiliary})
    scenes.push_back(bulb_by_hand(
        {.lamp = lamp, .triangles = 20000, .trembling = {.shift = 4, .angle = 0.1, .seed = seed}}));
  scenes.push_back(aeroplane(trembling));
  return scenes;
}

TEST(HandScenes, StartFreeAndGoThroughWhatIsInTheWay) {
  for (const Scene& scene : all(1)) {
    SCOPED_TRACE(scene.title);
    const test::TemporaryFolder temporary;
    const std::filesystem::path& folder = temporary.path();
    write_study(scene, folder);
    const Study study = load_study(folder / "study.json");
    const StudyResult result = run_study(study, load_parts(study), {.stop_at_first = true});
    EXPECT_EQ(result.verdict, StudyVerdict::contact);
    EXPECT_GT(result.time.lower, 0.01);

    const HandPoses read = load_hand_poses(folder / "hand.csv");
    EXPECT_EQ(read.times, hand_of(scene).times);
    EXPECT_EQ(read.poses.size(), hand_of(scene).poses.size());
    EXPECT_LT(relative(read.poses.back(), study.groups[0].motion.pose(1)).translation().norm(),
              1e-9);
  }
}

TEST(HandScenes, PartsAreSolid) {
  for (const Scene& scene : all(1))
    for (const ScenePart& part : scene.parts) {
      SCOPED_TRACE(scene.title + ", " + part.name);
      const Health health = examine(part.soup);
      EXPECT_TRUE(health.closed);
      EXPECT_TRUE(health.oriented);
      EXPECT_GT(health.volume, 0);
    }
}

TEST(HandScenes, HandsFollowTheirSeeds) {
  const std::vector<Scene> one = all(1), again = all(1), other = all(2);
  for (std::size_t i = 0; i < one.size(); ++i) {
    SCOPED_TRACE(one[i].title);
    const HandMotion &a = hand_of(one[i]), &b = hand_of(again[i]), &c = hand_of(other[i]);
    ASSERT_EQ(a.poses.size(), b.poses.size());
    ASSERT_EQ(a.poses.size(), c.poses.size());
    const std::size_t middle = a.poses.size() / 2;
    EXPECT_EQ(a.poses[middle].translation(), b.poses[middle].translation());
    EXPECT_NE(a.poses[middle].translation(), c.poses[middle].translation());
  }
}

// The nut of a steady hand is that of the scene without a hand, so what differs is the trembling.
TEST(HandScenes, HandsTrembleAsMuchAsTheySay) {
  double shift = 0, angle = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Scene scene =
        thread_by_hand({.thread = {.size = "M8", .segments = 24}, .trembling = {.seed = seed}});
    const HandMotion& hand = hand_of(scene);
    const Scene steady = thread_by_hand(
        {.thread = {.size = "M8", .segments = 24}, .trembling = {.shift = 0, .angle = 0}});
    const Vec3 grip(0, 0, 3.4);  // in the middle of the nut of ISO 4032
    for (std::size_t i = 60; i < hand.poses.size(); ++i) {
      const Pose& meant = hand_of(steady).poses[i];
      shift += (hand.poses[i] * grip - meant * grip).squaredNorm();
      angle += std::pow(relative(meant, hand.poses[i]).axis_angle().angle, 2);
      ++count;
    }
  }
  EXPECT_NEAR(std::sqrt(shift / count), 0.5, 0.05);
  EXPECT_NEAR(std::sqrt(angle / count), 2 * 0.017453, 0.004);
}

TEST(HandScenes, RefuseWhatMakesNoSense) {
  EXPECT_THROW(thread_by_hand({.turns_per_second = 0}), InvalidInput);
  EXPECT_THROW(thread_by_hand({.trembling = {.shift = -1}}), InvalidInput);
  EXPECT_THROW(peg_by_hand({.offset = 100}), InvalidInput);
  EXPECT_THROW(bulb_by_hand({.triangles = 10}), InvalidInput);
}

}  // namespace
}  // namespace touche::scenes
