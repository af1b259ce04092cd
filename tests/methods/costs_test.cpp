// SPDX-License-Identifier: Apache-2.0
// Measured costs of tests, and the file they are kept in.
#include <gtest/gtest.h>

#include <set>

#include "scenes.h"
#include "study_files.h"
#include "touche/methods/cost_file.h"
#include "touche/methods/measure_costs.h"

namespace touche {
namespace {

TEST(MeasureCosts, KnowsAllPairsAndWhichAreDear) {
  const CostMatrix costs = measure_costs(scenes::bumpy_sphere(2000, 1), {.seconds = 0.001});
  const std::vector<std::string> pairs = measured_pairs();
  EXPECT_EQ(std::set<std::string>(pairs.begin(), pairs.end()).size(), costs.cost.size());
  EXPECT_EQ(pairs.size(), costs.cost.size());
  for (const char* pair : {"aabb aabb", "aabb obb", "aabb sphere", "obb obb", "obb sphere",
                           "sphere sphere", "dop6 dop6", "rss rss", "capsule capsule"})
    EXPECT_TRUE(costs.cost.contains(pair)) << pair;
  for (const auto& [pair, ns] : costs.cost) {
    EXPECT_GT(ns, 0.5) << pair;
    EXPECT_LT(ns, 1e7) << pair;
  }
  EXPECT_GT(costs.triangles, 1);
  // Far enough apart for any machine that is busy with something else.
  EXPECT_LT(costs.cost.at("sphere sphere"), costs.cost.at("obb obb"));
  EXPECT_LT(costs.cost.at("obb obb"), costs.cost.at("rss rss"));
}

TEST(MeasureCosts, TakesAnyFaces) {
  for (const PolygonSoup& soup :
       {scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1)), scenes::random_soup(1)}) {
    const CostMatrix costs = measure_costs(soup, {.repetitions = 1, .seconds = 0});
    EXPECT_EQ(costs.cost.size(), measured_pairs().size());
  }
  const PolygonSoup box = scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1));
  EXPECT_THROW((void)measure_costs(PolygonSoup()), InvalidInput);
  EXPECT_THROW((void)measure_costs(box, {.repetitions = 0}), InvalidInput);
  EXPECT_THROW((void)measure_costs(box, {.seconds = std::nan("")}), InvalidInput);
}

TEST(CostFile, ComesBackAsItWas) {
  const test::StudyFolder folder("costs");
  CostMatrix costs;
  double ns = 1.0 / 3;
  for (const std::string& pair : measured_pairs()) costs.cost[pair] = ns *= 1.7;
  costs.triangles = 82.25;
  folder.write("costs.json", costs_json(costs));
  const CostMatrix back = load_costs(folder.path() / "costs.json");
  EXPECT_EQ(back.cost, costs.cost);
  EXPECT_EQ(back.triangles, costs.triangles);
  folder.write("few.json", R"({"cost": {"obb sphere": 2}, "triangles": 3})");
  EXPECT_EQ(load_costs(folder.path() / "few.json").cost.size(), 1u);
}

TEST(CostFile, SaysWhatIsWrongAndWhere) {
  const test::StudyFolder folder("costs-bad");
  const auto file = folder.path() / "costs.json";
  const auto message = [&](const std::string& text) -> std::string {
    folder.write("costs.json", text);
    try {
      (void)load_costs(file);
    } catch (const LoadError& e) {
      const std::string what = e.what();
      EXPECT_TRUE(what.starts_with(file.string() + ":")) << what;
      return what.substr(file.string().size() + 1);
    }
    return "accepted";
  };
  EXPECT_EQ(message(R"({"cost": {"obb obb": -1}, "triangles": 3})"),
            "/cost/obb obb: -1, expected more than 0");
  EXPECT_EQ(message(R"({"cost": {"obb obb": "dear"}, "triangles": 3})"),
            "/cost/obb obb: expected a number, found string");
  EXPECT_TRUE(message(R"({"cost": {"sphere obb": 1}, "triangles": 3})")
                  .starts_with("/cost/sphere obb: no such pair of volumes; expected one of: aabb "
                               "aabb, aabb obb, "));
  EXPECT_EQ(message(R"({"cost": [], "triangles": 3})"), "/cost: expected an object, found array");
  EXPECT_EQ(message(R"({"cost": {}})"), "/: the key \"triangles\" is missing");
  EXPECT_EQ(message(R"({"cost": {}, "triangles": 0})"), "/triangles: 0, expected more than 0");
  EXPECT_EQ(message(R"({"cost": {}, "triangle": 1})"),
            "/triangle: unknown key; expected one of: unit, cost, triangles");
  EXPECT_TRUE(message("{\"cost\":\n x}").starts_with("line 2, column 2: "));
  EXPECT_THROW((void)load_costs(folder.path() / "none.json"), LoadError);
}

}  // namespace
}  // namespace touche
