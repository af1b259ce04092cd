// SPDX-License-Identifier: Apache-2.0
// A cube as a CAD program writes it, whose zeros are 0, 1e-17 and -2.7e-16: it is closed for all
// commands, and --weld 0 shows why that is not what the file says.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli_run.h"
#include "shared_data.h"

namespace touche::cli_weld_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

class CliWeld : public testing::Test {
 protected:
  void SetUp() override {
    TOUCHE_NEED_SHARED_DATA();
    for (const char* name : {"noisy-cube.stl", "mated.json", "fall.json"})
      std::filesystem::copy_file(test::shared_data() / "cases" / "weld-solidworks" / name,
                                 folder_.path() / name);
  }
  const StudyFolder folder_{"cli-weld"};
};

TEST_F(CliWeld, InfoSaysWhatIsJoined) {
  const std::string out = touche_cli(folder_, "info noisy-cube.stl").out;
  EXPECT_TRUE(has(out, "closed, consistently oriented, 1 shell, area 600")) << out;
  EXPECT_TRUE(has(out, "  joined          ")) << out;
  EXPECT_TRUE(has(out, "  volume          1000\n")) << out;
  EXPECT_TRUE(has(out,
                  "  remarks         its surface is closed because vertices whose "
                  "coordinates differ by up to 2."))
      << out;
  const std::string open = touche_cli(folder_, "info noisy-cube.stl --weld 0").out;
  EXPECT_TRUE(has(open, "open (")) << open;
  EXPECT_TRUE(has(open, "closed if joined within 4.")) << open;
  const Json json = Json::parse(touche_cli(folder_, "info noisy-cube.stl --json").out)[0];
  EXPECT_EQ(json["weld"]["closed_shells"], 1);
  EXPECT_EQ(json["weld"]["open_edges_before"], 32);
  const Json as_it_is =
      Json::parse(touche_cli(folder_, "info noisy-cube.stl --weld 0 --json").out)[0];
  EXPECT_EQ(as_it_is["weld"]["joined"], 0);
  EXPECT_LT(as_it_is["closing_length"], 1e-14);
  const Outcome wrong = touche_cli(folder_, "info noisy-cube.stl --weld -1");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(has(wrong.err, "--weld")) << wrong.err;
}

TEST_F(CliWeld, MatedPartsTouch) {
  const Outcome touching = touche_cli(folder_, "clash mated.json --json");
  EXPECT_EQ(touching.exit_code, 0) << touching.out;
  EXPECT_EQ(Json::parse(touching.out)["counts"]["touching"], 1);
  const Outcome apart = touche_cli(
      folder_, "collide noisy-cube.stl noisy-cube.stl --pose-b 0,0,10 --separation --json");
  EXPECT_NE(apart.exit_code, 2) << apart.err;
  const Outcome open = touche_cli(
      folder_, "collide noisy-cube.stl noisy-cube.stl --pose-b 0,0,10 --separation --weld 0");
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_TRUE(has(open.err, "is not closed")) << open.err;
}

TEST_F(CliWeld, ScenesAndStudiesTakeALength) {
  EXPECT_EQ(touche_cli(folder_, "simulate fall.json").exit_code, 0);
  folder_.write("open.json",
                R"({"touche_scene":1,"unit":"mm","duration":0.01,"tolerance":1e-3,"density":7850,
                    "bodies":[{"name":"part","file":"noisy-cube.stl","weld":0}]})");
  const Outcome open = touche_cli(folder_, "simulate open.json");
  EXPECT_EQ(open.exit_code, 2);
  for (const char* weld : {"-1", "\"none\""}) {
    folder_.write("wrong.json",
                  std::string(R"({"touche_study":1,"unit":"mm","parts":[{"name":"a",
                      "file":"noisy-cube.stl","weld":)") +
                      weld +
                      R"(},{"name":"b","file":"noisy-cube.stl"}],"groups":[],"tolerance":1})");
    const Outcome wrong = touche_cli(folder_, "study wrong.json");
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_TRUE(has(wrong.err, "/parts/0/weld")) << wrong.err;
  }
}

}  // namespace
}  // namespace touche::cli_weld_test
