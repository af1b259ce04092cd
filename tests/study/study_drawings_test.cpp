// SPDX-License-Identifier: Apache-2.0
// Studies whose parts are drawings of the plane.
#include <gtest/gtest.h>

#include <cmath>

#include "study_files.h"
#include "touche/plane.h"
#include "touche/study.h"

namespace touche {
namespace {

using test::Json;
using test::StudyFolder;

/// A bolt of 20 × 4 is drawn out of a slot by 30 to the right; the slot is open there.
Json bolt_study() {
  return Json::parse(R"({
    "touche_study": 1, "title": "Bolt", "unit": "mm",
    "parts": [{"name": "bolt", "file": "bolt.svg", "pose": {"translation": [1, 0, 0]}},
              {"name": "lock", "file": "lock.svg"}],
    "groups": [{"name": "moving", "parts": ["bolt"], "motion": {"interpolation": "slerp", "poses": [
      {"t": 0, "translation": [0, 0, 0], "quaternion": [1, 0, 0, 0]},
      {"t": 1, "translation": [15, 0, 0], "quaternion": [1, 0, 0, 0]},
      {"t": 2, "translation": [30, 0, 0], "quaternion": [1, 0, 0, 0]}]}}],
    "tolerance": 1e-4, "clearance_threshold": 0.5})");
}

void write_drawings(const StudyFolder& folder, double gap) {
  const auto number = [](double x) { return std::to_string(x); };
  folder.write("bolt.svg",
               "<svg xmlns='http://www.w3.org/2000/svg'><rect x='0' y='-2' width='20' height='4'/>"
               "</svg>");
  // A U around the bolt, open to the right.
  folder.write("lock.svg", "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 " +
                               number(-2 - gap) + "H22V-8H-5V8H22V" + number(2 + gap) +
                               "H0Z'/></svg>");
}

StudyResult result_of(const StudyFolder& folder, const Json& json) {
  folder.write("study.json", json.dump());
  const Study study = load_study(folder.path() / "study.json");
  EXPECT_TRUE(has_drawings(study));
  return run_study(study, load_parts(study), {.paths = true});
}

TEST(StudyDrawings, ABoltLeavesItsSlot) {
  const StudyFolder folder("study-drawings");
  write_drawings(folder, 0.1);
  const StudyResult free = result_of(folder, bolt_study());
  EXPECT_EQ(free.verdict, StudyVerdict::free);
  ASSERT_EQ(free.paths.size(), 1u);
  EXPECT_NEAR(free.paths[0].path.min_clearance.upper, 0.1, 1e-9);
  EXPECT_LE(free.paths[0].path.min_clearance.lower, 0.1);
  EXPECT_GT(free.paths[0].path.min_clearance.lower, 0.02);
  EXPECT_TRUE(free.health[0].closed);

  // Turned by a tenth of a degree on the way, it meets the slot: at s = 0.5 it has turned by half
  // of that, and its end of 20 would have risen by 0.1 at 0.29 degrees.
  Json turning = bolt_study();
  const double half = 3 * M_PI / 180 / 2;
  turning["groups"][0]["motion"]["poses"][2]["quaternion"] = {std::cos(half), 0, 0, std::sin(half)};
  turning["groups"][0]["motion"]["poses"][2]["translation"] = {15, 0, 0};
  const StudyResult hit = result_of(folder, turning);
  EXPECT_EQ(hit.verdict, StudyVerdict::contact);
  ASSERT_TRUE(hit.first);
  const PairStep& pair = hit.pairs[*hit.first];
  EXPECT_EQ(pair.step, 1u);
  ASSERT_TRUE(pair.contact);
  EXPECT_EQ(pair.contact->point_a.z(), 0);
  EXPECT_EQ(pair.contact->normal.z(), 0);
  if (hit.hint) {
    EXPECT_EQ(hit.hint->opening.direction.z(), 0);
  }
  // All results are written, with pictures.
  const Study study = load_study(folder.path() / "study.json");
  const std::vector<Object> parts = load_parts(study);
  const StudyView view{study, parts, hit};
  EXPECT_EQ(Json::parse(result_json(view))["verdict"]["status"], "contact");
  EXPECT_NE(result_html(view).find("</html>"), std::string::npos);
}

TEST(StudyDrawings, ScaleAndPoseAreApplied) {
  const StudyFolder folder("study-drawings-pose");
  write_drawings(folder, 0.1);
  Json json = bolt_study();
  json["parts"][0]["scale"] = 2;
  json["parts"][0]["pose"] = {{"translation", {3, 4, 0}},
                              {"quaternion", {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}}};
  folder.write("study.json", json.dump());
  const std::vector<Object> parts = load_parts(load_study(folder.path() / "study.json"));
  // 40 × 8, turned by a quarter about the origin, then moved.
  const Aabb& box = parts[0].bounds();
  EXPECT_NEAR(box.lo.x(), -1, 1e-12);
  EXPECT_NEAR(box.hi.x(), 7, 1e-12);
  EXPECT_NEAR(box.lo.y(), 4, 1e-12);
  EXPECT_NEAR(box.hi.y(), 44, 1e-12);
}

TEST(StudyDrawings, SaysWhatItCannotTake) {
  const StudyFolder folder("study-drawings-refused");
  write_drawings(folder, 0.1);
  const auto refused = [&](const Json& json) {
    folder.write("study.json", json.dump());
    const Study study = load_study(folder.path() / "study.json");
    try {
      (void)load_parts(study);
    } catch (const LoadError& e) {
      return std::string(e.what());
    }
    return std::string("it was read");
  };
  const auto expect = [&](const Json& json, const char* place, const char* reason) {
    const std::string said = refused(json);
    EXPECT_NE(said.find(place), std::string::npos) << said;
    EXPECT_NE(said.find(reason), std::string::npos) << said;
  };
  Json mesh = bolt_study();
  mesh["parts"][1]["file"] = "wall.off";
  expect(mesh, "/parts/1/file", "one kind");
  Json lifted = bolt_study();
  lifted["parts"][0]["pose"]["translation"] = {1, 0, 2};
  expect(lifted, "/parts/0/pose", "plane");
  const auto poses = [](Json& json) -> Json& { return json["groups"][0]["motion"]["poses"]; };
  Json rising = bolt_study();
  poses(rising)[1]["translation"] = {15, 0, 1};
  expect(rising, "/groups/0", "within the plane");
  // Half a turn about x: it ends in the plane, but leaves it on the way.
  Json tumbling = bolt_study();
  poses(tumbling)[2]["quaternion"] = {0, 1, 0, 0};
  expect(tumbling, "/groups/0", "within the plane");
  Json inches = bolt_study();
  inches["unit"] = "in";
  expect(inches, "/unit", "millimetres");
  Json nodes = bolt_study();
  nodes["parts"][0]["file"] = "bolt.svg#layer";
  EXPECT_NE(refused(nodes), "it was read");
  EXPECT_EQ(refused(bolt_study()), "it was read");
}

}  // namespace
}  // namespace touche
