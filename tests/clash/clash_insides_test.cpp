// SPDX-License-Identifier: Apache-2.0
// Clash checks of parts whose faces are not oriented alike, or are there from both sides.
#include <gtest/gtest.h>

#include "clash_scenes.h"
#include "mesh_sides.h"
#include "path/shift_apart.h"
#include "touche/path.h"

namespace touche::clash_insides_test {
namespace {

using test::cube;
using test::from_both_sides;
using test::joined;
using test::PartsBuilder;

TEST(ClashInsides, AMeshThatIsTwoSidedIsSaidToHaveNoInside) {
  const PolygonSoup outside = cube(0, 10), inner = cube(4, 6), screw = cube(20, 22);
  const auto check = [&](const PolygonSoup& outer) {
    return find_clashes(PartsBuilder().part("shell", outer).part("inner", inner).take());
  };
  EXPECT_TRUE(check(outside).remarks.empty());
  EXPECT_EQ(check(outside).verdict, ClashVerdict::clash);
  const std::string said = "shell: " + std::string(remark_of(InsideFault::two_sided));
  // Another piece does not hide that.
  for (const PolygonSoup& outer :
       {from_both_sides(outside), joined({from_both_sides(outside), screw})}) {
    const ClashResult result = check(outer);
    EXPECT_EQ(result.verdict, ClashVerdict::open);
    ASSERT_EQ(result.remarks.size(), 1u);
    EXPECT_EQ(result.remarks[0], said);
    const std::string sentence = clash_sentence(result);
    EXPECT_NE(sentence.find("Whether inner lies inside shell is unknown: shell is open"),
              std::string::npos)
        << sentence;
    // Where surfaces meet, nothing says how deep.
    const ClashParts crossing =
        PartsBuilder().part("shell", outer).part("other", cube(5, 15)).take();
    const ClashResult deep = find_clashes(crossing, {.max_touching_thickness = 2});
    EXPECT_EQ(deep.verdict, ClashVerdict::clash);
    ASSERT_EQ(deep.pairs.size(), 1u);
    EXPECT_EQ(deep.pairs[0].thickness.diameter, Bracket());
    EXPECT_EQ(clash_sentence(deep).find("overlap"), std::string::npos) << clash_sentence(deep);
  }
}

// Half of the triangles of the box around it are the other way round.
TEST(ClashInsides, PartsInsideOfMeshesThatAreNotOriented) {
  const PolygonSoup outside = cube(0, 10);
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& v : outside.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (Index t = 0; t < outside.triangle_count(); ++t) {
    const auto& [i, j, k] = outside.triangle(t);
    corners.insert(corners.end(), {i, t % 2 == 0 ? j : k, t % 2 == 0 ? k : j});
  }
  const PolygonSoup box(xyz, corners);
  const auto with = [&](const PolygonSoup& other, const ClashOptions& options) {
    return find_clashes(PartsBuilder().part("box", box).part("other", other).take(), options);
  };
  const ClashResult inside = with(cube(4, 6), {});
  EXPECT_EQ(inside.verdict, ClashVerdict::clash);
  EXPECT_TRUE(inside.remarks.empty());
  ASSERT_EQ(inside.pairs.size(), 1u);
  EXPECT_EQ(inside.pairs[0].verdict, ClashPairVerdict::contains);
  // And thin overlaps are known to be thin.
  const ClashOptions touching = {.max_touching_thickness = 0.2};
  EXPECT_EQ(with(cube(9.9, 15), touching).verdict, ClashVerdict::free);
  EXPECT_EQ(with(cube(9.7, 15), touching).verdict, ClashVerdict::clash);
  EXPECT_TRUE(paths::apart_after_shrinking(Interior{Object(box)}, Pose(),
                                           Interior{Object(cube(9.9, 15))}, Pose(), 0.3, {}));
  // Coinciding faces of two boxes, one of them like this, cannot be oriented alike: then surfaces
  // count, and a shift separates them.
  const ClashResult unknown = find_clashes(
      PartsBuilder().part("boxes", joined({box, outside})).part("other", cube(9.9, 15)).take(),
      touching);
  EXPECT_EQ(unknown.verdict, ClashVerdict::free);
  ASSERT_EQ(unknown.pairs.size(), 1u);
  EXPECT_EQ(unknown.pairs[0].verdict, ClashPairVerdict::touching);
  EXPECT_FALSE(unknown.pairs[0].closed);
  ASSERT_EQ(unknown.remarks.size(), 1u);
  EXPECT_EQ(unknown.remarks[0], "boxes: " + std::string(remark_of(InsideFault::unoriented)));
}

// One mesh of two bodies that overlap, the second of them inside out, and a part that lies in both.
TEST(ClashInsides, WhatLiesInTwoBodiesOfAMeshIsFound) {
  const PolygonSoup wide = cube(0, 10), beside = scenes::box({9.2, 3, 3}, {12, 6, 6}, 1);
  for (const PolygonSoup& second : {beside, test::reversed(beside)}) {
    const bool same = second.triangle(0) == beside.triangle(0);
    const ClashResult result =
        find_clashes(PartsBuilder()
                         .part("body", joined({wide, second}))
                         .part("part", scenes::box({9.5, 4, 4}, {9.7, 4.2, 4.2}, 1))
                         .take());
    EXPECT_EQ(result.verdict, ClashVerdict::clash);
    ASSERT_EQ(result.remarks.size(), same ? 0u : 1u);
    if (same) continue;
    EXPECT_EQ(result.remarks[0], "body: " + std::string(remark_of(InsideFault::ambiguous)));
  }
}

// A block just fits into a hollow. A little less than a fourth of the hollow's surface is reversed:
// it remains a hollow. Enlarged by as little, more than a fourth is reversed.
TEST(ClashInsides, HollowsStayHollowWhenBodiesAreShrunk) {
  const PolygonSoup block = scenes::box({2, 2, 2}, {8, 8, 4.999}, 1);
  for (const bool turned : {false, true}) {
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : block.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
    for (const auto& [i, j, k] : block.triangles()) {
      const double x = block.vertex(i).x();
      const bool across = x == block.vertex(j).x() && x == block.vertex(k).x();
      const bool outwards = turned && across;
      corners.insert(corners.end(), {i, outwards ? j : k, outwards ? k : j});
    }
    const PolygonSoup hollow = joined({cube(0, 10), PolygonSoup(xyz, corners)});
    const ClashResult result =
        find_clashes(PartsBuilder().part("hollow", hollow).part("block", block).take(),
                     {.max_touching_thickness = 0.01});
    ASSERT_EQ(result.pairs.size(), 1u);
    EXPECT_EQ(result.pairs[0].verdict, ClashPairVerdict::touching);
  }
}

}  // namespace
}  // namespace touche::clash_insides_test
