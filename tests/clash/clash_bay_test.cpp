// SPDX-License-Identifier: Apache-2.0
// Clash checks of a generated assembly whose clashes are known.
#include <gtest/gtest.h>

#include "clash_scenes.h"
#include "touche/io.h"
#include "touche/reference.h"

namespace touche::clash_bay_test {
namespace {

using test::by_names;

// Holds the clashes that are found in a bay that went through a file.
struct Found {
  scenes::EngineBay bay;
  ClashParts parts;
  ClashOptions options;
  ClashResult result;
};

Found find_in_bay(const scenes::EngineBayOptions& options, int threads = 0) {
  const test::StudyFolder folder("clash-bay");
  Found found{scenes::engine_bay(options), {}, {}, {}};
  save_assembly(found.bay.assembly, folder.path() / "bay.glb");
  found.parts = test::load_one(folder.path() / "bay.glb");
  found.options.clearance = found.bay.clearance;
  found.options.threads = threads;
  found.result = find_clashes(found.parts, found.options);
  return found;
}

void expect_truth(const Found& found) {
  auto pairs = by_names(found.parts, found.result);
  for (const scenes::KnownPair& known : found.bay.pairs) {
    const auto at = pairs.find(std::minmax(known.part_a, known.part_b));
    ASSERT_NE(at, pairs.end()) << known.part_a << " and " << known.part_b << ": "
                               << relation_name(known.relation) << ", found free";
    const ClashPair& pair = at->second;
    EXPECT_EQ(name(pair.verdict), relation_name(known.relation))
        << known.part_a << " and " << known.part_b << ", thickness "
        << pair.thickness.diameter.lower << " to " << pair.thickness.diameter.upper << ", touching "
        << pair.max_touching_thickness;
    const Bracket& value =
        pair.verdict == ClashPairVerdict::near ? pair.distance : pair.thickness.diameter;
    if (known.value.upper < kInfinity) {
      EXPECT_LE(value.lower, known.value.upper) << known.part_a << " and " << known.part_b;
      EXPECT_GE(value.upper, known.value.lower) << known.part_a << " and " << known.part_b;
    }
    pairs.erase(at);
  }
  for (const auto& [names, pair] : pairs)
    ADD_FAILURE() << names.first << " and " << names.second << ": " << name(pair.verdict)
                  << ", expected free; distance " << pair.distance.upper;
}

TEST(ClashBay, FindsWhatWasBuiltIn) {
  const Found found = find_in_bay({.parts = 333, .triangles = 333 * 800});
  EXPECT_EQ(found.parts.parts.size(), 333u);
  EXPECT_LT(found.parts.objects.size(), 150u);  // they are shared
  EXPECT_NEAR(static_cast<double>(found.bay.triangles), 333 * 800.0, 0.3 * 333 * 800);
  expect_truth(found);
  for (const ClashPairVerdict c : {ClashPairVerdict::near, ClashPairVerdict::touching,
                                   ClashPairVerdict::contains, ClashPairVerdict::clash})
    EXPECT_GT(found.result.count(c), 2u) << name(c);
  EXPECT_EQ(found.result.verdict, ClashVerdict::clash);
  EXPECT_EQ(found.result.count(ClashPairVerdict::free) + found.result.pairs.size(), 333u * 332 / 2);
  for (const std::string& remark : found.parts.remarks) ADD_FAILURE() << remark;
}

TEST(ClashBay, AnyFinenessGivesTheSame) {
  for (const std::uint64_t each : {400, 3000})
    expect_truth(find_in_bay({.parts = 200, .triangles = 200 * each}));
}

void expect_same(const ClashResult& a, const ClashResult& b) {
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.counts, b.counts);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    const ClashPair &x = a.pairs[i], &y = b.pairs[i];
    EXPECT_EQ(x.part_a, y.part_a);
    EXPECT_EQ(x.part_b, y.part_b);
    EXPECT_EQ(x.verdict, y.verdict);
    EXPECT_EQ(x.distance, y.distance);
    EXPECT_EQ(x.thickness.diameter, y.thickness.diameter);
    EXPECT_EQ(x.thickness.centre, y.thickness.centre);
    EXPECT_EQ(x.containment, y.containment);
    EXPECT_EQ(x.max_touching_thickness, y.max_touching_thickness);
    ASSERT_EQ(x.contact.has_value(), y.contact.has_value());
    if (x.contact) {
      EXPECT_EQ(x.contact->point_a, y.contact->point_a);
      EXPECT_EQ(x.contact->face_b, y.contact->face_b);
    }
  }
}

TEST(ClashBay, AskingEveryPairGivesTheSame) {
  const Found found = find_in_bay({.parts = 60, .triangles = 60 * 400});
  expect_same(found.result, brute_force::find_clashes(found.parts, found.options));
}

TEST(ClashBay, ThreadsDoNotMatter) {
  Found found = find_in_bay({.parts = 150, .triangles = 150 * 400}, 1);
  found.options.threads = 2;
  expect_same(found.result, find_clashes(found.parts, found.options));
}

}  // namespace
}  // namespace touche::clash_bay_test
