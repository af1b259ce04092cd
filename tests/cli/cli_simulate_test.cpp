// SPDX-License-Identifier: Apache-2.0
// `touche simulate`: what it prints, writes and returns.
#include <gtest/gtest.h>

#include "cli_run.h"
#include "csv.h"
#include "json_schema.h"
#include "scene_files.h"
#include "source_folder.h"

namespace touche::cli_simulate_test {
namespace {

using test::falling_scene;
using test::has;
using test::Json;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;

class CliSimulate : public testing::Test {
 protected:
  CliSimulate() {
    folder_.write("ball.off", test::kOctahedronOff);
    folder_.write("scene.json", falling_scene().dump());
  }
  bool exists(const std::string& name) const {
    return std::filesystem::exists(folder_.path() / name);
  }
  const StudyFolder folder_{"cli-simulate"};
};

TEST_F(CliSimulate, WritesItsResults) {
  const Outcome done = touche_cli(folder_, "simulate scene.json --out report --threads 2");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_TRUE(has(done.out, "No penetration, proved: 2 bodies moved for 0.5 s")) << done.out;
  EXPECT_TRUE(has(done.out, "written to report/report.html")) << done.out;
  for (const char* file :
       {"report.html", "result.json", "steps.csv", "impacts.csv", "animation.glb"})
    EXPECT_TRUE(exists(std::string("report/") + file)) << file;
  const Json result = test::read_json(folder_.path() / "report" / "result.json");
  const Json schema = test::read_json(std::filesystem::path(test::kSourceFolder) /
                                      "docs/simulation-result.schema.json");
  EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["verdict"]["status"], "free");
  EXPECT_EQ(test::read_csv(test::read_text(folder_.path() / "report" / "steps.csv")).size(), 32u);
  const Outcome json = touche_cli(folder_, "simulate scene.json --json --threads 1");
  EXPECT_EQ(Json::parse(json.out), result);
  EXPECT_TRUE(has(touche_cli(folder_, "info report/animation.glb").out, "ball"));
}

TEST_F(CliSimulate, WritesWhatIsAskedFor) {
  EXPECT_EQ(touche_cli(folder_, "simulate scene.json --out some --format glb").exit_code, 0);
  EXPECT_TRUE(exists("some/animation.glb"));
  EXPECT_FALSE(exists("some/report.html"));
  EXPECT_FALSE(exists("some/impacts.csv"));
  EXPECT_EQ(touche_cli(folder_, "simulate scene.json --out some --format film").exit_code, 2);
}

// Results go where the scene lies, whose parts are named as results are.
TEST_F(CliSimulate, NoInputIsOverwritten) {
  ASSERT_EQ(touche_cli(folder_, "simulate scene.json --out . --format glb").exit_code, 0);
  folder_.write("result.json",
                R"({"touche_shape": 1, "shape": {"type": "sphere", "radius": 0.5}})");
  const auto refuses = [&](const std::string& input, const std::string& part,
                           const std::string& format) {
    Json scene = falling_scene();
    scene["bodies"][1]["file"] = part;
    scene["bodies"][1].erase("scale");
    scene["bodies"][1]["pose"]["translation"] = {0, 0, 2};  // it is twice as large without
    folder_.write("scene.json", scene.dump());
    const std::string before = test::read_text(folder_.path() / input);
    const std::string call = "simulate scene.json --out . --format ";
    const Outcome outcome = touche_cli(folder_, call + format);
    EXPECT_EQ(outcome.exit_code, 2) << input;
    EXPECT_TRUE(has(outcome.err, input + " would be overwritten")) << outcome.err;
    EXPECT_EQ(test::read_text(folder_.path() / input), before) << input;
    EXPECT_EQ(touche_cli(folder_, call + "html").exit_code, 0) << input;
  };
  refuses("result.json", "result.json", "json");
  folder_.write("result.json",
                R"({"touche_shape": 1, "shape": {"type": "hull", "file": "ball.off"}})");
  refuses("result.json", "result.json", "json");
  refuses("animation.glb", "animation.glb#Two fall on a plate/ball", "glb");
}

TEST_F(CliSimulate, TheExitCodeTells) {
  Json overlaps = falling_scene();
  overlaps["bodies"][1]["pose"]["translation"] = {0, 0, 0.2};
  folder_.write("overlaps.json", overlaps.dump());
  const Outcome contact = touche_cli(folder_, "simulate overlaps.json");
  EXPECT_EQ(contact.exit_code, 1) << contact.err;
  EXPECT_TRUE(has(contact.out, "Not free of contact")) << contact.out;
  EXPECT_TRUE(has(contact.out, "the ball comes out of the plate by 0.3")) << contact.out;
  const Outcome parted = touche_cli(folder_, "simulate overlaps.json --resolve");
  EXPECT_EQ(parted.exit_code, 0) << parted.out << parted.err;
  EXPECT_TRUE(has(parted.out, "Before the start the ball was shifted")) << parted.out;
  Json wrong = falling_scene();
  wrong["bodies"][1]["weight"] = 3;
  folder_.write("wrong.json", wrong.dump());
  const Outcome error = touche_cli(folder_, "simulate wrong.json");
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_TRUE(has(error.err, "wrong.json:/bodies/1/weight: unknown key")) << error.err;
  for (const char* far : {"1e40", "5e-324"}) {
    Json lost = falling_scene();
    if (far[0] == '1') lost["bodies"][1]["pose"]["translation"] = {0, 1e40, 0};
    if (far[0] == '5') lost["tolerance"] = 5e-324;
    folder_.write("lost.json", lost.dump());
    const Outcome none = touche_cli(folder_, "simulate lost.json");
    EXPECT_EQ(none.exit_code, 2) << far;
    EXPECT_TRUE(none.err.starts_with("touche: lost.json:")) << none.err;
  }
  EXPECT_EQ(touche_cli(folder_, "simulate none.json").exit_code, 2);
  EXPECT_EQ(touche_cli(folder_, "simulate").exit_code, 2);
}

}  // namespace
}  // namespace touche::cli_simulate_test
