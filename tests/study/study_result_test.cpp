// SPDX-License-Identifier: Apache-2.0
// Results and reports: determinism, tables, schemas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "json_schema.h"
#include "source_folder.h"
#include "study_answer.h"

namespace touche {
namespace {

using test::answer;
using test::box_study;
using test::schema_violation;
using test::StudyFolder;
using Json = nlohmann::json;

TEST(Results, AreTheSameForAnyNumberOfThreads) {
  const StudyFolder folder("threads");
  Json json = box_study();
  json["groups"][0]["motion"] = {
      {"screw", {{"axis", {0, 0, 1}}, {"point", {2, 2, 0}}, {"turns", 2}, {"pitch", 0.3}}},
      {"steps", 60}};
  for (const bool stop_at_first : {false, true}) {
    std::vector<std::string> results;
    for (const int threads : {1, 2, 5}) {
      const StudyResult a =
          answer(folder, json, {.stop_at_first = stop_at_first, .threads = threads});
      results.push_back(result_json(a) + result_csv(a) + result_html(a));
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
  const StudyResult a = answer(folder, json);
  const auto table = test::read_csv(result_csv(a));
  ASSERT_EQ(table.size(), 1 + a.steps.size());
  for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
  EXPECT_EQ(table[2][3], "a \"quoted\", name");
  EXPECT_EQ(table[2][5], "contact");
}

Vec3 vector(const Json& json) {
  return Vec3(json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>());
}

// The mover's file is in another unit, and it stands turned by a quarter about z.
Json turned_study() {
  Json json = box_study();
  const double half = std::sqrt(0.5);
  json["parts"][0]["scale"] = 0.5;
  json["parts"][0]["pose"] = {{"translation", {0.5, 0, 0.25}}, {"quaternion", {half, 0, 0, half}}};
  json["groups"][0]["motion"]["poses"][2]["quaternion"] = {half, half, 0, 0};
  return json;
}

TEST(Results, PointsAreAlsoInTheCoordinatesOfTheFiles) {
  const StudyFolder folder("infile");
  const StudyResult a = answer(folder, turned_study(), {.paths = true});
  const Json result = Json::parse(result_json(a));
  std::size_t contacts = 0;
  const auto check = [&](const Json& contact, double s) {
    const Vec3 in_mover = vector(contact["point_a_in_file"]);
    const StudyPart& mover = a.study.parts[0];
    const Vec3 world = a.study.groups[0].motion.pose(s) * (mover.pose * (mover.scale * in_mover));
    EXPECT_LE((world - vector(contact["point_a"])).norm(), 1e-12) << contact;
    EXPECT_LE((in_mover - in_mover.cwiseMax(0).cwiseMin(1)).norm(), 1e-12) << contact;
    EXPECT_EQ(contact["point_b_in_file"], contact["point_b"]);
    ++contacts;
  };
  for (const Json& pair : result["pairs"])
    if (pair.contains("contact")) check(pair["contact"], pair["s"]["touched_at"]);
  for (const Json& clearance : result["clearances"]) check(clearance["closest"], clearance["s"]);
  for (const Json& contact : result["paths"][0]["contacts"]) {
    check(contact["first"], contact["touched_at"]);
    check(contact["last"], contact["touched_until"]);
  }
  EXPECT_GE(contacts, 4u);

  // The table says the same.
  const auto table = test::read_csv(result_csv(a));
  const Json contact = result["pairs"].back()["contact"];
  for (const char* point : {"point_a", "point_b", "point_a_in_file", "point_b_in_file"})
    for (const int axis : {0, 1, 2}) {
      const std::string column = std::string(point) + "_" + "xyz"[axis];
      const auto at = std::find(table[0].begin(), table[0].end(), column);
      ASSERT_NE(at, table[0].end()) << column;
      EXPECT_EQ(std::stod(table.back()[at - table[0].begin()]), contact[point][axis]) << column;
    }
}

TEST(Results, JsonKeepsToItsSchema) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/result.schema.json");
  const StudyFolder folder("schema");
  const StudyResult a = answer(folder, box_study(), {.paths = true});
  ASSERT_FALSE(a.paths.at(0).path.contacts.empty());
  const Json result = Json::parse(result_json(a));
  EXPECT_EQ(schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["pairs"][0]["t"]["touched_at"].is_null(), a.pairs[0].status == StepStatus::free);

  // The check itself must be able to fail.
  Json wrong = result;
  wrong["verdict"]["status"] = "perhaps";
  EXPECT_NE(schema_violation(schema, schema, wrong, ""), "");
  wrong = result;
  wrong["parts"][0].erase("faces");
  EXPECT_NE(schema_violation(schema, schema, wrong, ""), "");
}

TEST(Results, JsonOfAllowedContactsKeepsToItsSchema) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/result.schema.json");
  const StudyFolder folder("schema-allowed");
  Json study = box_study();
  study["parts"][1]["pose"] = {{"translation", {-2.5, 0, 0}}};  // they touch at the start
  study["groups"][0]["motion"] = {{"translation", {-2, 0, 0}}};
  study["may_separate"] = true;
  study["allowed_contacts"] = {{{"parts", {"mover", "wall"}}, {"reason", "by design"}}};
  const StudyResult a = answer(folder, study, {.paths = true});
  const Json result = Json::parse(result_json(a));
  EXPECT_EQ(schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["separated"].size(), 1u);
  EXPECT_EQ(result["allowed_contacts"][0]["reason"], "by design");
}

TEST(Results, StudySchemaAcceptsWhatTheParserAccepts) {
  const Json schema = test::read_json(std::string(test::kSourceFolder) + "/docs/study.schema.json");
  Json study = box_study();
  EXPECT_EQ(schema_violation(schema, schema, study, ""), "");
  study["may_separate"] = true;
  study["allowed_contacts"] = {{{"parts", {"mover", "wall"}}, {"reason", "by design"}}};
  EXPECT_EQ(schema_violation(schema, schema, study, ""), "");
  EXPECT_TRUE(parse_study(study.dump(), "study.json").may_separate);
  study["groups"][0]["motion"] = {{"screw", {{"axis", {0, 0, 1}}, {"turns", 2}}}, {"steps", 60}};
  EXPECT_EQ(schema_violation(schema, schema, study, ""), "");
  study["groups"][0]["motion"]["steps"] = 0;
  EXPECT_NE(schema_violation(schema, schema, study, ""), "");
}

TEST(Results, ReportNeedsNothingFromOutside) {
  const StudyFolder folder("report");
  const StudyResult a = answer(folder, box_study());
  const std::string html = result_html(a, {"1998-07-01", "a <remark>"});
  EXPECT_NE(html.find("The mover meets the wall"), std::string::npos);
  EXPECT_NE(html.find("What to change"), std::string::npos);
  const StudyResult unexplained = answer(folder, box_study(), {.explain = false});
  EXPECT_EQ(result_html(unexplained).find("What to change"), std::string::npos);
  EXPECT_NE(html.find("a &lt;remark&gt;"), std::string::npos);
  EXPECT_NE(html.find("1998-07-01"), std::string::npos);
  for (const char* outside : {"http:", "https:", "src=", "@import", "url(", "<script"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
}

}  // namespace
}  // namespace touche
