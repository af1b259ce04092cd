// SPDX-License-Identifier: Apache-2.0
// Studies answer as closed forms say, skip pairs that need no test, and stop on request.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "progress_record.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "study_answer.h"

namespace touche {
namespace {

using test::answer;
using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

// The unit cube flies 4 to the right in two steps; the wall begins at x = 3.5, so they meet after
// 2.5, which is at s = 0.625, t = 0.25 in step 1.
TEST(Study, BoxMeetsWallWhenItMust) {
  const StudyFolder folder("meets");
  const StudyResult a = answer(folder, box_study());
  EXPECT_EQ(a.verdict, StudyVerdict::contact);
  ASSERT_TRUE(a.first);
  const PairStep& first = a.pairs[*a.first];
  EXPECT_EQ(first.step, 1u);
  EXPECT_EQ(first.status, StepStatus::contact);
  EXPECT_LE(first.time.lower, 0.25);
  EXPECT_NEAR(first.time.upper, 0.25, 1e-3 / 2);
  EXPECT_NEAR(path_position(a.study, 1, first.time.upper), 0.625, 1e-3);
  ASSERT_TRUE(first.contact);
  EXPECT_NEAR(std::abs(first.contact->normal.x()), 1, 1e-6);
  EXPECT_NEAR(first.contact->point_b.x(), 3.5, 1e-9);
  EXPECT_EQ(a.steps[0].status, StepStatus::free);
  EXPECT_EQ(a.steps[1].status, StepStatus::contact);
  EXPECT_LE(a.time.lower, 0.625);
  EXPECT_GT(a.time.lower, 0.62);
  // Clearances below the threshold of 1: at the middle pose 0.5, at the end none of the path.
  ASSERT_FALSE(a.clearances.empty());
  EXPECT_EQ(a.clearances[0].pose, 1u);
  EXPECT_NEAR(a.clearances[0].distance, 0.5, 1e-12);
  EXPECT_EQ(verdict_sentence(a).rfind("The mover meets the wall after 62.5 % of the path", 0), 0u)
      << verdict_sentence(a);
}

TEST(Study, StartPosesAndScalesApply) {
  const StudyFolder folder("scaled");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {0.25, 0, 0}}};  // meets at 2.75 = s 0.6875
  json["parts"][0]["scale"] = 0.5;                             // its right side is at 0.5: 3.25
  const StudyResult a = answer(folder, json);
  ASSERT_TRUE(a.first);
  const PairStep& first = a.pairs[*a.first];
  EXPECT_NEAR(path_position(a.study, first.step, first.time.upper), 3.25 / 4, 1e-3);
}

TEST(Study, FarPairsAreDiscardedAndFree) {
  const StudyFolder folder("far");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {0, 0, 30}}};
  const StudyResult a = answer(folder, json);
  EXPECT_EQ(a.verdict, StudyVerdict::free);
  EXPECT_TRUE(a.pairs.empty());
  EXPECT_EQ(a.steps[0].pairs_discarded, 1u);
  EXPECT_EQ(a.time.lower, 1);
  EXPECT_EQ(verdict_sentence(a),
            "Free, proved: no part touches another on the whole path; at least 1 mm is proved on "
            "the whole path. The mover travelled 4 mm.");
  const std::string page = result_html(a);
  EXPECT_NE(page.find("1 pair of parts never comes nearer than 1 mm, proved."), std::string::npos);
  EXPECT_NE(page.find("No line is drawn"), std::string::npos);
}

TEST(Study, PassingBesideTheWallIsFree) {
  const StudyFolder folder("beside");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {0, 3.01, 0}}};  // the wall spans y in [-2, 3]
  const StudyResult a = answer(folder, json);
  EXPECT_EQ(a.verdict, StudyVerdict::free);
  EXPECT_FALSE(a.pairs.empty());
  ASSERT_FALSE(a.clearances.empty());
  // At the end the cube stands 0.4 behind the wall and 0.01 beside it.
  EXPECT_NEAR(a.clearances.back().distance, std::hypot(0.4, 0.01), 1e-9);
}

// Both groups move the same way: nothing changes between them.
TEST(Study, GroupsAreTestedByRelativeMotion) {
  const StudyFolder folder("relative");
  Json json = box_study();
  Json second = json["groups"][0];
  second["name"] = "wall group";
  second["parts"] = {"wall"};
  json["groups"].push_back(second);
  EXPECT_EQ(answer(folder, json).verdict, StudyVerdict::free);
  for (Json& pose : json["groups"][1]["motion"]["poses"])  // the wall comes towards the cube
    pose["translation"][0] = -pose["translation"][0].get<double>();
  const StudyResult towards = answer(folder, json);
  ASSERT_TRUE(towards.first);
  const PairStep& first = towards.pairs[*towards.first];
  EXPECT_NEAR(path_position(towards.study, first.step, first.time.upper), 2.5 / 8, 1e-3);
}

TEST(Study, PairsAtRestAreLookedAtOnce) {
  const StudyFolder folder("rest");
  Json json = box_study();
  Json& poses = json["groups"][0]["motion"]["poses"];
  const Json stay = {{"translation", {2, 0, 0}}};
  poses = Json::array({Json{{"translation", {0, 0, 0}}}, stay, stay, stay, stay});
  const StudyResult a = answer(folder, json);
  EXPECT_EQ(a.verdict, StudyVerdict::free);
  EXPECT_EQ(a.steps[1].pairs_examined, 1u);
  EXPECT_EQ(a.steps[2].pairs_still, 1u);
  EXPECT_EQ(a.steps[3].pairs_still, 1u);
  EXPECT_EQ(a.steps[3].stats.work(), 0u);
  std::vector<std::size_t> measured;
  for (const Clearance& c : a.clearances) {
    EXPECT_NEAR(c.distance, 0.5, 1e-12);
    measured.push_back(c.pose);
  }
  EXPECT_EQ(measured, (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST(Study, TouchingAtTheStartIsSaid) {
  const StudyFolder folder("start");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {-2.5, 0, 0}}};
  const StudyResult a = answer(folder, json);
  ASSERT_TRUE(a.first);
  EXPECT_EQ(a.pairs[*a.first].status, StepStatus::initially_touching);
  EXPECT_EQ(a.time.lower, 0);
}

TEST(Study, StopsAtTheFirstContact) {
  const StudyFolder folder("first");
  Json json = box_study();
  json["groups"][0]["motion"] = {{"translation", {4, 0, 0}}, {"steps", 401}};
  const StudyResult all = answer(folder, json),
                    first = answer(folder, json, {.stop_at_first = true});
  ASSERT_TRUE(all.first && first.first);
  const PairStep &x = all.pairs[*all.first], &y = first.pairs[*first.first];
  EXPECT_EQ(x.step, 250u);
  EXPECT_EQ(x.step, y.step);
  EXPECT_EQ(x.time.upper, y.time.upper);
  EXPECT_EQ(first.steps[251].status, StepStatus::not_examined);
  EXPECT_NE(all.steps[251].status, StepStatus::not_examined);
  EXPECT_EQ(first.verdict, StudyVerdict::contact);
}

// The cube swings into the wall and out again, in steps that are queried together: each has the
// answer that it gets alone, and with a budget the proved free part of a step is no smaller.
TEST(Study, StepsAnswerAsIfAskedAlone) {
  const StudyFolder folder("together");
  Json json = box_study();
  Json& poses = json["groups"][0]["motion"]["poses"];
  poses = Json::array();
  for (int i = 0; i <= 300; ++i)
    poses.push_back({{"translation", {2.6 * std::sin(0.02 * i), 0, 0}},
                     {"quaternion", {std::cos(0.001 * i), 0, std::sin(0.001 * i), 0}}});
  std::vector<int> seen(8);
  for (const std::uint64_t max_work : {~std::uint64_t{0}, std::uint64_t{1}}) {
    const StudyResult a = answer(folder, json, {.budget = {.max_work = max_work}});
    ASSERT_EQ(a.study.times.size(), 301u);
    for (const PairStep& step : a.pairs) {
      SCOPED_TRACE(step.step);
      const auto motion = [&](std::size_t part) {
        const bool moves = part == a.study.groups[0].parts[0];
        return moves ? a.study.groups[0].motion.part(a.study.times[step.step],
                                                     a.study.times[step.step + 1])
                     : Motion::at(Pose());
      };
      const ToiResult alone =
          time_of_impact(a.parts[step.part_a], motion(step.part_a), a.parts[step.part_b],
                         motion(step.part_b), {.tolerance = a.study.tolerance});
      ++seen[static_cast<std::size_t>(step.status)];
      if (step.status == StepStatus::undecided) continue;
      EXPECT_EQ(step.status == StepStatus::free, alone.status == ToiStatus::free);
      EXPECT_EQ(step.status == StepStatus::contact, alone.status == ToiStatus::contact);
      EXPECT_EQ(step.time.lower, alone.status == ToiStatus::free ? 1 : alone.time.lower);
    }
  }
  EXPECT_GT(seen[static_cast<std::size_t>(StepStatus::free)], 100);
  EXPECT_GT(seen[static_cast<std::size_t>(StepStatus::contact)], 0);
  EXPECT_GT(seen[static_cast<std::size_t>(StepStatus::initially_touching)], 10);
  EXPECT_GT(seen[static_cast<std::size_t>(StepStatus::undecided)], 10);
}

// A ball turns close beside another one, in steps few of which can be decided with so little work:
// what the search for several steps together takes is not added to what each of them may take.
TEST(Study, StepsAskedTogetherTakeNoMoreWork) {
  std::vector<Object> parts = {Object(scenes::bumpy_sphere(2000, 1)),
                               Object(scenes::bumpy_sphere(2000, 2))};
  Study study;
  study.tolerance = 1e-6;
  study.parts.resize(2);
  const Motion turn =
      Motion::screw(Pose::from_translation({2.15, 0, 0}), Vec3(2.15, 0, 0), Vec3::UnitZ(), 6, 0);
  study.groups.push_back({.name = "moving", .parts = {0}, .motion = turn, .times = {0, 1}});
  for (int i = 0; i <= 64; ++i) study.times.push_back(i / 64.0);
  const ToiOptions little{.tolerance = 1e-6, .budget = {.max_work = 40}};
  const StudyResult r = run_study(study, parts, {.budget = little.budget});
  ASSERT_EQ(r.pairs.size(), 64u);
  int undecided = 0;
  for (const PairStep& step : r.pairs) {
    undecided += step.status == StepStatus::undecided;
    const Motion part = turn.part(study.times[step.step], study.times[step.step + 1]);
    const ToiResult alone = time_of_impact(parts[0], part, parts[1], Motion::at(Pose()), little);
    EXPECT_LE(2 * step.stats.work(), 3 * alone.stats.work()) << step.step;
  }
  EXPECT_GT(undecided, 32);
}

TEST(Study, WhatIsNotDecidedIsNotFree) {
  const StudyFolder folder("budget");
  const StudyResult a = answer(folder, box_study(), {.budget = {.max_work = 0}});
  EXPECT_EQ(a.verdict, StudyVerdict::undecided);
  EXPECT_FALSE(a.pairs.empty());
  EXPECT_LT(a.time.lower, 1);
}

TEST(Study, StoppedBeforeItBeginsProvesNothing) {
  const StudyFolder folder("stopped");
  const Cancel cancel = test::requested();
  const StudyResult a = answer(folder, box_study(), {.budget = {.cancel = cancel}});
  EXPECT_EQ(a.verdict, StudyVerdict::interrupted);
  EXPECT_EQ(a.time.lower, 0);
  EXPECT_EQ(a.steps[0].status, StepStatus::not_examined);
  EXPECT_EQ(verdict_sentence(a), "Interrupted: no piece of the path is proved free.");
  EXPECT_EQ(result_html(a).find("clearance at all recorded poses"), std::string::npos);
}

// Stopped anywhere, also within steps that are queried together: a result that is free as a whole
// has all its clearances.
TEST(Study, StoppedOnTheWayIsNotFree) {
  const StudyFolder folder("stopped");
  Json json = box_study();
  json["groups"][0]["motion"] = {{"translation", {2, 0, 0}}, {"steps", 640}};
  const StudyResult whole = answer(folder, json);
  ASSERT_EQ(whole.verdict, StudyVerdict::free);
  ASSERT_GT(whole.clearances.size(), 100u);
  const auto start = std::chrono::steady_clock::now();
  (void)run_study(whole.study, whole.parts, {.threads = 1});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  // On a busy machine the thread that stops may come late: then it is started with less to wait
  // for.
  int interrupted = 0;
  for (double share = 1; interrupted == 0 && share > 1e-3; share *= 0.5)
    for (int at = 1; at < 640; at += 29) {
      const Cancel cancel;
      std::thread stopper([&] {
        std::this_thread::sleep_for(share * at * seconds / 640);
        cancel.request();
      });
      const StudyResult r =
          run_study(whole.study, whole.parts, {.threads = 1, .budget = {.cancel = cancel}});
      stopper.join();
      if (r.verdict == StudyVerdict::free) {
        EXPECT_EQ(r.clearances.size(), whole.clearances.size()) << at;
      } else {
        EXPECT_EQ(r.verdict, StudyVerdict::interrupted) << at;
        ++interrupted;
      }
    }
  EXPECT_GT(interrupted, 0);
}

TEST(Study, ReportsItsProgressAndEndsWithItsException) {
  const StudyFolder folder("progress");
  const StudyResult whole = answer(folder, box_study());
  for (const int threads : {1, 2}) {
    test::ProgressRecord progress;
    const StudyResult r =
        run_study(whole.study, whole.parts,
                  {.threads = threads, .budget = {.progress = progress.function()}});
    EXPECT_EQ(r.verdict, whole.verdict);
    EXPECT_GT(progress.done, 0u);
    EXPECT_EQ(progress.done, progress.total);
    const auto refuse = [](std::size_t done, std::size_t) {
      if (done > 0) throw std::runtime_error("no more");
    };
    EXPECT_THROW((void)run_study(whole.study, whole.parts,
                                 {.threads = threads, .budget = {.progress = refuse}}),
                 std::runtime_error);
  }
}

TEST(Study, RefusesAStudyThatIsNotWhole) {
  const StudyFolder folder("whole");
  const StudyResult a = answer(folder, box_study());
  Study study = a.study;
  study.tolerance = 0;
  EXPECT_THROW((void)run_study(study, a.parts), InvalidInput);
  study = a.study;
  study.times = {0, 1, 1};
  EXPECT_THROW((void)run_study(study, a.parts), InvalidInput);
  study = a.study;
  study.groups.push_back(study.groups[0]);
  EXPECT_THROW((void)run_study(study, a.parts), InvalidInput);
}

TEST(Study, NamesAPartThatIsMissing) {
  const StudyFolder folder("missing");
  Json json = box_study();
  json["parts"][1]["file"] = "gone.off";
  folder.write("study.json", json.dump());
  const Study study = load_study(folder.path() / "study.json");
  try {
    (void)load_parts(study);
    FAIL() << "a missing file was loaded";
  } catch (const LoadError& e) {
    EXPECT_EQ(e.place(), "/parts/1/file");
  }
}

// The mover slides along the floor, which is allowed, towards the wall, which is not.
TEST(Study, AllowedContactsAreToldAndDoNotFail) {
  const StudyFolder folder("allowed");
  folder.write("floor.off", test::box_off(-5, -5, -1, 9, 5, 0));
  Json json = box_study();
  json["parts"].push_back({{"name", "floor"}, {"file", "floor.off"}});
  EXPECT_EQ(answer(folder, json).time.upper, 0);
  json["allowed_contacts"] = {{{"parts", {"floor", "mover"}}, {"reason", "it slides"}}};
  for (const bool stop_at_first : {false, true}) {
    const StudyResult meets = answer(folder, json, {.stop_at_first = stop_at_first});
    EXPECT_EQ(meets.verdict, StudyVerdict::contact);
    EXPECT_NEAR(meets.time.upper, 0.625, 1e-3);
    EXPECT_EQ(meets.steps[0].status, StepStatus::free);
    EXPECT_EQ(meets.steps[1].status, StepStatus::contact);
  }
  json["groups"][0]["motion"]["poses"][2]["translation"] = {2.2, 0, 0};
  const StudyResult a = answer(folder, json, {.paths = true});
  EXPECT_EQ(a.verdict, StudyVerdict::free);
  EXPECT_EQ(a.time.lower, 1);
  ASSERT_EQ(a.allowed.size(), 1u);
  EXPECT_EQ(a.allowed[0].s, 0);
  // It is measured: they touch, and do not overlap.
  ASSERT_EQ(a.paths.size(), 2u);
  EXPECT_EQ(a.paths[1].path.verdict, PathVerdict::touching);
  const std::string sentence = verdict_sentence(a);
  EXPECT_NE(sentence.find("mover and floor touch from the start to the end (it slides)"),
            std::string::npos)
      << sentence;
  EXPECT_NE(result_html(a).find("it slides"), std::string::npos);
}

// Off the floor: that is no contact when it may separate. Into it is.
TEST(Study, PartsMaySeparateAtTheStart) {
  const StudyFolder folder("separate");
  folder.write("wall.off", test::box_off(-5, -5, -1, 9, 5, 0));
  Json json = box_study();
  const auto moved_by = [&](const Vec3& way, bool may_separate, int steps) {
    json["may_separate"] = may_separate;
    json["groups"][0]["motion"] = {{"translation", {way.x(), way.y(), way.z()}}, {"steps", steps}};
    return answer(folder, json, {.paths = true});
  };
  for (const int steps : {1, 3, 40}) {
    EXPECT_EQ(moved_by({0, 0, 2}, false, steps).verdict, StudyVerdict::contact);
    const StudyResult up = moved_by({0, 0, 2}, true, steps);
    EXPECT_EQ(up.verdict, StudyVerdict::free) << steps;
    ASSERT_EQ(up.separated.size(), 1u);
    EXPECT_LT(up.separated[0].s, 0.01);
    ASSERT_EQ(up.paths.at(0).path.contacts.size(), 1u);  // reported by the path
    EXPECT_LT(up.paths[0].path.contacts[0].end.upper, 0.05);
    EXPECT_EQ(moved_by({0, 0, -0.5}, true, steps).verdict, StudyVerdict::contact);
    EXPECT_EQ(moved_by({1, 0, 0}, true, steps).verdict, StudyVerdict::contact);  // it slides
  }
}

// A part whose vertices fall together has no surface left that a proof could be about.
TEST(Study, RefusesPartsThatCollapse) {
  const StudyFolder folder("collapse");
  const auto refused_at = [&](const char* pointer, const Json& value) -> std::string {
    Json json = box_study();
    json[Json::json_pointer(pointer)] = value;
    folder.write("study.json", json.dump());
    try {
      static_cast<void>(load_parts(load_study(folder.path() / "study.json")));
    } catch (const LoadError& e) {
      EXPECT_NE(std::string(e.what()).find("vertices"), std::string::npos) << e.what();
      return e.place();
    }
    return "";
  };
  EXPECT_EQ(refused_at("/parts/0/scale", 1e-300), "/parts/0/scale");
  EXPECT_EQ(refused_at("/parts/1/scale", 1e-95), "/parts/1/scale");
  EXPECT_EQ(refused_at("/parts/1/scale", 1e-60), "");
  EXPECT_EQ(refused_at("/parts/1/pose", {{"translation", {1e20, 0, 0}}}), "/parts/1/pose");
  EXPECT_EQ(refused_at("/parts/1/pose", {{"translation", {1e6, 0, 0}}}), "");
  // The wall is 0.1 thick and 5 wide: there is no more of its thickness, though of its width.
  EXPECT_EQ(refused_at("/parts/1/pose", {{"translation", {1e16, 0, 0}}}), "/parts/1/pose");
  // Vertices that coincide in the file are the file's business.
  folder.write("cube.off", "OFF\n4 2 0\n0 0 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
  EXPECT_EQ(refused_at("/parts/0/scale", 0.5), "");
}

}  // namespace
}  // namespace touche
