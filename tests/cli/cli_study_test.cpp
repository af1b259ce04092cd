// SPDX-License-Identifier: Apache-2.0
// `touche study`: what it prints, writes and returns.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "interrupted_cli.h"

namespace touche::cli_study_test {
namespace {

using test::box_study;
using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

TEST(Cli, StudyWritesItsResults) {
  const StudyFolder folder("cli-study");
  folder.write("study.json", box_study().dump());
  const Outcome contact = touche_cli(folder, "study study.json --out report/deep --threads 2");
  EXPECT_EQ(contact.exit_code, 1) << contact.err;
  EXPECT_TRUE(has(contact.out, "The mover meets the wall after 62.5 % of the path")) << contact.out;
  EXPECT_EQ(contact.err, "");  // no progress bar in a pipe
  const auto out = folder.path() / "report" / "deep";
  EXPECT_EQ(test::read_json(out / "result.json")["verdict"]["status"], "contact");
  EXPECT_EQ(test::read_csv(test::read_text(out / "steps.csv")).size(), 3u);
  EXPECT_TRUE(has(test::read_text(out / "report.html"), "</html>"));

  const Outcome some = touche_cli(folder, "study study.json --out some --format csv,json");
  EXPECT_EQ(some.exit_code, 1);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "some" / "steps.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "some" / "report.html"));
  EXPECT_EQ(touche_cli(folder, "study study.json --format pdf").exit_code, 2);

  for (const char* how : {"", " --explain", " --no-explain", " --explain --no-explain"}) {
    const bool wanted = !has(how, "--no-explain");
    const Outcome text = touche_cli(folder, std::string("study study.json") + how);
    EXPECT_EQ(has(text.out, "What to change: "), wanted) << how << text.out << text.err;
  }

  const Outcome json = touche_cli(folder, "study study.json --json");
  EXPECT_EQ(Json::parse(json.out), test::read_json(out / "result.json"));
}

// Except for the time it took.
TEST(Cli, PagesCanBeMadeAgainBitForBit) {
  const StudyFolder folder("cli-epoch");
  folder.write("study.json", box_study().dump());
  ASSERT_EQ(setenv("SOURCE_DATE_EPOCH", "899289296", 1), 0);
  const auto page = [&](const std::string& out) {
    EXPECT_EQ(touche_cli(folder, "study study.json --out " + out).exit_code, 1);
    const std::string html = test::read_text(folder.path() / out / "report.html");
    return html.substr(0, html.find("time: "));
  };
  const std::string html = page("once");
  EXPECT_TRUE(has(html, "1998-07-01 10:34 UTC")) << html.substr(html.size() - 300);
  EXPECT_EQ(page("twice"), html);
  unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_FALSE(has(page("now"), "1998-07-01"));
}

TEST(Cli, StudyIsFreeWhenItIs) {
  const StudyFolder folder("cli-free");
  Json study = box_study();
  study["parts"][1]["pose"] = {{"translation", {0, 3.01, 0}}};
  folder.write("study.json", study.dump());
  const Outcome outcome = touche_cli(folder, "study study.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Free, proved")) << outcome.out;
}

TEST(Cli, StudyOfAPartInsideAnotherIsNotFree) {
  const StudyFolder folder("cli-inside");
  Json study = box_study();
  study["parts"][1] = {{"name", "wall"},
                       {"file", "cube.off"},
                       {"scale", 20},
                       {"pose", {{"translation", {-8, -8, -8}}}}};
  folder.write("study.json", study.dump());
  for (const char* how : {"", " --steps-only", " --stop-at-first"}) {
    const Outcome outcome = touche_cli(folder, std::string("study study.json") + how);
    EXPECT_EQ(outcome.exit_code, 1) << how << outcome.err;
    EXPECT_TRUE(has(outcome.out, "he mover lies inside the wall")) << outcome.out;
  }
}

TEST(Cli, StudyInAnOpenPartIsAboutSurfaces) {
  const StudyFolder folder("cli-study-open");
  folder.write("study.json", box_study().dump());
  folder.write("wall.off", test::open_box_off(-3, -3, -3, 9, 9, 9));
  for (const char* how : {"", " --steps-only", " --stop-at-first"}) {
    const std::string study = std::string("study study.json") + how;
    const Outcome outcome = touche_cli(folder, study);
    EXPECT_EQ(outcome.exit_code, 3) << how << outcome.err;
    EXPECT_TRUE(has(outcome.out, "No surface touches another on the whole path, proved"))
        << outcome.out;
    EXPECT_TRUE(has(outcome.out, "Whether the mover lies inside the wall is unknown"))
        << outcome.out;
    EXPECT_EQ(touche_cli(folder, study + " --surfaces").exit_code, 0) << how;
  }
  // Contacts count as ever.
  folder.write("wall.off", test::open_box_off(-3, -3, 0.5, 9, 9, 9));
  EXPECT_EQ(touche_cli(folder, "study study.json --surfaces").exit_code, 1);
}

TEST(Cli, StudyThatIsGivenUpIsNotFree) {
  const StudyFolder folder("cli-budget");
  folder.write("study.json", box_study().dump());
  const Outcome given_up = touche_cli(folder, "study study.json --max-work 0");
  EXPECT_EQ(given_up.exit_code, 2);
  EXPECT_TRUE(has(given_up.out, "Not decided")) << given_up.out;
}

TEST(Cli, StudyTakesALimitOfThickness) {
  const StudyFolder folder("cli-thickness");
  folder.write("study.json", box_study().dump());
  const auto thickness = [&](const std::string& how) -> Json {
    const Outcome outcome = touche_cli(folder, "study study.json --json" + how);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    return Json::parse(outcome.out)["paths"][0]["contacts"][0]["thickness"];
  };
  EXPECT_GT(thickness("")["lower"], 0.09);
  EXPECT_EQ(thickness(" --thickness-points 20000"), thickness(""));
  EXPECT_TRUE(thickness(" --thickness-points 0")["upper"].is_null());
  // The work limits it as well; what the steps prove is not lost.
  const Outcome little = touche_cli(folder, "study study.json --max-work 60");
  EXPECT_EQ(little.exit_code, 1);
  EXPECT_TRUE(has(little.out, "The mover meets the wall after 62.5 % of the path")) << little.out;
  for (const char* command : {"study study.json", "path cube.off wall.off --to 4,0,0"})
    EXPECT_EQ(touche_cli(folder, std::string(command) + " --thickness-points -5").err,
              "touche: --thickness-points: -5 is not a whole number of 0 or more\n"
              "Run with --help for more information.\n");
  const auto path = [&](const std::string& how) {
    return touche_cli(folder, "path cube.off wall.off --to 4,0,0" + how).out;
  };
  EXPECT_TRUE(has(path(""), "overlap up to ")) << path("");
  EXPECT_FALSE(has(path(" --thickness-points 0"), "overlap")) << path(" --thickness-points 0");
}

TEST(Cli, ErrorsNameFileAndPlace) {
  const StudyFolder folder("cli-errors");
  Json study = box_study();
  study["groups"][0]["motion"]["poses"][1]["quaternion"] = {1.3, 0, 0, 0};
  folder.write("study.json", study.dump());
  const Outcome outcome = touche_cli(folder, "study study.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "touche: study.json:/groups/0/motion/poses/1/quaternion: length 1.3, expected 1\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(touche_cli(folder, "study none.json").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "study .").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "study none.json").err,
            "touche: none.json: the file does not exist\n");
  for (const char* command : {"study", "view", "simulate", "clash"})
    EXPECT_TRUE(has(touche_cli(folder, std::string(command) + " /dev/null").err,
                    "/dev/null: this is a device, not a file"))
        << command;

  study = box_study();
  study["parts"][1]["file"] = "nothing.off";
  folder.write("study.json", study.dump());
  EXPECT_TRUE(has(touche_cli(folder, "study study.json").err, "study.json:/parts/1/file: "));
  folder.write("nothing.off", "OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n");
  const Outcome nan = touche_cli(folder, "study study.json");
  EXPECT_EQ(nan.exit_code, 2);
  EXPECT_TRUE(has(nan.err, "nothing.off")) << nan.err;
  folder.write("taken", "");
  folder.write("study.json", box_study().dump());
  EXPECT_EQ(touche_cli(folder, "study study.json --out taken").exit_code, 2);
}

// A motion's table is named as a study's results are.
TEST(Cli, NoInputIsOverwritten) {
  const StudyFolder folder("cli-inputs");
  folder.write("steps.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,9,0,0,1,0,0,0\n");
  folder.write("result.json", R"({"touche_study": 1, "unit": "mm", "tolerance": 1e-3,
    "parts": [{"name": "a", "file": "cube.off"}, {"name": "b", "file": "cube.off",
               "pose": {"translation": [30, 0, 0]}}],
    "groups": [{"name": "moving", "parts": ["a"], "motion": {"csv": "steps.csv"}}]})");
  std::filesystem::create_symlink("cube.off", folder.path() / "link.off");
  const auto refuses = [&](const std::string& arguments, const std::string& input) {
    const std::string before = test::read_text(folder.path() / input);
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, input + " would be overwritten")) << outcome.err;
    EXPECT_EQ(test::read_text(folder.path() / input), before) << arguments;
  };
  refuses("study result.json --out . --format csv", "steps.csv");
  refuses("study result.json --out . --format json", "result.json");
  refuses("clash result.json --out . --format json", "result.json");
  folder.write("pairs.csv", test::read_text(folder.path() / "steps.csv"));
  folder.write("study.json", R"({"touche_study": 1, "unit": "mm", "tolerance": 1e-3,
    "parts": [{"name": "a", "file": "shape/result.json"}, {"name": "b", "file": "cube.off",
               "pose": {"translation": [30, 0, 0]}}],
    "groups": [{"name": "moving", "parts": ["a"], "motion": {"csv": "pairs.csv"}}]})");
  std::filesystem::create_directory(folder.path() / "shape");
  folder.write("shape/result.json", R"({"touche_shape": 1, "shape": {"type": "box",
    "size": [1, 1, 1]}})");
  refuses("study study.json --out shape --format json", "shape/result.json");
  refuses("clash study.json --out shape --format json", "shape/result.json");
  refuses("clash study.json --out . --format csv", "pairs.csv");
  refuses("build cube.off --out cube.off", "cube.off");
  refuses("build cube.off --out link.off", "cube.off");
  refuses("build cube.off --method gottschalk --out ./cube.off", "cube.off");
  EXPECT_EQ(touche_cli(folder, "study result.json --out . --format html").exit_code, 0);
}

TEST(Cli, NoFileTakesTheNameOfADevice) {
  const StudyFolder folder("cli-devices");
  folder.write("study.json", box_study().dump());
  for (const char* name : {"result.json", "cube.bvh", "cube.tree"})
    std::filesystem::create_symlink("/dev/null", folder.path() / name);
  EXPECT_NE(touche_cli(folder, "study study.json --out . --format json").exit_code, 2);
  for (const char* call :
       {"build cube.off --out cube.bvh", "build cube.off --method median --out cube.tree"}) {
    const Outcome refused = touche_cli(folder, call);
    EXPECT_EQ(refused.exit_code, 2) << call;
    EXPECT_TRUE(has(refused.err, "it is a device")) << refused.err;
  }
  for (const char* name : {"result.json", "cube.bvh", "cube.tree"})
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / name)) << name;
}

TEST(Cli, WritesNoOtherFileThanItIsTold) {
  const StudyFolder folder("cli-others");
  namespace fs = std::filesystem;
  folder.write("study.json", box_study().dump());
  folder.write("result.json.part", "mine");
  folder.write("victim", "mine");
  folder.write("real.json", "what was there");
  folder.write("real.json.part", "mine");
  fs::permissions(folder.path() / "real.json", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.json", folder.path() / "result.json");
  fs::create_symlink("victim", folder.path() / "steps.csv.part");
  const auto entries = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  const auto before = entries();
  EXPECT_NE(touche_cli(folder, "study study.json --out . --format json,csv").exit_code, 2);
  for (const char* name : {"result.json.part", "real.json.part", "victim"})
    EXPECT_EQ(test::read_text(folder.path() / name), "mine") << name;
  EXPECT_TRUE(fs::is_symlink(folder.path() / "result.json"));
  EXPECT_TRUE(test::read_json(folder.path() / "real.json").contains("verdict"));
  EXPECT_EQ(fs::status(folder.path() / "real.json").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(fs::is_symlink(folder.path() / "steps.csv.part"));
  EXPECT_GT(entries(), before);
  for (const auto& left : fs::directory_iterator(folder.path()))
    EXPECT_FALSE(has(left.path().filename().string(), ".part-")) << left.path();
}

TEST(Cli, ControlCLeavesValidFiles) {
  const StudyFolder folder("cli-stop");
  // Some seconds of work on any machine.
  ASSERT_EQ(touche_cli(folder, "scene nut-bolt --segments 192 --out .").exit_code, 0);
  const Outcome outcome = test::interrupted_cli(
      folder, {"study", "study.json", "--out", "report", "--format", "json,csv"}, "report",
      std::chrono::milliseconds(100));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Interrupted: ")) << outcome.out;
  const Json result = test::read_json(folder.path() / "report" / "result.json");
  EXPECT_EQ(result["verdict"]["status"], "interrupted");
  EXPECT_LT(result["verdict"]["free_until"], 1.0);
  // Not always the last: when the nut is off, bounds alone decide.
  EXPECT_TRUE(std::any_of(result["steps"].begin(), result["steps"].end(),
                          [](const Json& step) { return step["status"] == "not_examined"; }));
  EXPECT_EQ(test::read_csv(test::read_text(folder.path() / "report" / "steps.csv")).size(),
            1 + result["steps"].size());
}

TEST(Cli, StudyKeepsHierarchiesInACache) {
  const StudyFolder folder("cli-cache");
  folder.write("study.json", box_study().dump());
  const std::string plain = touche_cli(folder, "study study.json --json").out;
  const Outcome first = touche_cli(folder, "study study.json --cache cache/deep");
  EXPECT_EQ(first.exit_code, 1) << first.err;
  EXPECT_TRUE(has(first.out, "hierarchies: 0 from cache/deep, 2 built\n")) << first.out;
  const Outcome second = touche_cli(folder, "study study.json --cache cache/deep");
  EXPECT_TRUE(has(second.out, "hierarchies: 2 from cache/deep, 0 built\n")) << second.out;
  EXPECT_EQ(touche_cli(folder, "study study.json --cache cache/deep --json").out, plain);

  // A damaged file is built anew, and that is said.
  const auto cache = folder.path() / "cache" / "deep";
  const auto file = std::filesystem::directory_iterator(cache)->path();
  std::filesystem::resize_file(file, 500);
  const Outcome mended = touche_cli(folder, "study study.json --cache cache/deep --json");
  EXPECT_EQ(mended.out, plain);
  EXPECT_TRUE(has(mended.err, "touche: cache/deep/" + file.filename().string() + ": the file has"))
      << mended.err;
  EXPECT_EQ(touche_cli(folder, "study study.json --cache cache/deep").err, "");

  // A folder that cannot be used does not stop the study.
  const Outcome taken = touche_cli(folder, "study study.json --cache cube.off --json");
  EXPECT_EQ(taken.exit_code, 1);
  EXPECT_EQ(taken.out, plain);
  EXPECT_TRUE(has(taken.err, "cannot be written")) << taken.err;
}

// The cube passes through the wall between two poses that are free.
TEST(Cli, EvaluateJudgesContinuousTests) {
  const StudyFolder folder("cli-continuous");
  folder.write("study.json", box_study().dump());
  const Outcome outcome = touche_cli(folder, "evaluate study.json --continuous --out pages");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "written to pages/continuous.html")) << outcome.out;
  EXPECT_TRUE(has(test::read_text(folder.path() / "pages/continuous.html"), "<h3>Box and wall"));
  const auto rows = test::read_csv(test::read_text(folder.path() / "pages/continuous.csv"));
  const auto cell = [&](const std::string& method, const std::string& column) {
    for (const auto& row : rows)
      if (row.size() == rows[0].size() && row[1] == method)
        for (std::size_t i = 0; i < row.size(); ++i)
          if (rows[0][i] == column) return row[i];
    return std::string("none");
  };
  EXPECT_EQ(cell("certified", "found"), "1");
  EXPECT_EQ(cell("static, at the end", "missed"), "1");
  EXPECT_EQ(cell("linear", "found"), "1");
}

// Which volumes are compared may be chosen, k-DOPs of own directions among them.
TEST(Cli, EvaluateComparesTheVolumesAskedFor) {
  const StudyFolder folder("cli-evaluate-volumes");
  folder.write("study.json", box_study().dump());
  folder.write("own.csv", "1 0 0\n0.5 0.87 0\n-0.5 0.87 0\n0 0 2\n");
  const std::string few =
      "evaluate study.json --degrees 2 --improvements 0.9 --poses 3 --max-poses 3 ";
  const Outcome outcome =
      touche_cli(folder, few + "--volume pss,dop --directions own.csv --out pages");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string table = test::read_text(folder.path() / "pages/evaluation.csv");
  EXPECT_TRUE(has(table, "dop,")) << table.substr(0, 500);
  EXPECT_FALSE(has(table, "zonotope"));
  for (const char* bad : {"--volume cube", "--volume dop", "--directions own.csv",
                          "--volume obb --directions own.csv"}) {
    const Outcome refused = touche_cli(folder, few + bad);
    EXPECT_EQ(refused.exit_code, 2) << bad;
    EXPECT_NE(refused.err, "") << bad;
  }
}

}  // namespace
}  // namespace touche::cli_study_test
