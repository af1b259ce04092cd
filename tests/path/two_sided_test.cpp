// SPDX-License-Identifier: Apache-2.0
// Which meshes have no inside, as their faces are there from both sides.
#include <gtest/gtest.h>

#include "mesh_sides.h"
#include "shapes.h"
#include "touche/overlap.h"
#include "touche/path.h"

namespace touche {
namespace {

using test::from_both_sides;
using test::joined;
using test::reversed;

PolygonSoup cube(double lo, double hi) {
  return scenes::box(Vec3::Constant(lo), Vec3::Constant(hi), 1);
}

constexpr Index kSquare[] = {0, 1, 2, 3}, kFour[] = {4};

TEST(TwoSided, ClosedSurfacesThatNothingWindsAround) {
  const PolygonSoup box = cube(0, 10);
  EXPECT_FALSE(is_two_sided(PolygonSoup()));
  EXPECT_FALSE(is_two_sided(box));
  EXPECT_FALSE(is_two_sided(joined({box, box})));
  EXPECT_FALSE(is_two_sided(joined({box, reversed(cube(1, 9))})));
  EXPECT_TRUE(is_two_sided(from_both_sides(box)));
  EXPECT_TRUE(is_two_sided(joined({from_both_sides(box), from_both_sides(box)})));
  // One face more that has one side leaves a hole in what is two-sided.
  std::vector<double> xyz;
  for (const Index v : box.face(0))
    xyz.insert(xyz.end(), box.vertex(v).begin(), box.vertex(v).end());
  EXPECT_FALSE(is_two_sided(joined({from_both_sides(box), PolygonSoup(xyz, kSquare, kFour)})));
}

TEST(TwoSided, OtherPiecesChangeNothing) {
  const PolygonSoup both = from_both_sides(cube(0, 10));
  EXPECT_TRUE(is_two_sided(joined({both, cube(20, 22)})));
  EXPECT_TRUE(is_two_sided(joined({both, cube(4, 6)})));
  // What is in something else is inside whatever is around it.
  EXPECT_FALSE(is_two_sided(joined({both, cube(-1, 11)})));
  EXPECT_TRUE(Interior(Object(joined({both, cube(-1, 11)}))).contains({5, 5, 5}));
}

TEST(TwoSided, WallsBetweenBodiesAndSheetsHideNothing) {
  const PolygonSoup box = cube(0, 10);
  std::vector<PolygonSoup> boxes = {box};
  for (int k = 0; k < 3; ++k)
    for (const double at : {-10.0, 10.0}) {
      const Vec3 shift = at * Vec3::Unit(k);
      boxes.push_back(scenes::box(shift, shift + Vec3::Constant(10), 1));
    }
  EXPECT_FALSE(is_two_sided(joined({boxes[0], boxes[1]})));
  // Each face of the box in the middle is there from both sides.
  EXPECT_FALSE(is_two_sided(joined(boxes)));
  const PolygonSoup sheet(std::vector<double>{0, 0, 20, 9, 0, 20, 0, 9, 20},
                          std::vector<Index>{0, 1, 2});
  EXPECT_FALSE(is_two_sided(joined({box, from_both_sides(sheet)})));
}

}  // namespace
}  // namespace touche
