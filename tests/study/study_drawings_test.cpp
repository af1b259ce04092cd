// SPDX-License-Identifier: Apache-2.0
// Studies whose parts are drawings of the plane.
#include <gtest/gtest.h>

#include <cmath>

#include "study/study_file.h"
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

  // It turns by a tenth of a degree during the motion and meets the slot: at s = 0.5 it has turned
  // by half of that, and its end of 20 would have risen by 0.1 at 0.29 degrees.
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
  EXPECT_EQ(Json::parse(result_json(hit))["verdict"]["status"], "contact");
  EXPECT_NE(result_html(hit).find("</html>"), std::string::npos);
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

TEST(StudyDrawings, APartSaysHowItsDrawingIsRead) {
  const StudyFolder folder("study-drawings-options");
  write_drawings(folder, 0.1);
  // A helping line, a dot and a frame that would turn the lock inside out.
  folder.write("bolt.svg",
               "<svg><g id='cut'><rect y='-2' width='20' height='4'/><path d='M1 0h9'/>"
               "<rect x='2' width='0.1' height='0.1'/></g>"
               "<g id='frame'><rect x='-90' y='-90' width='180' height='180'/></g></svg>");
  Json json = bolt_study();
  json["parts"][0]["drawing"] = {{"chord_error", 0.5}, {"join_gap", 0.25},
                                 {"layers", {"cut"}},  {"all_layers", true},
                                 {"drop_open", true},  {"drop_loops_below", 1}};
  const StudyResult result = result_of(folder, json);
  EXPECT_EQ(result.verdict, StudyVerdict::free);
  EXPECT_EQ(study_remarks(result).size(), 3u);
  const OutlineOptions expected = {.chord_error = 0.5,
                                   .join_gap = 0.25,
                                   .layers = {"cut"},
                                   .all_layers = true,
                                   .drop_open = true,
                                   .drop_loops_below = 1};
  EXPECT_EQ(result.study.parts[0].drawing, expected);
  EXPECT_EQ(result.study.parts[1].drawing, OutlineOptions());
  folder.write("again.json", study::study_json(result.study, "", {""}, folder.path()));
  EXPECT_EQ(load_study(folder.path() / "again.json").parts[0].drawing, expected);
}

TEST(StudyDrawings, SaysWhatItCannotTake) {
  const StudyFolder folder("study-drawings-refused");
  write_drawings(folder, 0.1);
  const auto refused = [&](const Json& json) {
    folder.write("study.json", json.dump());
    try {
      (void)load_parts(load_study(folder.path() / "study.json"));
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
  expect(rising, "/groups/0/motion/poses/1", "within the plane");
  // Half a turn about x: it ends in the plane, but leaves it in between.
  Json tumbling = bolt_study();
  poses(tumbling)[2]["quaternion"] = {0, 1, 0, 0};
  expect(tumbling, "/groups/0/motion/poses/2", "within the plane");
  const auto moved = [](const Json& motion) {
    Json json = bolt_study();
    json["groups"][0]["motion"] = motion;
    return json;
  };
  // In a file of poses, with its line.
  const std::string header = "t,x,y,z,qw,qx,qy,qz\n";
  folder.write("flat.csv", header + "0,0,0,0,1,0,0,0\n1,15,1,0,0.6,0,0,0.8\n2,30,0,0,1,0,0,0\n");
  EXPECT_EQ(refused(moved({{"csv", "flat.csv"}})), "it was read");
  folder.write("rising.csv", header + "0,0,0,0,1,0,0,0\n\n1,15,0,1e-9,1,0,0,0\n");
  expect(moved({{"csv", "rising.csv"}}), "/groups/0/motion/csv",
         "rising.csv:4: drawings move within");
  folder.write("tilted.csv", header + "0,0,0,0,1,0,0,0\n1,15,0,0,0.8,0,0.6,0\n");
  expect(moved({{"csv", "tilted.csv"}}), "/groups/0/motion/csv",
         "tilted.csv:3: drawings move within");
  // Screws and translations.
  const Json upright = {{"axis", {0, 0, 2}}, {"angle_deg", 90}, {"point", {1, 2, 3}}};
  EXPECT_EQ(refused(moved({{"screw", upright}})), "it was read");
  Json leaning = upright, pitched = upright;
  leaning["axis"] = {0, 0.1, 2};
  pitched["pitch"] = 1;
  expect(moved({{"screw", leaning}}), "/groups/0/motion/screw/axis", "within the plane");
  expect(moved({{"screw", pitched}}), "/groups/0/motion/screw/pitch", "within the plane");
  EXPECT_EQ(refused(moved({{"translation", {1, 2, 0}}})), "it was read");
  expect(moved({{"translation", {1, 2, 3}}}), "/groups/0/motion/translation", "within the plane");
  Json inches = bolt_study();
  inches["unit"] = "in";
  expect(inches, "/unit", "millimetres");
  Json nodes = bolt_study();
  nodes["parts"][0]["file"] = "bolt.svg#layer";
  EXPECT_NE(refused(nodes), "it was read");
  EXPECT_EQ(refused(bolt_study()), "it was read");
}

// A study that a program has made has not been through the reader.
TEST(StudyDrawings, RunningRefusesWhatTheReaderWould) {
  const StudyFolder folder("study-drawings-run");
  write_drawings(folder, 0.1);
  folder.write("study.json", bolt_study().dump());
  const Study study = load_study(folder.path() / "study.json");
  const std::vector<Object> parts = load_parts(study);
  folder.write("boxes.json", test::box_study().dump());
  std::vector<Object> mixed = load_parts(load_study(folder.path() / "boxes.json"));
  mixed[1] = parts[1];
  EXPECT_THROW((void)run_study(study, mixed), InvalidInput);
  Study leaving = study;
  leaving.groups[0].motion = Motion::interpolated({}, Pose::from_translation({30, 0, 1}));
  EXPECT_THROW((void)run_study(leaving, parts), InvalidInput);
  leaving.groups[0].motion = Motion::interpolated({}, Pose::from_translation({30, 0, 0}));
  EXPECT_EQ(run_study(leaving, parts).verdict, StudyVerdict::free);
}

TEST(StudyDrawings, TheReportSpeaksOfEdgesAndOfTheDrawings) {
  const StudyFolder folder("study-drawings-words");
  write_drawings(folder, -0.5);  // the bolt is too thick
  // A scratch on the bolt is no outline, and the slot is drawn twice.
  folder.write("bolt.svg",
               "<svg xmlns='http://www.w3.org/2000/svg'><rect id='bolt' x='0' y='-2' width='20' "
               "height='4'/><line x1='1' y1='0' x2='2' y2='0'/></svg>");
  Json json = bolt_study();
  json["parts"][1]["name"] = "wall";
  folder.write("study.json", json.dump());
  const Study study = load_study(folder.path() / "study.json");
  const StudyResult result = run_study(study, load_parts(study), {.paths = true});
  ASSERT_EQ(result.verdict, StudyVerdict::contact);
  ASSERT_EQ(study_remarks(result).size(), 1u);
  EXPECT_EQ(study_remarks(result)[0].rfind("bolt: 1 of 2 chains is open", 0), 0u)
      << study_remarks(result)[0];
  EXPECT_EQ(Json::parse(result_json(result))["remarks"], Json(study_remarks(result)));
  const std::string details = verdict_details(result), page = result_html(result);
  EXPECT_NE(details.find("bolt edge "), std::string::npos) << details;
  EXPECT_EQ(details.find("face"), std::string::npos) << details;
  EXPECT_EQ(details.find(", 0) mm"), std::string::npos) << details;  // two coordinates
  EXPECT_NE(page.find("1 of 2 chains is open"), std::string::npos);
  EXPECT_NE(page.find("The touching edges"), std::string::npos);
  std::string words = page;  // without what is embedded
  for (std::size_t at; (at = words.find("base64,")) != std::string::npos;)
    words.erase(at, words.find('"', at) - at);
  for (const char* word : {" face", "faces", "mesh", "surface", "ball"})
    EXPECT_EQ(words.find(word), std::string::npos)
        << word << ": " << words.substr(words.find(word) - 100, 200);
}

TEST(StudyDrawings, ADrawingIsMirrored) {
  const StudyFolder folder("study-mirrored");
  write_drawings(folder, 0.1);
  Json json = bolt_study();
  json["parts"][0]["stretch"] = {-1, 2, 1};
  folder.write("study.json", json.dump());
  const std::vector<Object> parts = load_parts(load_study(folder.path() / "study.json"));
  EXPECT_EQ(parts[0].soup().bounds().lo.head<2>(), Eigen::Vector2d(-19, -4));
  EXPECT_EQ(parts[0].soup().bounds().hi.head<2>(), Eigen::Vector2d(1, 4));
  json["parts"][0]["stretch"] = {-1, 1, -1};
  EXPECT_THROW((void)parse_study(json.dump(), folder.path() / "study.json"), LoadError);
}

}  // namespace
}  // namespace touche
