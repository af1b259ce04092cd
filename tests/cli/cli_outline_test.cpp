// SPDX-License-Identifier: Apache-2.0
// Drawings of the plane, as a user of the program meets them.
#include <gtest/gtest.h>

#include <cmath>

#include "cli_run.h"

namespace touche {
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

TEST(CliOutline, InfoTellsOfChains) {
  const Drawings folder("cli-outline-info");
  const Outcome info = touche_cli(folder, "info square.svg bar.dxf --json --self-intersections");
  EXPECT_EQ(info.exit_code, 0) << info.err;
  const Json json = Json::parse(info.out);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["edges"], 4);
  EXPECT_EQ(json[0]["chains"][0]["name"], "square");
  EXPECT_EQ(json[0]["chains"][0]["area"], -4);  // y is turned, and with it the way around
  EXPECT_EQ(json[0]["self_intersections"], 0);
  EXPECT_EQ(json[1]["length"], 10);
  EXPECT_TRUE(has(touche_cli(folder, "info bar.dxf").out, "1, 0 of them closed")) << info.out;
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
  // Ten turns on the way, at 1.7 from the bar: its corners reach to √2.
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --from 1.3,-4 --to 1.3,4,3600").exit_code,
            0);
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --from 1.7,-4 --to 1.7,4,3600").exit_code,
            1);
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --turn 0,0,180").exit_code, 0);
  EXPECT_EQ(touche_cli(folder, "toi square.svg bar.dxf --turn 3,0,180").exit_code, 1);
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
  EXPECT_TRUE(has(error("path square.svg bar.dxf --to 1,0,0"), "drawing of the plane"));
}

}  // namespace
}  // namespace touche
