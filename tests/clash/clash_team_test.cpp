// SPDX-License-Identifier: Apache-2.0
// Tests what a team needs of a clash check: sets of parts, named tests, copies, states of the work,
// and clusters.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "clash/describe.h"
#include "clash/ruling.h"
#include "clash_scenes.h"
#include "json_schema.h"
#include "source_folder.h"
#include "test_scale.h"
#include "touche/reference.h"

namespace touche::clash_team_test {
namespace {

using test::cube;
using test::Json;
using test::PartsBuilder;
using test::shifted;

// Two cables through a frame, one bracket near a cable, and two brackets in one position.
ClashParts wiring() {
  PartsBuilder builder;
  const std::size_t cable = builder.object(scenes::box({0, 0, 0}, {10, 1, 1}, 2));
  const std::size_t bracket = builder.object(scenes::box({0, 0, 0}, {1, 1, 1}, 2));
  builder.part("cables/red", cable);
  builder.part("cables/blue", cable, shifted(0, 3));
  builder.part("frame", scenes::box({4, -1, 0.8}, {5, 5, 3}, 2));
  builder.part("brackets/left", bracket, shifted(7, 1.5));
  builder.part("brackets/right", bracket, shifted(0, 10));
  builder.part("brackets/again", bracket, shifted(0, 10));
  return builder.take();
}

ClashResult check(const std::string& rules, ClashOptions options = {}) {
  options.rules = parse_clash_rules(rules, "rules.json");
  return find_clashes(wiring(), options);
}

Json schema(const std::string& name) {
  return test::read_json(std::string(test::kSourceFolder) + "/docs/" + name + ".schema.json");
}

TEST(ClashTests, NamedTestsFindWhatTheyAreFor) {
  const std::string rules = R"({"touche_clash_rules": 1, "unit": "cm", "tests": [
    {"name": "cables in steel", "type": "hard", "a": "cables/*", "b": ["frame"]},
    {"name": "thin", "type": "hard", "a": "cables/*", "b": ["frame"], "tolerance": 0.03},
    {"name": "air", "type": "clearance", "a": "cables/*", "b": "brackets/*", "clearance": 0.06},
    {"name": "copies", "type": "duplicates", "b": "brackets/*"}]})";
  EXPECT_EQ(
      test::schema_violation(schema("clash-rules"), schema("clash-rules"), Json::parse(rules), ""),
      "");
  const ClashResult result = check(rules);
  ASSERT_EQ(result.tests.size(), 4u);
  EXPECT_EQ(result.tests[0].failed.size(), 2u);
  EXPECT_EQ(result.tests[0].examined, 2u);
  EXPECT_TRUE(result.tests[1].failed.empty()) << "0.2 mm thick, and 0.3 mm pass";
  ASSERT_EQ(result.tests[2].failed.size(), 2u);  // 0.5 mm from both cables, and 0.6 mm to keep
  EXPECT_EQ(result.pairs[result.tests[2].failed[0]].verdict, ClashPairVerdict::near);
  ASSERT_EQ(result.tests[3].failed.size(), 1u);
  EXPECT_TRUE(result.pairs[result.tests[3].failed[0]].duplicate);
  EXPECT_EQ(result.count(ClashPairVerdict::clash), 3u);
  // Pairs of both cables are in no test.
  EXPECT_GT(result.outside, 0u);
  std::size_t all = result.outside + result.ignored;
  for (const std::size_t count : result.counts) all += count;
  EXPECT_EQ(all, 15u);
  const std::string sentence = clash_sentence(result);
  EXPECT_NE(sentence.find(" 3 of 4 tests fail: cables in steel (2 pairs), air (2 pairs), copies (1 "
                          "pair)."),
            std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("1 pair is two identical copies in one position"), std::string::npos)
      << sentence;
  const Json json = Json::parse(clash_json(result));
  EXPECT_EQ(test::schema_violation(schema("clash-result"), schema("clash-result"), json, ""), "");
  EXPECT_EQ(json["tests"][2]["failed"], 2);
  const std::string page = clash_html(result);
  EXPECT_NE(page.find("<td>cables in steel</td>"), std::string::npos);
  EXPECT_EQ(page.find("farther apart than 0.6"), std::string::npos) << "only pairs of one test are";
  EXPECT_EQ(clash_json(brute_force::find_clashes(wiring(), result.options)).size() > 0, true);
}

// A clash that no test is about does not make a check fail.
TEST(ClashTests, WhatFailsNoTestIsAccepted) {
  const ClashResult thin = check(R"({"touche_clash_rules": 1, "unit": "mm", "tests": [
    {"name": "copies", "type": "duplicates", "a": "cables/*", "b": "frame"}]})");
  EXPECT_EQ(thin.verdict, ClashVerdict::free);
  EXPECT_EQ(thin.count(ClashPairVerdict::clash), 2u);
  EXPECT_EQ(thin.open(ClashPairVerdict::clash), 0u);
  EXPECT_NE(clash_sentence(thin).find("No test of 1 finds anything."), std::string::npos)
      << clash_sentence(thin);
}

TEST(ClashTests, WrongTestsAreErrors) {
  const auto error = [](const std::string& tests) -> std::string {
    try {
      (void)parse_clash_rules(R"({"touche_clash_rules": 1, )" + tests + "}", "rules.json");
    } catch (const LoadError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_NE(error(R"("tests": [{"name": "n", "type": "soft"}])").find("/tests/0/type"),
            std::string::npos);
  EXPECT_NE(
      error(R"("unit": "mm", "tests": [{"name": "n", "type": "clearance"}])").find("clearance"),
      std::string::npos);
  EXPECT_NE(error(R"("tests": [{"name": "n", "type": "hard", "tolerance": 1}])").find("unit"),
            std::string::npos);
  EXPECT_NE(error(R"("tests": [{"name": "n", "type": "hard"}, {"name": "n", "type": "hard"}])")
                .find("/tests/1/name"),
            std::string::npos);
  EXPECT_NE(error(R"("unit": "km")").find("/unit"), std::string::npos);
  EXPECT_NE(error(R"("tests": [{"name": "n", "type": "hard", "clearance": 1}])").find("clearance"),
            std::string::npos);
  ClashOptions options;
  options.rules.tests = {{.name = "n", .length = -1}};
  EXPECT_THROW((void)find_clashes(wiring(), options), InvalidInput);
}

TEST(ClashSets, OnlyPairsBetweenTheSetsAreTested) {
  ClashOptions options;
  options.between = ClashOptions::Between{.against = {.patterns = {"frame"}}};
  const ClashResult frame = find_clashes(wiring(), options);
  EXPECT_EQ(frame.count(ClashPairVerdict::clash), 2u);
  EXPECT_EQ(frame.outside, 10u);
  EXPECT_EQ(frame.count(ClashPairVerdict::free), 3u);
  options.between->of = {.patterns = {"red", "gone"}};
  const ClashResult red = find_clashes(wiring(), options);
  EXPECT_EQ(red.count(ClashPairVerdict::clash), 1u);
  EXPECT_EQ(red.outside, 14u);
  EXPECT_EQ(red.remarks, std::vector<std::string>{"of: \"gone\" matches no part"});
  const Json json = Json::parse(clash_json(red));
  EXPECT_EQ(test::schema_violation(schema("clash-result"), schema("clash-result"), json, ""), "");
  // Within one set, none are tested.
  options.between = ClashOptions::Between{.against = {.patterns = {"brackets/*"}}};
  EXPECT_EQ(find_clashes(wiring(), options).verdict, ClashVerdict::free);
}

TEST(ClashSets, FilesAreSets) {
  ClashParts parts = wiring();
  for (ClashPart& part : parts.parts) part.file = "in/" + part.name + ".stl";
  ClashOptions options;
  options.between = ClashOptions::Between{.against = {.files = {"./in/cables/"}},
                                          .of = {.files = {"in/frame.stl"}}};
  const ClashResult result = find_clashes(parts, options);
  EXPECT_EQ(result.count(ClashPairVerdict::clash), 2u);
  EXPECT_EQ(result.outside, 13u);
  EXPECT_TRUE(result.remarks.empty());
  options.between->of.files = {"in/frame.stl", "in/frame"};  // no folder, and no such file
  EXPECT_EQ(find_clashes(parts, options).remarks.size(), 1u);
}

// A check of no pairs would find nothing, and be free.
TEST(ClashSets, ASetWithoutPartsIsAnError) {
  const auto error = [](const ClashSet& against, const ClashSet& of) {
    ClashOptions options;
    options.between = ClashOptions::Between{.against = against, .of = of};
    try {
      (void)find_clashes(wiring(), options);
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(error({.patterns = {"gone"}}, {}), "against: no part is \"gone\"");
  EXPECT_EQ(error({.patterns = {"frame"}}, {.patterns = {"gone"}}), "of: no part is \"gone\"");
  EXPECT_EQ(error({.patterns = {"*"}}, {}),
            "against: all parts are in this set, so that there are no others");
  EXPECT_EQ(error({.patterns = {"frame"}}, {.patterns = {"frame"}}),
            "against, of: both sets have one part, the same one, so there is no pair");
  EXPECT_EQ(error({.patterns = {"frame"}}, {}), "");
  EXPECT_EQ(error({.patterns = {"cables/*"}}, {.patterns = {"cables/*"}}), "");
}

// The vertices of a copy may be in another order, and a part with a symmetry may be turned.
TEST(ClashDuplicates, CopiesAreFoundWhateverTheirOrder) {
  const auto is_copy = [](const PolygonSoup& a, const PolygonSoup& b, const Pose& pose) {
    PartsBuilder builder;
    builder.part("a", a).part("b", b, pose);
    return test::only_pair(builder.take()).duplicate;
  };
  const Pose quarter = Pose::from_axis_angle(Vec3::UnitZ(), 1.5707963267948966, Vec3::Zero());
  EXPECT_TRUE(is_copy(cube(-1, 1), cube(-1, 1), {}));
  EXPECT_TRUE(is_copy(scenes::box({-1, -1, 0}, {1, 1, 1}, 1),
                      scenes::box({-1, -1, 0}, {1, 1, 1}, 1),
                      Pose::from_axis_angle(Vec3::UnitZ(), 3.141592653589793, Vec3::Zero())));
  EXPECT_FALSE(is_copy(cube(-1, 1), cube(-1, 1), shifted(0.01)));
  EXPECT_FALSE(is_copy(cube(-1, 1), scenes::box({-1, -1, -1}, {1, 1, 1}, 2), {}));
  EXPECT_FALSE(is_copy(scenes::box({-1, -2, 0}, {1, 2, 1}, 1),
                       scenes::box({-1, -2, 0}, {1, 2, 1}, 1), quarter));
}

// A name that is the end of other names, or reads as a pattern, is that of its part.
TEST(ClashSets, AWholeNameIsOnePart) {
  PartsBuilder builder;
  for (const char* name : {"a.obj", "v1/a.obj", "v2/v1/a.obj", "a*.obj", "ab.obj"})
    builder.part(name, cube(0, 1));
  const ClashParts parts = builder.take();
  const auto matched = [&](const char* pattern) {
    std::vector<std::string> names;
    const std::vector<bool> in = clash::parts_matching(parts, pattern);
    for (std::size_t p = 0; p < in.size(); ++p)
      if (in[p]) names.push_back(parts.parts[p].name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(matched("a.obj"), Names{"a.obj"});
  EXPECT_EQ(matched("v1/a.obj"), Names{"v1/a.obj"});
  EXPECT_EQ(matched("a*.obj"), Names{"a*.obj"});
  EXPECT_EQ(matched("a?.obj"), (Names{"a*.obj", "ab.obj"}));
  EXPECT_EQ(matched("*/a.obj"), (Names{"v1/a.obj", "v2/v1/a.obj"}));
  EXPECT_EQ(matched("a.ob?").size(), 3u);
}

// Its vertices lie in two planes across x.
TEST(ClashDuplicates, CopiesOfFineFlatPartsAreFound) {
  const PolygonSoup plate = scenes::box({0, 0, 0}, {0.1, 10, 10}, test::scaled(80, 40));
  PartsBuilder builder;
  builder.part("a", plate).part("b", plate).part("c", plate, shifted(0, 1e-3));
  const ClashResult result = find_clashes(builder.take());
  std::size_t duplicates = 0;
  for (const ClashPair& pair : result.pairs) {
    duplicates += pair.duplicate;
    EXPECT_EQ(pair.duplicate, pair.part_b == 1);
  }
  EXPECT_EQ(duplicates, 1u);
}

TEST(ClashNotes, APairHasOneNoteAndPartsThatAreGoneAreNamed) {
  EXPECT_THROW((void)parse_clash_notes(
                   R"({"touche_clash_notes": 1, "notes": [
                       {"a": "x", "b": "y", "status": "active"},
                       {"a": "y", "b": "x", "status": "approved"}]})",
                   "n.json"),
               LoadError);
  ClashResult result = find_clashes(wiring());
  result.remarks.clear();
  attach_notes(result, {{"frame", "gone", "", false, ClashStatus::active}});
  EXPECT_EQ(result.remarks, std::vector<std::string>{"notes: there is no part \"gone\""});
}

TEST(ClashNotes, StatesOfTheWorkComeBack) {
  const std::string text = R"({"touche_clash_notes": 1, "notes": [
    {"a": "cables/red", "b": "frame", "status": "active", "assignee": "mk", "text": "move it"},
    {"a": "cables/blue", "b": "frame", "status": "resolved"},
    {"a": "brackets/right", "b": "brackets/again", "status": "approved"},
    {"a": "old", "b": "kept", "text": "", "accepted": true}]})";
  EXPECT_EQ(
      test::schema_violation(schema("clash-notes"), schema("clash-notes"), Json::parse(text), ""),
      "");
  const std::vector<ClashNote> notes = parse_clash_notes(text, "notes.json");
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_EQ(notes[0].status, ClashStatus::active);
  EXPECT_EQ(notes[0].assignee, "mk");
  EXPECT_FALSE(notes[1].accepted);
  EXPECT_TRUE(notes[2].accepted);
  EXPECT_EQ(notes[3].status, ClashStatus::approved) << "accepted in an older file";
  const std::string again = clash_notes_json(parse_clash_notes(clash_notes_json(notes), "n.json"));
  EXPECT_EQ(again, clash_notes_json(notes));
  EXPECT_EQ(
      test::schema_violation(schema("clash-notes"), schema("clash-notes"), Json::parse(again), ""),
      "");
  for (const char* wrong : {R"("status": "active", "accepted": true)", R"("status": "done")",
                            R"("status": "approved", "accepted": false)", R"("text": "")"})
    EXPECT_THROW((void)parse_clash_notes(
                     std::string(R"({"touche_clash_notes": 1, "notes": [{"a": "x", "b": "y", )") +
                         wrong + "}]}",
                     "n.json"),
                 LoadError)
        << wrong;

  ClashOptions options;
  add_accepted(options.rules, notes);
  ClashResult result = find_clashes(wiring(), options);
  result.remarks.clear();
  attach_notes(result, notes);
  EXPECT_EQ(result.open(ClashPairVerdict::clash), 2u);
  EXPECT_EQ(result.remarks,
            std::vector<std::string>{
                "notes: cables/blue and frame are noted as resolved, and are not: they clash"});
  const Json json = Json::parse(clash_json(result));
  EXPECT_EQ(test::schema_violation(schema("clash-result"), schema("clash-result"), json, ""), "");
  EXPECT_EQ(json["pairs"][0]["status"], "active");
  EXPECT_EQ(json["pairs"][0]["assignee"], "mk");
  EXPECT_NE(clash_html(result).find("<td>move it</td>"), std::string::npos);
  // The spreadsheet is sorted, and says what its lengths are in.
  const std::string csv = clash_csv(result);
  EXPECT_NE(csv.find("distance [mm],thickness_lower [mm]"), std::string::npos);
  const auto rows = test::read_csv(csv);
  ASSERT_EQ(rows.size(), 4u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(rows[3][0], "brackets/right") << "accepted ones are last";
  EXPECT_EQ(rows[3][16], "yes");
  const auto red = std::find_if(rows.begin(), rows.end(),
                                [](const auto& row) { return row[0] == "cables/red"; });
  ASSERT_NE(red, rows.end());
  EXPECT_EQ((*red)[18], "active");
}

TEST(ClashClusters, PairsAreGroupedByPartAndPosition) {
  const ClashResult result = find_clashes(wiring());
  const std::vector<ClashCluster> parts = clusters_by_part(result);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].pairs.size(), 1u) << "copies overlap by 1 mm, which is the worst";
  EXPECT_EQ(result.parts.parts[parts[1].part].name, "frame");
  EXPECT_EQ(parts[1].pairs.size(), 2u);
  EXPECT_EQ(clusters_by_position(result, 0.5).size(), 3u);
  EXPECT_EQ(clusters_by_position(result, 4).size(), 2u);
  EXPECT_EQ(clusters_by_position(result, 100).size(), 1u);
  EXPECT_THROW((void)clusters_by_position(result, 0), InvalidInput);
  EXPECT_GT(cluster_reach(result.parts), 0);
}

// Pairs at random positions, beside a search that compares all with all.
TEST(ClashClusters, PositionsAreLinkedAsByComparingAll) {
  base::Random random(5);
  ClashResult result = find_clashes(wiring());
  const ClashPair model = result.pairs.front();
  for (int round = 0; round < test::scaled(60, 10); ++round) {
    const std::size_t count = 1 + random.below(60);
    const double reach = random.uniform(0.02, 0.6);
    result.pairs.assign(count, model);
    for (ClashPair& pair : result.pairs)
      pair.thickness.centre = {random.uniform(-1, 1), random.uniform(-1, 1),
                               random.below(2) ? 0 : random.uniform(-0.1, 0.1)};
    const auto at = [&](std::size_t i) { return clash::clash_point(result.pairs[i]); };
    std::vector<std::size_t> label(count);
    for (std::size_t i = 0; i < count; ++i) label[i] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
          if (label[j] < label[i] && (at(i) - at(j)).norm() <= reach) {
            label[i] = label[j];
            changed = true;
          }
    }
    std::set<std::set<std::size_t>> expected, found;
    for (std::size_t i = 0; i < count; ++i) {
      std::set<std::size_t> same;
      for (std::size_t j = 0; j < count; ++j)
        if (label[j] == label[i]) same.insert(j);
      expected.insert(same);
    }
    for (const ClashCluster& cluster : clusters_by_position(result, reach))
      found.insert({cluster.pairs.begin(), cluster.pairs.end()});
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace touche::clash_team_test
