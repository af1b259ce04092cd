// SPDX-License-Identifier: Apache-2.0
// A body that reaches into an open one and out of its opening neither touches it nor lies inside
// it. What is said of such a pair is said of surfaces, by all commands.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <utility>

#include "interrupted_cli.h"
#include "json_schema.h"
#include "scene_files.h"
#include "source_folder.h"

namespace touche::test::cli_reaching_in_test {
namespace {

// Around a part of cube.off, which sticks out of it at x = 0.5, where it is open.
std::string tray(double y = -3) { return open_box_off(-3, y, -3, 0.5, 4, 4); }

void obeys_schema(const Json& result, const char* schema_file) {
  const Json schema = read_json(std::string(kSourceFolder) + "/docs/" + schema_file);
  EXPECT_EQ(schema_violation(schema, schema, result, ""), "");
}

TEST(CliReachingIn, ClashIsAboutSurfaces) {
  const StudyFolder folder("cli-reach-clash");
  folder.write("tray.off", tray());
  for (const char* files : {"tray.off cube.off", "cube.off tray.off"}) {
    const Outcome out = touche_cli(folder, std::string("clash --out report ") + files);
    EXPECT_EQ(out.exit_code, 0) << out.err;
    EXPECT_TRUE(has(out.out,
                    "No clash, proved: of 2 parts the surfaces of no two overlap, and none lies "
                    "inside another"))
        << out.out;
    EXPECT_TRUE(has(read_text(folder.path() / "report/report.html"), "No surfaces clash, proved"));
    const Json result = read_json(folder.path() / "report/result.json");
    EXPECT_EQ(result["verdict"]["status"], "free");
    EXPECT_EQ(result["may_reach_in"], 1);
    obeys_schema(result, "clash-result.schema.json");
  }
  // Bounds of allowed overlaps are about surfaces, too.
  folder.write("tray.off", tray(0.05));  // its bottom cuts into the cube
  for (const char* how : {" --touching 0.1", " --ignore-thinner 0.1"}) {
    const Outcome out = touche_cli(folder, std::string("clash tray.off cube.off --json") + how);
    EXPECT_EQ(out.exit_code, 0) << out.err;
    const Json result = Json::parse(out.out);
    EXPECT_TRUE(has(result["verdict"]["sentence"].get<std::string>(),
                    "of 2 parts the surfaces of no two overlap by more than 0.1"))
        << result["verdict"];
    EXPECT_TRUE(
        has(result["verdict"]["sentence"].get<std::string>(), ", and none lies inside another"));
    EXPECT_EQ(result["pairs"][0]["may_reach_in"], true);
    obeys_schema(result, "clash-result.schema.json");
  }
  EXPECT_EQ(touche_cli(folder, "clash tray.off cube.off --touching 0.1 --out report").exit_code, 0);
  EXPECT_TRUE(
      has(read_text(folder.path() / "report/report.html"), "surfaces overlap by no more than 0.1"));
}

// Rules and notes do not change what is proved of pairs that are free.
TEST(CliReachingIn, ClashIsAboutSurfacesWhateverIsAccepted) {
  const StudyFolder folder("cli-reach-rules");
  folder.write("tray.off", tray());
  folder.write(
      "rules.json",
      R"({"touche_clash_rules": 1, "accept": [{"a": "tray*", "b": "*", "reason": "a tray"}]})");
  const Outcome out = touche_cli(folder, "clash tray.off cube.off --rules rules.json");
  EXPECT_EQ(out.exit_code, 0) << out.err;
  EXPECT_TRUE(has(out.out, "the surfaces of no two overlap, and none lies inside another"))
      << out.out;
}

// The slit is narrower than a thousandth of the box, so that it counts as closed for what lies
// inside; a card thinner than the slit reaches through it.
TEST(CliReachingIn, GapsThatCountAsClosedAreAboutSurfacesToo) {
  const StudyFolder folder("cli-reach-slit");
  for (const auto& [half, thin] : {std::pair(5e-3, 3e-3), std::pair(4e-6, 2e-6)}) {
    SCOPED_TRACE(half);
    const std::string left = fmt::format("{:.9f}", 5 - half),
                      right = fmt::format("{:.9f}", 5 + half);
    folder.write(
        "wall.off",
        "OFF\n12 11 0\n0 0 0\n10 0 0\n10 10 0\n0 10 0\n0 0 10\n10 0 10\n10 10 10\n0 10 10\n" +
            left + " 0 10\n" + left + " 10 10\n" + right + " 0 10\n" + right +
            " 10 10\n4 0 3 2 1\n4 1 2 6 5\n4 3 0 4 7\n4 4 8 9 7\n4 10 5 6 11\n"
            "4 0 1 10 8\n3 0 8 4\n3 1 5 10\n4 2 3 9 11\n3 3 7 9\n3 2 11 6\n");
    const std::string card = fmt::format(
        "OFF\n8 6 0\n{0:.9f} 1 2\n{1:.9f} 1 2\n{0:.9f} 9 2\n{1:.9f} 9 2\n{0:.9f} 1 15\n{1:.9f} 1 "
        "15\n"
        "{0:.9f} 9 15\n{1:.9f} 9 15\n4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 "
        "7 5\n",
        5 - thin, 5 + thin);
    folder.write("cube.off", card);
    const std::string tolerance = " --weld 0 --tolerance 1e-8";
    const Outcome clash = touche_cli(folder, "clash cube.off wall.off" + tolerance);
    EXPECT_EQ(clash.exit_code, 0) << clash.err;
    EXPECT_TRUE(has(clash.out, "the surfaces of no two overlap, and none lies inside another"))
        << clash.out;
    const Outcome path = touche_cli(folder, "path cube.off wall.off --to 0,0,1" + tolerance);
    EXPECT_EQ(path.exit_code, 0) << path.err;
    EXPECT_TRUE(has(path.out, "no surface touches another, and neither object lies inside"))
        << path.out;
    Json study = box_study();
    study["tolerance"] = 1e-8;
    study["clearance_threshold"] = 0;
    for (Json& part : study["parts"]) part["weld"] = 0;
    for (Json& pose : study["groups"][0]["motion"]["poses"])
      pose["translation"] = {0, 0, pose["t"].get<double>()};
    folder.write("study.json", study.dump());
    for (const char* how : {"", " --steps-only"}) {
      const Outcome out = touche_cli(folder, std::string("study study.json") + how);
      EXPECT_EQ(out.exit_code, 0) << out.err;
      EXPECT_TRUE(has(out.out, "no surface touches another on the whole path, and no part lies"))
          << out.out;
    }
    // So near the gap that its vertices decide nothing: that is unknown, and no limit is blamed.
    const double tip = 10 + 0.3 * half;
    folder.write("cube.off", fmt::format("OFF\n5 5 0\n{0:.12f} {0:.12f} 2\n{1:.12f} {0:.12f} 2\n"
                                         "{1:.12f} {1:.12f} 2\n{0:.12f} {1:.12f} 2\n5 5 {2:.12f}\n"
                                         "4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n",
                                         5 - half, 5 + half, tip));
    const Outcome near = touche_cli(folder, "path cube.off wall.off --to 0,0,0" + tolerance);
    EXPECT_NE(near.exit_code, 2) << near.out << near.err;
    EXPECT_FALSE(has(near.out, "the allowed work is used up")) << near.out;
    // Farther from the box than its gap is wide, all is said of bodies.
    folder.write("cube.off", box_off(11, 0, 0, 12, 1, 1));
    EXPECT_TRUE(has(touche_cli(folder, "path cube.off wall.off --to 0,0,1" + tolerance).out,
                    "free, proved: at least"));
    EXPECT_TRUE(has(touche_cli(folder, "clash cube.off wall.off" + tolerance).out,
                    "of 2 parts no two overlap"));
    for (const char* how : {"", " --steps-only"})
      EXPECT_TRUE(has(touche_cli(folder, std::string("study study.json") + how).out,
                      "Free, proved: no part touches another on the whole path"));
  }
}

// No vertex of the rod lies in the bounds of the tube, nor one of the tube in the bounds of the
// rod.
TEST(CliReachingIn, ARodThroughATubeIsAboutSurfaces) {
  const StudyFolder folder("cli-reach-rod");
  folder.write("tube.off",
               "OFF\n8 4 0\n0 0 0\n9 0 0\n0 3 0\n9 3 0\n0 0 3\n9 0 3\n0 3 3\n9 3 3\n"
               "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n");
  folder.write("rod.off", box_off(-5, 1, 1, 14, 2, 2));
  const Outcome clash = touche_cli(folder, "clash rod.off tube.off");
  EXPECT_EQ(clash.exit_code, 0) << clash.err;
  EXPECT_TRUE(has(clash.out, "the surfaces of no two overlap, and none lies inside another"))
      << clash.out;
  const Outcome path = touche_cli(folder, "path rod.off tube.off --to 1,0,0");
  EXPECT_EQ(path.exit_code, 0) << path.err;
  EXPECT_TRUE(has(path.out, "no surface touches another, and neither object lies inside the other"))
      << path.out;
}

// Beside open parts, closed ones, and sheets in one plane, bodies are meant.
TEST(CliReachingIn, OtherPairsAreAboutBodies) {
  const StudyFolder folder("cli-reach-not");
  folder.write("far.off", open_box_off(20, 0, 0, 30, 9, 9));
  folder.write("sheet.off",  // an L with the cube in its corner
               "OFF\n8 2 0\n-9 -9 0.5\n9 -9 0.5\n9 -1 0.5\n-9 -1 0.5\n"
               "-9 -1 0.5\n-1 -1 0.5\n-1 9 0.5\n-9 9 0.5\n4 0 1 2 3\n4 4 5 6 7\n");
  for (const char* other : {"far.off", "sheet.off", "wall.off"}) {
    const Outcome clash = touche_cli(folder, std::string("clash cube.off ") + other);
    EXPECT_TRUE(has(clash.out, "No clash, proved: of 2 parts no two overlap.")) << clash.out;
    const Outcome path = touche_cli(folder, std::string("path cube.off --to 1,0,0 ") + other);
    EXPECT_TRUE(has(path.out, "free, proved: at least")) << path.out;
  }
}

TEST(CliReachingIn, PathIsAboutSurfaces) {
  const StudyFolder folder("cli-reach-path");
  folder.write("tray.off", tray());
  for (const char* files : {"cube.off tray.off --to 4,0,0", "tray.off cube.off --to -4,0,0"}) {
    const Outcome free = touche_cli(folder, std::string("path ") + files);
    EXPECT_EQ(free.exit_code, 0) << free.err;
    EXPECT_TRUE(has(free.out,
                    "free, proved: no surface touches another, and neither object lies inside the "
                    "other; at least "))
        << free.out;
    const Json result = Json::parse(touche_cli(folder, std::string("path --json ") + files).out);
    EXPECT_EQ(result["verdict"], "free");
    EXPECT_EQ(result["may_reach_in"], true);
  }
  folder.write("tray.off", tray(0.05));
  const Outcome touching = touche_cli(folder, "path cube.off tray.off --to 0.1,0,0 --touching 0.1");
  EXPECT_EQ(touching.exit_code, 1) << touching.err;
  EXPECT_TRUE(has(touching.out,
                  "touching, proved: neither object lies inside the other, and at no time do "
                  "surfaces overlap by more than 0.1"))
      << touching.out;
}

TEST(CliReachingIn, DrawingsAreAboutOutlines) {
  const StudyFolder folder("cli-reach-drawing");
  folder.write("u.svg",
               "<svg xmlns='http://www.w3.org/2000/svg'>"
               "<path id='u' d='M0,0 L0,10 L10,10 L10,0' fill='none'/></svg>");
  folder.write("bar.svg",
               "<svg xmlns='http://www.w3.org/2000/svg'>"
               "<rect id='bar' x='2' y='-2' width='6' height='10'/></svg>");
  const Outcome clash = touche_cli(folder, "clash bar.svg u.svg");
  EXPECT_EQ(clash.exit_code, 0) << clash.err;
  EXPECT_TRUE(has(clash.out, "the outlines of no two overlap, and none lies inside another"))
      << clash.out;
  const Outcome path = touche_cli(folder, "path bar.svg u.svg --to 0,1");
  EXPECT_EQ(path.exit_code, 0) << path.err;
  EXPECT_TRUE(has(path.out, "no outline touches another, and neither object lies inside the other"))
      << path.out;
}

TEST(CliReachingIn, AStudyAndAHandAreAboutSurfaces) {
  const StudyFolder folder("cli-reach-study");
  folder.write("study.json", box_study().dump());
  folder.write("hand.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,3,0,0,1,0,0,0\n");
  folder.write("wall.off", tray());
  for (const char* how : {"", " --steps-only", " --stop-at-first"}) {
    const Outcome out = touche_cli(folder, std::string("study study.json --out report") + how);
    EXPECT_EQ(out.exit_code, 0) << out.err;
    EXPECT_TRUE(has(out.out,
                    "Free, proved: no surface touches another on the whole path, and no part lies "
                    "inside another"))
        << out.out;
    EXPECT_TRUE(
        has(read_text(folder.path() / "report/report.html"), "Yes, no surfaces meet, proved"));
    const Json result = read_json(folder.path() / "report/result.json");
    EXPECT_EQ(result["may_reach_in"][0]["part_b"], "wall");
    obeys_schema(result, "result.schema.json");
  }
  const Outcome hand = touche_cli(folder, "handle study.json --hand hand.csv --out hand");
  EXPECT_EQ(hand.exit_code, 0) << hand.err;
  EXPECT_TRUE(
      has(hand.out, "no surfaces meet on the path, and no part lies inside another: proved"))
      << hand.out;
  EXPECT_TRUE(
      has(read_text(folder.path() / "hand/report.html"), "No surfaces meet on its path, proved"));
  // It is no contact that could be allowed.
  Json study = box_study();
  study["allowed_contacts"] = Json::array({{{"parts", {"mover", "wall"}}, {"reason", "a tray"}}});
  folder.write("study.json", study.dump());
  const Json allowed = Json::parse(touche_cli(folder, "study study.json --json").out);
  EXPECT_EQ(allowed["may_reach_in"].size(), 1u);
  EXPECT_TRUE(has(allowed["verdict"]["sentence"].get<std::string>(),
                  "no surface touches another on the whole path"));
}

TEST(CliReachingIn, SimulationsAreAboutSurfaces) {
  const StudyFolder folder("cli-reach-simulate");
  folder.write("ball.off", kOctahedronOff);
  folder.write("tank.off",
               "OFF\n8 5 0\n-5 -5 -9\n5 -5 -9\n5 5 -9\n-5 5 -9\n-5 -5 -1\n5 -5 -1\n5 5 -1\n"
               "-5 5 -1\n4 0 3 2 1\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  Json scene = falling_scene();
  scene["forces"] = Json::array();
  scene["bodies"][0] = {{"name", "tank"}, {"file", "tank.off"}, {"fixed", true}};
  folder.write("scene.json", scene.dump());
  const Outcome out = touche_cli(folder, "simulate scene.json --out report");
  EXPECT_EQ(out.exit_code, 0) << out.err;
  EXPECT_TRUE(has(out.out, "No surfaces met, proved: 2 bodies moved")) << out.out;
  EXPECT_TRUE(has(read_text(folder.path() / "report/report.html"), "Their surfaces did, proved"));
  const Json result = read_json(folder.path() / "report/result.json");
  EXPECT_EQ(result["may_reach_in"], true);
  obeys_schema(result, "simulation-result.schema.json");
}

}  // namespace
}  // namespace touche::test::cli_reaching_in_test
