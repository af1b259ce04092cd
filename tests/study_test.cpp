// SPDX-License-Identifier: Apache-2.0
// Studies: what the parser refuses and where, closed forms, determinism, stopping.
#include "touche/study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "study_files.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

// ---- the parser --------------------------------------------------------------------------------

/// The message of the LoadError that parsing gives; empty when it gives none.
std::string refusal(const std::string& text) {
  try {
    parse_study(text, "folder/study.json");
  } catch (const LoadError& e) {
    EXPECT_EQ(e.file(), "folder/study.json");
    return e.what();
  }
  return "";
}

struct Mistake {
  const char* pointer;  // what to change in a good study
  const char* value;    // the new value; empty: remove it
  const char* message;
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.pointer << " = " << m.value; }

class ParserTest : public testing::TestWithParam<Mistake> {};

TEST_P(ParserTest, NamesThePath) {
  Json study = box_study();
  ASSERT_EQ(refusal(study.dump()), "");
  const Json::json_pointer where(GetParam().pointer);
  if (*GetParam().value != '\0')
    study[where] = Json::parse(GetParam().value);
  else
    study[where.parent_pointer()].erase(where.back());
  EXPECT_EQ(refusal(study.dump()), std::string("folder/study.json:") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ParserTest,
    testing::Values(
        Mistake{"/touche_study", "", "/: the key \"touche_study\" is missing"},
        Mistake{"/touche_study", "2", "/touche_study: format version 2, expected 1"},
        Mistake{"/unit", "\"mile\"",
                "/unit: unknown unit \"mile\"; expected one of: m, cm, mm, um, in, ft"},
        Mistake{"/unit", "7", "/unit: expected a string, found number"},
        Mistake{"/tolerance", "0", "/tolerance: 0, expected more than 0"},
        Mistake{"/tolerance", "-1e-3", "/tolerance: -0.001, expected more than 0"},
        Mistake{"/tolerance", "\"small\"", "/tolerance: expected a number, found string"},
        Mistake{"/tolerance", "1e300", "/tolerance: 1e+300 is too large"},
        Mistake{"/clearance_threshold", "-1", "/clearance_threshold: -1, expected 0 or more"},
        Mistake{"/parts", "[]", "/parts: 0 entries, expected at least 2"},
        Mistake{"/parts", "{}", "/parts: expected an array, found object"},
        Mistake{"/parts/0", "null", "/parts/0: expected an object, found null"},
        Mistake{"/parts/1/file", "", "/parts/1: the key \"file\" is missing"},
        Mistake{"/parts/1/file", "\"\"", "/parts/1/file: the string is empty"},
        Mistake{"/parts/1/name", "\"mover\"", "/parts/1/name: the name \"mover\" is there twice"},
        Mistake{"/parts/1/scale", "0", "/parts/1/scale: 0, expected more than 0"},
        Mistake{"/parts/0/colour", "\"red\"",
                "/parts/0/colour: unknown key; expected one of: name, file, scale, pose"},
        Mistake{"/parts/0/pose", "{\"quaternion\": [1, 0, 0]}",
                "/parts/0/pose/quaternion: 3 numbers, expected 4"},
        Mistake{"/parts/0/pose", "{\"quaternion\": [1.3, 0, 0, 0]}",
                "/parts/0/pose/quaternion: length 1.3, expected 1"},
        Mistake{"/parts/0/pose", "{\"translation\": [1, true, 0]}",
                "/parts/0/pose/translation/1: expected a number, found boolean"},
        Mistake{"/parts/0/pose", "{\"matrix\": [[1,0,0,0],[0,1,0,0]]}",
                "/parts/0/pose/matrix: 2 entries, expected at least 3"},
        Mistake{"/groups", "[]", "/groups: 0 entries, expected at least 1"},
        Mistake{"/groups/0/parts/0", "\"nobody\"",
                "/groups/0/parts/0: there is no part named \"nobody\""},
        Mistake{"/groups/0/parts", "[\"mover\", \"mover\"]",
                "/groups/0/parts/1: the part is already at /groups/0/parts/0"},
        Mistake{"/groups/0/parts", "[\"mover\", \"wall\"]",
                "/groups: all parts move together, so none can touch another"},
        Mistake{"/groups/0/motion", "{}",
                "/groups/0/motion: expected one of: poses, csv, screw, translation"},
        Mistake{"/groups/0/motion/speed", "1",
                "/groups/0/motion/speed: unknown key; expected one of: interpolation, poses"},
        Mistake{"/groups/0/motion/interpolation", "\"cubic\"",
                "/groups/0/motion/interpolation: expected \"slerp\" or \"nlerp\""},
        Mistake{"/groups/0/motion/poses", "[{}]",
                "/groups/0/motion/poses: 1 entries, expected at least 2"},
        Mistake{"/groups/0/motion/poses/1/quaternion", "[0, 0, 0, 0]",
                "/groups/0/motion/poses/1/quaternion: length 0, expected 1"},
        Mistake{"/groups/0/motion/poses/1/t", "",
                "/groups/0/motion/poses/1: \"t\" must be in all poses or in none"},
        Mistake{"/groups/0/motion/poses/1/t", "0",
                "/groups/0/motion/poses: the time of pose 1 (0) does not come after the one before "
                "(0)"},
        Mistake{"/groups/0/motion", "{\"screw\": {\"axis\": [0, 0, 0], \"turns\": 1}}",
                "/groups/0/motion/screw/axis: the axis has no direction"},
        Mistake{"/groups/0/motion", "{\"screw\": {\"axis\": [0, 0, 1]}}",
                "/groups/0/motion/screw: expected either \"angle_deg\" or \"turns\""},
        Mistake{"/groups/0/motion", "{\"translation\": [1, 0, 0], \"steps\": 2.5}",
                "/groups/0/motion/steps: 2.5, expected an integer from 1 to 1000000"},
        Mistake{"/groups/0/motion", "{\"csv\": \"none.csv\"}",
                "/groups/0/motion/csv: folder/none.csv: cannot be read"}));

TEST(Parser, NamesLineAndColumnOfBadSyntax) {
  const std::string message = refusal("{\"touche_study\": 1,\n \"unit\" \"mm\"}");
  EXPECT_EQ(message.rfind("folder/study.json:line 2, column ", 0), 0u) << message;
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal("{\"touche_study\": 1e999}"), "");
  EXPECT_NE(refusal(std::string(100000, '[')), "");
  EXPECT_NE(refusal("\xff\xfe\x00garbage"), "");
  EXPECT_NE(refusal("[1, 2]"), "");
}

TEST(Parser, RefusesAKeyGivenTwice) {
  EXPECT_EQ(refusal("{\"unit\": \"mm\", \"unit\": \"m\"}"),
            "folder/study.json: the key \"unit\" is there twice");
}

TEST(Parser, RefusesClocksThatDiffer) {
  Json study = box_study();
  study["parts"].push_back({{"name", "third"}, {"file", "third.off"}});
  Json second = study["groups"][0];
  second["name"] = "other";
  second["parts"] = {"third"};
  second["motion"]["poses"][2]["t"] = 5;
  study["groups"].push_back(second);
  EXPECT_EQ(refusal(study.dump()),
            "folder/study.json:/groups/1/motion: recorded from 0 to 5, but an earlier group from 0 "
            "to 2");
}

TEST(Parser, ReadsWhatIsThere) {
  const Study study = parse_study(box_study().dump(), "folder/study.json");
  EXPECT_EQ(study.unit, "mm");
  EXPECT_EQ(study.parts[1].file, std::filesystem::path("folder/wall.off"));
  EXPECT_EQ(study.times, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(study.groups[0].motion.pose(1).translation(), Vec3(4, 0, 0));
}

TEST(Parser, MergesTheRecordedTimesOfAllGroups) {
  Json study = box_study();
  study["parts"].push_back({{"name", "third"}, {"file", "third.off"}});
  study["groups"].push_back({{"name", "other"},
                             {"parts", {"third"}},
                             {"motion", {{"translation", {0, 0, 1}}, {"steps", 4}}}});
  EXPECT_EQ(parse_study(study.dump(), "s.json").times,
            (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST(Parser, ScrewAdvancesByItsPitch) {
  Json study = box_study();
  study["groups"][0]["motion"] = {
      {"screw", {{"point", {1, 0, 0}}, {"axis", {0, 0, 2}}, {"turns", 1.5}, {"pitch", 2}}},
      {"steps", 3}};
  const Study read = parse_study(study.dump(), "s.json");
  EXPECT_EQ(read.times.size(), 4u);
  EXPECT_LT((read.groups[0].motion.pose(1) * Vec3(0, 0, 0) - Vec3(2, 0, 3)).norm(), 1e-12);
}

TEST(Parser, RefusesAPoseThatIsNotRigid) {
  Json study = box_study();
  study["parts"][0]["pose"] = {{"matrix", {{1, 0, 0, 0}, {0, 1.1, 0, 0}, {0, 0, 1, 0}}}};
  EXPECT_EQ(refusal(study.dump()).rfind("folder/study.json:/parts/0/pose/matrix: ", 0), 0u);
  study["parts"][0]["pose"] = {{"matrix", {{0, -1, 0, 5}, {1, 0, 0, 0}, {0, 0, 1, 0}}}};
  const Study read = parse_study(study.dump(), "s.json");
  EXPECT_LT((read.parts[0].pose * Vec3(1, 0, 0) - Vec3(5, 1, 0)).norm(), 1e-12);
}

// ---- recorded poses in CSV ---------------------------------------------------------------------

std::string csv_refusal(const std::string& csv) {
  StudyFolder folder("csv");
  folder.write("path.csv", csv);
  Json study = box_study();
  study["groups"][0]["motion"] = {{"csv", "path.csv"}};
  folder.write("study.json", study.dump());
  try {
    load_study(folder.path() / "study.json");
  } catch (const LoadError& e) {
    EXPECT_EQ(e.place(), "/groups/0/motion/csv");
    const std::string message = e.what();
    return message.substr(message.find("path.csv"));
  }
  return "";
}

TEST(PoseCsv, NamesTheLine) {
  const std::string head = "t,x,y,z,qw,qx,qy,qz\n";
  EXPECT_EQ(csv_refusal(head + "0,0,0,0,1,0,0,0\n1,4,0,0,1,0,0,0\n"), "");
  EXPECT_EQ(csv_refusal("qw,qx,qy,qz,x,y,z\r\n1,0,0,0,0,0,0\r\n\r\n1,0,0,0,4,0,0\r\n"), "");
  EXPECT_EQ(csv_refusal(""), "path.csv:1: the file is empty, expected a header line");
  EXPECT_EQ(csv_refusal("t,x,y,z\n"), "path.csv:1: no column \"qw\"");
  EXPECT_EQ(csv_refusal("x,x\n"), "path.csv:1: the column \"x\" is there twice");
  EXPECT_EQ(csv_refusal(head + "0,0,0,0,1,0,0,0\n1,4,0\n"), "path.csv:3: 3 columns, expected 8");
  EXPECT_EQ(csv_refusal(head + "0,0,nan,0,1,0,0,0\n"),
            "path.csv:2: y: \"nan\" is not a number in range");
  EXPECT_EQ(csv_refusal(head + "0,0,1e999,0,1,0,0,0\n"),
            "path.csv:2: y: \"1e999\" is not a number in range");
  EXPECT_NE(csv_refusal(head + "0,0,0,0,2,0,0,0\n").find("path.csv:2: "), std::string::npos);
}

// ---- mutations: never a crash, never anything but a LoadError
// --------------------------------------

TEST(Parser, SurvivesMutations) {
  const std::string good = box_study().dump();
  std::uint64_t state = 42;
  const auto random = [&](std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((state >> 33) % n);
  };
  const std::string pieces[] = {"{",  "}",     "[", "]",       ",",    ":",    "\"",    "null",
                                "-1", "1e400", "0", "\\u0000", "true", "\xc3", "poses", "t"};
  const int count = test::scaled(20000, 2000);
  int accepted = 0, refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = good;
    for (std::size_t n = 1 + random(3); n > 0; --n) {
      const std::size_t at = random(text.size());
      switch (random(4)) {
        case 0:
          text[at] = static_cast<char>(random(256));
          break;
        case 1:
          text.erase(at, 1 + random(8));
          break;
        case 2:
          text.insert(at, pieces[random(std::size(pieces))]);
          break;
        default:
          text.insert(at, text.substr(random(text.size()), random(30)));
          break;
      }
    }
    try {
      const Study study = parse_study(text, "study.json");
      EXPECT_GT(study.tolerance, 0);
      ++accepted;
    } catch (const LoadError&) {
      ++refused;
    }
  }
  EXPECT_GT(accepted, count / 100);
  EXPECT_GT(refused, count / 2);
}

// ---- answers -----------------------------------------------------------------------------------

struct Answer {
  Study study;
  std::vector<Object> parts;
  StudyResult result;
};

Answer answer(const StudyFolder& folder, const Json& json, const StudyOptions& options = {}) {
  folder.write("study.json", json.dump());
  Study study = load_study(folder.path() / "study.json");
  std::vector<Object> parts = load_parts(study);
  StudyResult result = run_study(study, parts, options);
  return {std::move(study), std::move(parts), std::move(result)};
}

// The unit cube flies 4 to the right in two steps; the wall begins at x = 3.5, so they meet after
// 2.5, which is at s = 0.625, t = 0.25 in step 1.
TEST(Study, BoxMeetsWallWhenItMust) {
  const StudyFolder folder("meets");
  const Answer a = answer(folder, box_study());
  EXPECT_EQ(a.result.verdict, StudyVerdict::contact);
  ASSERT_TRUE(a.result.first);
  const PairStep& first = a.result.pairs[*a.result.first];
  EXPECT_EQ(first.step, 1u);
  EXPECT_EQ(first.status, StepStatus::contact);
  EXPECT_LE(first.free_until, 0.25);
  EXPECT_NEAR(first.touched_at, 0.25, 1e-3 / 2);
  EXPECT_NEAR(path_position(a.study, 1, first.touched_at), 0.625, 1e-3);
  ASSERT_TRUE(first.contact);
  EXPECT_NEAR(std::abs(first.contact->normal.x()), 1, 1e-6);
  EXPECT_NEAR(first.contact->point_b.x(), 3.5, 1e-9);
  EXPECT_EQ(a.result.steps[0].status, StepStatus::free);
  EXPECT_EQ(a.result.steps[1].status, StepStatus::contact);
  EXPECT_LE(a.result.free_until, 0.625);
  EXPECT_GT(a.result.free_until, 0.62);
  // Clearances below the threshold of 1: at the middle pose 0.5, at the end none of the path.
  ASSERT_FALSE(a.result.clearances.empty());
  EXPECT_EQ(a.result.clearances[0].pose, 1u);
  EXPECT_NEAR(a.result.clearances[0].distance, 0.5, 1e-12);
  EXPECT_EQ(verdict_sentence(a.study, a.parts, a.result).rfind("First contact at s = 0.62", 0), 0u)
      << verdict_sentence(a.study, a.parts, a.result);
}

TEST(Study, StartPosesAndScalesApply) {
  const StudyFolder folder("scaled");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {0.25, 0, 0}}};  // meets at 2.75 = s 0.6875
  json["parts"][0]["scale"] = 0.5;                             // its right side is at 0.5: 3.25
  const Answer a = answer(folder, json);
  ASSERT_TRUE(a.result.first);
  const PairStep& first = a.result.pairs[*a.result.first];
  EXPECT_NEAR(path_position(a.study, first.step, first.touched_at), 3.25 / 4, 1e-3);
}

TEST(Study, FarPairsAreDiscardedAndFree) {
  const StudyFolder folder("far");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {0, 0, 30}}};
  const Answer a = answer(folder, json);
  EXPECT_EQ(a.result.verdict, StudyVerdict::free);
  EXPECT_TRUE(a.result.pairs.empty());
  EXPECT_EQ(a.result.steps[0].pairs_discarded, 1u);
  EXPECT_EQ(a.result.free_until, 1);
}

TEST(Study, PassingBesideTheWallIsFree) {
  const StudyFolder folder("beside");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {0, 3.01, 0}}};  // the wall spans y in [-2, 3]
  const Answer a = answer(folder, json);
  EXPECT_EQ(a.result.verdict, StudyVerdict::free);
  EXPECT_FALSE(a.result.pairs.empty());
  ASSERT_FALSE(a.result.clearances.empty());
  // At the end the cube stands 0.4 behind the wall and 0.01 beside it.
  EXPECT_NEAR(a.result.clearances.back().distance, std::hypot(0.4, 0.01), 1e-9);
}

// Both groups move the same way: nothing changes between them.
TEST(Study, GroupsAreTestedByRelativeMotion) {
  const StudyFolder folder("relative");
  Json json = box_study();
  Json second = json["groups"][0];
  second["name"] = "wall group";
  second["parts"] = {"wall"};
  json["groups"].push_back(second);
  EXPECT_EQ(answer(folder, json).result.verdict, StudyVerdict::free);
  for (Json& pose : json["groups"][1]["motion"]["poses"])  // the wall comes towards the cube
    pose["translation"][0] = -pose["translation"][0].get<double>();
  const Answer towards = answer(folder, json);
  ASSERT_TRUE(towards.result.first);
  const PairStep& first = towards.result.pairs[*towards.result.first];
  EXPECT_NEAR(path_position(towards.study, first.step, first.touched_at), 2.5 / 8, 1e-3);
}

TEST(Study, PairsAtRestAreLookedAtOnce) {
  const StudyFolder folder("rest");
  Json json = box_study();
  Json& poses = json["groups"][0]["motion"]["poses"];
  const Json stay = {{"translation", {2, 0, 0}}};
  poses = Json::array({Json{{"translation", {0, 0, 0}}}, stay, stay, stay, stay});
  const Answer a = answer(folder, json);
  EXPECT_EQ(a.result.verdict, StudyVerdict::free);
  EXPECT_EQ(a.result.steps[1].pairs_examined, 1u);
  EXPECT_EQ(a.result.steps[2].pairs_still, 1u);
  EXPECT_EQ(a.result.steps[3].pairs_still, 1u);
  EXPECT_EQ(a.result.steps[3].stats.node_pairs + a.result.steps[3].stats.primitive_tests, 0u);
  std::vector<std::size_t> measured;
  for (const Clearance& c : a.result.clearances) {
    EXPECT_NEAR(c.distance, 0.5, 1e-12);
    measured.push_back(c.pose);
  }
  EXPECT_EQ(measured, (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST(Study, TouchingAtTheStartIsSaid) {
  const StudyFolder folder("start");
  Json json = box_study();
  json["parts"][1]["pose"] = {{"translation", {-2.5, 0, 0}}};
  const Answer a = answer(folder, json);
  ASSERT_TRUE(a.result.first);
  EXPECT_EQ(a.result.pairs[*a.result.first].status, StepStatus::initially_touching);
  EXPECT_EQ(a.result.free_until, 0);
}

TEST(Study, StopsAtTheFirstContact) {
  const StudyFolder folder("first");
  Json json = box_study();
  json["groups"][0]["motion"] = {{"translation", {4, 0, 0}}, {"steps", 401}};
  const Answer all = answer(folder, json), first = answer(folder, json, {.stop_at_first = true});
  ASSERT_TRUE(all.result.first && first.result.first);
  const PairStep &x = all.result.pairs[*all.result.first],
                 &y = first.result.pairs[*first.result.first];
  EXPECT_EQ(x.step, 250u);
  EXPECT_EQ(x.step, y.step);
  EXPECT_EQ(x.touched_at, y.touched_at);
  EXPECT_EQ(first.result.steps[251].status, StepStatus::not_examined);
  EXPECT_NE(all.result.steps[251].status, StepStatus::not_examined);
  EXPECT_EQ(first.result.verdict, StudyVerdict::contact);
}

TEST(Study, WhatIsNotDecidedIsNotFree) {
  const StudyFolder folder("budget");
  const Answer a = answer(folder, box_study(), {.max_work = 0});
  EXPECT_EQ(a.result.verdict, StudyVerdict::undecided);
  EXPECT_FALSE(a.result.pairs.empty());
  EXPECT_LT(a.result.free_until, 1);
}

TEST(Study, StoppedBeforeItBeginsProvesNothing) {
  const StudyFolder folder("stopped");
  StudyControl control;
  control.stop = true;
  const Answer a = answer(folder, box_study(), {.control = &control});
  EXPECT_EQ(a.result.verdict, StudyVerdict::interrupted);
  EXPECT_EQ(a.result.free_until, 0);
  EXPECT_EQ(a.result.steps[0].status, StepStatus::not_examined);
  EXPECT_EQ(verdict_sentence(a.study, a.parts, a.result), "Interrupted: not decided beyond s = 0.");
}

TEST(Study, RefusesAStudyThatIsNotWhole) {
  const StudyFolder folder("whole");
  const Answer a = answer(folder, box_study());
  Study study = a.study;
  study.tolerance = 0;
  EXPECT_THROW(run_study(study, a.parts), InvalidInput);
  study = a.study;
  study.times = {0, 1, 1};
  EXPECT_THROW(run_study(study, a.parts), InvalidInput);
  study = a.study;
  study.groups.push_back(study.groups[0]);
  EXPECT_THROW(run_study(study, a.parts), InvalidInput);
}

TEST(Study, NamesAPartThatIsMissing) {
  const StudyFolder folder("missing");
  Json json = box_study();
  json["parts"][1]["file"] = "gone.off";
  folder.write("study.json", json.dump());
  const Study study = load_study(folder.path() / "study.json");
  try {
    load_parts(study);
    FAIL() << "a missing file was loaded";
  } catch (const LoadError& e) {
    EXPECT_EQ(e.place(), "/parts/1/file");
  }
}

// ---- results -----------------------------------------------------------------------------------

TEST(Results, AreTheSameForAnyNumberOfThreads) {
  const StudyFolder folder("threads");
  Json json = box_study();
  json["groups"][0]["motion"] = {
      {"screw", {{"axis", {0, 0, 1}}, {"point", {2, 2, 0}}, {"turns", 2}, {"pitch", 0.3}}},
      {"steps", 60}};
  for (const bool stop_at_first : {false, true}) {
    std::vector<std::string> results;
    for (const int threads : {1, 2, 5}) {
      const Answer a = answer(folder, json, {.stop_at_first = stop_at_first, .threads = threads});
      results.push_back(result_json(a.study, a.parts, a.result) + result_csv(a.study, a.result) +
                        result_html(a.study, a.parts, a.result));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

TEST(Results, CsvHasAsManyColumnsAsItsHeader) {
  const StudyFolder folder("csvout");
  Json json = box_study();
  json["parts"][0]["name"] = "a \"quoted\", name";
  json["groups"][0]["parts"][0] = "a \"quoted\", name";
  const Answer a = answer(folder, json);
  const auto table = test::read_csv(result_csv(a.study, a.result));
  ASSERT_EQ(table.size(), 1 + a.result.steps.size());
  for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
  EXPECT_EQ(table[2][3], "a \"quoted\", name");
  EXPECT_EQ(table[2][5], "contact");
}

TEST(Results, JsonKeepsToItsSchema) {
  const Json schema = test::read_json(TOUCHE_SOURCE_DIR "/docs/result.schema.json");
  const StudyFolder folder("schema");
  const Answer a = answer(folder, box_study());
  const Json result = Json::parse(result_json(a.study, a.parts, a.result));
  EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["pairs"][0]["t"]["touched_at"].is_null(),
            a.result.pairs[0].status == StepStatus::free);

  // The check itself must be able to fail.
  Json wrong = result;
  wrong["verdict"]["status"] = "perhaps";
  EXPECT_NE(test::schema_violation(schema, schema, wrong, ""), "");
  wrong = result;
  wrong["parts"][0].erase("faces");
  EXPECT_NE(test::schema_violation(schema, schema, wrong, ""), "");
}

TEST(Results, StudySchemaAcceptsWhatTheParserAccepts) {
  const Json schema = test::read_json(TOUCHE_SOURCE_DIR "/docs/study.schema.json");
  Json study = box_study();
  EXPECT_EQ(test::schema_violation(schema, schema, study, ""), "");
  study["groups"][0]["motion"] = {{"screw", {{"axis", {0, 0, 1}}, {"turns", 2}}}, {"steps", 60}};
  EXPECT_EQ(test::schema_violation(schema, schema, study, ""), "");
  study["groups"][0]["motion"]["steps"] = 0;
  EXPECT_NE(test::schema_violation(schema, schema, study, ""), "");
}

TEST(Results, ReportNeedsNothingFromOutside) {
  const StudyFolder folder("report");
  const Answer a = answer(folder, box_study());
  const std::string html = result_html(a.study, a.parts, a.result, "a <remark>");
  EXPECT_NE(html.find("First contact at"), std::string::npos);
  EXPECT_NE(html.find("a &lt;remark&gt;"), std::string::npos);
  for (const char* outside : {"http:", "https:", "src=", "@import", "url(", "<script"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
}

}  // namespace
}  // namespace touche
