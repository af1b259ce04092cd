// SPDX-License-Identifier: Apache-2.0
// Studies whose parts are convex shapes: what is proved of the polyhedra around them holds for the
// shapes, by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "json_schema.h"
#include "source_folder.h"
#include "study/shape_words.h"
#include "study/study_file.h"
#include "study_files.h"
#include "touche/shape.h"
#include "touche/shape_file.h"
#include "touche/study.h"

namespace touche {
namespace {

using test::Json;
using test::StudyFolder;

/// A ball of radius 1 flies along x from -5 to 5 between two posts, `gap` from either.
Json ball_study(double gap) {
  Json study = Json::parse(R"({
    "touche_study": 1, "title": "Ball between posts", "unit": "mm",
    "parts": [{"name": "ball", "shape": {"type": "sphere", "radius": 1}},
              {"name": "left post", "shape": {"type": "box", "size": [1, 1, 4]}},
              {"name": "right post", "shape": {"type": "box", "size": [1, 1, 4]}}],
    "groups": [{"name": "moving", "parts": ["ball"],
                "motion": {"poses": [{"translation": [-5, 0, 0]}, {"translation": [5, 0, 0]}]}}],
    "tolerance": 1e-5, "clearance_threshold": 0.5})");
  study["parts"][1]["pose"] = {{"translation", {0, 1.5 + gap, 0}}};
  study["parts"][2]["pose"] = {{"translation", {0, -1.5 - gap, 0}}};
  return study;
}

StudyResult answer_of(const StudyFolder& folder, const Json& json) {
  folder.write("study.json", json.dump());
  Study study = load_study(folder.path() / "study.json");
  std::vector<Object> parts = load_parts(study);
  return run_study(std::move(study), std::move(parts), {.paths = true});
}

TEST(StudyShapes, ABallPassesBetweenPosts) {
  const StudyFolder folder("study-shapes");
  const StudyResult answer = answer_of(folder, ball_study(0.1));
  EXPECT_EQ(answer.verdict, StudyVerdict::free);
  EXPECT_EQ(answer.study.parts[0].shape->mesh_error, 1e-3);
  EXPECT_EQ(answer.study.parts[1].shape->mesh_error, 0);
  EXPECT_EQ(answer.parts[1].soup().vertex_count(), 8u);
  ASSERT_EQ(answer.paths.size(), 2u);
  for (const PairPath& pair : answer.paths) {
    EXPECT_LE(pair.path.min_clearance.lower, 0.1);  // proved of the ball itself
    EXPECT_GT(pair.path.min_clearance.lower, 0.05);
    EXPECT_LE(pair.path.min_clearance.upper, 0.1);
    EXPECT_GE(pair.path.min_clearance.upper, 0.1 - 1e-3);
  }
  const std::vector<std::string> remarks = study_remarks(answer);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("polyhedra around them, which are larger by up to 0.001 mm"),
            std::string::npos)
      << remarks[0];
}

TEST(StudyShapes, AGapBelowTheErrorMayBeAContactAndSaysSo) {
  const StudyFolder folder("study-shapes-gap");
  const StudyResult coarse = answer_of(folder, ball_study(5e-4));
  EXPECT_EQ(coarse.verdict, StudyVerdict::contact);
  EXPECT_NE(
      verdict_sentence(coarse).find("At the first contact they may still be up to 0.001 mm apart"),
      std::string::npos)
      << verdict_sentence(coarse);
  for (const PairPath& pair : coarse.paths)  // touching at worst: an overlap is not proved
    for (const ContactInterval& contact : pair.path.contacts) {
      EXPECT_EQ(contact.deepest.diameter.lower, 0);
      EXPECT_EQ(pair.path.verdict, PathVerdict::touching);
    }

  // With a finer polyhedron the same is proved free; nothing is said about the posts' contacts.
  Json finer = ball_study(5e-3);
  finer["parts"][0]["chord_error"] = 4e-3;
  const StudyResult free = answer_of(folder, finer);
  EXPECT_EQ(free.verdict, StudyVerdict::free);
  EXPECT_EQ(free.study.parts[0].shape->mesh_error, 4e-3);
  finer["parts"][0]["chord_error"] = 0.1;
  EXPECT_EQ(answer_of(folder, finer).verdict, StudyVerdict::contact);
}

TEST(StudyShapes, ContactsAndOverlapsAreBracketed) {
  // The right post is an obstacle: the ball at x meets its face at y = -0.6 where x² + 0.36 = 1, or
  // rather its edge at x = -0.5: (x + 0.5)² + 0.36 = 1.
  const StudyFolder folder("study-shapes-contact");
  const StudyResult answer = answer_of(folder, ball_study(-0.4));
  EXPECT_EQ(answer.verdict, StudyVerdict::contact);
  const double met = (-0.5 - 0.8 + 5) / 10;
  EXPECT_LE(answer.time.lower, met);
  // Off by the error and the tolerance, along a path that is at an angle to the normal.
  EXPECT_GE(answer.time.upper, met - 2e-3 / 0.8 / 10);
  EXPECT_LE(answer.time.upper, met + 1e-6);
  for (const PairPath& pair : answer.paths) {
    EXPECT_EQ(pair.path.verdict, PathVerdict::clash);
    ASSERT_EQ(pair.path.contacts.size(), 1u);
    // In the middle, the ball reaches 0.4 into the post.
    EXPECT_LE(pair.path.contacts[0].deepest.diameter.lower, 0.4);
    EXPECT_GT(pair.path.contacts[0].deepest.diameter.lower, 0.3);
    EXPECT_GE(pair.path.contacts[0].deepest.diameter.upper, 0.4);
  }
  // Contacts name no faces of polyhedra that are in no file.
  EXPECT_EQ(verdict_details(answer).find("face"), std::string::npos);
}

TEST(StudyShapes, AHullKeepsTheRemarksOnItsFile) {
  const StudyFolder folder("study-hull-remark");
  folder.write("tetrahedron.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nl 1 2\n");
  Json study = test::box_study();
  study["parts"][0] = Json::parse(
      R"({"name": "mover", "shape": {"type": "hull", "file": "tetrahedron.obj", "rounded": 0.1}})");
  const std::vector<Object> parts =
      load_parts(parse_study(study.dump(), folder.path() / "study.json"));
  ASSERT_EQ(parts[0].soup().remarks().size(), 1u);
  EXPECT_EQ(parts[0].soup().remarks()[0].find("1 line statement"), 0u);
}

TEST(StudyShapes, WhatIsInsideOfAShapeIsNotFree) {
  const StudyFolder folder("study-shapes-inside");
  Json study = ball_study(0.1);
  study["parts"][0]["shape"] = {{"type", "sphere"}, {"radius", 0.1}};
  study["parts"][1] = {{"name", "hall"}, {"shape", {{"type", "box"}, {"size", {20, 20, 20}}}}};
  EXPECT_EQ(answer_of(folder, study).verdict, StudyVerdict::inside);
}

TEST(StudyShapes, AllKindsAreReadWrittenAndReported) {
  const StudyFolder folder("study-shapes-kinds");
  const char* const shapes[] = {
      R"({"type": "sphere", "radius": 1})",
      R"({"type": "capsule", "radius": 0.5, "length": 1})",
      R"({"type": "box", "size": [1, 2, 3], "rounded": 0.1})",
      R"({"type": "cylinder", "radius": 1, "height": 1})",
      R"({"type": "cone", "radius": 1, "height": 2})",
      R"({"type": "ellipsoid", "half_axes": [1, 0.5, 0.25]})",
      R"({"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]})",
      R"({"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0]], "rounded": 0.2})",
      R"({"type": "hull", "file": "cube.off", "scale": 2})",
      R"({"type": "hull", "file": "cube.off", "rounded": 0.25})",
      R"({"type": "zonotope", "generators": [[1,0,0],[0,1,0],[0,0,1],[1,1,1]]})",
      R"({"type": "sum", "of": [{"type": "box", "size": [1, 1, 1]},
          {"type": "cylinder", "radius": 0.5, "height": 1, "pose": {"translation": [0, 0, 1]}}]})"};
  Json study = ball_study(0.1);
  study["parts"].erase(2);
  study["parts"].erase(1);
  study["parts"][0]["pose"] = {{"translation", {0, 20, 0}}};
  for (const char* shape : shapes)
    study["parts"].push_back({{"name", "part " + std::to_string(study["parts"].size())},
                              {"shape", Json::parse(shape)},
                              {"pose", {{"translation", {10 * study["parts"].size(), 0, 0}}}}});
  const Json study_schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/study.schema.json");
  EXPECT_EQ(test::schema_violation(study_schema, study_schema, study, ""), "");

  const StudyResult answer = answer_of(folder, study);
  EXPECT_EQ(answer.verdict, StudyVerdict::free);
  EXPECT_EQ(answer.parts[9].bounds().hi.x() - answer.parts[9].bounds().lo.x(), 2);  // the scale
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/result.schema.json");
  const Json result = Json::parse(result_json(answer));
  EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["parts"][3]["shape"], study["parts"][3]["shape"]);
  const std::string page = result_html(answer);
  for (const char* text :
       {"sphere, radius 1", "box, size 1 × 2 × 3, rounded 0.1",
        "ellipsoid, half axes 1 × 0.5 × 0.25", "hull of 4 points", "hull of cube.off",
        "zonotope of 4 generators", "sum (box, size 1 × 1 × 1 + cylinder, radius 0.5, height 1)",
        "larger by up to", "exact: a polytope"})
    EXPECT_NE(page.find(text), std::string::npos) << text;

  // Written elsewhere, it is the same study.
  std::filesystem::create_directory(folder.path() / "deeper");
  std::ofstream(folder.path() / "deeper/again.json")
      << study::study_json(answer.study, "", {""}, folder.path() / "deeper");
  const Study again = load_study(folder.path() / "deeper/again.json");
  const std::vector<Object> parts = load_parts(again);
  ASSERT_EQ(parts.size(), answer.parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    ASSERT_EQ(parts[p].soup().vertex_count(), answer.parts[p].soup().vertex_count()) << p;
    for (Index v = 0; v < parts[p].soup().vertex_count(); ++v)
      ASSERT_EQ(parts[p].soup().vertex(v), answer.parts[p].soup().vertex(v)) << p;
    EXPECT_EQ(study::mesh_error_of(again, p), study::mesh_error_of(answer.study, p));
  }
}

TEST(StudyShapes, MistakesNameTheirPlace) {
  const StudyFolder folder("study-shapes-mistakes");
  folder.write("flat.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
  const auto refusal = [&](const char* key, const char* value) {
    Json study = ball_study(0.1);
    study["parts"][1][key] = Json::parse(value);
    folder.write("study.json", study.dump());
    try {
      (void)load_parts(load_study(folder.path() / "study.json"));
    } catch (const LoadError& e) {
      const std::string said = e.what(), file = (folder.path() / "study.json").string() + ":";
      EXPECT_EQ(said.rfind(file, 0), 0u) << said;
      return said.substr(std::min(said.size(), file.size()));
    }
    return std::string("it was read");
  };
  EXPECT_EQ(refusal("shape", R"({"type": "half_space", "normal": [0, 0, 1]})"),
            "/parts/1/shape: a half space has no end; a study takes what has one: a box as large "
            "as needed");
  EXPECT_EQ(refusal("shape", R"({"type": "sphere"})"),
            "/parts/1/shape: the key \"radius\" is missing");
  EXPECT_EQ(refusal("shape", R"({"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0]]})"),
            "/parts/1/shape/points: shape: its points lie in one plane, and enclose no volume");
  EXPECT_EQ(refusal("shape", R"({"type": "hull", "file": "flat.off"})"),
            "/parts/1/shape: shape: its points lie in one plane, and enclose no volume");
  EXPECT_NE(refusal("shape", R"({"type": "hull", "file": "none.off"})").find("/parts/1/shape/file"),
            std::string::npos);
  EXPECT_EQ(refusal("scale", "2"), "/parts/1/scale: a shape is not scaled");
  EXPECT_EQ(refusal("chord_error", "-1"), "/parts/1/chord_error: -1, expected more than 0");
  // Nothing goes through what is nested without end before it was read.
  const std::string deep(100'000, '['), up(100'000, ']');
  folder.write("deep.json", "{\"touche_shape\": 1, \"shape\": " + deep + up + "}");
  try {
    (void)load_shape(folder.path() / "deep.json");
    ADD_FAILURE() << "it was read";
  } catch (const LoadError& e) {
    EXPECT_NE(std::string(e.what()).find("nested more than"), std::string::npos) << e.what();
  }
  Json fine = ball_study(0.1);
  EXPECT_EQ(refusal("chord_error", "1e-3"), "it was read");  // of a polytope: it has none
  fine["parts"][0]["chord_error"] = 1e-6;
  folder.write("study.json", fine.dump());
  try {
    (void)load_parts(load_study(folder.path() / "study.json"));
    ADD_FAILURE() << "more corners than allowed";
  } catch (const LoadError& e) {
    EXPECT_NE(std::string(e.what()).find("/parts/0/shape: shape mesh: the error is so small"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace touche
