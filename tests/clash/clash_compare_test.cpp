// SPDX-License-Identifier: Apache-2.0
// Tests what a comparison with an earlier result says of parts that moved, or that have new meshes,
// and of overlaps that changed little.
#include <gtest/gtest.h>

#include <algorithm>

#include "clash_scenes.h"
#include "json_schema.h"
#include "source_folder.h"

namespace touche::clash_compare_test {
namespace {

using test::Json;
using test::PartsBuilder;
using test::shifted;
using Kind = ClashPartChange::Kind;

struct Scene {
  double ball = 0;        // along x
  double sunk = 0.5;      // of the block, into the floor
  Index triangles = 600;  // of the ball
  bool extra = false;     // a part more, far away
  double turned = 0;      // of the stone, in radians
};

// A ball in a stone, both round, and a block that is sunk into a floor.
ClashParts parts_of(const Scene& scene) {
  PartsBuilder builder;
  builder.part("stone", scenes::bumpy_sphere(500, 3),
               Pose::from_axis_angle(Vec3::UnitZ(), scene.turned, Vec3::Zero()));
  builder.part("ball", scenes::sphere(0.8, scene.triangles), shifted(1.2 + scene.ball));
  builder.part("floor", scenes::box({-20, -20, -12}, {20, 20, -10}, 1));
  builder.part("block", scenes::box({0, 0, -10}, {1, 1, -9}, 2), shifted(5, 5, -scene.sunk));
  if (scene.extra) builder.part("extra", test::cube(0, 1), shifted(50));
  return builder.take();
}

struct Compared {
  ClashResult result;
  ClashChange of(const std::string& a, const std::string& b) const {
    for (const ClashDifference& d : result.comparison->pairs)
      if (std::minmax(d.part_a, d.part_b) == std::minmax(a, b)) return d.change;
    ADD_FAILURE() << "no pair " << a << ", " << b;
    return ClashChange::gone;
  }
};

// `edit` changes the earlier result.json.
Compared compare(const Scene& now, const Scene& then, double tolerance = 0,
                 void (*edit)(Json&) = nullptr) {
  const test::StudyFolder folder("clash-compare-parts");
  Json json = Json::parse(clash_json(find_clashes(parts_of(then))));
  if (edit != nullptr) edit(json);
  folder.write("result.json", json.dump());
  EarlierClashes earlier = load_earlier_clashes(folder.path() / "result.json");
  Compared compared{find_clashes(parts_of(now))};
  measure_for_comparison(compared.result, earlier, tolerance);
  compared.result.comparison = compare_clashes(compared.result, earlier, tolerance);
  return compared;
}

// The brackets of both results alone, [2.40, 2.42] or so with a relative error of a tenth, overlap.
TEST(ClashCompareParts, AnOverlapThatChangesLittleHasChanged) {
  const Compared moved = compare({.ball = 0.02}, {});
  EXPECT_EQ(moved.of("ball", "stone"), ClashChange::changed);
  EXPECT_EQ(moved.of("floor", "block"), ClashChange::unchanged);
  ASSERT_EQ(moved.result.comparison->parts.size(), 1u);
  EXPECT_EQ(moved.result.comparison->parts[0].kind, Kind::moved);
  EXPECT_EQ(moved.result.comparison->parts[0].part, "ball");
  EXPECT_NEAR(moved.result.comparison->parts[0].moved, 0.02, 1e-12);
  const std::string sentence = comparison_sentence(moved.result);
  EXPECT_NE(sentence.find("result.json: 1 part moved (ball by 0.02 mm); pairs: 0 new"),
            std::string::npos)
      << sentence;
  // An overlap that is wide and flat is measured as well.
  const Compared sunk = compare({.sunk = 0.502}, {.sunk = 0.5});
  EXPECT_EQ(sunk.of("floor", "block"), ClashChange::changed);
  EXPECT_EQ(compare({.sunk = 0.5001}, {.sunk = 0.5}).of("floor", "block"), ClashChange::unchanged);
  EXPECT_EQ(compare({.sunk = 0.502}, {.sunk = 0.5}, 0.01).of("floor", "block"),
            ClashChange::unchanged);
}

// Values that differ by nearly the tolerance are measured more closely.
TEST(ClashCompareParts, TheToleranceDecides) {
  EXPECT_EQ(compare({.sunk = 0.75}, {.sunk = 0.5}, 0.26).of("floor", "block"),
            ClashChange::unchanged);
  EXPECT_EQ(compare({.sunk = 0.75}, {.sunk = 0.5}, 0.24).of("floor", "block"),
            ClashChange::changed);
}

// Also of pairs that only touch, as far as it is known how much they overlap.
TEST(ClashCompareParts, PairsOfOneClassMayHaveChanged) {
  const auto change = [](double now, double then, const ClashOptions& options) {
    const test::StudyFolder folder("clash-compare-classes");
    folder.write("result.json", clash_json(find_clashes(parts_of({.sunk = then}), options)));
    EarlierClashes earlier = load_earlier_clashes(folder.path() / "result.json");
    Compared compared{find_clashes(parts_of({.sunk = now}), options)};
    measure_for_comparison(compared.result, earlier, 0);
    compared.result.comparison = compare_clashes(compared.result, earlier);
    return compared.of("floor", "block");
  };
  EXPECT_EQ(change(0.8, 0.2, {.ignore_thinner = 0.95}), ClashChange::changed);
  EXPECT_EQ(change(0.2, 0.2, {.ignore_thinner = 0.95}), ClashChange::unchanged);
  EXPECT_NE(change(0.8, 0.2, {.max_touching_thickness = 0.95}), ClashChange::unchanged);
  EXPECT_EQ(change(0.8, 0.2, {.budget = {.max_work = 1}}), ClashChange::unsure);
}

// A part that moved in a file of common coordinates is the same part.
TEST(ClashCompareParts, MeshesShiftedInTheirFileHaveMoved) {
  const auto check = [](double shift, double stretch) {
    PartsBuilder builder;
    builder.part("floor", scenes::box({-20, -20, -12}, {20, 20, -10}, 1));
    PolygonSoup block = scenes::bumpy_sphere(500, 3);
    std::vector<double> xyz;
    std::vector<Index> corners;
    // As single precision writes it.
    for (const Vec3& v : block.vertices())
      for (const double x : {stretch * v.x() + shift, v.y(), v.z() - 9})
        xyz.push_back(static_cast<double>(static_cast<float>(x)));
    for (const auto& t : block.triangles()) corners.insert(corners.end(), t.begin(), t.end());
    builder.part("block", PolygonSoup(xyz, corners));
    return find_clashes(builder.take());
  };
  const test::StudyFolder folder("clash-compare-shifted");
  folder.write("result.json", clash_json(check(100, 1)));
  const EarlierClashes earlier = load_earlier_clashes(folder.path() / "result.json");
  const auto change = [&](const ClashResult& now) {
    const ClashComparison made = compare_clashes(now, earlier);
    return made.parts.empty() ? ClashPartChange() : made.parts[0];
  };
  EXPECT_EQ(change(check(102, 1)).kind, Kind::moved);
  EXPECT_NEAR(change(check(102, 1)).moved, 2, 1e-4);
  EXPECT_EQ(change(check(100, 1.01)).kind, Kind::mesh);
  EXPECT_EQ(change(check(102, -1)).kind, Kind::mesh);  // mirrored
  EXPECT_TRUE(compare_clashes(check(100, 1), earlier).parts.empty());
}

// What clashes and did not is new, whatever it was before; likewise what does not any more.
TEST(ClashCompareParts, PairsThatComeToClashAreNew) {
  const auto check = [](double gap) {
    return find_clashes(PartsBuilder()
                            .part("a", test::cube(0, 1))
                            .part("b", test::cube(0, 1), shifted(1 + gap))
                            .take(),
                        {.clearance = 0.5});
  };
  const auto changes = [&](double then, double now) {
    const test::StudyFolder folder("clash-compare-new");
    folder.write("result.json", clash_json(check(then)));
    return compare_clashes(check(now), load_earlier_clashes(folder.path() / "result.json")).pairs;
  };
  for (const auto& [then, now, change] :
       {std::tuple(0.25, -0.5, ClashChange::fresh), std::tuple(0.0, -0.5, ClashChange::fresh),
        std::tuple(2.0, -0.5, ClashChange::fresh), std::tuple(-0.5, 0.25, ClashChange::solved),
        std::tuple(-0.5, 0.0, ClashChange::solved), std::tuple(-0.5, 2.0, ClashChange::solved),
        std::tuple(0.25, 0.0, ClashChange::changed), std::tuple(2.0, 0.25, ClashChange::fresh)}) {
    const std::vector<ClashDifference> found = changes(then, now);
    ASSERT_EQ(found.size(), 1u) << then << ' ' << now;
    EXPECT_EQ(found[0].change, change) << then << ' ' << now;
  }
}

// Nothing is said of the thickness of open parts, in a comparison neither.
TEST(ClashCompareParts, OpenPartsHaveNoThickness) {
  const auto open = [](double x) {
    PartsBuilder builder;
    PolygonSoup lid_off = scenes::box({0, 0, 0}, {10, 10, 10}, 1);
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : lid_off.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
    for (Index t = 2; t < lid_off.triangle_count(); ++t)
      for (const Index v : lid_off.triangle(t)) corners.push_back(v);
    builder.part("open", PolygonSoup(xyz, corners));
    builder.part("block", scenes::box({0, 0, 0}, {4, 4, 4}, 1), shifted(x, 2, -2));
    return find_clashes(builder.take());
  };
  const test::StudyFolder folder("clash-compare-open");
  folder.write("result.json", clash_json(open(3)));
  EarlierClashes earlier = load_earlier_clashes(folder.path() / "result.json");
  ClashResult now = open(3.5);
  ASSERT_EQ(now.pairs.size(), 1u);
  ASSERT_FALSE(now.pairs[0].closed);
  measure_for_comparison(now, earlier, 0);
  EXPECT_EQ(now.pairs[0].thickness.diameter.lower, 0);
  now.comparison = compare_clashes(now, earlier);
  EXPECT_EQ(now.comparison->pairs[0].change, ClashChange::unsure);
  EXPECT_EQ(clash_sentence(now).find("overlap by"), std::string::npos) << clash_sentence(now);
}

TEST(ClashCompareParts, NothingMovedIsUnchangedWithoutMeasuring) {
  const Compared same = compare({}, {});
  EXPECT_TRUE(same.result.comparison->parts.empty());
  for (const ClashDifference& d : same.result.comparison->pairs)
    EXPECT_EQ(d.change, ClashChange::unchanged) << d.part_a << ", " << d.part_b;
}

// The earlier mesh is no longer there, and the earlier bracket is too wide to compare with.
TEST(ClashCompareParts, AnotherMeshIsNamedAndWhatCannotBeToldIsSaid) {
  const Compared other = compare({.triangles = 900}, {});
  ASSERT_EQ(other.result.comparison->parts.size(), 1u);
  EXPECT_EQ(other.result.comparison->parts[0].kind, Kind::mesh);
  EXPECT_EQ(other.of("ball", "stone"), ClashChange::unsure);
  EXPECT_NE(comparison_sentence(other.result).find(", 1 measured too coarsely to compare"),
            std::string::npos);
  // What was measured for a comparison is written, so that the next one can compare them.
  const Json written = Json::parse(clash_json(other.result));
  for (const Json& pair : written["pairs"]) {
    if (pair["part_a"] != "stone" || pair["part_b"] != "ball") continue;
    const double lower = pair["thickness"]["lower"], upper = pair["thickness"]["upper"];
    EXPECT_LE(upper - lower, 1e-3 * upper);
  }
}

TEST(ClashCompareParts, NewAndGonePartsAreNamed) {
  const Compared more = compare({.extra = true}, {.turned = 0.1});
  ASSERT_EQ(more.result.comparison->parts.size(), 2u);
  EXPECT_EQ(more.result.comparison->parts[0].kind, Kind::moved);
  EXPECT_EQ(more.result.comparison->parts[0].part, "stone");
  EXPECT_EQ(more.result.comparison->parts[1].kind, Kind::fresh);
  EXPECT_EQ(more.result.comparison->parts[1].part, "extra");
  const Compared less = compare({}, {.extra = true});
  ASSERT_EQ(less.result.comparison->parts.size(), 1u);
  EXPECT_EQ(less.result.comparison->parts[0].kind, Kind::gone);
  const std::string page = clash_html(more.result);
  const std::size_t news = page.find("<h2>What is new</h2>"), table = page.find("<h2>How pairs");
  ASSERT_NE(news, std::string::npos);
  EXPECT_LT(news, table);
  EXPECT_LT(page.find("<td>stone</td>"), table);
}

// Older results do not say which meshes they had: nothing is said of them.
TEST(ClashCompareParts, OlderResultsLoad) {
  const Compared older = compare({.sunk = 0.502}, {}, 0, [](Json& json) {
    for (Json& part : json["parts"]) {
      part.erase("mesh_hash");
      part.erase("box");
    }
  });
  EXPECT_TRUE(older.result.comparison->parts.empty());
  EXPECT_EQ(older.result.comparison->remarks.size(), 1u);
  EXPECT_EQ(older.of("ball", "stone"), ClashChange::unsure);
}

TEST(ClashCompareParts, JsonKeepsToItsSchema) {
  const Json schema =
      test::read_json(std::string(test::kSourceFolder) + "/docs/clash-result.schema.json");
  const Compared all = compare({.ball = 0.02, .extra = true}, {.triangles = 900});
  EXPECT_EQ(test::schema_violation(schema, schema, Json::parse(clash_json(all.result)), ""), "");
}

}  // namespace
}  // namespace touche::clash_compare_test
