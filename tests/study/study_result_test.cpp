// SPDX-License-Identifier: Apache-2.0
// Results and reports: determinism, tables, schemas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "source_folder.h"
#include "study_answer.h"

namespace touche {
namespace {

using test::Answer;
using test::answer;
using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

/// Where `value` breaks `schema`; empty when it does not. Knows the keywords our schemas use.
std::string schema_violation(const Json& root, const Json& schema, const Json& value,
                             const std::string& path) {
  const auto type_is = [&](const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "null") return value.is_null();
    return type == value.type_name();
  };
  const auto check = [&](const Json& inner, const Json& part, const std::string& at) {
    return schema_violation(root, inner, part, at);
  };
  if (schema.contains("$ref")) {
    const std::string ref = schema["$ref"];
    const std::string found = check(root.at(Json::json_pointer(ref.substr(1))), value, path);
    if (!found.empty()) return found;
  }
  if (schema.contains("type")) {
    const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    if (std::none_of(types.begin(), types.end(), type_is))
      return path + ": type is " + value.type_name();
  }
  if (schema.contains("const") && schema["const"] != value) return path + ": wrong constant";
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return path + ": not in the list";
  if (schema.contains("oneOf")) {
    const auto fits =
        std::count_if(schema["oneOf"].begin(), schema["oneOf"].end(),
                      [&](const Json& option) { return check(option, value, path).empty(); });
    if (fits != 1) return path + ": fits " + std::to_string(fits) + " alternatives";
  }
  if (value.is_number()) {
    if (schema.contains("minimum") && value < schema["minimum"]) return path + ": too small";
    if (schema.contains("maximum") && value > schema["maximum"]) return path + ": too large";
    if (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"])
      return path + ": too small";
  }
  if (value.is_array()) {
    if (schema.contains("minItems") && value.size() < schema["minItems"]) return path + ": short";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return path + ": long";
    if (schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (const auto found = check(schema["items"], value[i], path + "/" + std::to_string(i));
            !found.empty())
          return found;
  }
  if (value.is_object()) {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key.get<std::string>())) return path + ": no " + key.dump();
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, inner] : value.items()) {
      if (!properties.contains(key)) {
        if (schema.value("additionalProperties", true)) continue;
        return path + ": unknown key " + key;
      }
      if (const auto found = check(properties[key], inner, path + "/" + key); !found.empty())
        return found;
    }
  }
  return "";
}

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
      results.push_back(result_json(a.view()) + result_csv(a.view()) + result_html(a.view()));
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
  const auto table = test::read_csv(result_csv(a.view()));
  ASSERT_EQ(table.size(), 1 + a.result.steps.size());
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
  const Answer a = answer(folder, turned_study(), {.paths = true});
  const Json result = Json::parse(result_json(a.view()));
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
  const auto table = test::read_csv(result_csv(a.view()));
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
  const Answer a = answer(folder, box_study(), {.paths = true});
  ASSERT_FALSE(a.result.paths.at(0).path.contacts.empty());
  const Json result = Json::parse(result_json(a.view()));
  EXPECT_EQ(schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["pairs"][0]["t"]["touched_at"].is_null(),
            a.result.pairs[0].status == StepStatus::free);

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
  const Answer a = answer(folder, study, {.paths = true});
  const Json result = Json::parse(result_json(a.view()));
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
  const Answer a = answer(folder, box_study());
  const std::string html = result_html(a.view(), {"1998-07-01", "a <remark>"});
  EXPECT_NE(html.find("The mover meets the wall"), std::string::npos);
  EXPECT_EQ(html.find("What to change"), std::string::npos);  // was not asked
  EXPECT_NE(html.find("a &lt;remark&gt;"), std::string::npos);
  EXPECT_NE(html.find("1998-07-01"), std::string::npos);
  for (const char* outside : {"http:", "https:", "src=", "@import", "url(", "<script"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_NE(html.find("data:image/png;base64,"), std::string::npos);
}

}  // namespace
}  // namespace touche
