// SPDX-License-Identifier: Apache-2.0
// These overlaps are no touch, though they are thin, or small beside something else: beside slits,
// right through thin walls, and far from the origin.
#include <gtest/gtest.h>

#include "clash_scenes.h"
#include "mesh_builder.h"
#include "touche/overlap.h"

namespace touche::clash_touch_test {
namespace {

using test::cube;
using test::only_pair;
using test::PartsBuilder;

// A cube whose side at x = 1000 ends below its top, by less than a millionth of its size.
PolygonSoup with_a_long_slit() {
  const double at = 1000, below = at - 0.0015;
  scenes::MeshBuilder mesh;
  const auto vertex = [&](double x, double y, double z) { return mesh.vertex({x, y, z}); };
  const Index a = vertex(0, 0, 0), b = vertex(at, 0, 0), c = vertex(at, at, 0),
              d = vertex(0, at, 0), e = vertex(0, 0, at), f = vertex(at, 0, at),
              g = vertex(at, at, at), h = vertex(0, at, at), i = vertex(at, 0, below),
              j = vertex(at, at, below);
  mesh.face({a, d, c, b});
  mesh.face({e, f, g, h});
  mesh.face({a, b, i, f, e});
  mesh.face({d, h, g, j, c});
  mesh.face({a, e, h, d});
  mesh.face({b, c, j, i});
  return mesh.soup();
}

// Beside a slit little is known of an overlap; elsewhere a clash is one.
TEST(ClashTouch, ASlitExcusesNoOverlapElsewhere) {
  const PolygonSoup slit = with_a_long_slit();
  EXPECT_FALSE(Interior(Object(slit)).closed());
  const auto pushed = [&](double by) {
    const PolygonSoup box = scenes::box({-300, 300, 300}, {by, 600, 600}, 1);
    return only_pair(PartsBuilder().part("slit", slit).part("box", box).take());
  };
  for (const double by : {1.0, 3.0, 5.0}) {
    EXPECT_EQ(pushed(by).verdict, ClashPairVerdict::clash) << by;
    EXPECT_GT(pushed(by).thickness.diameter.lower, 0.8 * by);
  }
  EXPECT_EQ(pushed(0).verdict, ClashPairVerdict::touching);
  EXPECT_EQ(pushed(0).allowance, ClashAllowance::slits);
}

// No ball in a thin wall is large, but what goes right through it does not come out by a little.
TEST(ClashTouch, ARodThroughAThinWallIsNoTouch) {
  const PolygonSoup wall = scenes::box({0, 0, 0}, {50, 50, 0.4}, 1),
                    rod = scenes::box({20, 20, -20}, {22, 22, 20}, 1),
                    beside = scenes::box({49.9, 20, -20}, {60, 22, 20}, 1);
  const auto stands = [&](const PolygonSoup& other) {
    return only_pair(PartsBuilder().part("wall", wall).part("other", other).take(),
                     {.max_touching_thickness = 0.5});
  };
  EXPECT_EQ(stands(rod).verdict, ClashPairVerdict::clash);
  EXPECT_LE(stands(rod).thickness.diameter.upper, 0.5);
  EXPECT_EQ(stands(beside).verdict, ClashPairVerdict::touching);
  EXPECT_EQ(stands(beside).allowance, ClashAllowance::given);
}

// Single precision is too coarse for parts of a few metres at map coordinates.
TEST(ClashTouch, FarFromTheOriginOverlapsAreFound) {
  const Pose far = Pose::from_translation({4.5e5, 5.5e6, 300});
  const auto at = [&](double x) {
    return PartsBuilder()
        .part("hall", cube(0, 10), far)
        .part("tower", scenes::box({x, 2, 2}, {20, 8, 8}, 1), far)
        .take();
  };
  EXPECT_EQ(only_pair(at(7)).verdict, ClashPairVerdict::clash);
  EXPECT_NEAR(only_pair(at(7)).thickness.diameter.lower, 3, 0.3);
  const ClashParts touch = at(10);
  EXPECT_EQ(only_pair(touch).verdict, ClashPairVerdict::touching);
  const ClashResult result = find_clashes(touch);
  const std::string said = clash_sentence(result);
  EXPECT_NE(said.find("no two overlap by more than"), said.npos) << said;
  EXPECT_NE(said.find("the tolerance"), said.npos) << said;
}

}  // namespace
}  // namespace touche::clash_touch_test
