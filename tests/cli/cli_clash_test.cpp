// SPDX-License-Identifier: Apache-2.0
// `touche clash`: what it prints, writes and returns.
#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "interrupted_cli.h"
#include "json_schema.h"
#include "source_folder.h"

namespace touche::cli_clash_test {
namespace {

using test::box_off;
using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

// Two boxes that overlap by 0.5, and one 0.25 beside them.
void write_boxes(const StudyFolder& folder) {
  std::filesystem::create_directories(folder.path() / "boxes");
  folder.write("boxes/a.off", box_off(0, 0, 0, 1, 1, 1));
  folder.write("boxes/b.off", box_off(0.5, 0, 0, 2, 1, 1));
  folder.write("boxes/c.off", box_off(2.25, 0, 0, 3, 1, 1));
}

TEST(CliClash, WritesItsResults) {
  const StudyFolder folder("cli-clash");
  write_boxes(folder);
  const Outcome found =
      touche_cli(folder, "clash boxes --clearance 0.03cm --out report --threads 2");
  EXPECT_EQ(found.exit_code, 1) << found.err;
  EXPECT_EQ(found.err, "");
  EXPECT_TRUE(has(found.out,
                  "1 pair of parts clashes: a.off and b.off, which overlap by 0.05 cm; 1 "
                  "pair is nearer than 0.03 cm"))
      << found.out;
  const auto out = folder.path() / "report";
  const Json result = test::read_json(out / "result.json");
  EXPECT_EQ(result["verdict"]["status"], "clash");
  EXPECT_EQ(test::read_csv(test::read_text(out / "pairs.csv")).size(), 3u);
  // The time contains making the page, which says so itself.
  const std::string html = test::read_text(out / "report.html");
  EXPECT_TRUE(has(html, "</html>"));
  for (const std::string& text : {found.out, html})
    EXPECT_TRUE(has(text, "time: ") && has(text, ", results and pictures ")) << found.out;
  EXPECT_FALSE(has(html, "(time of this page)"));
  const Outcome json = touche_cli(folder, "clash boxes --clearance 0.03cm --json --threads 1");
  EXPECT_EQ(Json::parse(json.out), result);
  touche_cli(folder, "clash boxes --out some --format csv");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "some" / "pairs.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "some" / "report.html"));
}

TEST(CliClash, SplitsFilesIntoParts) {
  const StudyFolder folder("cli-clash-split");
  const auto solid = [](const std::string& name, int x) {
    std::string text = "solid " + name + "\n";
    const int corners[4][3] = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}, {x, 0, 1}};
    for (const auto& face :
         {std::array{0, 2, 1}, std::array{0, 1, 3}, std::array{0, 3, 2}, std::array{1, 2, 3}}) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (const int k : face) {
        text += "vertex";
        for (const int value : corners[k]) text += " " + std::to_string(value);
        text += "\n";
      }
      text += "endloop\nendfacet\n";
    }
    return text;
  };
  folder.write("two.stl", solid("cam", 0) + "endsolid\n" + solid("roll", 3) + "end solid roll\n");
  const Outcome whole = touche_cli(folder, "clash two.stl");
  EXPECT_EQ(whole.exit_code, 2);
  EXPECT_TRUE(has(whole.err, "--split makes parts of its objects or shells")) << whole.err;
  const Outcome split = touche_cli(folder, "clash two.stl --split objects --clearance 5");
  EXPECT_EQ(split.exit_code, 0) << split.err;
  EXPECT_TRUE(has(split.err, "two.stl: the solid of line 31 ends with 'end solid'")) << split.err;
  EXPECT_TRUE(has(split.out, "parts: 2")) << split.out;
  EXPECT_EQ(touche_cli(folder, "clash 'two.stl#cam' 'two.stl#shell 2'").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "clash two.stl --split layers").exit_code, 2);
}

TEST(CliClash, TheExitCodeSaysWhatWasAskedFor) {
  const StudyFolder folder("cli-clash-exit");
  write_boxes(folder);
  EXPECT_EQ(touche_cli(folder, "clash boxes/b.off boxes/c.off").exit_code, 0);
  const std::string near = "clash boxes/b.off boxes/c.off --clearance 1";
  EXPECT_EQ(touche_cli(folder, near).exit_code, 0);
  EXPECT_EQ(touche_cli(folder, near + " --fail-on clash,near").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "clash boxes --fail-on near").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "clash boxes --max-work 0").exit_code, 2);
  folder.write(
      "rules.json",
      R"({"touche_clash_rules": 1, "accept": [{"a": "a*", "b": "b*", "reason": "soft"}]})");
  const Outcome accepted = touche_cli(folder, "clash boxes --rules rules.json");
  EXPECT_EQ(accepted.exit_code, 0);
  EXPECT_TRUE(has(accepted.out, "1 is accepted by a rule")) << accepted.out;
}

TEST(CliClash, BesideOpenPartsItIsAboutSurfaces) {
  const StudyFolder folder("cli-clash-open");
  folder.write("tray.off", test::open_box_off(-3, -3, -3, 9, 9, 9));
  const Outcome open = touche_cli(folder, "clash tray.off cube.off");
  EXPECT_EQ(open.exit_code, 3) << open.err;
  EXPECT_TRUE(has(open.out, "No surfaces clash, proved")) << open.out;
  EXPECT_TRUE(has(open.out, "Whether cube.off lies inside tray.off is unknown: tray.off is open"))
      << open.out;
  const Outcome json = touche_cli(folder, "clash tray.off cube.off --surfaces --json");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  const Json result = Json::parse(json.out);
  EXPECT_EQ(result["verdict"]["status"], "open");
  EXPECT_EQ(result["counts"]["open"], 1);
  EXPECT_EQ(result["pairs"][0]["class"], "open");
  EXPECT_EQ(result["pairs"][0]["containment"], "open");
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/clash-result.schema.json");
  EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
  // A clash is graver.
  folder.write("across.off", box_off(8.5, 0, 0, 10, 1, 10));
  EXPECT_EQ(touche_cli(folder, "clash tray.off cube.off across.off --surfaces").exit_code, 1);
}

TEST(CliClash, ThinOverlapsAreIgnoredWhereThatIsAskedFor) {
  const StudyFolder folder("cli-clash-thin");
  folder.write("rod.off", box_off(3, 0, 0, 4, 1, 1));  // through the wall, which is 0.1 thick
  EXPECT_EQ(touche_cli(folder, "clash wall.off rod.off").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "clash wall.off rod.off --ignore-thinner 0.05").exit_code, 1);
  const Outcome ignored =
      touche_cli(folder, "clash wall.off rod.off --ignore-thinner 0.2mm --json");
  EXPECT_EQ(ignored.exit_code, 0) << ignored.err;
  EXPECT_EQ(Json::parse(ignored.out)["pairs"][0]["allowance"], "ignored");
  EXPECT_EQ(touche_cli(folder, "clash wall.off rod.off --ignore-thinner -1").exit_code, 2);
}

TEST(CliClash, WhatWasAcceptedByHandIsAccepted) {
  const StudyFolder folder("cli-clash-notes");
  write_boxes(folder);
  const auto check = [&](const char* notes) {
    folder.write("notes.json",
                 std::string(R"({"touche_clash_notes": 1, "notes": [)") + notes + "]}");
    return touche_cli(folder, "clash boxes --notes notes.json --json");
  };
  const Outcome accepted =
      check(R"({"a": "b.off", "b": "a.off", "text": "soft", "accepted": true})");
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_EQ(Json::parse(accepted.out)["pairs"][0]["accepted"], "soft");
  EXPECT_EQ(check(R"({"a": "a.off", "b": "b.off", "text": "look", "accepted": false})").exit_code,
            1);
  // Names are no patterns.
  const Outcome star = check(R"({"a": "?.off", "b": "*", "text": "", "accepted": true})");
  EXPECT_EQ(star.exit_code, 1);
  EXPECT_TRUE(has(star.out, R"(notes: there is no part \"?.off\")")) << star.out;
  EXPECT_EQ(check(R"({"a": "a.off"})").exit_code, 2);
}

TEST(CliClash, ComparesWithAnEarlierResult) {
  const StudyFolder folder("cli-clash-compare");
  write_boxes(folder);
  touche_cli(folder, "clash boxes --out then");
  const std::string again = "clash boxes --compare then/result.json --fail-on new";
  const Outcome same = touche_cli(folder, again);
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_TRUE(has(same.out,
                  "Compared with then/result.json: 0 new, 0 solved, 0 changed, 1 "
                  "unchanged."))
      << same.out;
  folder.write("boxes/c.off", box_off(1.75, 0, 0, 3, 1, 1));
  const Outcome worse = touche_cli(folder, again);
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_TRUE(has(worse.out, "1 new (1 of them clash), 0 solved")) << worse.out;
  EXPECT_EQ(touche_cli(folder, "clash boxes --fail-on new").exit_code, 2);
}

TEST(CliClash, ChecksOneSetAgainstOthers) {
  const StudyFolder folder("cli-clash-sets");
  write_boxes(folder);
  folder.write("boxes/c.off", box_off(1.75, 0, 0, 3, 1, 1));
  folder.write("tool.off", box_off(2.5, 0, 0, 4, 1, 1));
  const Outcome tool =
      touche_cli(folder, "clash boxes --against tool.off --json --bcf tool.bcfzip");
  EXPECT_EQ(tool.exit_code, 1) << tool.err;
  const Json json = Json::parse(tool.out);
  ASSERT_EQ(json["pairs"].size(), 1u) << tool.out;
  EXPECT_EQ(json["counts"]["clash"], 1);
  ASSERT_TRUE(json["pairs"][0].contains("move"));
  EXPECT_NEAR(json["pairs"][0]["move"]["length"], 0.5, 0.01);
  EXPECT_LE(json["pairs"][0]["move"]["least"], 0.5 + 1e-9);
  EXPECT_GT(std::filesystem::file_size(folder.path() / "tool.bcfzip"), 1000u);
  const Outcome sets =
      touche_cli(folder, "clash boxes --against a.off,b.off --of c.off --no-moves --json");
  const Json both = Json::parse(sets.out);
  EXPECT_EQ(both["counts"]["clash"], 1) << sets.err;  // b and c
  EXPECT_EQ(both["outside"], 1);
  EXPECT_FALSE(both["pairs"][0].contains("move"));
  EXPECT_EQ(touche_cli(folder, "clash boxes --of a.off").exit_code, 2);
  // A comma in a name, and sets in several options.
  folder.write("boxes/c,d.off", box_off(1.75, 0, 0, 3, 1, 1));
  for (const char* set : {"'c\\,d.off'", "'a.off,c\\,d.off'", "a.off --against 'c\\,d.off'"}) {
    const Outcome one = touche_cli(
        folder, std::string("clash boxes --against ") + set + " --of b.off --no-moves --json");
    EXPECT_GE(Json::parse(one.out)["counts"]["clash"], 1) << set << one.err;
  }
}

// What lies inside a cube is known although a face beside an edge has a vertex in its middle, but
// separation() refuses it. Other pairs still get their moves.
TEST(CliClash, FindsNoMoveOutOfAShellWithASlit) {
  const StudyFolder folder("cli-clash-slit");
  for (const char* middle : {"0.5 0 1", "0.5 1e-7 1", "0.5 1e-4 1"}) {
    folder.write(
        "slit.obj",
        std::string("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv ") +
            middle + "\nf 4 3 2 1\nf 5 9 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    folder.write("inside.off", box_off(0.2, 0.2, 0.2, 0.6, 0.6, 0.6));
    folder.write("p.off", box_off(3, 0, 0, 4, 1, 1));
    folder.write("q.off", box_off(3.5, 0, 0, 5, 1, 1));
    const Outcome found =
        touche_cli(folder, "clash slit.obj inside.off p.off q.off --unit m --json");
    ASSERT_EQ(found.exit_code, 1) << middle << found.err;
    const Json json = Json::parse(found.out);
    ASSERT_EQ(json["pairs"].size(), 2u) << found.out;
    for (const Json& pair : json["pairs"])
      EXPECT_EQ(pair.contains("move"), pair["class"] == "clash") << pair.dump();
  }
}

TEST(CliClash, NamedTestsFailTheCheck) {
  const StudyFolder folder("cli-clash-tests");
  write_boxes(folder);
  folder.write("rules.json", R"({"touche_clash_rules": 1, "unit": "m", "tests":
    [{"name": "far", "type": "clearance", "clearance": 100}]})");
  const Outcome far = touche_cli(folder, "clash boxes --rules rules.json");
  EXPECT_EQ(far.exit_code, 1) << far.err;
  EXPECT_TRUE(has(far.out, "1 of 1 test fails: far (")) << far.out;
  EXPECT_EQ(touche_cli(folder, "clash boxes --rules rules.json --fail-on new").exit_code, 2);
}

// The comparison uses the old result, though the new one overwrites it.
TEST(CliClash, ComparesWithTheResultThatItReplaces) {
  const StudyFolder folder("cli-clash-replace");
  write_boxes(folder);
  touche_cli(folder, "clash boxes --out report");
  folder.write("boxes/c.off", box_off(1.75, 0, 0, 3, 1, 1));
  const std::string again = "clash boxes --compare report/result.json --out report";
  const Outcome worse = touche_cli(folder, again);
  EXPECT_TRUE(has(worse.out, "1 new (1 of them clash), 0 solved")) << worse.out << worse.err;
  const auto pairs = [&] {
    return test::read_json(folder.path() / "report" / "result.json")["pairs"].size();
  };
  EXPECT_EQ(pairs(), 2u);
  const Outcome same = touche_cli(folder, again);
  EXPECT_TRUE(has(same.out, "0 new, 0 solved, 0 changed, 2 unchanged")) << same.out << same.err;
}

// Nothing is loaded, checked or written before it is known what to compare with.
TEST(CliClash, ABrokenComparisonIsToldBeforeAnyWork) {
  const StudyFolder folder("cli-clash-early");
  write_boxes(folder);
  folder.write("boxes/broken.off", "OFF\n1 1 0\n");
  folder.write("half.json", R"({"touche_clash_result": 1, "assembly": )");
  for (const char* parts : {"boxes", "boxes/a.off boxes/broken.off"})
    for (const char* compared : {"half.json", "none.json", "boxes"}) {
      const Outcome outcome =
          touche_cli(folder, std::string("clash ") + parts + " --out report --compare " + compared);
      EXPECT_EQ(outcome.exit_code, 2);
      EXPECT_EQ(outcome.err.rfind(std::string("touche: ") + compared + ":", 0), 0u) << outcome.err;
      EXPECT_FALSE(std::filesystem::exists(folder.path() / "report"));
    }
}

TEST(CliClash, LengthsInAnotherUnitAreNotCompared) {
  const StudyFolder folder("cli-clash-unit");
  write_boxes(folder);
  touche_cli(folder, "clash boxes --out then");
  const auto complaint = [&](const char* more) {
    return touche_cli(folder, std::string("clash boxes --compare then/result.json ") + more).err;
  };
  EXPECT_EQ(complaint("--unit cm"),
            "touche: then/result.json:/assembly/unit: lengths were in mm, and are in cm now\n");
  EXPECT_TRUE(has(complaint("--compare-tolerance x"), "--compare-tolerance: \"x\""));
}

TEST(CliClash, TakesAssembliesAndStudies) {
  const StudyFolder folder("cli-clash-kinds");
  const Outcome scene =
      touche_cli(folder, "scene engine-bay --parts 30 --triangles 20000 --out bay");
  EXPECT_EQ(scene.exit_code, 0) << scene.err;
  const Outcome bay = touche_cli(folder, "clash bay/engine_bay.glb --clearance 1mm --json");
  EXPECT_EQ(Json::parse(bay.out)["assembly"]["parts"], 30);
  const Json truth = test::read_json(folder.path() / "bay" / "truth.json");
  EXPECT_EQ(Json::parse(bay.out)["pairs"].size(), truth["pairs"].size());
  folder.write("study.json", test::box_study().dump());
  EXPECT_EQ(touche_cli(folder, "clash study.json").exit_code, 0);
  const Outcome later = touche_cli(folder, "clash study.json --at 0.75");
  EXPECT_EQ(later.exit_code, 1);
  EXPECT_TRUE(has(later.out, "mover and wall")) << later.out;
}

TEST(CliClash, ErrorsNameFileAndPlace) {
  const StudyFolder folder("cli-clash-errors");
  write_boxes(folder);
  for (const auto& [arguments, part] : std::vector<std::pair<const char*, const char*>>{
           {"clash none.glb", "none.glb: the file does not exist"},
           {"clash /dev/null", "/dev/null: this is a device, not a file"},
           {"clash boxes --clearance 2parsec", "--clearance: \"2parsec\" has an unknown unit"},
           {"clash boxes/a.off", "boxes/a.off: 1 part, and only two can clash"},
           {"clash boxes --clearance -1", "--clearance"},
           {"clash boxes --clearance x", "--clearance: \"x\" is no number"},
           {"clash boxes --at 0.5", "--at"},
           {"clash boxes --rules boxes/a.off", "boxes/a.off"},
           {"clash boxes --compare boxes/a.off", "boxes/a.off"},
           {"clash boxes boxes", "two parts are named"},
           {"clash boxes --out boxes/a.off", "boxes/a.off"},
           {"clash boxes --out \"\"", "--out: the value is empty"},
           {"clash boxes --format json", "--format: nothing is written without --out"},
           {"clash boxes --max-work -5", "--max-work: -5 is not a whole number of 0 or more"},
           {"clash boxes --thickness-points -5", "--thickness-points: -5 is not a whole number"},
           {"clash", "missing: files; usage: touche clash [OPTIONS] files..."}}) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, part)) << arguments << ": " << outcome.err;
  }
  EXPECT_EQ(touche_cli(folder, "scene engine-bay --parts 30 --size 3 --out x").exit_code, 2);
}

TEST(CliClash, WhatCannotBeWrittenLeavesNothing) {
  const StudyFolder folder("cli-clash-unwritten");
  write_boxes(folder);
  std::filesystem::create_directories(folder.path() / "report" / "result.json");
  const Outcome outcome = touche_cli(folder, "clash boxes --out report --format json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "result.json: cannot be written")) << outcome.err;
  for (const auto& left : std::filesystem::directory_iterator(folder.path() / "report"))
    EXPECT_EQ(left.path().filename(), "result.json");
}

TEST(CliClash, SumsUpFilesThatAreNotRead) {
  const StudyFolder folder("cli-clash-not-read");
  write_boxes(folder);
  for (const char* name : {"a.txt", "b.cpp", "c.md"})
    folder.write(std::string("boxes/") + name, "");
  EXPECT_EQ(touche_cli(folder, "clash boxes").err,
            "touche: boxes/a.txt: not read, it is no mesh file; nor are 2 other files\n");
}

// Sends SIGINT as soon as it is at work.
TEST(CliClash, ControlCLeavesValidFiles) {
  const StudyFolder folder("cli-clash-stop");
  ASSERT_EQ(
      touche_cli(folder, "scene engine-bay --parts 3000 --triangles 6000000 --out bay").exit_code,
      0);
  const Outcome outcome = test::interrupted_cli(
      folder, {"clash", "bay/engine_bay.glb", "--out", "report", "--threads", "1"}, "report",
      std::chrono::milliseconds(0));
  EXPECT_EQ(outcome.exit_code, 2);
  const Json result = test::read_json(folder.path() / "report" / "result.json");
  EXPECT_EQ(result["verdict"]["status"], "interrupted");
  EXPECT_GT(result["counts"]["undecided"], 0);
  EXPECT_TRUE(has(test::read_text(folder.path() / "report" / "report.html"), "</html>"));
}

}  // namespace
}  // namespace touche::cli_clash_test
