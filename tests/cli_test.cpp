// SPDX-License-Identifier: Apache-2.0
// The program as a user meets it: what it prints, writes and returns.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "study_files.h"

namespace touche {
namespace {

using test::box_study;
using test::StudyFolder;
using Json = nlohmann::json;

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

/// Runs `touche ARGUMENTS` in the folder, through the shell.
Outcome touche_cli(const StudyFolder& folder, const std::string& arguments) {
  const std::string in = folder.path().string();
  const std::string command = "cd '" + in + "' && " TOUCHE_CLI " " + arguments + " >out 2>err";
  Outcome outcome;
  const int status = std::system(command.c_str());
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  outcome.out = test::read_text(folder.path() / "out");
  outcome.err = test::read_text(folder.path() / "err");
  return outcome;
}

/// Runs `touche study study.json --out REPORT` and sends SIGINT when it is at work.
Outcome interrupted_cli(const StudyFolder& folder, const std::string& report) {
  const pid_t child = fork();
  if (child == 0) {
    std::filesystem::current_path(folder.path());
    if (!std::freopen("out", "w", stdout) || !std::freopen("err", "w", stderr)) _exit(126);
    execl(TOUCHE_CLI, TOUCHE_CLI, "study", "study.json", "--out", report.c_str(), "--format",
          "json,csv", nullptr);
    _exit(127);
  }
  // The folder is made once signals are waited for.
  for (int i = 0; i < 3000 && !std::filesystem::exists(folder.path() / report); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::read_text(folder.path() / "out"),
          test::read_text(folder.path() / "err")};
}

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST(Cli, SaysItsVersionAndHelp) {
  const StudyFolder folder("cli-help");
  const Outcome version = touche_cli(folder, "--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(has(version.out, "touche 0.")) << version.out;
  EXPECT_TRUE(has(version.out, "SIMD targets: ")) << version.out;
  for (const char* command : {"study", "info", "build", "collide", "distance", "toi", "scene"}) {
    const Outcome help = touche_cli(folder, std::string(command) + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_TRUE(has(help.out, std::string("  touche ") + command)) << help.out;
  }
  const Outcome nothing = touche_cli(folder, "");
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_TRUE(has(nothing.err, "Usage: touche") && has(nothing.err, "study")) << nothing.err;
  EXPECT_EQ(touche_cli(folder, "fly").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "study").exit_code, 2);
}

TEST(Cli, StudyWritesItsResults) {
  const StudyFolder folder("cli-study");
  folder.write("study.json", box_study().dump());
  const Outcome contact = touche_cli(folder, "study study.json --out report/deep --threads 2");
  EXPECT_EQ(contact.exit_code, 1) << contact.err;
  EXPECT_TRUE(has(contact.out, "First contact at s = 0.62")) << contact.out;
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

  const Outcome json = touche_cli(folder, "study study.json --json");
  EXPECT_EQ(Json::parse(json.out), test::read_json(out / "result.json"));
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

TEST(Cli, StudyThatIsGivenUpIsNotFree) {
  const StudyFolder folder("cli-budget");
  folder.write("study.json", box_study().dump());
  const Outcome given_up = touche_cli(folder, "study study.json --max-work 0");
  EXPECT_EQ(given_up.exit_code, 2);
  EXPECT_TRUE(has(given_up.out, "Not decided")) << given_up.out;
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

TEST(Cli, ControlCLeavesValidFiles) {
  const StudyFolder folder("cli-stop");
  // Some seconds of work on any machine.
  ASSERT_EQ(touche_cli(folder, "scene nut-bolt --segments 192 --out .").exit_code, 0);
  const Outcome outcome = interrupted_cli(folder, "report");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Interrupted: not decided beyond s = ")) << outcome.out;
  const Json result = test::read_json(folder.path() / "report" / "result.json");
  EXPECT_EQ(result["verdict"]["status"], "interrupted");
  EXPECT_LT(result["verdict"]["free_until"], 1.0);
  EXPECT_EQ(result["steps"].back()["status"], "not_examined");
  EXPECT_EQ(test::read_csv(test::read_text(folder.path() / "report" / "steps.csv")).size(),
            1 + result["steps"].size());
}

TEST(Cli, CollideListsThePairsOfFaces) {
  const StudyFolder folder("cli-collide");
  const Outcome free = touche_cli(folder, "collide cube.off wall.off");
  EXPECT_EQ(free.exit_code, 0) << free.err;
  const Outcome touching = touche_cli(folder, "collide cube.off wall.off --pose-a 2.5,0,0 --json");
  EXPECT_EQ(touching.exit_code, 1);
  const Json json = Json::parse(touching.out);
  EXPECT_TRUE(json["intersects"]);
  EXPECT_FALSE(json["contacts"].empty());
  const Outcome one = touche_cli(
      folder, "collide cube.off wall.off --pose-b=-2.7,0,0,1,0,0,0 --max-contacts 1 --json");
  EXPECT_EQ(Json::parse(one.out)["contacts"].size(), 1u);
  for (const char* bad : {"1,2", "1,2,x", "1,2,3,", "1,2,3,2,0,0,0", "nan,0,0", ""}) {
    const Outcome outcome =
        touche_cli(folder, std::string("collide cube.off wall.off --pose-a '") + bad + "'");
    EXPECT_EQ(outcome.exit_code, *bad == '\0' ? 0 : 2) << bad;
    if (*bad != '\0') {
      EXPECT_TRUE(has(outcome.err, "--pose-a: ")) << outcome.err;
    }
  }
  EXPECT_EQ(touche_cli(folder, "collide cube.off gone.off").exit_code, 2);
}

TEST(Cli, DistanceGivesTheClosestPoints) {
  const StudyFolder folder("cli-distance");
  const Outcome apart = touche_cli(folder, "distance cube.off wall.off --json");
  EXPECT_EQ(apart.exit_code, 0) << apart.err;
  EXPECT_NEAR(Json::parse(apart.out)["distance"].get<double>(), 2.5, 1e-12);
  EXPECT_EQ(Json::parse(apart.out)["closest"]["point_b"][0], 3.5);
  const Outcome beyond = touche_cli(folder, "distance cube.off wall.off --limit 1 --json");
  EXPECT_TRUE(Json::parse(beyond.out)["distance"].is_null());
  EXPECT_EQ(touche_cli(folder, "distance cube.off wall.off --pose-a 3,0,0").exit_code, 1);
}

TEST(Cli, ToiBracketsTheFirstContact) {
  const StudyFolder folder("cli-toi");
  const Outcome hit =
      touche_cli(folder, "toi cube.off wall.off --to 4,0,0 --tolerance 1e-6 --json");
  EXPECT_EQ(hit.exit_code, 1) << hit.err;
  const Json json = Json::parse(hit.out);
  EXPECT_LE(json["free_until"], 0.625);
  EXPECT_NEAR(json["touched_at"].get<double>(), 0.625, 1e-6);
  EXPECT_EQ(json["status"], "contact");
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --to 2,0,0").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --from 2.6,0,0 --to 4,0,0").exit_code, 1);
  // Round its own z axis the cube comes nowhere near; round a far one it does.
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --screw 0,0,0,0,0,1,720,0").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --screw 2,0,0,0,0,1,360,0").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --to 4,0,0 --tolerance 0").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --screw 0,0,0,0,0,0,9,0").exit_code, 2);
}

TEST(Cli, InfoTellsWhatIsUnusual) {
  const StudyFolder folder("cli-info");
  folder.write("open.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n5 5 5\n3 0 1 2\n3 0 0 1\n");
  const Outcome outcome = touche_cli(folder, "info cube.off open.off --json --self-intersections");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json[0]["faces"], 6);
  EXPECT_EQ(json[0]["edges"], 12);
  EXPECT_EQ(json[0]["health"]["closed"], true);
  EXPECT_EQ(json[0]["health"]["volume"], 1.0);
  EXPECT_EQ(json[0]["self_intersections"], 0);
  EXPECT_EQ(json[1]["health"]["zero_area_faces"], 1);
  EXPECT_EQ(json[1]["health"]["unused_vertices"], 1);
  EXPECT_TRUE(has(touche_cli(folder, "info open.off").out, "1 zero-area faces"));

  folder.write("nan.off", "OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n");
  const Outcome bad = touche_cli(folder, "info nan.off cube.off");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(has(bad.err, "nan.off")) << bad.err;
  EXPECT_TRUE(has(bad.out, "cube.off")) << bad.out;
}

TEST(Cli, BuildWritesAHierarchy) {
  const StudyFolder folder("cli-build");
  const Outcome text = touche_cli(folder, "build cube.off --check --threads 1");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.err, "");  // no progress bar in a pipe
  EXPECT_TRUE(has(text.out, "12 triangles, 1 nodes, 2 leaves, height 1\n")) << text.out;
  EXPECT_TRUE(has(text.out, ", checked, loaded in ")) << text.out;
  EXPECT_TRUE(has(text.out, "written to cube.off.bvh\n")) << text.out;
  const std::string bytes = test::read_text(folder.path() / "cube.off.bvh");

  const Outcome json = touche_cli(folder, "build cube.off --out other.bvh --json");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(test::read_text(folder.path() / "other.bvh"), bytes);
  EXPECT_EQ(Json::parse(json.out)["triangles"], 12);
  EXPECT_EQ(Json::parse(json.out)["bytes"], bytes.size());
  EXPECT_TRUE(Json::parse(json.out)["load_seconds"].is_null());

  EXPECT_EQ(touche_cli(folder, "build cube.off --scale 2").exit_code, 0);
  EXPECT_NE(test::read_text(folder.path() / "cube.off.bvh"), bytes);
  EXPECT_EQ(touche_cli(folder, "build gone.off").exit_code, 2);
  const Outcome nowhere = touche_cli(folder, "build cube.off --out none/cube.bvh");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_TRUE(has(nowhere.err, "touche: none/cube.bvh: cannot be written: ")) << nowhere.err;
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

TEST(Cli, SelfIntersectionsAreCounted) {
  const StudyFolder folder("cli-self");
  // Two triangles that cross, and one that only touches its neighbour along their common edge.
  folder.write("cross.off",
               "OFF\n7 3 0\n0 0 0\n2 0 0\n0 2 0\n0.5 0.5 -1\n0.5 0.5 1\n3 3 0\n2 2 0\n"
               "3 0 1 2\n3 3 4 5\n3 1 6 2\n");
  const Json json =
      Json::parse(touche_cli(folder, "info cross.off --json --self-intersections").out);
  EXPECT_EQ(json[0]["self_intersections"], 2);
}

TEST(Cli, SceneIsAStudyThatRuns) {
  const StudyFolder folder("cli-scene");
  EXPECT_EQ(touche_cli(folder, "scene bullet --out bullet").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "study bullet/study.json").exit_code, 1);
  const Outcome unknown = touche_cli(folder, "scene spoon --out spoon");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(has(unknown.err, "bullet")) << unknown.err;
}

}  // namespace
}  // namespace touche
