// SPDX-License-Identifier: Apache-2.0
// `touche info` of files with several objects: what it lists, and how much.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli_run.h"

namespace touche::cli_info_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

TEST(CliInfo, NamesObjectsAndSplitsThem) {
  const StudyFolder folder("cli-info-split");
  const std::string tetra =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n";
  folder.write("multi.obj",
               "o crank\n" + tetra + "o rod\n" + tetra + "f -4 -2 -3\nf -4 -3 -2\nl 1 2\n");
  const std::string out = touche_cli(folder, "info multi.obj").out;
  EXPECT_TRUE(has(out, "  objects         2: crank, rod; --split objects makes parts of them\n"))
      << out;
  EXPECT_TRUE(has(out, "  unit            not in the file\n")) << out;
  EXPECT_TRUE(has(out, "open (6 edges of three or more faces), ")) << out;
  EXPECT_TRUE(has(out, ", 1 shell, area ")) << out;
  EXPECT_TRUE(has(out, " duplicate faces (")) << out;
  EXPECT_TRUE(has(out, "  remarks         1 line statement, the first in line ")) << out;
  const Json json = Json::parse(touche_cli(folder, "info multi.obj --json").out)[0];
  EXPECT_EQ(json["objects"], (Json{"crank", "rod"}));
  EXPECT_EQ(json["health"]["duplicate_faces"], 6);
  EXPECT_EQ(json["health"]["opposite_faces"], 1);
  EXPECT_EQ(json["unit"], Json());
  EXPECT_EQ(json["remarks"].size(), 1u);

  const Outcome split = touche_cli(folder, "info multi.obj --split objects");
  EXPECT_TRUE(
      has(split.out, "  nodes           crank  (4 faces)\n                  rod  (6 faces)\n"))
      << split.out;
  EXPECT_TRUE(has(touche_cli(folder, "info multi.obj --split shells").out, "shell 1  (10 faces)"));
  EXPECT_TRUE(
      has(touche_cli(folder, "info 'multi.obj#crank'").out, "closed, consistently oriented"));
  for (const auto& [arguments, error] :
       {std::pair("info 'multi.obj#crank' --split objects", "is one part of its file"),
        std::pair("info a.glb --split shells", "is not split into shells"),
        std::pair("info multi.obj --split halves", "--split")}) {
    const Outcome wrong = touche_cli(folder, arguments);
    EXPECT_EQ(wrong.exit_code, 2) << arguments;
    EXPECT_TRUE(has(wrong.err, error)) << wrong.err;
  }
  EXPECT_TRUE(has(touche_cli(folder, "collide multi.obj cube.off").err,
                  "multi.obj: 1 line statement, the first in line"));
  const std::string both = touche_cli(folder, "collide multi.obj multi.obj").err;
  EXPECT_TRUE(has(both, "1 line statement")) << both;
  EXPECT_EQ(both.find("1 line statement"), both.rfind("1 line statement")) << both;
}

TEST(CliInfo, PrintsAtMost40Lines) {
  const StudyFolder folder("cli-info-lines");
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    const std::string x = std::to_string(2 * i), right = std::to_string(2 * i + 1);
    text += "o part " + x + "\nv " + x + " 0 0\nv " + right + " 0 0\nv " + x +
            " 1 0\nv 0 0 9\nf -4 -3 -2\nf -4 -3 -3\nf -4 -3 -2\np 1\nl 1 2\n";
  }
  folder.write("many.obj", text);
  const auto lines = [&](const std::string& arguments) {
    const std::string out = touche_cli(folder, "info many.obj " + arguments).out;
    return std::count(out.begin(), out.end(), '\n');
  };
  EXPECT_LE(lines("--self-intersections"), 40);
  EXPECT_LE(lines("--split objects"), 40);
  EXPECT_GT(lines("--split objects"), 30);
  EXPECT_GT(lines("--split objects --all"), 3000);
  EXPECT_TRUE(has(touche_cli(folder, "info many.obj --split objects").out, " more (--all)\n"));
  const Json json = Json::parse(touche_cli(folder, "info many.obj --split objects --json").out)[0];
  EXPECT_EQ(json["nodes"].size(), 3000u);
}

}  // namespace
}  // namespace touche::cli_info_test
