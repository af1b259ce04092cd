// SPDX-License-Identifier: Apache-2.0
// `touche build`, and `touche collide` with what it made.
#include <gtest/gtest.h>

#include "cli_run.h"

namespace touche::cli_build_test {
namespace {

using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

TEST(Cli, BuildWritesAHierarchy) {
  const StudyFolder folder("cli-build");
  const Outcome text = touche_cli(folder, "build cube.off --check --threads 1");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.err, "");  // no progress bar in a pipe
  EXPECT_TRUE(has(text.out, "12 triangles, 1 nodes, 2 leaves, height 1\n")) << text.out;
  EXPECT_TRUE(has(text.out, ", checked, loaded in ")) << text.out;
  EXPECT_TRUE(has(text.out, "written to cube.off.bvh\n")) << text.out;
  const std::string bytes = test::read_text(folder.path() / "cube.off.bvh");

  const Outcome json = touche_cli(folder, "build cube.off --out other.bvh --json");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(test::read_text(folder.path() / "other.bvh"), bytes);
  EXPECT_EQ(Json::parse(json.out)["triangles"], 12);
  EXPECT_EQ(Json::parse(json.out)["bytes"], bytes.size());
  EXPECT_TRUE(Json::parse(json.out)["load_seconds"].is_null());

  EXPECT_EQ(touche_cli(folder, "build cube.off --scale 2").exit_code, 0);
  EXPECT_NE(test::read_text(folder.path() / "cube.off.bvh"), bytes);
  EXPECT_EQ(touche_cli(folder, "build gone.off").exit_code, 2);
  const Outcome nowhere = touche_cli(folder, "build cube.off --out none/cube.bvh");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_TRUE(has(nowhere.err, "touche: none/cube.bvh: cannot be written: ")) << nowhere.err;
}

TEST(Cli, BuildMakesVolumeTrees) {
  const StudyFolder folder("cli-tree");
  const Outcome built = touche_cli(folder, "build cube.off --method gottschalk --check");
  EXPECT_EQ(built.exit_code, 0) << built.err;
  EXPECT_TRUE(has(built.out, "12 triangles, ")) << built.out;
  EXPECT_TRUE(has(built.out, "checked, loaded in ")) << built.out;
  EXPECT_TRUE(has(built.out, "written to cube.off.tree\n")) << built.out;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "cube.off.bvh"));

  // Every option there is reaches the tree.
  folder.write("costs.json", R"({"unit": "ns", "cost": {"obb sphere": 2}, "triangles": 3})");
  const Outcome all = touche_cli(
      folder,
      "build cube.off --method insertion --volume mixed --degree 4 --improve 0.8 "
      "--min-split-faces 2 --leaf-faces 2 --max-depth 5 --quality volume --combine maximum --costs "
      "costs.json --start "
      "icosahedron --order best_first --branching random --exploration weighted --max-problems 7 "
      "--seed "
      "3 --out all.tree --json");
  EXPECT_EQ(all.exit_code, 0) << all.err;
  const Json json = Json::parse(all.out);
  EXPECT_EQ(json["volume"], "mixed");
  EXPECT_EQ(json["method"], "insertion");
  EXPECT_EQ(json["triangles"], 12);
  EXPECT_LE(json["depth"], 5);
  EXPECT_EQ(json["degrees"].size(), 9u);
  EXPECT_TRUE(json["load_seconds"].is_null());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "all.tree"));
  const Outcome low =
      touche_cli(folder, "build cube.off --method median --max-depth 1 --degree 3 --json");
  EXPECT_EQ(Json::parse(low.out)["nodes"], 4);
  EXPECT_EQ(Json::parse(low.out)["degrees"], (Json{3, 0, 0, 1, 0, 0, 0, 0, 0}));
  const Outcome exact =
      touche_cli(folder, "build cube.off --method branch_and_bound --max-problems 50");
  EXPECT_TRUE(has(exact.out, "largest gap of a split: ")) << exact.out << exact.err;

  // k-DOPs of directions of one's own.
  folder.write("own.csv",
               "\xEF\xBB\xBF# a prism, after a byte order mark\n1, 0, 0\n0.5 0.87 0\n\n-0.5,0.87,0 "
               "# the third side\n0 0 2\n");
  folder.write("flat.csv", "1 0 0\n0 1 0\n1 1 0\n");
  folder.write("words.csv", "1 0 0\n0 one 0\n");
  folder.write("two.csv", "1 0 0\n0 1 0\n0 1\n");
  folder.write("zero.csv", "1 0 0\n0 1 0\n0 0 0\n0 0 1\n");
  const Outcome own = touche_cli(
      folder, "build cube.off --method median --volume dop --directions own.csv --check --json");
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_EQ(Json::parse(own.out)["volume"], "dop");
  EXPECT_TRUE(has(touche_cli(folder,
                             "build cube.off --method median --volume dop --directions "
                             "words.csv")
                      .err,
                  "words.csv:2: expected a direction: three numbers"));
  EXPECT_TRUE(has(touche_cli(folder,
                             "build cube.off --method median --volume dop --directions "
                             "zero.csv")
                      .err,
                  "zero.csv:3: expected a direction: not zero, and finite"));
  // The message says what is missing or too much, and which directions do not count.
  folder.write("alike.csv", "1 0 0\n0 1 0\n1 1e-17 1e-17\n");
  const auto why = [&](const char* options) {
    return touche_cli(folder, std::string("build cube.off --method median ") + options).err;
  };
  for (const char* half :
       {"--volume dop", "--directions own.csv", "--volume obb --directions own.csv"})
    EXPECT_TRUE(has(why(half), "--volume dop and --directions belong together")) << why(half);
  EXPECT_TRUE(has(why("--volume dop --directions alike.csv"), "only 2 of these 3 count"));
  folder.write("few.csv", "1 0 0\n");
  EXPECT_TRUE(
      has(why("--volume dop --directions few.csv"), "few.csv: 1 direction, expected 3 to 120"));
  EXPECT_TRUE(
      has(why("--volume dop --directions flat.csv"), "no nearer to one plane than a thousandth"));

  for (const char* bad : {"--method median --volume dop",
                          "--method median --directions own.csv",
                          "--method median --volume dop --directions flat.csv",
                          "--method median --volume dop --directions two.csv",
                          "--method median --volume dop --directions none.csv",
                          "--directions own.csv",
                          "--method",
                          "--method quarter",
                          "--method median --volume cube",
                          "--method median --degree 9",
                          "--method median --degree x",
                          "--method median --improve 2",
                          "--method median --leaf-faces 0",
                          "--method median --max-depth 1001",
                          "--method median --quality beauty",
                          "--method median --costs none.json",
                          "--method median --costs cube.off",
                          "--method median --order worst",
                          "--method median --max-problems 0",
                          "--method median --quality hausdorff --volume rss",
                          "--method branch_and_bound --quality hausdorff",
                          "--degree 3",
                          "--seed 1"}) {
    const Outcome refused = touche_cli(folder, std::string("build cube.off ") + bad);
    EXPECT_EQ(refused.exit_code, 2) << bad;
    EXPECT_NE(refused.err, "") << bad;
  }
}

TEST(Cli, CollideSearchesVolumeTrees) {
  const StudyFolder folder("cli-collide-tree");
  const std::string near = "collide cube.off cube.off --pose-b 0.5,0.25,0.125 ";
  const Json truth = Json::parse(touche_cli(folder, near + "--json").out);
  Json pairs = Json::array();
  for (const Json& c : truth["contacts"]) pairs.push_back({c["face_a"], c["face_b"]});
  ASSERT_FALSE(pairs.empty());

  const Outcome made = touche_cli(folder, near + "--method median --volume mixed --json");
  EXPECT_EQ(made.exit_code, 1) << made.err;
  const Json json = Json::parse(made.out);
  EXPECT_EQ(json["pairs"], pairs);
  std::uint64_t sum = 0;
  for (const Json& count : json["work"]["volume_tests_by_kind"]) sum += count.get<std::uint64_t>();
  EXPECT_EQ(json["work"]["volume_tests"], sum);
  EXPECT_GT(json["work"]["front"], 0);

  folder.write("own.csv", "1 0 0\n0.5 0.87 0\n-0.5 0.87 0\n0 0 2\n");
  const Outcome own =
      touche_cli(folder, near + "--method median --volume dop --directions own.csv --json");
  EXPECT_EQ(own.exit_code, 1) << own.err;
  EXPECT_EQ(Json::parse(own.out)["pairs"], pairs);

  ASSERT_EQ(touche_cli(folder, "build cube.off --method zachmann --volume dop14").exit_code, 0);
  const std::string trees = near + "--tree-a cube.off.tree --tree-b cube.off.tree ";
  for (const char* expansion : {"worse_quality", "larger_volume", "simultaneous", "hybrid"})
    for (const char* queue : {"first_in", "last_in", "best_first", "worst_first"}) {
      const Outcome loaded =
          touche_cli(folder, trees + "--json --expansion " + expansion + " --queue " + queue);
      EXPECT_EQ(loaded.exit_code, 1) << loaded.err;
      EXPECT_EQ(Json::parse(loaded.out)["pairs"], pairs);
    }
  const Outcome first = touche_cli(folder, trees + "--max-contacts 1");
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_TRUE(has(first.out, "contact: 1 pair of faces\n")) << first.out;
  EXPECT_TRUE(has(first.out, "tests of volumes")) << first.out;
  const Outcome free = touche_cli(
      folder, "collide cube.off cube.off --pose-b 0,3,0 --method middle --volume sphere");
  EXPECT_EQ(free.exit_code, 0) << free.err;
  EXPECT_TRUE(has(free.out, "free: the surfaces do not touch\n1 tests of volumes, ")) << free.out;

  for (const char* bad :
       {"--tree-a cube.off.tree", "--tree-a cube.off.tree --tree-b none.tree",
        "--tree-a cube.off.tree --tree-b cube.off", "--expansion hybrid", "--queue first_in",
        "--method median --expansion sideways", "--method median --queue random",
        "--tree-a cube.off.tree --method median --volume obb", "--method median --max-contacts 5"})
    EXPECT_EQ(touche_cli(folder, near + bad).exit_code, 2) << bad;
}

}  // namespace
}  // namespace touche::cli_build_test
