// SPDX-License-Identifier: Apache-2.0
// The zoo: every volume around every body, its figures against what is known of a cube, its page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "requested_cancel.h"
#include "shapes.h"
#include "touche/methods/zoo.h"

namespace touche::zoo_test {
namespace {

constexpr double kPi = std::numbers::pi;

CostMatrix equal_costs() {
  CostMatrix costs;
  for (const std::string_view name : volume_names())
    costs.cost[std::string(name) + " " + std::string(name)] = 10;
  costs.cost["obb obb"] = 40;
  return costs;
}

const Zoo& zoo() {
  static const Zoo kZoo = [] {
    const std::vector<ZooMesh> meshes = {{"a cube", scenes::box({0, 0, 0}, {2, 2, 2})},
                                         {"a <torus>", scenes::torus(1, 0.3, 16, 8)}};
    const std::vector<ZooOutline> outlines = {{"a square", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
                                              {"a triangle", {{0, 0}, {4, 1}, {1, 3}}}};
    return make_zoo(meshes, outlines, equal_costs(), {.places = 60, .picture_width = 80});
  }();
  return kZoo;
}

const ZooFit& fit_of(const std::vector<ZooVolume>& volumes, const std::string& name,
                     std::size_t i) {
  const auto found = std::ranges::find(volumes, name, &ZooVolume::name);
  EXPECT_NE(found, volumes.end()) << name;
  return found->fits.at(i);
}

/// Letters of pictures may spell anything.
std::string without_pictures(std::string page) {
  const std::string begin = "base64,";
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos; at += begin.size())
    page.erase(at + begin.size(), page.find('"', at) - at - begin.size());
  return page;
}

TEST(Zoo, HasEveryVolumeAroundEveryBody) {
  EXPECT_TRUE(zoo().complete);
  ASSERT_EQ(zoo().volumes.size(), volume_names().size());
  for (std::size_t k = 0; k < zoo().volumes.size(); ++k) {
    EXPECT_EQ(zoo().volumes[k].name, volume_names()[k]);
    ASSERT_EQ(zoo().volumes[k].fits.size(), 2u);
    EXPECT_EQ(zoo().volumes[k].nanoseconds, zoo().volumes[k].name == "obb" ? 40 : 10);
    for (const ZooFit& f : zoo().volumes[k].fits) {
      EXPECT_TRUE(f.picture.starts_with("data:image/png;base64,"));
      EXPECT_GE(f.false_alarms, 0);
      EXPECT_LE(f.false_alarms, 1);
      if (zoo().volumes[k].name != "shell") {
        EXPECT_GE(f.size_ratio, 1 - 1e-6);
        EXPECT_GE(f.border_ratio, 1 - 1e-6);
      }
    }
  }
  ASSERT_EQ(zoo().plane.size(), 7u);
  for (const ZooVolume& v : zoo().plane) {
    EXPECT_GT(v.nanoseconds, 0);
    ASSERT_EQ(v.fits.size(), 2u);
    for (const ZooFit& f : v.fits) {
      EXPECT_TRUE(f.picture.starts_with("<svg"));
      EXPECT_GE(f.size_ratio, 1 - 1e-6);
    }
  }
}

TEST(Zoo, MeasuresACubeRight) {
  const auto size = [](const char* name) { return fit_of(zoo().volumes, name, 0).size_ratio; };
  EXPECT_NEAR(size("hull"), 1, 1e-6);
  for (const char* name : {"aabb", "dop6", "dop26", "slabs"})
    EXPECT_NEAR(size(name), 1, 1e-6) << name;
  EXPECT_NEAR(size("sphere"), 4 * kPi / 3 * 3 * std::sqrt(3.0) / 8, 1e-6);
  EXPECT_NEAR(size("cylinder"), kPi / 2, 1e-6);
  EXPECT_EQ(fit_of(zoo().volumes, "hull", 0).false_alarms, 0);
  EXPECT_EQ(fit_of(zoo().volumes, "aabb", 0).false_alarms, 0);
  EXPECT_GT(fit_of(zoo().volumes, "sphere", 0).false_alarms, 0.2);
  EXPECT_NEAR(fit_of(zoo().plane, "circle", 0).size_ratio, kPi / 2, 1e-6);
  EXPECT_NEAR(fit_of(zoo().plane, "box", 1).size_ratio, 12 / 5.5, 1e-6);
}

TEST(Zoo, IsOnePageThatNamesAll) {
  const std::string page = without_pictures(zoo_html(zoo(), "on a <test>"));
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const std::string_view name : volume_names()) {
    EXPECT_NE(page.find("id=\"" + std::string(name) + "\""), std::string::npos) << name;
    EXPECT_NE(page.find("<tr><td>" + std::string(name) + "</td>"), std::string::npos) << name;
  }
  for (const ZooVolume& v : zoo().plane)
    EXPECT_NE(page.find("id=\"plane-" + v.name + "\""), std::string::npos) << v.name;
  EXPECT_NE(page.find("a &lt;torus&gt;"), std::string::npos);
  EXPECT_NE(page.find("on a &lt;test&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<torus>"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);  // needs nothing but itself
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find(">inf"), std::string::npos);
}

TEST(Zoo, TakesFlatThingsAndSaysWhatIsWrong) {
  const std::vector<double> square = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  const PolygonSoup flat(square, std::vector<Index>{0, 1, 2, 0, 2, 3});
  const Zoo some = make_zoo({{"a sheet", flat}}, {{"a point", {{1, 2}}}}, {},
                            {.places = 5, .picture_width = 40});
  EXPECT_TRUE(some.complete);
  const std::string page = without_pictures(zoo_html(some));
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_THROW((void)make_zoo({{"nothing", PolygonSoup()}}, {}, {}), InvalidInput);
  EXPECT_THROW((void)make_zoo({}, {{"nothing", {}}}, {}), InvalidInput);
  EXPECT_THROW((void)make_zoo({}, {}, {}, {.places = 0}), InvalidInput);
  EXPECT_THROW((void)make_zoo({}, {}, {}, {.picture_width = 1}), InvalidInput);
  const Cancel cancel = test::requested();
  EXPECT_FALSE(make_zoo({{"a sheet", flat}}, {}, {}, {.budget = {.cancel = cancel}}).complete);
}

}  // namespace
}  // namespace touche::zoo_test
