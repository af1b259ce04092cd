// SPDX-License-Identifier: Apache-2.0
// Which contacts of a study's paths count as touching, and which as clashes.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "motion_kinds.h"
#include "scenes.h"
#include "shapes.h"
#include "study_answer.h"
#include "temporary_folder.h"

namespace touche {
namespace {

using test::answer;
using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

// The wall is 0.1 thick, which is no clash when that much is allowed.
TEST(StudyTouching, TouchOrClash) {
  // The cube ends 0.08 deep in the wall, which is 0.1 thick, or goes through.
  const auto with = [](const char* name, const Json& touching, double end = 2.58) {
    const StudyFolder folder(name);
    Json study = box_study();
    study["touching"] = touching;
    study["groups"][0]["motion"]["poses"][2]["translation"] = {end, 0, 0};
    return answer(folder, study, {.paths = true});
  };
  EXPECT_EQ(with("clash", 0.05).paths.at(0).path.verdict, PathVerdict::clash);
  EXPECT_EQ(with("flat", "chord_error").paths.at(0).path.verdict, PathVerdict::clash);
  EXPECT_EQ(with("through", 0.3, 4).paths.at(0).path.verdict, PathVerdict::clash);
  const StudyResult a = with("touch", 0.3);
  EXPECT_EQ(a.paths.at(0).path.verdict, PathVerdict::touching);
  EXPECT_EQ(a.verdict, StudyVerdict::contact);
  const std::string sentence = verdict_sentence(a);
  EXPECT_NE(sentence.find("parts only touch and do not clash"), std::string::npos) << sentence;
  EXPECT_NE(result_html(a).find("Parts touch on the path"), std::string::npos);

  StudyResult open = a;
  PathResult& path = open.paths.at(0).path;
  path.verdict = PathVerdict::undecided;
  path.contacts.at(0).touching_until = path.contacts.at(0).start.upper;
  EXPECT_NE(verdict_sentence(open).find("at the times tested parts only touch, but that"),
            std::string::npos);
  const std::string page = result_html(open);
  EXPECT_NE(page.find("Parts touch on the path, perhaps more"), std::string::npos);
  EXPECT_NE(page.find("perhaps touching"), std::string::npos);
}

// A round peg, 0.025 too far aside: less than the chords of its 24 faces are off the circle.
TEST(StudyTouching, RoundPartsTouchByTheirChords) {
  const test::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  scenes::write_study(
      scenes::peg_in_hole({.size = 8, .clearance = 0.02, .offset = 0.08, .segments = 24}), folder);
  Study study = load_study(folder / "study.json");
  const std::vector<Object> parts = load_parts(study);
  const auto verdict = [&] {
    return run_study(study, parts, {.paths = true}).paths.at(0).path.verdict;
  };
  EXPECT_EQ(verdict(), PathVerdict::clash);
  study.max_touching_thickness = std::nullopt;
  EXPECT_EQ(verdict(), PathVerdict::touching);
}

// A block with a coarse boss on its top: its walls are flat all the same.
PolygonSoup block_with_boss() {
  const PolygonSoup block = scenes::box({0, 0, 0}, {40, 40, 20}),
                    boss = scenes::cylinder(12, 30, 16);
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const auto& [soup, shift] :
       {std::pair(&block, Vec3(0, 0, 0)), std::pair(&boss, Vec3(20, 20, 20.5))}) {
    const auto first = static_cast<Index>(xyz.size() / 3);
    for (const Vec3& v : soup->vertices())
      for (int k = 0; k < 3; ++k) xyz.push_back(v[k] + shift[k]);
    for (const auto& t : soup->triangles())
      for (const Index v : t) corners.push_back(first + v);
  }
  return PolygonSoup(xyz, corners);
}

// Only the faces that meet may be off from smooth surfaces: 0.15 in the wall are a clash, as much
// in the boss, whose chords are 0.23 off the circle, a touch.
TEST(StudyTouching, AFlatWallIsNotOffForACoarseRoundOfItsPart) {
  EXPECT_GT(chord_error(block_with_boss()), 0.2);
  Study study;
  study.unit = "mm";
  study.tolerance = 1e-4;
  study.max_touching_thickness = std::nullopt;
  study.times = {0, 1};
  study.parts.resize(2);
  study.parts[0].name = "slider";
  study.parts[1].name = "block";
  study.groups.push_back({"slider", {0}, Motion::at({}), {0, 1}});
  // Goes along x, and is nearest in the middle.
  const auto slides_at = [&](double y, double z) {
    study.groups[0].motion = Motion::interpolated(Pose::from_translation({-60, y, z}),
                                                  Pose::from_translation({60, y, z}));
    return run_study(study,
                     {Object(scenes::box({-2, -8, -4}, {2, 0, 4})), Object(block_with_boss())},
                     {.paths = true});
  };
  const StudyResult wall = slides_at(0.15, 10);
  ASSERT_EQ(wall.paths.size(), 1U);
  EXPECT_EQ(wall.paths[0].path.verdict, PathVerdict::clash);
  const ContactInterval& sunk = wall.paths[0].path.contacts.at(0);
  EXPECT_LT(sunk.max_touching_thickness, 1e-3);
  EXPECT_NEAR(sunk.deepest.diameter.upper, 0.15, 0.015);
  EXPECT_NE(verdict_sentence(wall).find("at worst they overlap by 0.15 mm"), std::string::npos)
      << verdict_sentence(wall);

  const StudyResult boss = slides_at(8.15, 35);
  ASSERT_EQ(boss.paths.size(), 1U);
  EXPECT_EQ(boss.paths[0].path.verdict, PathVerdict::touching);
  EXPECT_NEAR(boss.paths[0].path.contacts.at(0).max_touching_thickness,
              12 * (1 - std::cos(test::kPi / 16)), 0.01);
  const std::string said = verdict_sentence(boss);
  EXPECT_NE(said.find("do not clash: no two overlap by more than 0."), said.npos) << said;
  EXPECT_NE(said.find("mm, the deviation of meshes from smooth surfaces (an estimate)"), said.npos)
      << said;
  const std::string page = result_html(boss);
  EXPECT_NE(page.find("overlap by no more than 0."), page.npos);
  EXPECT_NE(page.find("mm, proved"), page.npos);
  EXPECT_NE(page.find("mm at the times tested"), page.npos);
}

}  // namespace
}  // namespace touche
