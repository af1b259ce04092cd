// SPDX-License-Identifier: Apache-2.0
// Drawings of the plane, as a user of the program meets them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "cli_run.h"
#include "scene_files.h"
#include "source_folder.h"

namespace touche::cli_outline_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

/// A folder with a square of side 2 about the origin, and a bar from (3, −5) to (3, 5).
struct Drawings : StudyFolder {
  explicit Drawings(const char* name) : StudyFolder(name) {
    write("square.svg",
          "<svg xmlns='http://www.w3.org/2000/svg'>"
          "<rect id='square' x='-1' y='-1' width='2' height='2'/></svg>");
    write("bar.dxf",
          "0\nSECTION\n2\nENTITIES\n0\nLINE\n8\nbars\n10\n3\n20\n-5\n11\n3\n21\n5\n"
          "0\nENDSEC\n0\nEOF\n");
  }
};

/// The square moves by 4 to the right, through the bar.
Json drawn_study() {
  Json json = test::box_study();
  json["parts"][0]["file"] = "square.svg";
  json["parts"][1]["file"] = "bar.dxf";
  return json;
}

TEST(CliOutline, InfoTellsOfChains) {
  const Drawings folder("cli-outline-info");
  const Outcome info = touche_cli(folder, "info square.svg bar.dxf --json --self-intersections");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  const Json json = Json::parse(info.out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["edges"], 4);
  EXPECT_EQ(json[0]["chains"][0]["name"], "square");
  EXPECT_EQ(json[0]["chains"][0]["area"], -4);  // y is reversed, and with it the orientation
  EXPECT_EQ(json[0]["self_intersections"], 0);
  EXPECT_EQ(json[1]["length"], 10);
  EXPECT_TRUE(has(touche_cli(folder, "info bar.dxf").out, "1, 0 of them closed")) << info.out;
  EXPECT_TRUE(has(touche_cli(folder, "info bar.dxf").out, "y is up, as in the file"));
  EXPECT_TRUE(
      has(touche_cli(folder, "info square.svg").out, "y is up: the file's y with the other"));
}

TEST(CliOutline, CollideDistanceAndToiAnswer) {
  const Drawings folder("cli-outline");
  EXPECT_EQ(touche_cli(folder, "collide square.svg bar.dxf").exit_code, 0);
  const Outcome touching = touche_cli(folder, "collide square.svg bar.dxf --pose-a 2,0");
  EXPECT_EQ(touching.exit_code, 1) << touching.err;
  EXPECT_TRUE(has(touching.out, "contact: 3 pairs of edges")) << touching.out;
  EXPECT_TRUE(has(touching.out, "of bars")) << touching.out;
  const Outcome apart = touche_cli(folder, "distance square.svg bar.dxf --pose-a 0,0,45 --json");
  EXPECT_NEAR(Json::parse(apart.out)["distance"].get<double>(), 3 - std::sqrt(2), 1e-12);
  const Outcome hit = touche_cli(folder, "toi square.svg bar.dxf --to 4,0 --json");
  EXPECT_EQ(hit.exit_code, 1) << hit.err;
  EXPECT_NEAR(Json::parse(hit.out)["touched_at"].get<double>(), 0.5, 1e-5);
  // Ten turns during the motion, at 1.7 from the bar: its corners reach to √2.
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --from 1.3,-4 --to 1.3,4,3600").exit_code,
            0);
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --from 1.7,-4 --to 1.7,4,3600").exit_code,
            1);
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --turn 0,0,180").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --turn 3,0,180").exit_code, 1);
}

TEST(CliOutline, PathTellsEveryContact) {
  const Drawings folder("cli-outline-path");
  const Outcome hit =
      touche_cli(folder, "path square.svg bar.dxf --from 0,0 --to 8,0 --json --clearance 0.5");
  EXPECT_EQ(hit.exit_code, 1) << hit.err;
  const Json json = Json::parse(hit.out);
  EXPECT_EQ(json["verdict"], "clash");  // a line has no thickness to be allowed
  ASSERT_EQ(json["contacts"].size(), 1u);
  EXPECT_NEAR(json["contacts"][0]["touched_at"].get<double>(), 0.25, 1e-5);
  EXPECT_NEAR(json["contacts"][0]["free_from"].get<double>(), 0.5, 1e-5);
  EXPECT_EQ(json["contacts"][0]["first"]["edge_b"], 0);
  EXPECT_EQ(json["contacts"][0]["first"]["point_b"].size(), 2u);
  const Outcome text = touche_cli(folder, "path square.svg bar.dxf --from 0,0 --to 8,0");
  EXPECT_TRUE(has(text.out, "contact 1: from t in [0.2")) << text.out;
  EXPECT_TRUE(has(text.out, "of bars")) << text.out;
  const Outcome free =
      touche_cli(folder, "path square.svg bar.dxf --from 1,-9 --to 1,9,360 --clearance 0.5");
  EXPECT_EQ(free.exit_code, 0) << free.out << free.err;
  EXPECT_TRUE(has(free.out, "free, proved")) << free.out;
}

TEST(CliOutline, ClashAndStudyTakeDrawings) {
  const Drawings folder("cli-outline-clash");
  folder.write("disc.svg",
               "<svg xmlns='http://www.w3.org/2000/svg'><circle r='0.5' cx='1.2'/></svg>");
  const Outcome found =
      touche_cli(folder, "clash square.svg disc.svg bar.dxf --clearance 2.5mm --out report");
  EXPECT_EQ(found.exit_code, 1) << found.err;
  const Json json = test::read_json(folder.path() / "report" / "result.json");
  EXPECT_EQ(json["counts"]["clash"], 1);
  EXPECT_EQ(json["counts"]["near"], 2);
  EXPECT_EQ(test::read_csv(test::read_text(folder.path() / "report" / "pairs.csv")).size(), 4u);
  EXPECT_TRUE(has(test::read_text(folder.path() / "report" / "report.html"), "</html>"));
  EXPECT_EQ(touche_cli(folder, "clash square.svg bar.dxf").exit_code, 0);

  folder.write("study.json", drawn_study().dump());
  const Outcome study = touche_cli(folder, "study study.json --out moved");
  EXPECT_EQ(study.exit_code, 1) << study.err;
  const Json moved = test::read_json(folder.path() / "moved" / "result.json");
  EXPECT_EQ(moved["verdict"]["status"], "contact");
  EXPECT_EQ(touche_cli(folder, "clash study.json").exit_code, 0);
  // At half of its path the square touches the line only.
  EXPECT_EQ(touche_cli(folder, "clash study.json --at 0.5").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "clash study.json --at 0.75").exit_code, 1);
}

TEST(CliOutline, DrawingsAreSplitAndTheirPartsNamed) {
  const StudyFolder folder("cli-outline-split");
  // Two groups that overlap by 2 mm.
  folder.write("nest.svg",
               "<svg xmlns='http://www.w3.org/2000/svg' width='100mm' height='100mm' "
               "viewBox='0 0 100 100'><g id='left'><rect x='10' y='10' width='30' height='30'/></g>"
               "<g id='right'><rect x='38' y='10' width='30' height='30'/></g></svg>");
  const Outcome whole = touche_cli(folder, "clash nest.svg");
  EXPECT_EQ(whole.exit_code, 2);
  EXPECT_TRUE(has(whole.err, "or of a drawing's objects or layers")) << whole.err;
  for (const char* split : {"objects", "layers"}) {
    const Outcome found = touche_cli(folder, std::string("clash nest.svg --json --split ") + split);
    EXPECT_EQ(found.exit_code, 1) << found.err;
    EXPECT_EQ(Json::parse(found.out)["counts"]["clash"], 1);
    EXPECT_EQ(Json::parse(found.out)["assembly"]["split"], split);
  }
  EXPECT_EQ(touche_cli(folder, "clash 'nest.svg#left' 'nest.svg#right'").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "collide 'nest.svg#left' 'nest.svg#right'").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "collide 'nest.svg#left' 'nest.svg#right' --pose-b 5,0").exit_code,
            0);
  const std::string distance = "distance 'nest.svg#left' 'nest.svg#right' --pose-b 5,0 --json";
  EXPECT_NEAR(Json::parse(touche_cli(folder, distance).out)["distance"].get<double>(), 3, 1e-12);
  EXPECT_EQ(touche_cli(folder, "sheet 'nest.svg#left' --thickness 2 --out left.stl").exit_code, 0);

  const std::string info = touche_cli(folder, "info nest.svg").out;
  EXPECT_TRUE(has(info, "objects         2: left, right; --split objects makes parts of them"))
      << info;
  EXPECT_TRUE(has(touche_cli(folder, "info nest.svg --split layers").out,
                  "parts           left  (1 chain, 4 edges)\n"));
  EXPECT_EQ(
      Json::parse(
          touche_cli(folder, "info nest.svg --json --split objects").out)[0]["parts"][1]["name"],
      "right");
  EXPECT_TRUE(has(touche_cli(folder, "info 'nest.svg#left'").out, "30 x 30"));

  Json study = test::box_study();
  study["unit"] = "mm";
  study["parts"][0]["file"] = "nest.svg#left";
  study["parts"][1]["file"] = "nest.svg#right";
  folder.write("study.json", study.dump());
  EXPECT_EQ(touche_cli(folder, "clash study.json").exit_code, 1);

  for (const auto& [arguments, error] :
       {std::pair("clash nest.svg --split shells", "drawings have no shells"),
        std::pair("clash cube.off --split layers", "meshes have no layers; drawings (SVG, DXF)"),
        std::pair("info nest.svg --split shells", "SVG and DXF files into objects or layers"),
        std::pair("info cube.off --split layers", "SVG and DXF files into objects or layers"),
        std::pair("info 'nest.svg#left' --split layers", "is one part of its file"),
        std::pair("clash 'nest.svg#lift' 'nest.svg#left'", "there are: left, right"),
        std::pair("collide 'nest.svg#left' cube.off", "need two of one kind")}) {
    const Outcome wrong = touche_cli(folder, arguments);
    EXPECT_EQ(wrong.exit_code, 2) << arguments;
    EXPECT_TRUE(has(wrong.err, error)) << wrong.err;
  }
}

TEST(CliOutline, InfoTellsWhatIsLeftOpen) {
  const Drawings folder("cli-outline-open");
  const Json json = Json::parse(touche_cli(folder, "info bar.dxf --json").out);
  EXPECT_EQ(json[0]["left_open"].size(), 1u);
  EXPECT_TRUE(has(touche_cli(folder, "info bar.dxf").out, "left open, on bars: from (3, -5)"));
}

TEST(CliOutline, DoesNotMixThePlaneAndSpace) {
  const Drawings folder("cli-outline-mixed");
  const auto error = [&](const std::string& arguments) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    return outcome.err;
  };
  for (const char* command : {"collide", "distance", "toi --to 1,0"})
    EXPECT_TRUE(has(error(std::string(command) + " square.svg cube.off"), "need two of one kind"));
  EXPECT_TRUE(has(error("collide square.svg bar.dxf --pose-a 1,2,3,4"), "x,y,degrees"));
  EXPECT_TRUE(has(error("collide square.svg bar.dxf --method obb"), ""));
  EXPECT_TRUE(has(error("toi square.svg bar.dxf --screw 0,0,0,0,0,1,9,0"), "--turn"));
  EXPECT_TRUE(has(error("toi square.svg bar.dxf"), "--to or --turn"));
  EXPECT_TRUE(has(error("toi cube.off wall.off --turn 0,0,90"), "--screw"));
  EXPECT_TRUE(has(error("distance cube.off wall.off --chord-error 1"), "--chord-error"));
  EXPECT_TRUE(has(error("path square.svg bar.dxf --to 1,0,0,1"), "x,y,degrees"));
  EXPECT_TRUE(has(error("path square.svg cube.off --to 1,0"), "need two of one kind"));
  EXPECT_TRUE(has(error("path cube.off wall.off --turn 0,0,90"), "--screw"));
  EXPECT_TRUE(has(error("clash square.svg cube.off"), "one kind"));
  EXPECT_TRUE(has(error("clash square.svg bar.dxf --unit in"), "millimetres"));
  folder.write("study.json", drawn_study().dump());
  folder.write("hand.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,1,0,0,1,0,0,0\n");
  EXPECT_TRUE(has(error("handle study.json --hand hand.csv"), "not for drawings"));
  EXPECT_TRUE(has(error("evaluate --study study.json"), ""));
}

TEST(CliOutline, WhatIsOddWithDrawingsIsTold) {
  const Drawings folder("cli-outline-remarks");
  const std::string remark =
      "bar.dxf: 1 of 1 chains is open: what lies within it is unknown; left open, on bars";
  const Outcome path = touche_cli(folder, "path square.svg bar.dxf --to 8,0");
  EXPECT_TRUE(has(path.err, "touche: " + remark)) << path.err;
  const Json json = Json::parse(touche_cli(folder, "path square.svg bar.dxf --to 8,0 --json").out);
  ASSERT_EQ(json["remarks"].size(), 1u);
  EXPECT_TRUE(has(json["remarks"][0], remark));
  EXPECT_EQ(touche_cli(folder, "distance square.svg bar.dxf").err,
            "touche: " + json["remarks"][0].get<std::string>() + "\n");
  EXPECT_TRUE(has(touche_cli(folder, "clash square.svg bar.dxf").err, remark));
  folder.write("study.json", drawn_study().dump());
  const Outcome study = touche_cli(folder, "study study.json --out moved");
  EXPECT_TRUE(has(study.err, "touche: wall: 1 of 1 chains is open")) << study.err;
  EXPECT_TRUE(has(study.out, "mover edge ")) << study.out;
  EXPECT_EQ(test::read_json(folder.path() / "moved" / "result.json")["remarks"].size(), 1u);
  EXPECT_TRUE(has(test::read_text(folder.path() / "moved" / "report.html"),
                  "<li>wall: 1 of 1 chains is open"));
  EXPECT_TRUE(has(touche_cli(folder, "clash study.json").err, "touche: wall: 1 of 1 chains"));
}

// The corner of a key is a thousandth of a millimetre within a circle, and outside of its chords.
TEST(CliOutline, SaysThatAnswersAreAboutChords) {
  const Drawings folder("cli-outline-chords");
  folder.write("lock.svg",
               "<svg xmlns='http://www.w3.org/2000/svg' width='60mm' height='20mm' viewBox='0 0 60 "
               "20'><circle cx='40' cy='3' r='5'/></svg>");
  folder.write("key.svg",
               "<svg xmlns='http://www.w3.org/2000/svg' width='40mm' height='20mm' viewBox='0 0 40 "
               "20'><rect x='25' y='2.999' width='10.001' height='0.002'/></svg>");
  const std::string remark = "curves are drawn by chords, which are off by up to ";
  for (const char* question :
       {"toi key.svg lock.svg --from -10,0 --to 0,0", "collide key.svg lock.svg",
        "distance key.svg lock.svg", "path key.svg lock.svg --from -10,0 --to 0,0",
        "clash key.svg lock.svg"})
    EXPECT_TRUE(has(touche_cli(folder, question).err, remark)) << question;
  const Json info = Json::parse(touche_cli(folder, "info lock.svg --json").out);
  EXPECT_NEAR(info[0]["chord_error"].get<double>(), 5 * (1 - std::cos(M_PI / 133)), 1e-6);
  // With finer chords they meet.
  for (const char* question : {"toi key.svg lock.svg --from -10,0 --to 0,0 --chord-error 1e-5",
                               "collide key.svg lock.svg --chord-error 1e-5"}) {
    const Outcome fine = touche_cli(folder, question);
    EXPECT_EQ(fine.exit_code, 1) << question;
    EXPECT_TRUE(has(fine.err, "off by up to 1e-05")) << fine.err;
  }
}

// Commands for meshes only are run on the sheet that a drawing outlines.
TEST(CliOutline, ASheetIsAMeshForAllOthers) {
  const Drawings folder("cli-sheet");
  folder.write("plate.svg",
               "<svg xmlns='http://www.w3.org/2000/svg' width='40mm' height='30mm' viewBox='0 0 40 "
               "30'><rect width='40' height='30'/><rect x='5' y='5' width='10' height='10'/>"
               "<circle cx='30' cy='15' r='6'/></svg>");
  const Outcome made = touche_cli(
      folder, "sheet plate.svg --thickness 2mm --chord-error 1e-3 --out plate.ply --json");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Json json = Json::parse(made.out);
  EXPECT_EQ(json["closed"], true);
  EXPECT_NEAR(json["volume"].get<double>(), 2 * (1200 - 100 - 36 * M_PI), 0.1);
  const Json info = Json::parse(touche_cli(folder, "info plate.ply --json").out);
  EXPECT_EQ(info[0]["health"]["closed"], true);
  EXPECT_NEAR(info[0]["health"]["volume"].get<double>(), json["volume"].get<double>(), 1e-3);
  EXPECT_EQ(touche_cli(folder, "build plate.ply --check").exit_code, 0);
  // A cube of side 1 is free in the square hole, four from two of its walls.
  const std::string ask = "distance plate.ply cube.off --json --pose-b ";
  const double inside =
      Json::parse(touche_cli(folder, ask + "10,-10,1").out)["distance"].get<double>();
  EXPECT_NEAR(inside, 4, 1e-9);
  for (const char* bad :
       {"sheet plate.svg --out plate.ply", "sheet plate.svg --thickness 0 --out a.ply",
        "sheet plate.svg --thickness 2", "sheet bar.dxf --thickness 2 --out a.ply",
        "sheet cube.off --thickness 2 --out a.ply", "sheet plate.svg --thickness 2 --out plate.svg",
        "sheet plate.svg --thickness 2 --out a.xyz", "sheet none.svg --thickness 2 --out a.ply",
        "sheet plate.svg --thickness 2 --chord-error 0 --out a.ply",
        "sheet plate.svg --thickness 2 --chord-error -1 --out a.ply"}) {
    const Outcome refused = touche_cli(folder, bad);
    EXPECT_EQ(refused.exit_code, 2) << bad;
    EXPECT_NE(refused.err, "") << bad;
  }
  EXPECT_TRUE(has(touche_cli(folder, "sheet bar.dxf --thickness 2 --out a.ply").err,
                  "bar.dxf: sheet: chain 0 is open, and encloses nothing"));
}

// The table in the reference: which command takes drawings, and what the others say.
std::map<std::string, std::string> table_of_commands() {
  std::map<std::string, std::string> table;
  std::istringstream lines(
      test::read_text(std::filesystem::path(test::kSourceFolder) / "docs/reference/plane.md"));
  const std::string begin = "| `touche ", middle = "` | ", end = " |";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begin) || !line.ends_with(end)) continue;
    const std::size_t at = line.find(middle);
    table[line.substr(begin.size(), at - begin.size())] =
        line.substr(at + middle.size(), line.size() - end.size() - at - middle.size());
  }
  return table;
}

TEST(CliOutline, TheTableOfCommandsIsTrue) {
  const Drawings folder("cli-outline-table");
  folder.write("study.json", drawn_study().dump());
  folder.write("hand.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,1,0,0,1,0,0,0\n");
  folder.write("costs.json", R"({"cost": {"obb obb": 40}, "triangles": 80})");
  Json scene = test::falling_scene();
  scene["bodies"][1]["file"] = "square.svg";
  folder.write("scene.json", scene.dump());
  const std::map<std::string, std::string> arguments = {
      {"study", "study.json"},
      {"handle", "study.json --hand hand.csv"},
      {"clash", "square.svg bar.dxf"},
      {"simulate", "scene.json"},
      {"view", "study.json --no-browser"},
      {"info", "square.svg"},
      {"build", "square.svg"},
      {"collide", "square.svg bar.dxf"},
      {"distance", "square.svg bar.dxf"},
      {"toi", "square.svg bar.dxf --to 4,0"},
      {"path", "square.svg bar.dxf --to 4,0"},
      {"scene", "square.svg --out made"},
      {"calibrate", "square.svg"},
      {"evaluate", "study.json --costs costs.json"},
      {"zoo", "square.svg cube.off --costs costs.json --places 2"},
      {"sheet", "square.svg --thickness 2 --out square.ply"}};
  const std::map<std::string, std::string> table = table_of_commands();
  // All commands that the program names, but one that it may have been built without.
  const std::string help = touche_cli(folder, "--help").out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  int count = 0;
  while (std::getline(lines, line) && line.starts_with("  ")) {
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    ++count;
    ASSERT_TRUE(table.contains(command) && arguments.contains(command)) << command;
    const std::string& says = table.at(command);
    const Outcome outcome = touche_cli(folder, command + " " + arguments.at(command));
    if (says.starts_with("yes")) {
      EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 1)
          << command << ": " << outcome.err;
    } else {
      EXPECT_EQ(outcome.exit_code, 2) << command << ": " << outcome.out;
      if (says.starts_with("no: ")) {
        EXPECT_TRUE(has(outcome.err, says.substr(4))) << command << ": " << outcome.err;
      } else {
        EXPECT_EQ(says, "takes no files") << command;
      }
    }
  }
  EXPECT_GE(count, 14);
  EXPECT_LE(static_cast<std::size_t>(count), table.size());
  EXPECT_TRUE(has(touche_cli(folder, "zoo square.svg cube.off --costs costs.json --places 2").out,
                  "around 1 outlines"));
}

}  // namespace
}  // namespace touche::cli_outline_test
