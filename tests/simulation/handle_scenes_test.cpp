// SPDX-License-Identifier: Apache-2.0
// The scenes with a hand, dragged: parts reach the intended poses, through contact, and their path
// is proved by a study.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes.h"
#include "temporary_folder.h"
#include "test_scale.h"
#include "touche/handle.h"

namespace touche::handle_scenes_test {
namespace {

using scenes::Scene;

struct Dragged {
  explicit Dragged(const Scene& scene) {
    const test::TemporaryFolder folder;
    scenes::write_study(scene, folder.path());
    const Study study = load_study(folder.path() / "study.json");
    result = handle(study, load_parts(study), load_hand_poses(folder.path() / "hand.csv"));
    EXPECT_EQ(result.verdict, StudyVerdict::free) << handle_sentence(result);
    EXPECT_EQ(result.steps.size() + 1, result.hand.poses.size());
    for (const Clearance& c : result.proof.clearances)
      EXPECT_GT(c.distance, 0.7 * result.clearance);
    held_back = std::any_of(result.steps.begin(), result.steps.end(), [](const HandleStep& step) {
      return step.status == HandlingStatus::held_back;
    });
  }
  /// Returns how far the part ends above the hand's last pose.
  double above() const {
    return result.path.poses.back().translation().z() - result.hand.poses.back().translation().z();
  }
  bool arrived() const { return result.steps.back().status == HandlingStatus::arrived; }

  HandleResult result;
  bool held_back = false;
};

TEST(HandleScenes, PegsFindTheirHoles) {
  const int seeds = test::scaled(10);
  for (const bool round : {true, false})
    for (int seed = 1; seed <= (round ? (seeds + 2) / 3 : seeds); ++seed) {
      SCOPED_TRACE(seed);
      scenes::PegByHandOptions options;
      options.peg.round = round;
      options.peg.segments = 32;
      options.trembling.seed = static_cast<std::uint64_t>(seed);
      const Dragged peg(scenes::peg_by_hand(options));
      EXPECT_TRUE(peg.held_back);
      EXPECT_LT(std::abs(peg.above()), 0.1);  // of the 15.5 that it is deep
      EXPECT_FALSE(peg.arrived());            // the hand is still beside it
    }
}

TEST(HandleScenes, NutsAndBoltsComeApart) {
  for (const auto moved :
       {scenes::ThreadByHandOptions::Moved::nut, scenes::ThreadByHandOptions::Moved::bolt}) {
    const Dragged thread(scenes::thread_by_hand(
        {.moved = moved, .thread = {.size = "M8", .segments = 24}, .turns_per_second = 10}));
    EXPECT_TRUE(thread.held_back);
    EXPECT_TRUE(thread.arrived());
  }
}

TEST(HandleScenes, BulbsComeOutOfTheHeadlamp) {
  for (const auto lamp :
       {scenes::BulbByHandOptions::Lamp::main, scenes::BulbByHandOptions::Lamp::auxiliary}) {
    const Dragged bulb(scenes::bulb_by_hand({.lamp = lamp, .triangles = 20000}));
    EXPECT_TRUE(bulb.held_back);
    EXPECT_TRUE(bulb.arrived());
  }
}

TEST(HandleScenes, TheAeroplaneLandsOnItsWheels) {
  const Dragged plane(scenes::aeroplane());
  EXPECT_TRUE(plane.held_back);
  EXPECT_GT(plane.above(), 3);  // the hand presses it onto the runway
  std::vector<std::string> touched;
  for (const HandleStep& step : plane.result.steps)
    for (const HandleContact& contact : step.contacts)
      touched.push_back(plane.result.study.parts[contact.part].name);
  for (const char* wheel : {"nose wheel", "left wheel", "right wheel", "wing"})
    EXPECT_NE(std::find(touched.begin(), touched.end(), wheel), touched.end()) << wheel;
}

}  // namespace
}  // namespace touche::handle_scenes_test
