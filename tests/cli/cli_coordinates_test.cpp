// SPDX-License-Identifier: Apache-2.0
// Which axis is up, in files of formats that say it and that do not.
#include <gtest/gtest.h>

#include "cli_run.h"

namespace touche::cli_coordinates_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

// A triangle of height 3 along z, in metres or any other unit.
constexpr const char* kOff = "OFF\n3 1 3\n0 0 0\n1 0 0\n0 0 3\n3 0 1 2\n";

std::string link(const std::string& asset) {
  return "<COLLADA><asset>" + asset +
         R"(</asset><library_geometries><geometry id="g"><mesh><source id="s">
<float_array id="a" count="9">0 0 0 1 0 0 0 0 3</float_array><technique_common>
<accessor source="#a" count="3" stride="3"><param name="X"/><param name="Y"/><param name="Z"/>
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/>
</vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>
</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w">
<node name="link"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>)";
}

double distance(const StudyFolder& folder, const std::string& arguments) {
  const Outcome outcome = touche_cli(folder, "distance " + arguments + " --json");
  return Json::parse(outcome.out)["distance"].get<double>();
}

TEST(CliCoordinates, FilesOfTheSameCoordinatesMeanTheSame) {
  const StudyFolder folder("cli-up");
  folder.write("link.off", kOff);
  folder.write("link.dae", link("<up_axis>Z_UP</up_axis>"));
  EXPECT_NEAR(distance(folder, "link.dae link.off --pose-b 0,0,5"), 2, 1e-12);
  const Outcome same = touche_cli(folder, "distance link.dae link.off --pose-b 0,0,5");
  EXPECT_EQ(same.err, "");
  // Turned, the height is along -y.
  folder.write("link.dae", link(""));
  EXPECT_NEAR(distance(folder, "link.dae link.off --pose-b 0,0,5"), 5, 1e-12);
  const Outcome turned = touche_cli(folder, "distance link.dae link.off --pose-b 0,0,5");
  EXPECT_TRUE(has(turned.err, "link.dae: y is up in the file, and it is turned so that z is up"))
      << turned.err;
  EXPECT_NEAR(distance(folder, "link.dae link.off --pose-b 0,0,5 --up-a z"), 2, 1e-12);
  EXPECT_NEAR(distance(folder, "link.dae link.off --pose-b 0,-5,0 --up-b y"), 2, 1e-12);
  EXPECT_EQ(touche_cli(folder, "distance link.dae link.off --up-a w").exit_code, 2);
}

TEST(CliCoordinates, InfoPrintsTheAxisAndTheUnit) {
  const StudyFolder folder("cli-info-up");
  folder.write("link.off", kOff);
  folder.write("link.dae", link("<unit meter=\"0.0254\"/>"));
  const Outcome dae = touche_cli(folder, "info link.dae");
  EXPECT_TRUE(has(dae.out, "m; in the file 1 is 0.0254 m")) << dae.out;
  EXPECT_TRUE(has(dae.out, "z; in the file y, from which it is turned")) << dae.out;
  const Outcome off = touche_cli(folder, "info link.off");
  EXPECT_TRUE(has(off.out, "not in the file")) << off.out;
  EXPECT_TRUE(has(off.out, "z, as in the file")) << off.out;
  const Json json = Json::parse(touche_cli(folder, "info link.dae link.off --up x --json").out);
  EXPECT_EQ(json[0]["file_up"], "x");
  EXPECT_EQ(json[0]["unit"], "m");
  EXPECT_EQ(json[0]["file_unit"], 0.0254);
  EXPECT_TRUE(json[1]["unit"].is_null());
  EXPECT_EQ(json[1]["bounds"]["lo"][1], -3);  // of the height along z, which is -y for x up
}

}  // namespace
}  // namespace touche::cli_coordinates_test
