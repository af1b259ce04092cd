// SPDX-License-Identifier: Apache-2.0
// Studies that follow their pairs over the whole path.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "json_schema.h"
#include "path/clearance_profile.h"
#include "path_judge.h"
#include "report/words.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "source_folder.h"
#include "study/paths.h"
#include "study_answer.h"
#include "touche/path.h"

namespace touche {
namespace {

using test::answer;
using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

// The cube goes through the wall, from s = 0.625 to 0.9.
TEST(StudyPaths, TellWhereAContactEndsAndHowThickItIs) {
  const StudyFolder folder("paths");
  const StudyResult a = answer(folder, box_study(), {.paths = true});
  ASSERT_EQ(a.paths.size(), 1u);
  const PathResult& path = a.paths[0].path;
  EXPECT_EQ(path.verdict, PathVerdict::clash);
  ASSERT_EQ(path.contacts.size(), 1u);
  EXPECT_NEAR(path.contacts[0].start.upper, 0.625, 1e-3);
  EXPECT_NEAR(path.contacts[0].end.upper, 0.9, 1e-3);
  EXPECT_NEAR(path.contacts[0].deepest.diameter.lower, 0.1, 0.01);
  const std::string sentence = verdict_sentence(a);
  EXPECT_NE(sentence.find("after 62.5 % of the path"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("they overlap by 0.1 mm"), std::string::npos) << sentence;
  const std::string html = result_html(a);
  EXPECT_NE(html.find("The worst overlaps and clearances"), std::string::npos);
  EXPECT_NE(html.find("overlap 0.1 mm"), std::string::npos);
  const Json json = Json::parse(result_json(a));
  EXPECT_EQ(json["paths"][0]["verdict"], "clash");
  EXPECT_EQ(json["paths"][0]["contacts"].size(), 1u);
  EXPECT_FALSE(json["paths"][0]["samples"].empty());
}

TEST(StudyPaths, ProveTheClearanceOfAFreePath) {
  const StudyFolder folder("clearance");
  Json study = box_study();
  study["groups"][0]["motion"]["poses"][2]["translation"] = {2.2, 0, 0};  // 0.3 is left
  StudyResult a = answer(folder, study, {.paths = true});
  EXPECT_EQ(a.verdict, StudyVerdict::free);
  ASSERT_EQ(a.paths.size(), 1u);
  const PathResult& path = a.paths[0].path;
  EXPECT_EQ(path.verdict, PathVerdict::near);  // than the threshold of 1
  EXPECT_LE(path.min_clearance.lower, 0.3);
  EXPECT_GE(path.min_clearance.lower, 0.26);
  EXPECT_NEAR(path.min_clearance.upper, 0.3, 1e-9);
  const std::string sentence = verdict_sentence(a);
  EXPECT_NE(sentence.find("at least 0.2"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("found is 0.3 mm, between the mover and the wall at the end"),
            std::string::npos)
      << sentence;
  // The threshold of 1 is marked where the distance passes it, and not where the plot ends below
  // it.
  const auto marks = [&] {
    const std::string html = result_html(a);
    return std::pair(html.find(">threshold 1 mm<") != std::string::npos,
                     html.find("above: threshold 9 mm") != std::string::npos);
  };
  EXPECT_EQ(marks(), std::pair(true, false));
  a.study.clearance = 9;
  EXPECT_EQ(marks().second, true);
}

TEST(StudyPaths, LookForPartsInsideUntilTheyAreStopped) {
  const StudyFolder folder("inside-stopped");
  Json study = box_study();
  study["parts"][1]["file"] = "cube.off";
  study["parts"][1]["scale"] = 20;
  study["parts"][1]["pose"]["translation"] = {-8, -8, -8};
  const StudyResult a = answer(folder, study);
  StudyResult result = a;
  result.containments.clear();
  const Cancel cancel = test::requested();
  std::vector<paths::LazyInterior> insides(a.parts.begin(), a.parts.end());
  EXPECT_FALSE(study::find_containments(a.study, insides, {.budget = {.cancel = cancel}}, result));
  EXPECT_TRUE(result.containments.empty());
  EXPECT_TRUE(study::find_containments(a.study, insides, {.budget = {.max_work = 0}}, result));
  EXPECT_EQ(result.containments.size(), 1u);
}

TEST(StudyPaths, SayWhenAPartIsInside) {
  const StudyFolder folder("inside");
  Json study = box_study();
  study["parts"][1]["file"] = "cube.off";  // the wall is a cube of 20 around the mover now
  study["parts"][1]["scale"] = 20;
  study["parts"][1]["pose"]["translation"] = {-8, -8, -8};
  const StudyResult a = answer(folder, study, {.paths = true});
  ASSERT_EQ(a.paths.size(), 1u);
  EXPECT_EQ(a.paths[0].path.before, Containment::a_in_b);
  // The steps alone give the same answer as the paths.
  for (const StudyResult& answer : {a, answer(folder, study)}) {
    EXPECT_EQ(answer.verdict, StudyVerdict::inside);
    EXPECT_EQ(answer.time.lower, 0);
    ASSERT_EQ(answer.containments.size(), 1u);
    EXPECT_EQ(answer.containments[0].containment, Containment::a_in_b);
    EXPECT_EQ(answer.containments[0].s, 0);
    const std::string sentence = verdict_sentence(answer);
    EXPECT_NE(sentence.find("he mover lies inside the wall"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("ree, proved"), std::string::npos) << sentence;
    EXPECT_EQ(result_html(answer).find("proved free</div>"), std::string::npos);
    const Json json = Json::parse(result_json(answer));
    EXPECT_EQ(json["verdict"]["status"], "inside");
    EXPECT_EQ(json["containments"][0]["containment"], "a_in_b");
  }
}

// Around the mover, and open above: what is proved of the surfaces is said, and that no more can
// be.
TEST(StudyPaths, SayThatAPartMayBeInsideAnOpenBowl) {
  const StudyFolder folder("bowl");
  Json study = box_study();
  folder.write("wall.off",
               "OFF\n8 5 12\n-3 -3 -3\n9 -3 -3\n-3 9 -3\n9 9 -3\n-3 -3 9\n9 -3 9\n-3 9 9\n"
               "9 9 9\n4 0 2 3 1\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n");
  for (const bool paths : {false, true}) {
    SCOPED_TRACE(paths);
    const StudyResult result = answer(folder, study, {.paths = paths});
    if (paths) {
      EXPECT_EQ(result.paths.at(0).path.verdict, PathVerdict::open);
    }
    EXPECT_EQ(result.verdict, StudyVerdict::open);
    EXPECT_EQ(result.time.lower, 1);
    EXPECT_TRUE(result.containments.empty());
    ASSERT_EQ(result.may_contain.size(), 1u);
    EXPECT_EQ(result.may_contain[0].containment, Containment::open);
    const std::string sentence = verdict_sentence(result);
    EXPECT_EQ(sentence.find("No surface touches another on the whole path, proved"), 0u)
        << sentence;
    EXPECT_NE(sentence.find("Whether the mover lies inside the wall is unknown: the wall is "
                            "open"),
              std::string::npos)
        << sentence;
    EXPECT_NE(result_html(result).find("No surfaces meet, proved; a part is open"),
              std::string::npos);
    const Json json = Json::parse(result_json(result));
    EXPECT_EQ(json["verdict"]["status"], "open");
    EXPECT_EQ(json["verdict"]["free_until"], 1);
    const Json schema =
        test::read_json(std::string(test::kSourceFolder) + "/docs/result.schema.json");
    EXPECT_EQ(test::schema_violation(schema, schema, json, ""), "");
    EXPECT_EQ(json["may_contain"][0]["open_parts"], Json::array({"wall"}));
  }
  study["allowed_contacts"] = Json::array({{{"parts", {"mover", "wall"}}, {"reason", "a bowl"}}});
  EXPECT_EQ(answer(folder, study).verdict, StudyVerdict::free);
}

// It gets into the bowl without touching it, in a later step than the first one, or is in it and
// touches it.
TEST(StudyPaths, SayThatAPartMayGetIntoAnOpenBowl) {
  const StudyFolder folder("into-bowl");
  const auto turned = [](double x0, double x1) {  // open at x = x0
    std::string bowl = test::box_off(x0, -3, -3, x1, 4, 4);
    bowl.replace(bowl.find("8 6 12"), 6, "8 5 12");
    const std::string face = "4 0 4 6 2\n";
    return bowl.erase(bowl.find(face), face.size());
  };
  for (const bool paths : {false, true}) {
    SCOPED_TRACE(paths);
    folder.write("wall.off", turned(3.5, 12));
    const StudyResult into = answer(folder, box_study(), {.paths = paths});
    EXPECT_EQ(into.verdict, StudyVerdict::open);
    ASSERT_EQ(into.may_contain.size(), 1u);
    EXPECT_FALSE(into.may_contain[0].a_is_open);
    EXPECT_TRUE(into.may_contain[0].b_is_open);

    folder.write("wall.off", turned(-3, 4.5));
    const StudyResult hits = answer(folder, box_study(), {.paths = paths});
    EXPECT_EQ(hits.verdict, StudyVerdict::contact);
    const std::string sentence = verdict_sentence(hits);
    EXPECT_NE(sentence.find("; it is proved that no surfaces meet before that"), std::string::npos)
        << sentence;
    EXPECT_NE(
        sentence.find("; whether the mover lies inside the wall is unknown: the wall is open"),
        std::string::npos)
        << sentence;
    EXPECT_EQ(sentence.find("proved free"), std::string::npos) << sentence;
  }
}

// With paths each step has the answer that it has without.
TEST(StudyPaths, StepsHaveTheAnswersThatTheyHaveAlone) {
  const StudyFolder folder("early");
  Json json = box_study();
  int free = 0, contacts = 0;
  for (const double reach : {2.2, 2.6, 4.0}) {  // the gap is 2.5
    Json& poses = json["groups"][0]["motion"]["poses"];
    poses = Json::array();
    for (int i = 0; i <= 120; ++i)
      poses.push_back({{"translation", {reach * std::sin(0.026 * i), 0, 0}},
                       {"quaternion", {std::cos(0.001 * i), 0, std::sin(0.001 * i), 0}}});
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(testing::Message() << reach << " " << threads);
      const StudyResult alone = answer(folder, json),
                        with = answer(folder, json, {.paths = true, .threads = threads});
      EXPECT_EQ(with.verdict, alone.verdict);
      EXPECT_EQ(with.time.lower, alone.time.lower);
      EXPECT_EQ(with.time.upper, alone.time.upper);
      ASSERT_EQ(with.pairs.size(), alone.pairs.size());
      for (std::size_t i = 0; i < with.pairs.size(); ++i) {
        const PairStep &x = with.pairs[i], &y = alone.pairs[i];
        EXPECT_EQ(x.status, y.status) << i;
        EXPECT_EQ(x.step, y.step);
        EXPECT_EQ(x.tolerance, y.tolerance);
        if (x.status == StepStatus::free) {
          EXPECT_EQ(x.time.lower, 1);
        }
        free += x.status == StepStatus::free;
        contacts += x.status == StepStatus::contact;
      }
      ASSERT_EQ(with.clearances.size(), alone.clearances.size());
      for (std::size_t i = 0; i < with.clearances.size(); ++i)
        EXPECT_EQ(with.clearances[i].distance, alone.clearances[i].distance);
    }
  }
  EXPECT_GT(free, 300);
  EXPECT_GT(contacts, 4);
}

// The steps take the work that they take alone, and what they prove is not queried again.
TEST(StudyPaths, WhatTheStepsProveIsNotAskedAgain) {
  std::vector<Object> parts = {Object(scenes::bumpy_sphere(2000, 1)),
                               Object(scenes::box({-1, -1, -4}, {1, 1, 4}))};
  Study study;
  study.tolerance = 1e-6;
  study.parts.resize(2);
  const Motion turn =
      Motion::screw(Pose::from_translation({2.25, 0, 0}), Vec3(2.25, 0, 0), Vec3::UnitZ(), 6, 0);
  study.groups.push_back({.name = "moving", .parts = {0}, .motion = turn, .times = {0, 1}});
  for (int i = 0; i <= 64; ++i) study.times.push_back(i / 64.0);
  const StudyResult steps = run_study(study, parts), all = run_study(study, parts, {.paths = true});
  ASSERT_EQ(all.verdict, StudyVerdict::free);
  ASSERT_FALSE(steps.pairs.empty());
  ASSERT_EQ(all.pairs.size(), steps.pairs.size());
  for (std::size_t i = 0; i < all.pairs.size(); ++i)
    EXPECT_EQ(all.pairs[i].stats.work(), steps.pairs[i].stats.work()) << i;
  const PathResult& path = all.paths.at(0).path;
  EXPECT_EQ(all.stats.work(), steps.stats.work() + path.stats.work());
  const PathOptions options{.tolerance = 1e-6, .step = 1.0 / 128, .apart_until = 1};
  const paths::EarlyClearance clearance = paths::follow_clearance_apart(
      paths::MovingPair(parts[0], turn, parts[1], Motion::at(Pose()), options), options, kInfinity);
  EXPECT_EQ(path.stats.work(), clearance.stats.work());
}

// A cube flies past a floor and through a wall, or stops before the wall.
class StoppedStudy {
 public:
  explicit StoppedStudy(double way) : way_(way) {
    study_.unit = "mm";
    study_.tolerance = 1e-3;
    study_.clearance = 0.7;
    for (const char* name : {"mover", "floor", "wall"}) study_.parts.emplace_back().name = name;
    study_.groups.push_back(
        {.name = "moving", .parts = {0}, .motion = test::still(), .times = {0, 1}});
    for (int i = 0; i <= 8; ++i) study_.times.push_back(i / 8.0);
  }

  /// Stopped when its poses were queried `most` times.
  StudyResult run(bool paths, int most) const {
    const Cancel cancel;
    std::atomic<int> asked = 0;
    Study study = study_;
    study.groups[0].motion = Motion::function(
        [&](double t) {
          if (++asked > most) cancel.request();
          return Pose::from_translation({way_ * t, 0, 0});
        },
        way_, 0);
    StudyResult result = run_study(std::move(study), parts_,
                                   {.paths = paths, .threads = 1, .budget = {.cancel = cancel}});
    // What is printed queries poses, too.
    result.study.groups[0].motion = test::shifted({0, 0, 0}, {way_, 0, 0});
    return result;
  }

 private:
  double way_;
  Study study_;
  std::vector<Object> parts_ = {Object(scenes::box({0, 0, 0}, {1, 1, 1})),
                                Object(scenes::box({-9, -9, -1}, {9, 9, -0.5})),
                                Object(scenes::box({3.5, -2, 0.2}, {3.6, 3, 3}))};
};

// Wherever a study is stopped, it says all that it says without paths, stopped there; and the paths
// that were followed.
TEST(StudyPaths, StoppedTheyDoNotLoseWhatStepsProve) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/result.schema.json");
  for (const double way : {2.0, 4.0}) {
    const StoppedStudy study(way);
    const StudyResult whole = study.run(true, 1 << 30), steps = study.run(false, 1 << 30);
    EXPECT_EQ(whole.verdict, way < 2.5 ? StudyVerdict::free : StudyVerdict::contact);
    ASSERT_EQ(whole.paths.size(), 2u);
    EXPECT_EQ(whole.path_count, 2u);
    int in_steps = 0, in_paths = 0, between = 0;
    for (int most = 1;; most += 1 + most / 12) {
      SCOPED_TRACE(testing::Message() << way << " " << most);
      const StudyResult with = study.run(true, most), alone = study.run(false, most);
      EXPECT_EQ(with.verdict, alone.verdict);
      EXPECT_EQ(with.time.lower, alone.time.lower);
      EXPECT_EQ(with.time.upper, alone.time.upper);
      ASSERT_EQ(with.pairs.size(), alone.pairs.size());
      for (std::size_t i = 0; i < with.pairs.size(); ++i)
        EXPECT_EQ(with.pairs[i].status, alone.pairs[i].status) << i;
      EXPECT_EQ(with.clearances.size(), alone.clearances.size());
      EXPECT_GE(with.hint.has_value(), alone.hint.has_value());
      if (with.paths.size() == 2) break;
      // What is missing is said.
      const bool stopped_in_paths = with.verdict == steps.verdict;
      const std::string sentence = verdict_sentence(with);
      EXPECT_EQ(sentence.find(" Interrupted after the steps: of ") != std::string::npos,
                with.path_count > 0)
          << sentence;
      if (with.paths.size() == 1 && between == 0) {
        EXPECT_NE(result_html(with).find("of 2 whole paths followed, interrupted"),
                  std::string::npos);
      }
      EXPECT_EQ(sentence.find("proved on the whole path"), std::string::npos) << sentence;
      EXPECT_EQ(sentence.find(verdict_sentence(alone).substr(0, 60)), 0u) << sentence;
      const Json json = Json::parse(result_json(with));
      EXPECT_EQ(test::schema_violation(schema, schema, json, ""), "");
      EXPECT_EQ(json["path_count"], stopped_in_paths ? 2 : 0);
      const auto table = test::read_csv(result_csv(with));
      EXPECT_EQ(table[0].back(), "path");
      for (std::size_t row = 1; row < table.size(); ++row) {
        const bool floor = table[row][4] == "floor";
        EXPECT_EQ(table[row].back(), !stopped_in_paths || table[row][3].empty() ? ""
                                     : floor && !with.paths.empty()             ? "near"
                                                                                : "not_followed");
      }
      in_steps += with.verdict == StudyVerdict::interrupted;
      in_paths += with.path_count > 0;
      between += with.paths.size() == 1;
    }
    EXPECT_GT(in_steps, 5);
    EXPECT_GT(in_paths, 5);
    EXPECT_GT(between, 0);
  }
}

// A limit of the work that a path does not keep within leaves the verdict of the steps as it is.
TEST(StudyPaths, ALimitOfTheirWorkLosesNoSteps) {
  const StudyFolder folder("path-limit");
  Json json = box_study();
  json["groups"][0]["motion"] = {
      {"screw", {{"axis", {0, 0, 1}}, {"point", {1.4, 1.4, 0}}, {"turns", 2}, {"pitch", 0.01}}},
      {"steps", 200}};
  for (const std::uint64_t max_work : {0, 3, 10, 30, 100, 1000, 1'000'000}) {
    SCOPED_TRACE(max_work);
    const StudyResult alone = answer(folder, json, {.budget = {.max_work = max_work}}),
                      with =
                          answer(folder, json, {.paths = true, .budget = {.max_work = max_work}});
    EXPECT_EQ(with.verdict, alone.verdict);
    EXPECT_EQ(with.time.lower, alone.time.lower);
    EXPECT_EQ(with.paths.size(), with.path_count);
  }
}

// Down onto a step and up again, a little too deep.
TEST(StudyPaths, SayWhatToChange) {
  const StudyFolder folder("explain");
  Json study = box_study();
  study["clearance_threshold"] = 0.05;
  study["parts"][1]["file"] = "step.off";
  folder.write("step.off", test::box_off(3.5, -2, -2, 9, 3, 0.2));
  // Down onto the step: up is the way out, and then it is never met.
  study["groups"][0]["motion"] = {{"poses",
                                   {{{"translation", {4, 0, 1}}},
                                    {{"translation", {4.2, 0, 0.19}}},
                                    {{"translation", {5, 0, 1}}}}}};
  EXPECT_FALSE(answer(folder, study, {.paths = true, .explain = false}).hint);
  const StudyResult down = answer(folder, study, {.paths = true});
  ASSERT_EQ(down.verdict, StudyVerdict::contact);
  ASSERT_TRUE(down.hint);
  const StudyHint& hint = *down.hint;
  EXPECT_EQ(hint.part, 0u);
  EXPECT_EQ(hint.other, 1u);
  EXPECT_NEAR(hint.opening.direction.z(), 1, 1e-6);
  EXPECT_NEAR(hint.opening.clearance.upper, hint.opening.shift, 2e-3);
  ASSERT_TRUE(hint.shifted);
  EXPECT_EQ(hint.shifted->status, ToiStatus::free);
  const std::string text = explanation(down);
  EXPECT_NE(text.find("never to touch"), std::string::npos) << text;
  EXPECT_EQ(Json::parse(result_json(down))["hint"]["text"], text);
  // Lengths and direction are said as people say them, below the verdict of the page, too.
  const std::string& unit = down.study.unit;
  const std::string shift = report::length_text(hint.opening.shift, unit);
  const std::string clearance =
      report::length_text(hint.opening.clearance.lower, unit, report::Rounding::down);
  EXPECT_EQ(
      text.rfind("What to change: moved by " + shift + " along (0, 0, 1), the mover is at least " +
                     clearance + " clear of the wall at the first contact; ",
                 0),
      0u)
      << text;
  const std::string page = result_html(down);
  EXPECT_NE(page.find("<p>" + text + "</p>"), std::string::npos);
  // The other way round, what stands still is the first part.
  std::swap(study["parts"][0], study["parts"][1]);
  const StudyResult swapped = answer(folder, study, {.paths = true});
  ASSERT_TRUE(swapped.hint);
  EXPECT_EQ(swapped.hint->part, 1u);
  EXPECT_NEAR(swapped.hint->opening.direction.z(), 1, 1e-6);
}

// A slot 0.3 higher than the cube: the clearance that is wanted does not fit into it.
TEST(StudyPaths, SayWhatToChangeInANarrowPlace) {
  const StudyFolder folder("explain-narrow");
  Json study = box_study();
  study["parts"][1]["file"] = "slot.obj";
  std::string slot;
  for (const auto& [z0, z1] : {std::pair{-2.0, 0.2}, std::pair{1.5, 4.0}})
    for (int i = 0; i < 8; ++i)
      slot += "v " + std::string((i & 1) != 0 ? "9" : "3.5") + ((i & 2) != 0 ? " 3 " : " -2 ") +
              std::to_string((i & 4) != 0 ? z1 : z0) + "\n";
  for (const char* box : {"f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n",
                          "f 9 11 12 10\nf 13 14 16 15\nf 9 10 14 13\nf 11 15 16 12\n"
                          "f 9 13 15 11\nf 10 12 16 14\n"})
    slot += box;
  folder.write("slot.obj", slot);
  study["groups"][0]["motion"] = {{"poses",
                                   {{{"translation", {1, 0, 0.3}}},
                                    {{"translation", {4, 0, 0.3}}},
                                    {{"translation", {5, 0, 0.19}}}}}};
  const StudyResult a = answer(folder, study);
  ASSERT_EQ(a.verdict, StudyVerdict::contact);
  ASSERT_TRUE(a.hint);
  const Opening& opening = a.hint->opening;
  EXPECT_NEAR(opening.direction.z(), 1, 1e-6);
  EXPECT_LT(opening.shift, 0.3);
  EXPECT_GT(opening.clearance.lower, 0.05);
  ASSERT_TRUE(a.hint->shifted);
  EXPECT_EQ(a.hint->shifted->status, ToiStatus::free);
}

// A box inside a hollow one, driven out through its wall: moved away from the wall in front, it
// begins nearer the one that it leaves behind, and meets either no later than before.
TEST(StudyPaths, SayThatAShiftDoesNotHelp) {
  const StudyFolder folder("explain-inside");
  Json study = box_study();
  folder.write("cube.off", test::box_off(-5, -5, -5, 5, 5, 5));
  folder.write("wall.off", test::box_off(-50, -50, -50, 50, 50, 50));
  study["groups"][0]["motion"] = {{"translation", {200, 0, 0}}, {"steps", 3}};
  const StudyResult a = answer(folder, study, {.paths = true});
  ASSERT_TRUE(a.hint && a.hint->shifted);
  EXPECT_LT(a.hint->shifted->time.upper, a.time.upper);
  const std::string text = explanation(a);
  EXPECT_EQ(text.rfind("What to change: not a shift in the direction in which the first contact "
                       "opens. With the whole path of the mover moved by ",
                       0),
            0u)
      << text;
  EXPECT_NE(text.find(": no later than before."), std::string::npos) << text;
  EXPECT_EQ(Json::parse(result_json(a))["hint"]["shifted"]["helps"], false);

  // A contact counts as later by a tenth of what is left.
  StudyResult result = a;
  const double s = result.time.upper;
  const auto says_it_helps = [&](ToiStatus status, double later) {
    result.hint->shifted->status = status;
    result.hint->shifted->time = {s + later * (1 - s), s + later * (1 - s) + 1e-6};
    return explanation(result).rfind("What to change: moved by", 0) == 0;
  };
  EXPECT_TRUE(says_it_helps(ToiStatus::contact, 0.11));
  EXPECT_FALSE(says_it_helps(ToiStatus::contact, 0.09));
  EXPECT_FALSE(says_it_helps(ToiStatus::undecided, 0.09));
  EXPECT_TRUE(says_it_helps(ToiStatus::undecided, 0.11));
  EXPECT_TRUE(says_it_helps(ToiStatus::free, 0));
}

// The strip below the clearance: with paths it is red from where a contact begins to where it ends.
TEST(StudyPaths, AreShownByTheirContacts) {
  const StudyFolder folder("strip");
  const auto strip = [](const StudyResult& a, const std::string& what) {
    const std::string page = result_html(a);
    const std::size_t title = page.find("<title>" + what + "</title>");
    if (title == std::string::npos) return std::pair(-1., -1.);
    const std::size_t rect = page.rfind("<rect x=\"", title);
    const auto number = [&](const char* key) {
      return std::stod(page.substr(page.find(key, rect) + std::string(key).size()));
    };
    const double x = (number("x=\"") - 66) / 780;  // the plot begins at 66 and is 780 wide
    return std::pair(x, x + number("width=\"") / 780);
  };
  Json study = box_study();
  const StudyResult a = answer(folder, study, {.paths = true});
  const auto [begin, end] = strip(a, "mover and wall: contact");
  const ContactInterval& contact = a.paths[0].path.contacts.at(0);
  EXPECT_NEAR(begin, contact.start.upper, 1e-4);
  EXPECT_NEAR(end, contact.end.lower, 1e-4);
  EXPECT_EQ(strip(a, "proved free"), std::pair(0., 1.));
  EXPECT_EQ(strip(a, "step 1 to 1: contact").first, -1);
  // Without paths it is red to the end of the step.
  const auto [first, last] = strip(answer(folder, study), "step 1 to 1: contact");
  EXPECT_NEAR(first, contact.start.upper, 1e-3);
  EXPECT_NEAR(last, 1, 1e-4);
  // Contacts that are allowed do not count.
  study["allowed_contacts"] = {{{"parts", {"mover", "wall"}}, {"reason", "a slot"}}};
  EXPECT_EQ(strip(answer(folder, study, {.paths = true}), "mover and wall: contact").first, -1);
}

TEST(StudyPaths, OnlyWhenAskedFor) {
  const StudyFolder folder("nopaths");
  EXPECT_TRUE(answer(folder, box_study()).paths.empty());
  EXPECT_TRUE(answer(folder, box_study(), {.stop_at_first = true, .paths = true}).paths.empty());
  const Cancel cancel = test::requested();
  EXPECT_TRUE(
      answer(folder, box_study(), {.paths = true, .budget = {.cancel = cancel}}).paths.empty());
}

TEST(StudyPaths, AreTheSameForAnyNumberOfThreads) {
  const StudyFolder folder("paththreads");
  Json json = box_study();
  json["groups"][0]["motion"] = {
      {"screw", {{"axis", {0, 0, 1}}, {"point", {2, 2, 0}}, {"turns", 2}, {"pitch", 0.3}}},
      {"steps", 20}};
  std::vector<std::string> results;
  for (const int threads : {1, 2}) {
    const StudyResult a = answer(folder, json, {.paths = true, .threads = threads});
    results.push_back(result_json(a) + result_html(a));
    EXPECT_GE(a.paths.at(0).path.contacts.size(), 2u);
  }
  EXPECT_EQ(results[0], results[1]);
}

// Each face of the box around the cube is there twice; then it cannot be determined whether the
// cube is inside.
TEST(StudyPaths, AMeshThatIsTwoSidedIsSaidToHaveNoInside) {
  const StudyFolder folder("two-sided");
  const std::string around = test::box_off(-5, -5, -5, 15, 15, 15);
  folder.write("wall.off", around);
  EXPECT_EQ(answer(folder, box_study(), {.paths = true}).verdict, StudyVerdict::inside);
  std::string both = "OFF\n8 12 24" + around.substr(around.find('\n', 4));
  for (const char* face :
       {"4 1 3 2 0", "4 6 7 5 4", "4 4 5 1 0", "4 3 7 6 2", "4 2 6 4 0", "4 5 7 3 1"})
    both += std::string(face) + "\n";
  folder.write("wall.off", both);
  Json study = box_study();
  for (Json& part : study["parts"]) part["unit"] = "mm";  // sizes that differ much are meant
  const StudyResult a = answer(folder, study, {.paths = true});
  EXPECT_EQ(a.verdict, StudyVerdict::open);
  const std::vector<std::string> remarks = study_remarks(a);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0], "wall: " + std::string(remark_of(InsideFault::two_sided)));
}

}  // namespace
}  // namespace touche
