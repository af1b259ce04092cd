// SPDX-License-Identifier: Apache-2.0
// A part dragged by a hand: how far it gets, what holds it back, and that its path is proved.
#include "touche/handle.h"

#include <gtest/gtest.h>

#include "json_schema.h"
#include "progress_record.h"
#include "report/words.h"
#include "requested_cancel.h"
#include "source_folder.h"
#include "study_files.h"

namespace touche::handle_test {
namespace {

using test::Json;
using test::StudyFolder;

Json schema() {
  return test::read_json(std::string(test::kSourceFolder) + "/docs/handle.schema.json");
}

/// The cube of box_study() in a hand that moves it through positions, a second from one to the
/// next.
struct Dragged {
  explicit Dragged(const std::vector<Vec3>& places, Json json = test::box_study(),
                   const HandleOptions& options = {})
      : folder("handle") {
    folder.write("study.json", json.dump());
    Study study = load_study(folder.path() / "study.json");
    std::vector<Object> parts = load_parts(study);
    HandPoses hand;
    constexpr int kPoses = 20;
    for (std::size_t i = 0; i + 1 < places.size(); ++i)
      for (int k = i == 0 ? 0 : 1; k <= kPoses; ++k) {
        const double t = static_cast<double>(k) / kPoses;
        hand.times.push_back(3 + static_cast<double>(i) + t);
        hand.poses.push_back(Pose::from_translation(places[i] + t * (places[i + 1] - places[i])));
      }
    result = handle(std::move(study), std::move(parts), std::move(hand), options);
  }
  Vec3 end() const { return result.path.poses.back().translation(); }

  StudyFolder folder;
  HandleResult result;
};

/// Into the wall, up along it, and past it at y = 4.
const std::vector<Vec3> kAround = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}, {6, 4, 0}};

TEST(Handle, StopsAtTheWallSlidesAlongItAndGoesOn) {
  const Dragged dragged(kAround);
  const HandleResult& result = dragged.result;
  EXPECT_EQ(result.verdict, StudyVerdict::free);
  EXPECT_LT((dragged.end() - Vec3(6, 4, 0)).norm(), 1e-6);
  EXPECT_EQ(result.steps.back().status, HandlingStatus::arrived);
  EXPECT_EQ(result.path.times.front(), 3);
  EXPECT_EQ(result.path.times.back(), 6);
  EXPECT_EQ(result.clearance, 2e-3);

  const HandleStep& pressed = result.steps[19];  // at the end of the first second
  EXPECT_EQ(pressed.status, HandlingStatus::held_back);
  EXPECT_NEAR(pressed.pose.translation().x(), 2.5, 0.01);
  EXPECT_LT(pressed.pose.translation().x(), 2.5 - result.clearance);
  EXPECT_NEAR(pressed.distance_left, 0.5, 0.01);
  EXPECT_NEAR(pressed.force.x(), -0.5, 0.01);  // a spring of 1 per unit
  ASSERT_FALSE(pressed.contacts.empty());
  EXPECT_EQ(pressed.contacts[0].part, 0u);
  EXPECT_EQ(pressed.contacts[0].other, 1u);
  EXPECT_NEAR(pressed.contacts[0].contact.normal.x(), 1, 1e-9);
  const HandleStep& slid = result.steps[29];  // half way up
  EXPECT_NEAR(slid.pose.translation().y(), 2, 0.01);
  EXPECT_NEAR(slid.pose.translation().x(), 2.5, 0.01);

  EXPECT_EQ(handle_sentence(dragged.result)
                .rfind("Moving followed the hand for 3 s, was held back "
                       "by the wall ",
                       0),
            std::string::npos);
  EXPECT_NE(handle_sentence(dragged.result).find("held back by the wall"), std::string::npos);
  // Distance of the wall that held it: at least what the path has to keep.
  double nearest = kInfinity;
  for (const HandleStep& step : result.steps)
    for (const HandleContact& c : step.contacts)
      if (c.force.norm() > 0) nearest = std::min(nearest, c.contact.distance);
  EXPECT_GE(nearest, 0.75 * result.clearance);
  EXPECT_NE(handle_sentence(dragged.result)
                .find(" of the time, from a distance of " +
                      report::length_text(nearest, "mm", report::Rounding::down) + " or more"),
            std::string::npos)
      << handle_sentence(dragged.result);
  EXPECT_NE(handle_sentence(dragged.result)
                .find("ended where the hand did; no contact on the path: proved."),
            std::string::npos);
}

// A ball in place of the cube, a post in place of the wall: round and polytope.
TEST(Handle, TakesShapes) {
  Json json = test::box_study();
  json["parts"][0] = {{"name", "mover"}, {"shape", {{"type", "sphere"}, {"radius", 0.5}}}};
  json["parts"][1] = {{"name", "wall"},
                      {"shape", {{"type", "box"}, {"size", {0.1, 5, 5}}}},
                      {"pose", {{"translation", {3.55, 0.5, 0.5}}}}};
  const Dragged dragged(kAround, json);
  EXPECT_EQ(dragged.result.verdict, StudyVerdict::free);
  EXPECT_LT((dragged.end() - Vec3(6, 4, 0)).norm(), 1e-6);
  const HandleStep& pressed = dragged.result.steps[19];
  EXPECT_EQ(pressed.status, HandlingStatus::held_back);
  EXPECT_LT(pressed.pose.translation().x(), 3 - dragged.result.clearance);  // of the ball itself
  EXPECT_NEAR(pressed.pose.translation().x(), 3, 0.01);
  ASSERT_FALSE(pressed.contacts.empty());
  EXPECT_NEAR(pressed.contacts[0].contact.normal.x(), 1, 1e-6);
  // The path is a study of its own, which names the same shapes.
  const std::string taken = taken_study_json(dragged.result, dragged.folder.path());
  EXPECT_NE(taken.find("\"sphere\""), std::string::npos) << taken;
  // Page and result say that the ball was felt as a polyhedron around it.
  const Json result = Json::parse(handle_json(dragged.result));
  EXPECT_EQ(test::schema_violation(schema(), schema(), result, ""), "");
  ASSERT_EQ(result["remarks"].size(), 1u);
  EXPECT_NE(result["remarks"][0].get<std::string>().find("larger by up to 0.0005 mm"),
            std::string::npos)
      << result["remarks"];
  EXPECT_NE(
      handle_html(dragged.result).find("polyhedra around them</b>, which are larger by up to"),
      std::string::npos);
}

TEST(Handle, TheWayIsAStudyThatIsProvedFree) {
  Json json = test::box_study();
  json.erase("title");  // what is not there is not written either
  const Dragged dragged(kAround, json);
  const StudyFolder out("handle-out");
  out.write("study.json", taken_study_json(dragged.result, out.path()));
  out.write("path.csv", hand_poses_csv(dragged.result.path));
  const Study study = load_study(out.path() / "study.json");
  EXPECT_EQ(study.groups[0].times.size(), dragged.result.path.poses.size());
  EXPECT_EQ(dragged.result.proof.study.groups[0].times.size(), study.groups[0].times.size());
  const StudyResult result = run_study(study, load_parts(study), {.paths = true});
  EXPECT_EQ(result.verdict, StudyVerdict::free);
  ASSERT_EQ(result.paths.size(), 1u);
  EXPECT_GT(result.paths[0].path.min_clearance.upper, 0.75 * dragged.result.clearance);
  const Json written = test::read_json(out.path() / "study.json");
  const Json study_schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/study.schema.json");
  EXPECT_EQ(test::schema_violation(study_schema, study_schema, written, ""), "");
}

TEST(Handle, ResultsFollowTheSchemaAndDoNotDependOnThreads) {
  const Dragged one(kAround, test::box_study(), {.threads = 1});
  const Dragged with_four(kAround, test::box_study(), {.threads = 4});
  HandleResult four = with_four.result;
  four.study.file = one.result.study.file;  // in the same folder
  const std::string json = handle_json(one.result);
  EXPECT_EQ(json, handle_json(four));
  EXPECT_EQ(forces_csv(one.result), forces_csv(four));
  EXPECT_EQ(handle_html(one.result), handle_html(four));
  Json result = Json::parse(json);
  EXPECT_EQ(test::schema_violation(schema(), schema(), result, ""), "");
  EXPECT_EQ(result["summary"]["held_back_by"][0]["part"], "wall");
  EXPECT_EQ(result["steps"].size(), 60u);
  result["steps"][0]["status"] = "gone";
  EXPECT_NE(test::schema_violation(schema(), schema(), result, ""), "");

  const auto rows = test::read_csv(forces_csv(one.result));
  ASSERT_EQ(rows.size(), 61u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(rows[20][1], "held_back");
  EXPECT_EQ(rows[20][14], "wall");
  EXPECT_NEAR(std::stod(rows[20][4]), -0.5, 0.01);
}

TEST(Handle, ThePageSaysWhatHappened) {
  const Dragged dragged(kAround);
  const std::string page = handle_html(dragged.result, {"2026-01-01", "a <remark>"});
  for (const char* text : {"Its path is free, proved", "What held it back", "Force on the hand",
                           "Clearance", "a &lt;remark&gt;", "wall"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST(Handle, AllowedContactsDoNotHoldBack) {
  Json study = test::box_study();
  study["allowed_contacts"] = {{{"parts", {"wall", "mover"}}, {"reason", "a curtain"}}};
  const Dragged dragged({{0, 0, 0}, {6, 0, 0}}, study);
  EXPECT_LT((dragged.end() - Vec3(6, 0, 0)).norm(), 1e-6);
  EXPECT_EQ(dragged.result.verdict, StudyVerdict::free);
  const Json again = Json::parse(taken_study_json(dragged.result, dragged.folder.path()));
  EXPECT_EQ(again["allowed_contacts"][0]["reason"], "a curtain");
}

Json study_that_starts_at(double x) {
  Json study = test::box_study();
  study["groups"][0]["motion"]["poses"][0]["translation"] = {x, 0, 0};
  return study;
}

TEST(Handle, WhatIsInOtherPartsStandsStillAndIsNotCalledFree) {
  const Dragged dragged({{2.55, 0, 0}, {4, 0, 0}}, study_that_starts_at(2.55));
  EXPECT_EQ(dragged.result.verdict, StudyVerdict::contact);
  EXPECT_EQ(dragged.end(), Vec3(2.55, 0, 0));
  EXPECT_EQ(dragged.result.steps.back().status, HandlingStatus::touching);
  const std::string sentence = handle_sentence(dragged.result);
  EXPECT_NE(sentence.find("did not move"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("not free"), std::string::npos) << sentence;
}

// Faces that touch come apart where that is proved; only a study that allows it calls that free.
TEST(Handle, WhatTouchesAtTheStartComesApart) {
  for (const bool allowed : {false, true}) {
    Json study = study_that_starts_at(2.5);
    study["may_separate"] = allowed;
    const Dragged dragged({{2.5, 0, 0}, {1, 0, 0}}, study);
    EXPECT_LT((dragged.end() - Vec3(1, 0, 0)).norm(), 1e-6);
    EXPECT_EQ(dragged.result.verdict, allowed ? StudyVerdict::free : StudyVerdict::contact);
  }
}

TEST(Handle, StoppingSaysSo) {
  const Cancel cancel = test::requested();
  HandleOptions options;
  options.budget.cancel = cancel;
  const Dragged dragged(kAround, test::box_study(), options);
  EXPECT_EQ(dragged.result.verdict, StudyVerdict::interrupted);
  EXPECT_TRUE(dragged.result.steps.empty());
  EXPECT_NE(handle_sentence(dragged.result).find("interrupted"), std::string::npos);
  const Json result = Json::parse(handle_json(dragged.result));
  EXPECT_EQ(test::schema_violation(schema(), schema(), result, ""), "");
  EXPECT_FALSE(handle_html(dragged.result).empty());
}

// The report and the JSON name what the smallest clearance was taken from.
TEST(Handle, AnInterruptedProofClaimsNoClearanceForPosesItDidNotExamine) {
  const std::string every = "smallest clearance at the poses of the path; to keep";
  Dragged dragged(kAround);
  std::vector<StudyStep>& steps = dragged.result.proof.steps;
  ASSERT_GT(steps.size(), 4u);
  ASSERT_FALSE(dragged.result.proof.clearances.empty());
  EXPECT_NE(handle_html(dragged.result).find(every), std::string::npos);
  EXPECT_EQ(Json::parse(handle_json(dragged.result))["proof"]["steps_examined"], steps.size());

  for (std::size_t i = 4; i < steps.size(); ++i) steps[i].status = StepStatus::not_examined;
  const std::string html = handle_html(dragged.result);
  EXPECT_EQ(html.find(every), std::string::npos);
  EXPECT_NE(html.find("smallest clearance at the poses of the path that were examined, 4 of " +
                      std::to_string(steps.size()) + " steps; to keep"),
            std::string::npos);
  const Json result = Json::parse(handle_json(dragged.result));
  EXPECT_EQ(result["proof"]["steps_examined"], 4);
  EXPECT_EQ(result["proof"]["steps"], steps.size());
  EXPECT_EQ(test::schema_violation(schema(), schema(), result, ""), "");
}

TEST(Handle, ReportsItsProgressAndThatOfTheProof) {
  test::ProgressRecord progress;
  HandleOptions options;
  options.budget.progress = progress.function();
  const Dragged dragged(kAround, test::box_study(), options);
  EXPECT_GT(progress.done, dragged.result.steps.size());
  EXPECT_EQ(progress.done, progress.total);
}

// A limit of work is reported, also where it leaves no motion at all, and does not limit the proof.
TEST(Handle, ALimitOfWorkIsTold) {
  const Dragged any(kAround);
  const Json free = Json::parse(handle_json(any.result));
  EXPECT_TRUE(free["held"]["max_work"].is_null());
  EXPECT_EQ(free["summary"]["steps_cut_short"], 0);
  EXPECT_EQ(handle_sentence(any.result).find("limit of work"), std::string::npos);
  EXPECT_EQ(handle_html(any.result).find("limit of work"), std::string::npos);

  HandleOptions options;
  options.budget.max_work = 1;
  const Dragged dragged(kAround, test::box_study(), options);
  EXPECT_EQ(dragged.result.verdict, StudyVerdict::free);
  std::size_t cut = 0, still = 0;
  Pose before;
  for (const HandleStep& step : dragged.result.steps) {
    cut += step.complete ? 0 : 1;
    const double way = (step.pose.translation() - before.translation()).norm();
    still += !step.complete && way < dragged.result.study.tolerance ? 1 : 0;
    before = step.pose;
  }
  EXPECT_GT(cut, 10u);
  EXPECT_GT(still, 10u);
  const Json result = Json::parse(handle_json(dragged.result));
  EXPECT_EQ(test::schema_violation(schema(), schema(), result, ""), "");
  EXPECT_EQ(result["held"]["max_work"], 1);
  EXPECT_EQ(result["summary"]["steps_cut_short"], cut);
  EXPECT_EQ(result["summary"]["steps_stood_still"], still);
  const std::string told = "The limit of work ended " + std::to_string(cut) + " of 60 poses early";
  EXPECT_NE(handle_sentence(dragged.result).find(told), std::string::npos)
      << handle_sentence(dragged.result);
  EXPECT_NE(handle_html(dragged.result).find("at most 1 pair was tested"), std::string::npos);
}

TEST(Handle, HoldsOneOfSeveralGroups) {
  Json study = test::box_study();
  study["groups"].push_back(
      {{"name", "gate"},
       {"parts", {"wall"}},
       {"motion", {{"poses", {{{"translation", {1, 0, 0}}}, {{"translation", {1, 0, 9}}}}}}}});
  EXPECT_THROW(Dragged({{0, 0, 0}, {1, 0, 0}}, study), InvalidInput);
  EXPECT_THROW(Dragged({{0, 0, 0}, {1, 0, 0}}, study, {.group = "door"}), InvalidInput);
  // The gate stands where it is at the start, one farther than the wall of before.
  const Dragged dragged({{0, 0, 0}, {4, 0, 0}}, study, {.group = "moving"});
  EXPECT_NEAR(dragged.end().x(), 3.5, 0.01);
  EXPECT_EQ(dragged.result.verdict, StudyVerdict::free);
  const Json again = Json::parse(taken_study_json(dragged.result, dragged.folder.path()));
  EXPECT_EQ(again["groups"][1]["motion"]["poses"][1]["translation"], Json({1.0, 0.0, 0.0}));
}

TEST(Handle, RefusesWhatMakesNoSense) {
  const std::vector<Vec3> way = {{0, 0, 0}, {1, 0, 0}};
  EXPECT_THROW(Dragged(way, test::box_study(), {.clearance = 1e-3}), InvalidInput);
  EXPECT_THROW(Dragged(way, test::box_study(), {.clearance = -1}), InvalidInput);
  EXPECT_THROW(Dragged(way, test::box_study(), {.stiffness = 0}), InvalidInput);
  EXPECT_THROW(Dragged(way, test::box_study(), {.friction = -1}), InvalidInput);
  const Dragged dragged(way);
  HandPoses hand = dragged.result.hand;
  hand.times[3] = hand.times[2];
  EXPECT_THROW((void)handle(dragged.result.study, dragged.result.parts, hand), InvalidInput);
  hand.times.pop_back();
  EXPECT_THROW((void)handle(dragged.result.study, dragged.result.parts, hand), InvalidInput);
  EXPECT_THROW((void)handle(dragged.result.study, {}, dragged.result.hand), InvalidInput);
}

}  // namespace
}  // namespace touche::handle_test
