// SPDX-License-Identifier: Apache-2.0
// Parts at a time of an animation on the command line.
#include <gtest/gtest.h>

#include "cli_run.h"
#include "io/gltf_files.h"

namespace touche::cli_animation_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

// A triangle "door" in the plane x = 0, which an animation moves by 4 along x from 1 s to 3 s.
std::string door() {
  test::GltfFile file;
  const std::string position = file.positions({0, 0, 0, 0, 1, 0, 0, 0, 1}),
                    times = file.array(test::raws<float>({1, 3}), 5126, "SCALAR", 2,
                                       ",\"min\":[1],\"max\":[3]"),
                    places = file.positions({0, 0, 0, 4, 0, 0});
  return file.text(
      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position + "}}]}]," +
      test::nodes({"\"mesh\":0,\"name\":\"door\""}) +
      ",\"animations\":[{\"name\":\"open\",\"samplers\":[{\"input\":" + times +
      ",\"output\":" + places +
      "}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}]");
}

// The folder has a box "wall.off" from x = 3.5 to 3.6.
class CliAnimation : public testing::Test {
 protected:
  CliAnimation() { folder_.write("door.gltf", door()); }
  const StudyFolder folder_{"cli-animation"};
};

TEST_F(CliAnimation, InfoListsAnimationsAndShowsAPose) {
  const Outcome at_rest = touche_cli(folder_, "info door.gltf");
  EXPECT_TRUE(has(at_rest.out, "open (1 to 3 s)")) << at_rest.out;
  EXPECT_TRUE(has(at_rest.out, "its animations ('open') are not used")) << at_rest.out;
  const Json json =
      Json::parse(touche_cli(folder_, "info door.gltf --animation open --at 2 --json").out);
  EXPECT_EQ(json[0]["bounds"]["lo"][0], 2);
  EXPECT_EQ(json[0]["animations"][0]["end"], 3);
  const Outcome unknown = touche_cli(folder_, "info door.gltf --animation close");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(has(unknown.err, "there is no animation 'close'; the file has 'open'"))
      << unknown.err;
  EXPECT_TRUE(has(touche_cli(folder_, "info door.gltf --at 2").err, "--at: a time of --animation"));
  EXPECT_TRUE(has(touche_cli(folder_, "info wall.off --animation open").err,
                  "animations are read of glTF files only"));
}

TEST_F(CliAnimation, CommandsOnTwoObjectsTakeAPose) {
  const auto distance = [&](const std::string& more) {
    const Outcome outcome = touche_cli(folder_, "distance door.gltf wall.off --json " + more);
    return Json::parse(outcome.out)["distance"].get<double>();
  };
  EXPECT_NEAR(distance(""), 3.5, 1e-12);
  EXPECT_NEAR(distance("--animation-a open --at-a 2"), 1.5, 1e-12);
  EXPECT_EQ(touche_cli(folder_, "collide door.gltf wall.off").exit_code, 0);
  EXPECT_EQ(
      touche_cli(folder_, "collide door.gltf wall.off --animation-a open --at-a 2.75").exit_code,
      1);
  EXPECT_EQ(
      touche_cli(folder_, "collide wall.off door.gltf --animation-b open --at-b 2.75").exit_code,
      1);
  EXPECT_EQ(touche_cli(folder_, "collide wall.off door.gltf --at-b 2.5").exit_code, 2);
}

TEST_F(CliAnimation, ClashChecksAPoseAndSaysSo) {
  const Outcome open =
      touche_cli(folder_, "clash door.gltf wall.off --unit mm --animation open --at 2.775 --json");
  EXPECT_EQ(open.exit_code, 1) << open.err;
  const Json json = Json::parse(open.out);
  EXPECT_EQ(json["assembly"]["animation"]["name"], "open");
  EXPECT_EQ(json["assembly"]["animation"]["seconds"], 2.775);
  const Json at_rest =
      Json::parse(touche_cli(folder_, "clash door.gltf wall.off --unit mm --json").out);
  EXPECT_FALSE(at_rest["assembly"].contains("animation"));
  const Outcome none = touche_cli(folder_, "clash door.gltf wall.off --unit mm --animation close");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(has(none.err, "no file has an animation \"close\"")) << none.err;
  EXPECT_TRUE(has(touche_cli(folder_, "clash door.gltf wall.off --unit mm --at 0.5").err, "--at"));
}

}  // namespace
}  // namespace touche::cli_animation_test
