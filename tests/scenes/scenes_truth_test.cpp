// SPDX-License-Identifier: Apache-2.0
// Compares what the scenes state about themselves with the answers of the library.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes.h"
#include "temporary_folder.h"
#include "touche/study.h"

namespace touche::scenes {
namespace {

Object object_of(const ScenePart& part) { return Object(placed(part), part.name); }

/// The study of the scene, written to files and read back.
StudyResult answer(const Scene& scene) {
  const test::TemporaryFolder folder;
  write_study(scene, folder.path());
  const Study study = load_study(folder.path() / "study.json");
  return run_study(study, load_parts(study), {.stop_at_first = true});
}

void expect_truth(const Scene& scene) {
  SCOPED_TRACE(scene.title);
  ASSERT_TRUE(scene.truth.has_value());
  const StudyResult result = answer(scene);
  if (*scene.truth == Truth::free) {
    EXPECT_EQ(result.verdict, StudyVerdict::free);
    return;
  }
  ASSERT_EQ(result.verdict, StudyVerdict::contact);
  const PairStep& first = result.pairs[*result.first];
  EXPECT_EQ(first.status,
            *scene.truth == Truth::contact ? StepStatus::contact : StepStatus::initially_touching);
  if (scene.first_contact) {
    ASSERT_EQ(result.steps.size(), 1u);
    EXPECT_LE(first.time.lower, *scene.first_contact);
    EXPECT_NEAR(first.time.upper, *scene.first_contact, 1e-6);
  }
}

TEST(SceneTruth, ToriTouchInTwoPoints) {
  const Scene scene = tori(ToriPose::touching);
  const Object a = object_of(scene.parts[0]), b = object_of(scene.parts[1]);
  EXPECT_TRUE(intersects(a, {}, b, {}));
  const ContactsResult found = contacts(a, {}, b, {});
  std::size_t left = 0, right = 0;
  for (const Contact& contact : found.contacts) {
    left += (contact.point_a - Vec3(-0.75, 0, 0)).norm() < 1e-12;
    right += (contact.point_a - Vec3(1.25, 0, 0)).norm() < 1e-12;
  }
  EXPECT_GT(left, 0u);
  EXPECT_GT(right, 0u);
  EXPECT_EQ(left + right, found.contacts.size());
  const Pose hair = Pose::from_translation({1e-12, 0, 0});
  EXPECT_FALSE(intersects(a, {}, b, hair)) << "a hair apart, they are free";
}

TEST(SceneTruth, ToriOverlapOrAreFree) {
  const Scene overlapping = tori(ToriPose::overlapping), free = tori(ToriPose::interlocked);
  EXPECT_TRUE(intersects(object_of(overlapping.parts[0]), {}, object_of(overlapping.parts[1]), {}));
  EXPECT_NEAR(distance(object_of(free.parts[0]), {}, object_of(free.parts[1]), {}).distance.upper,
              0.5, 0.02);
}

TEST(SceneTruth, BulletAndRodPassThroughOrBeside) {
  for (const BulletMotion motion : {BulletMotion::translation, BulletMotion::rotation})
    for (const bool miss : {false, true}) {
      const Scene scene = bullet_and_paper({.motion = motion, .miss = miss});
      expect_truth(scene);
      const Object a = object_of(scene.parts[0]), b = object_of(scene.parts[1]);
      for (const double s : {0.0, 1.0})
        EXPECT_FALSE(intersects(a, motion_of(scene, 0).pose(s), b, {}));
    }
}

TEST(SceneTruth, PegsFitOrDoNot) {
  for (const bool round : {true, false}) {
    expect_truth(peg_in_hole({.round = round}));
    expect_truth(peg_in_hole({.round = round, .clearance = 0.002}));
    expect_truth(peg_in_hole({.round = round, .offset = 0.03}));
    expect_truth(peg_in_hole({.round = round, .offset = 0.2}));
    expect_truth(peg_in_hole({.round = round, .tilt = 0.02}));
  }
}

TEST(SceneTruth, NutsKeepTheirClearanceAtEveryAngle) {
  for (const char* size : {"M4", "M16"})
    for (const double clearance : {0.1, 0.01}) {
      const Scene scene = nut_and_bolt({.size = size, .clearance = clearance, .segments = 60});
      const Object bolt = object_of(scene.parts[0]), nut = object_of(scene.parts[1]);
      const Motion motion = motion_of(scene, 1);
      double least = kInfinity;
      for (int i = 0; i < 6; ++i) {  // also between recorded poses
        const double d = distance(bolt, {}, nut, motion.pose(i * 0.0317)).distance.upper;
        EXPECT_GE(d, clearance);
        least = std::min(least, d);
      }
      // Facets lie below the thread by up to 0.14 % of the radius, seen along the flank half that.
      EXPECT_LE(least, 1.02 * clearance + 0.0007 * std::stod(size + 1) / 2);
    }
}

TEST(SceneTruth, NutsComeOffWithTheRightPitchOnly) {
  NutAndBoltOptions options{.size = "M6", .segments = 24, .turns = 1, .poses_per_turn = 12};
  expect_truth(nut_and_bolt(options));
  for (const double error : {-0.3, 0.3}) {
    options.pitch_error = error;
    const Scene scene = nut_and_bolt(options);
    EXPECT_EQ(scene.truth, Truth::contact);
    expect_truth(scene);
  }
}

TEST(SceneTruth, TrafficStaysInItsCells) {
  expect_truth(traffic());
  expect_truth(traffic({.bodies = 8, .triangles = 200, .clash = true}));
  EXPECT_THROW(traffic({.bodies = 1}), InvalidInput);
}

TEST(SceneTruth, HeadlampComesApart) { expect_truth(headlamp({.triangles = 20000})); }

TEST(SceneTruth, HiddenClashIsBetweenPosesThatAreAllFree) {
  const Scene scene = headlamp({.triangles = 20000, .hidden_clash = true});
  std::vector<Object> objects;
  for (const ScenePart& part : scene.parts) objects.push_back(object_of(part));
  const SceneGroup& bulb = scene.groups[1];
  const auto& recorded = std::get<RecordedMotion>(bulb.motion);
  for (const double s : recorded.times)
    for (const std::size_t part : bulb.parts)
      for (std::size_t other = 0; other < objects.size(); ++other) {
        if (std::find(bulb.parts.begin(), bulb.parts.end(), other) != bulb.parts.end()) continue;
        ASSERT_FALSE(intersects(objects[part], motion_of(bulb).pose(s), objects[other],
                                motion_of(scene, other).pose(s)));
      }

  const StudyResult result = answer(scene);
  ASSERT_EQ(result.verdict, StudyVerdict::contact);
  const PairStep& first = result.pairs[*result.first];
  EXPECT_EQ(scene.parts[std::min(first.part_a, first.part_b)].name, "housing");
  EXPECT_EQ(scene.parts[std::max(first.part_a, first.part_b)].name, "main beam bulb base");
}

}  // namespace
}  // namespace touche::scenes
