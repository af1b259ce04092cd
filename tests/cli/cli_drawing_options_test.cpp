// SPDX-License-Identifier: Apache-2.0
// The options of drawings, as a user of the program meets them: layers, and what is left out.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "cli_run.h"
#include "scene_files.h"

namespace touche::cli_drawing_options_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

std::string square(double half, const char* layer) {
  return fmt::format(
      "0\nLWPOLYLINE\n8\n{0}\n90\n4\n70\n1\n10\n-{1}\n20\n-{1}\n10\n{1}\n20\n-{1}\n10\n{1}\n20\n{1}"
      "\n"
      "10\n-{1}\n20\n{1}\n",
      layer, half);
}

std::string dxf(const std::string& entities) {
  return "0\nSECTION\n2\nTABLES\n0\nLAYER\n2\nFRAME\n70\n1\n62\n7\n0\nENDSEC\n0\nSECTION\n2\nENTITI"
         "ES\n" +
         entities + "0\nENDSEC\n0\nEOF\n";
}

/// A small part in the material of a plate, which has a frame around it on a frozen layer.
struct Drawings : StudyFolder {
  explicit Drawings(const char* name) : StudyFolder(name) {
    write("small.dxf", dxf(square(1, "CUT")));
    write("plate.dxf", dxf(square(5, "CUT") + square(9, "FRAME")));
    write("marks.svg",
          "<svg><rect width='4' height='4'/><rect x='1' y='1' width='0.05' height='0.05'/>"
          "<path d='M10 10h9v9h-9v-8.5'/></svg>");
  }
};

TEST(CliDrawingOptions, AHiddenFrameIsNoHole) {
  const Drawings folder("cli-drawing-frame");
  const Outcome clash = touche_cli(folder, "clash small.dxf plate.dxf");
  EXPECT_EQ(clash.exit_code, 1) << clash.out;
  EXPECT_TRUE(has(clash.err, "plate.dxf: 1 entity on frozen or off layers (FRAME) is left out"))
      << clash.err;
  EXPECT_EQ(touche_cli(folder, "path small.dxf plate.dxf --to 2,0 --tolerance 1e-3").exit_code, 1);
  // With the frame the plate is a hole in it.
  EXPECT_EQ(touche_cli(folder, "clash small.dxf plate.dxf --all-layers").exit_code, 0);
  Json json = test::box_study();
  json["parts"][0]["file"] = "small.dxf";
  json["parts"][1]["file"] = "plate.dxf";
  folder.write("study.json", json.dump());
  EXPECT_EQ(touche_cli(folder, "clash study.json").exit_code, 1);
  json["parts"][1]["drawing"] = {{"all_layers", true}};
  folder.write("study.json", json.dump());
  EXPECT_EQ(touche_cli(folder, "clash study.json").exit_code, 0);
  json["parts"][1]["drawing"] = {{"layers", {"CUTS"}}};
  folder.write("study.json", json.dump());
  EXPECT_TRUE(has(touche_cli(folder, "clash study.json").err,
                  "there is no layer 'CUTS'; there are: FRAME, CUT"));
  json["parts"][1]["drawing"] = {{"layer", "CUT"}};
  folder.write("study.json", json.dump());
  EXPECT_TRUE(has(touche_cli(folder, "clash study.json").err, "/parts/1/drawing/layer: unknown"));
}

TEST(CliDrawingOptions, LayersAreSelectedByAllCommands) {
  const Drawings folder("cli-drawing-layers");
  for (const char* command :
       {"info plate.dxf", "distance small.dxf plate.dxf", "collide small.dxf plate.dxf",
        "toi small.dxf plate.dxf --to 1,0", "path small.dxf plate.dxf --to 1,0",
        "clash small.dxf plate.dxf", "sheet plate.dxf --thickness 1 --out plate.ply"}) {
    const Outcome wrong = touche_cli(folder, command + std::string(" --layers CUTS,FRAME"));
    EXPECT_EQ(wrong.exit_code, 2) << command;
    EXPECT_TRUE(has(wrong.err, "there is no layer 'CUTS'; there are: FRAME, CUT")) << wrong.err;
    EXPECT_NE(touche_cli(folder, command + std::string(" --layers cut")).exit_code, 2) << command;
  }
  const auto chains = [&](const std::string& options) {
    return Json::parse(touche_cli(folder, "info plate.dxf --json " + options).out)[0]["chains"]
        .size();
  };
  EXPECT_EQ(chains(""), 1u);
  EXPECT_EQ(chains("--all-layers"), 2u);
  EXPECT_EQ(chains("--all-layers --layers FRAME"), 1u);
}

TEST(CliDrawingOptions, SheetsLeaveOutMarksAndSmallLoops) {
  const Drawings folder("cli-drawing-sheet");
  const std::string sheet = "sheet marks.svg --thickness 1 --out marks.ply ";
  const Outcome refused = touche_cli(folder, sheet);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(has(refused.err, "chain 2 is open, and encloses nothing (--drop-open"))
      << refused.err;
  const Outcome made = touche_cli(folder, sheet + "--drop-open --drop-loops-below 0.1mm --json");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const Json json = Json::parse(made.out);
  EXPECT_EQ(json["volume"], 16);
  EXPECT_EQ(json["remarks"], (Json{"1 open chain is left out, 35.5 long",
                                   "1 closed chain is left out, 0.0707 across"}));
  EXPECT_TRUE(has(touche_cli(folder, sheet + "--drop-loops-below 0").err, "not more than 0"));
  EXPECT_TRUE(has(touche_cli(folder, sheet + "--join-gap x").err, "--join-gap"));
  // Its ends are 0.5 apart.
  EXPECT_EQ(touche_cli(folder, sheet + "--join-gap 0.4mm").exit_code, 2);
  EXPECT_EQ(touche_cli(folder, sheet + "--join-gap 0.6mm").exit_code, 0);
}

TEST(CliDrawingOptions, AreForDrawings) {
  const Drawings folder("cli-drawing-meshes");
  for (const char* option : {"--layers CUT", "--all-layers", "--drop-open", "--join-gap 1",
                             "--drop-loops-below 1", "--chord-error 1"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find(' '));
    for (const char* command : {"distance cube.off wall.off ", "info cube.off "}) {
      const Outcome outcome = touche_cli(folder, command + std::string(option));
      EXPECT_EQ(outcome.exit_code, 2) << option;
      EXPECT_TRUE(has(outcome.err, name + " is for drawings")) << outcome.err;
    }
    EXPECT_EQ(touche_cli(folder, "clash cube.off wall.off " + std::string(option)).exit_code, 2);
  }
}

}  // namespace
}  // namespace touche::cli_drawing_options_test
