// SPDX-License-Identifier: Apache-2.0
// The program as a user meets it: what it prints, writes and returns.
#include <gtest/gtest.h>

#include <chrono>

#include "interrupted_cli.h"
#include "shapes.h"
#include "touche/io.h"

namespace touche::cli_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

TEST(Cli, SaysItsVersionAndHelp) {
  const StudyFolder folder("cli-help");
  const Outcome version = touche_cli(folder, "--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(has(version.out, "touche 0.")) << version.out;
  EXPECT_TRUE(has(version.out, "SIMD targets: ")) << version.out;
  for (const char* command : {"study", "info", "build", "collide", "distance", "toi", "path",
                              "scene", "calibrate", "zoo", "sheet"}) {
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

// An answer that could not be written is none: the exit code says so.
TEST(Cli, NoticesThatItsOutputIsLost) {
  const StudyFolder folder("cli-full");
  // Short answers are written at the end, long ones meanwhile.
  for (const char* command : {"collide cube.off wall.off", "collide cube.off wall.off --json",
                              "study --help", "--version"}) {
    const Outcome outcome =
        touche_cli(folder, std::string(command) + " >/dev/full 2>full; echo $?");
    EXPECT_EQ(outcome.out, "2\n") << command;
    EXPECT_EQ(test::read_text(folder.path() / "full"),
              "touche: cannot write to the standard output\n")
        << command;
  }
}

// Compilers evaluate the arguments of a call in the order they like, and files are missing in ours.
TEST(Cli, OfTwoFilesThatAreMissingTheFirstIsNamed) {
  const StudyFolder folder("cli-missing");
  for (const char* command : {"collide", "distance", "toi", "path"})
    for (const char* ending : {"off", "svg", "json"}) {
      const std::string motion = command[0] == 't' || command[0] == 'p' ? " --to 1,0" : "",
                        line = std::string(command) + " first." + ending + " second." + ending +
                               motion + (motion.empty() || ending[0] == 's' ? "" : ",0");
      const Outcome outcome = touche_cli(folder, line);
      EXPECT_EQ(outcome.exit_code, 2) << line;
      EXPECT_EQ(outcome.err, std::string("touche: first.") + ending + ": the file does not exist\n")
          << line;
    }
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
    EXPECT_EQ(outcome.exit_code, 2) << bad;
    EXPECT_TRUE(has(outcome.err, "--pose-a: ")) << outcome.err;
  }
  EXPECT_EQ(touche_cli(folder, "collide cube.off gone.off").exit_code, 2);
}

TEST(Cli, DistanceGivesTheClosestPoints) {
  const StudyFolder folder("cli-distance");
  const Outcome apart = touche_cli(folder, "distance cube.off wall.off --json");
  EXPECT_EQ(apart.exit_code, 0) << apart.err;
  EXPECT_NEAR(Json::parse(apart.out)["distance"].get<double>(), 2.5, 1e-12);
  EXPECT_EQ(Json::parse(apart.out)["closest"]["point_b"][0], 3.5);
  const Outcome beyond = touche_cli(folder, "distance cube.off wall.off --max-distance 1 --json");
  EXPECT_TRUE(Json::parse(beyond.out)["distance"].is_null());
  const Outcome all = touche_cli(folder, "distance cube.off wall.off --max-distance inf --json");
  EXPECT_EQ(all.out, apart.out);
  EXPECT_EQ(touche_cli(folder, "distance cube.off wall.off --pose-a 3,0,0").exit_code, 1);
}

// A pin whose 16 chords are 0.23 off its circle, and a cube 0.15 in it.
TEST(Cli, PathAllowsForChordsWhereAsked) {
  const StudyFolder folder("cli-chords");
  save(scenes::cylinder(12, 30, 16), folder.path() / "pin.off");
  const std::string path =
      "path cube.off pin.off --from \"-20,-12.85,10\" --to \"20,-12.85,10\" --touching ";
  const Outcome touch = touche_cli(folder, path + "chord_error");
  EXPECT_EQ(touch.exit_code, 1);
  EXPECT_TRUE(has(touch.out, "touching, proved: at no time is an overlap thicker than 0.23"))
      << touch.out;
  EXPECT_TRUE(
      has(touch.out, ", the deviation of meshes from smooth surfaces (an estimate); the thickest"))
      << touch.out;
  EXPECT_TRUE(has(touche_cli(folder, path + "0.01").out, "clash\n"));
  EXPECT_TRUE(has(touche_cli(folder, path + "chords").err, "\"chords\" is no number"));
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
  // An answer that is not proved is not said to be.
  const Outcome none = touche_cli(folder, "toi cube.off wall.off --to 4,0,0 --max-work 0");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.out, "not decided: the allowed work is used up; no time is proved free\n");
  const Outcome far = touche_cli(folder, "toi cube.off wall.off --to 0,0,1e12");
  EXPECT_TRUE(has(far.out, " instead of 1.73e-06: coordinates as large as along this motion"))
      << far.out;
  EXPECT_FALSE(has(touche_cli(folder, "toi cube.off wall.off --to 2,0,0").out, "instead of"));
  // Where rounding is more than the objects, contact is no answer.
  const Outcome lost = touche_cli(folder, "toi cube.off wall.off --to 1e300,0,0");
  EXPECT_EQ(lost.exit_code, 2) << lost.out;
  EXPECT_TRUE(has(lost.err, "the coordinates along the motion are too large")) << lost.err;
  for (const auto& [arguments, wrong] : std::vector<std::pair<const char*, const char*>>{
           {"toi cube.off", "missing: file_b; usage: touche toi [OPTIONS] file_a file_b"},
           {"toi cube.off wall.off --to 1,0,0 --max-work -1",
            "--max-work: -1 is not a whole number of 0 or more"},
           {"collide cube.off wall.off --pose-a \"\"", "--pose-a: the value is empty"},
           {"handle --hand x", "missing: file; usage: touche handle [OPTIONS] file"},
           {"scene nut-bolt --clearance 100 --out x",
            "scene nut-bolt --clearance: a clearance of 100 mm; it must be more than 0, and no "
            "more"},
           {"scene peg-round --tilt 80 --out x", "scene peg-round --tilt: a tilt of 80 degrees"}}) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, wrong)) << outcome.err;
  }
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --to 4,0,0 --tolerance 0").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "toi cube.off wall.off --screw 0,0,0,0,0,0,9,0").exit_code, 2);
}

TEST(Cli, PathFollowsContactsToTheirEnd) {
  const StudyFolder folder("cli-path");
  const Outcome through = touche_cli(folder, "path cube.off wall.off --to 4,0,0 --json");
  EXPECT_EQ(through.exit_code, 1) << through.err;
  const Json json = Json::parse(through.out);
  EXPECT_EQ(json["verdict"], "clash");
  ASSERT_EQ(json["contacts"].size(), 1u);
  EXPECT_NEAR(json["contacts"][0]["touched_at"].get<double>(), 0.625, 1e-5);
  EXPECT_NEAR(json["contacts"][0]["free_from"].get<double>(), 0.9, 1e-5);
  EXPECT_GE(json["samples"].size(), 256u);
  const Outcome text = touche_cli(folder, "path cube.off wall.off --to 4,0,0");
  EXPECT_TRUE(has(text.out, "contact 1: from t in [0.62")) << text.out;
  EXPECT_TRUE(has(text.out, "overlap up to 0.1 thick")) << text.out;
  const Outcome free = touche_cli(folder, "path cube.off wall.off --to 2,0,0 --steps 8");
  EXPECT_EQ(free.exit_code, 0) << free.err;
  EXPECT_TRUE(has(free.out, "free, proved: at least 0.4")) << free.out;
  const Outcome near =
      touche_cli(folder, "path cube.off wall.off --to 2,0,0 --clearance 0.6 --steps 8");
  EXPECT_EQ(near.exit_code, 0);
  EXPECT_TRUE(has(near.out, "near: no contact, proved; but less than 0.6 apart")) << near.out;
  EXPECT_EQ(touche_cli(folder, "path cube.off wall.off --to 4,0,0 --max-work 0").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "path cube.off wall.off").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, "path cube.off wall.off --to 4,0,0 --steps 0").exit_code, 2);
}

TEST(Cli, PathInAnOpenMeshIsAboutSurfaces) {
  const StudyFolder folder("cli-path-open");
  folder.write("tray.off", test::open_box_off(-3, -3, -3, 9, 9, 9));
  for (const char* files : {"cube.off tray.off", "tray.off cube.off"}) {
    const std::string path = std::string("path ") + files + " --to 1,0,0";
    const Outcome open = touche_cli(folder, path);
    EXPECT_EQ(open.exit_code, 3) << open.err;
    EXPECT_TRUE(has(open.out,
                    "surfaces do not touch, proved; whether one object lies inside the other is "
                    "unknown: tray.off is open"))
        << open.out;
    const Outcome surfaces = touche_cli(folder, path + " --surfaces --json");
    EXPECT_EQ(surfaces.exit_code, 0) << surfaces.err;
    EXPECT_EQ(Json::parse(surfaces.out)["verdict"], "open");
    EXPECT_EQ(Json::parse(surfaces.out)["containment_before"], "open");
  }
  EXPECT_EQ(touche_cli(folder, "path cube.off tray.off --to 0,0,9 --surfaces").exit_code, 1);
}

TEST(Cli, ToiProvesASeparation) {
  const StudyFolder folder("cli-clearance");
  const std::string toi = "toi cube.off wall.off --to 2,0,0 --tolerance 1e-6 --clearance ";
  const Outcome free = touche_cli(folder, toi + "0.49");
  EXPECT_EQ(free.exit_code, 0) << free.err;
  EXPECT_TRUE(has(free.out, "free, proved: farther apart than 0.49")) << free.out;
  const Outcome near = touche_cli(folder, toi + "0.51");
  EXPECT_EQ(near.exit_code, 1);
  EXPECT_TRUE(has(near.out, "contact: first as near as 0.51 at t in [0.99")) << near.out;
  const Outcome before = touche_cli(folder, toi + "2.6");
  EXPECT_EQ(before.exit_code, 1);
  EXPECT_TRUE(has(before.out, "contact: at t = 0 the distance is at most 2.6 (clear"))
      << before.out;
  EXPECT_EQ(touche_cli(folder, toi + "-1").exit_code, 2);
}

TEST(Cli, LengthsMayHaveUnitsWhereFilesHave) {
  const StudyFolder folder("cli-units");
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    return outcome.err;
  };
  const std::string toi = "toi cube.off wall.off --to 4,0,0 ",
                    distance = "distance cube.off wall.off ";
  const std::string unknown = "these files do not say which unit they are in";
  EXPECT_TRUE(has(error(toi + "--tolerance 1mm"), "--tolerance: \"1mm\": " + unknown));
  EXPECT_TRUE(has(error(toi + "--clearance 1mm"), unknown));
  EXPECT_TRUE(has(error("path cube.off wall.off --to 4,0,0 --touching 1mm"), unknown));
  EXPECT_TRUE(has(error(distance + "--max-distance 1mm"), unknown));
  EXPECT_TRUE(has(error(toi + "--tolerance 1e"), "--tolerance: \"1e\" has an unknown unit"));
  EXPECT_TRUE(has(error(toi + "--tolerance 0"), "--tolerance: 0 is not more than 0"));
  EXPECT_TRUE(has(error(toi + "--tolerance inf"), "--tolerance: \"inf\" is not finite"));
  EXPECT_TRUE(
      has(error(distance + "--relative-error -1"), "--relative-error: -1 is not at least 0"));
  EXPECT_TRUE(has(error(distance + "--relative-error x"), "--relative-error: x is not a number"));
  // Drawings are in millimetres.
  folder.write("plate.svg",
               "<svg xmlns='http://www.w3.org/2000/svg' width='10mm' height='10mm' "
               "viewBox='0 0 10 10'><rect x='0' y='0' width='4' height='4'/></svg>");
  const std::string plates = "toi plate.svg plate.svg --pose-b 10,0 --to 5,0 --clearance ";
  EXPECT_EQ(touche_cli(folder, plates + "0.9mm").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, plates + "0.09cm").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, plates + "0.11cm").exit_code, 1);
  EXPECT_TRUE(has(error(plates + "1mm --scale-a 2"), unknown));
}

TEST(Cli, SaysWhatAFileIsInstead) {
  const StudyFolder folder("cli-instead");
  folder.write("scene.json", R"({"touche_scene": 1})");
  folder.write("study.json", test::box_study().dump());
  std::filesystem::create_directory(folder.path() / "parts");
  for (const auto& [arguments, text] : std::vector<std::pair<const char*, const char*>>{
           {"study cube.off", "cube.off: this is a mesh; a study is a JSON file"},
           {"simulate cube.off", "cube.off: this is a mesh; a scene is a JSON file"},
           {"study scene.json", "this is the scene of a simulation, for touche simulate"},
           {"simulate study.json", "this is a study, for touche study"},
           {"info parts", "parts: this is a directory, not a mesh file"},
           {"clash cube.off --clearance 2 mm",
            "mm: the file does not exist; a length and its unit are one word: 2mm"}}) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, text)) << arguments << ": " << outcome.err;
  }
}

TEST(Cli, ToiTellsWhatSeparates) {
  const StudyFolder folder("cli-separating");
  folder.write("beside.off", test::box_off(1, 0, 0, 2, 1, 1));
  const auto toi = [&](const char* rest) {
    return touche_cli(folder, std::string("toi cube.off beside.off --tolerance 1e-6 ") + rest);
  };
  EXPECT_EQ(toi("--to -1,0,0").exit_code, 1);
  const Outcome away = toi("--to -1,0,0 --may-separate");
  EXPECT_EQ(away.exit_code, 0) << away.err;
  EXPECT_TRUE(has(away.out, "starts in contact and separates, proved")) << away.out;
  EXPECT_EQ(toi("--to 0,1,0 --may-separate").exit_code, 1);  // slides
  EXPECT_EQ(toi("--to 1,0,0 --may-separate").exit_code, 1);
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

TEST(Cli, CalibrateTellsWhatTestsCost) {
  const StudyFolder folder("cli-calibrate");
  const Outcome text = touche_cli(folder, "calibrate --seconds 0 --out costs.json");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "  obb obb ") && has(text.out, "  two triangles ")) << text.out;
  EXPECT_TRUE(has(text.out, "written to costs.json\n")) << text.out;
  const Json file = test::read_json(folder.path() / "costs.json");
  EXPECT_EQ(file["unit"], "ns");
  EXPECT_GT(file["cost"]["obb sphere"], 1);
  EXPECT_LT(file["cost"]["obb sphere"], 1e5);
  EXPECT_GT(file["triangles"], 1);

  const Outcome json = touche_cli(folder, "calibrate --seconds 0 --json");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out)["cost"].size(), file["cost"].size());
  const Outcome nowhere = touche_cli(folder, "calibrate --seconds 0 --out none/costs.json");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_EQ(nowhere.err, "touche: none/costs.json: cannot be written\n");
}

TEST(Cli, ZooWritesAPage) {
  const StudyFolder folder("cli-zoo");
  folder.write("costs.json", R"({"cost": {"obb obb": 40}, "triangles": 80})");
  const Outcome outcome =
      touche_cli(folder, "zoo cube.off --costs costs.json --places 5 --out zoo.html");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "19 volumes around 1 bodies, 7 around 4 outlines")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "written to zoo.html\n")) << outcome.out;
  const std::string page = test::read_text(folder.path() / "zoo.html");
  EXPECT_TRUE(has(page, "<code>zonotope</code>") && has(page, "<code>zonogon</code>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(touche_cli(folder, "zoo gone.off").exit_code, 2);
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

TEST(Cli, ScenesAreWritten) {
  const StudyFolder folder("cli-scene");
  EXPECT_EQ(touche_cli(folder, "scene bullet --out bullet").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "study bullet/study.json").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "scene chain --bodies 3 --out chain").exit_code, 0);
  EXPECT_EQ(test::read_json(folder.path() / "chain" / "scene.json")["bodies"].size(), 3u);
  EXPECT_EQ(touche_cli(folder, "scene shapes --bodies 9 --seed 2 --out shapes").exit_code, 0);
  EXPECT_EQ(test::read_json(folder.path() / "shapes" / "scene.json")["bodies"].size(), 15u);
  EXPECT_EQ(touche_cli(folder, "scene pin-rollers --out pin").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "study pin/study.json").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "scene gears --bodies 3 --out gears").exit_code, 2);
  const Outcome unknown = touche_cli(folder, "scene spoon --out spoon");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(has(unknown.err, "bullet")) << unknown.err;
}

TEST(Cli, ControlCEndsASearchWithWhatIsProved) {
  const StudyFolder folder("cli-toi-stop");
  save(scenes::torus(3, 0.2, 48, 24), folder.path() / "ring.obj");
  save(scenes::sphere(0.5, 2000), folder.path() / "ball.obj");
  // Two million turns: minutes of work on any machine. The first moments prove nothing yet, and how
  // long they last depends on the machine.
  Outcome outcome;
  for (int wait = 300; wait < 60'000 && !has(outcome.out, "proved free for t < 0."); wait *= 2) {
    outcome = test::interrupted_cli(
        folder,
        {"toi", "ball.obj", "ring.obj", "--from", "3.1,0,0.8", "--screw", "0,0,0,0,0,1,7.2e8,0"},
        "", std::chrono::milliseconds(wait));
    ASSERT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
  }
  EXPECT_TRUE(has(outcome.out, "not decided: stopped; proved free for t < 0.")) << outcome.out;
}

}  // namespace
}  // namespace touche::cli_test
