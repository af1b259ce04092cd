// SPDX-License-Identifier: Apache-2.0
// `touche handle` as a user calls it.
#include <gtest/gtest.h>

#include <chrono>

#include "interrupted_cli.h"
#include "json_schema.h"
#include "source_folder.h"

namespace touche::test::cli_handle_test {
namespace {

constexpr const char* kHand =
    "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n0.5,2,0,0,1,0,0,0\n1,3,0,0,1,0,0,0\n1.5,3,0,2,1,0,0,0\n";

void write_box(const StudyFolder& folder) {
  folder.write("box.json", box_study().dump());
  folder.write("hand.csv", kHand);
}

TEST(CliHandle, WritesAWayThatAStudyProvesFree) {
  const StudyFolder folder("cli-handle");
  write_box(folder);
  const Outcome dragged = touche_cli(folder, "handle box.json --hand hand.csv --out report");
  EXPECT_EQ(dragged.exit_code, 0) << dragged.err;
  EXPECT_TRUE(has(dragged.out, "held back by the wall")) << dragged.out;
  EXPECT_TRUE(has(dragged.out, "no contact on the path: proved.")) << dragged.out;
  for (const char* file : {"report.html", "result.json", "forces.csv", "path.csv", "study.json"})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "report" / file)) << file;
  const Json schema = read_json(std::string(kSourceFolder) + "/docs/handle.schema.json");
  EXPECT_EQ(schema_violation(schema, schema, read_json(folder.path() / "report/result.json"), ""),
            "");

  const Outcome wanted = touche_cli(folder, "study box.json --steps-only");
  EXPECT_EQ(wanted.exit_code, 1);
  const Outcome taken = touche_cli(folder, "study report/study.json");
  EXPECT_EQ(taken.exit_code, 0) << taken.out << taken.err;
  // The resulting path can be handled again.
  const Outcome again =
      touche_cli(folder, "handle report/study.json --hand report/path.csv --json");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(Json::parse(again.out)["summary"]["arrived"].get<bool>());
}

TEST(CliHandle, PrintsJson) {
  const StudyFolder folder("cli-handle");
  write_box(folder);
  const Outcome one = touche_cli(folder, "handle box.json --hand hand.csv --json --threads 1");
  const Outcome all = touche_cli(folder, "handle box.json --hand hand.csv --json");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, all.out);
  EXPECT_EQ(Json::parse(one.out)["verdict"]["status"], "free");
  const Outcome strong =
      touche_cli(folder, "handle box.json --hand hand.csv --json --stiffness 10 --clearance 0.1mm");
  const double ratio = Json::parse(strong.out)["summary"]["greatest_force"].get<double>() /
                       Json::parse(one.out)["summary"]["greatest_force"].get<double>();
  EXPECT_NEAR(ratio, 12, 0.2);  // the part is 0.6 instead of 0.5 off, the spring ten times as stiff
  EXPECT_EQ(Json::parse(strong.out)["held"]["clearance"], 0.1);
}

TEST(CliHandle, InAnOpenPartItIsAboutSurfaces) {
  const StudyFolder folder("cli-handle-open");
  write_box(folder);
  folder.write("wall.off", open_box_off(-3, -3, -3, 9, 9, 9));
  const Outcome open = touche_cli(folder, "handle box.json --hand hand.csv --out report");
  EXPECT_EQ(open.exit_code, 3) << open.err;
  EXPECT_TRUE(has(open.out, "no surfaces meet on the path, proved; but a part is open"))
      << open.out;
  EXPECT_TRUE(has(read_text(folder.path() / "report/report.html"),
                  "No surfaces meet on its path, proved; a part is open"));
  const Json result = read_json(folder.path() / "report/result.json");
  EXPECT_EQ(result["verdict"]["status"], "open");
  const Json schema = read_json(std::string(kSourceFolder) + "/docs/handle.schema.json");
  EXPECT_EQ(schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(touche_cli(folder, "handle box.json --hand hand.csv --surfaces").exit_code, 0);
}

// The limit is one for each pose of the hand, and none for the proof.
TEST(CliHandle, ALimitOfWorkIsToldAndWhatIsLeftIsProved) {
  const StudyFolder folder("cli-handle-work");
  write_box(folder);
  const Outcome limited =
      touche_cli(folder, "handle box.json --hand hand.csv --max-work 1 --out report");
  EXPECT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_TRUE(has(limited.out, "The limit of work ended ")) << limited.out;
  const Json result = read_json(folder.path() / "report/result.json");
  const Json schema = read_json(std::string(kSourceFolder) + "/docs/handle.schema.json");
  EXPECT_EQ(schema_violation(schema, schema, result, ""), "");
  EXPECT_EQ(result["held"]["max_work"], 1);
  EXPECT_GT(result["summary"]["steps_cut_short"].get<int>(), 0);
  EXPECT_EQ(touche_cli(folder, "study report/study.json").exit_code, 0);
  const Outcome enough =
      touche_cli(folder, "handle box.json --hand hand.csv --max-work 1000000 --json");
  const Outcome any = touche_cli(folder, "handle box.json --hand hand.csv --json");
  EXPECT_EQ(Json::parse(enough.out)["steps"], Json::parse(any.out)["steps"]);
  const Outcome none = touche_cli(folder, "handle box.json --hand hand.csv --max-work 0");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(has(none.err, "--max-work")) << none.err;
}

// A part that cannot keep the clearance at the start stays there, and that is no success.
TEST(CliHandle, APartThatCannotMoveIsNoSuccess) {
  const StudyFolder folder("cli-handle-stuck");
  write_box(folder);
  Json study = box_study();
  study["parts"].push_back(study["parts"][1]);
  study["parts"][2]["name"] = "wall behind";
  study["parts"][2]["pose"]["translation"] = {-6, 0, 0};
  folder.write("box.json", study.dump());
  const Outcome stuck = touche_cli(folder, "handle box.json --hand hand.csv --clearance 3mm");
  EXPECT_EQ(stuck.exit_code, 1) << stuck.err;
  EXPECT_TRUE(has(stuck.out, "did not move")) << stuck.out;
  EXPECT_FALSE(has(stuck.out, "proved.")) << stuck.out;
}

// A part that begins nearer than it is to keep moves on, and is not said to have kept it.
TEST(CliHandle, ADistanceThatWasNotKeptIsTold) {
  const StudyFolder folder("cli-handle-nearer");
  write_box(folder);
  folder.write("away.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,-20,0,0,1,0,0,0\n");
  const Outcome kept = touche_cli(folder, "handle box.json --hand away.csv --clearance 0.5mm");
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_FALSE(has(kept.out, "not kept")) << kept.out;
  const Outcome nearer =
      touche_cli(folder, "handle box.json --hand away.csv --clearance 3mm --out report");
  EXPECT_EQ(nearer.exit_code, 1) << nearer.err;
  EXPECT_TRUE(has(nearer.out,
                  "The clearance of 3 mm was not kept: the part began 2.5 mm from something, and "
                  "at the poses of its path it was no nearer than 2.5 mm."))
      << nearer.out;
  const Json summary = read_json(folder.path() / "report/result.json")["summary"];
  EXPECT_EQ(summary["start_clearance"], 2.5);
  EXPECT_EQ(summary["least_clearance"], 2.5);
  EXPECT_TRUE(
      has(read_text(folder.path() / "report/report.html"), "but the clearance was not kept"));
}

TEST(CliHandle, NamesWhatIsWrong) {
  const StudyFolder folder("cli-handle");
  write_box(folder);
  folder.write("short.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n");
  folder.write("back.csv",
               "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,0,0,0,1,0,0,0\n0.5,0,0,0,1,0,0,0\n");
  const auto complaint = [&](const std::string& arguments) {
    const Outcome outcome = touche_cli(folder, "handle " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    return outcome.err;
  };
  EXPECT_TRUE(has(complaint("box.json"), "--hand"));
  EXPECT_TRUE(has(complaint("none.json --hand hand.csv"), "none.json"));
  EXPECT_TRUE(has(complaint("box.json --hand none.csv"), "none.csv: the file does not exist"));
  EXPECT_TRUE(
      has(complaint("box.json --hand short.csv"), "short.csv: 1 pose, expected at least 2"));
  EXPECT_TRUE(has(complaint("box.json --hand back.csv"), "back.csv:4: the time 0.5 does not come"));
  EXPECT_TRUE(has(complaint("box.json --hand hand.csv --group nobody"), "\"moving\""));
  EXPECT_TRUE(has(complaint("box.json --hand hand.csv --clearance 1um"), "tolerance"));
  EXPECT_TRUE(has(complaint("box.json --hand hand.csv --clearance x"), "--clearance"));
  EXPECT_TRUE(has(complaint("box.json --hand hand.csv --stiffness 0"), "--stiffness"));
  folder.write("study.json", box_study().dump());
  EXPECT_TRUE(has(complaint("study.json --hand hand.csv --out ."), "would be overwritten"));
}

TEST(CliHandle, ControlCLeavesValidFiles) {
  const StudyFolder folder("cli-handle-stop");
  // Some seconds of work on any machine.
  ASSERT_EQ(touche_cli(folder, "scene nut-by-hand --segments 96 --out .").exit_code, 0);
  // How long it takes to read the meshes depends on the machine and the compiler's options.
  Json result;
  for (int wait = 300; wait < 60'000 && result["steps"].size() < 2; wait *= 2) {
    std::filesystem::remove_all(folder.path() / "report");
    const Outcome outcome =
        interrupted_cli(folder, {"handle", "study.json", "--hand", "hand.csv", "--out", "report"},
                        "report", std::chrono::milliseconds(wait));
    ASSERT_EQ(outcome.exit_code, 2) << outcome.err;
    result = read_json(folder.path() / "report" / "result.json");
  }
  EXPECT_EQ(result["verdict"]["status"], "interrupted");
  EXPECT_GE(result["steps"].size(), 2u);
  EXPECT_LT(result["steps"].size(), 660u);
  // The path so far is a study, too; how far it is free is a separate query.
  EXPECT_NE(touche_cli(folder, "study report/study.json --steps-only --stop-at-first").exit_code,
            2);
}

}  // namespace
}  // namespace touche::test::cli_handle_test
