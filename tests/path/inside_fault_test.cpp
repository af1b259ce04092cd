// SPDX-License-Identifier: Apache-2.0
// Which meshes have no inside, as their faces are there from both sides or cannot be oriented.
#include <gtest/gtest.h>

#include "mesh_sides.h"
#include "shapes.h"
#include "touche/overlap.h"
#include "touche/path.h"

namespace touche::inside_fault_test {
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
  EXPECT_EQ(inside_fault(PolygonSoup()), InsideFault::none);
  EXPECT_EQ(inside_fault(box), InsideFault::none);
  EXPECT_EQ(inside_fault(joined({box, box})), InsideFault::none);
  EXPECT_EQ(inside_fault(joined({box, reversed(cube(1, 9))})), InsideFault::none);
  EXPECT_EQ(inside_fault(from_both_sides(box)), InsideFault::two_sided);
  EXPECT_EQ(inside_fault(joined({from_both_sides(box), from_both_sides(box)})),
            InsideFault::two_sided);
  // One face more that has one side changes little: hardly anything winds around what lies in it.
  std::vector<double> xyz;
  for (const Index v : box.face(0))
    xyz.insert(xyz.end(), box.vertex(v).begin(), box.vertex(v).end());
  EXPECT_EQ(inside_fault(joined({from_both_sides(box), PolygonSoup(xyz, kSquare, kFour)})),
            InsideFault::two_sided);
}

// Some faces of a cube exist a second time with opposite orientation: the winding number of the
// remaining faces may be below 1/2 inside the cube. Then a fault is reported; otherwise the centre
// of the cube is inside.
TEST(TwoSided, SomeFacesOfAClosedSurface) {
  const PolygonSoup box = cube(0, 10);
  int told = 0;
  for (unsigned which = 0; which < 64; ++which) {
    SCOPED_TRACE(which);
    std::vector<double> xyz;
    std::vector<Index> corners, sizes;
    for (const Vec3& v : box.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
    const auto add = [&](auto begin, auto end) {
      corners.insert(corners.end(), begin, end);
      sizes.push_back(static_cast<Index>(end - begin));
    };
    for (Index f = 0; f < box.face_count(); ++f) {
      add(box.face(f).begin(), box.face(f).end());
      if ((which >> (f % 6) & 1U) != 0) add(box.face(f).rbegin(), box.face(f).rend());
    }
    const PolygonSoup mesh(xyz, corners, sizes);
    const bool is_told = inside_fault(mesh) == InsideFault::two_sided;
    told += is_told ? 1 : 0;
    // Points near a corner, in the cube.
    bool all_inside = true;
    const Interior interior{Object(mesh)};
    for (unsigned corner = 0; corner < 8; ++corner) {
      Vec3 x;
      for (unsigned k = 0; k < 3; ++k) x[k] = (corner >> k & 1U) != 0 ? 9.5 : 0.5;
      all_inside = all_inside && interior.contains(x);
    }
    EXPECT_TRUE(is_told || all_inside);
  }
  EXPECT_GT(told, 32);
  EXPECT_LT(told, 63);
}

TEST(TwoSided, OtherPiecesChangeNothing) {
  const PolygonSoup both = from_both_sides(cube(0, 10));
  EXPECT_EQ(inside_fault(joined({both, cube(20, 22)})), InsideFault::two_sided);
  EXPECT_EQ(inside_fault(joined({both, cube(4, 6)})), InsideFault::two_sided);
  // A body within another is inside whatever is around that.
  EXPECT_EQ(inside_fault(joined({both, cube(-1, 11)})), InsideFault::none);
  EXPECT_TRUE(Interior(Object(joined({both, cube(-1, 11)}))).contains({5, 5, 5}));
}

// A two-sided bar that goes right through a block: what lies in its ends is in nothing that winds.
TEST(TwoSided, APieceThatIsPartlyInSomethingElse) {
  const PolygonSoup block = cube(0, 10);
  for (const bool bar_first : {false, true})
    for (const double low : {-5.0, 1.0}) {
      const PolygonSoup bar = from_both_sides(scenes::box({4, low, 4}, {6, low + 8, 6}, 1));
      const PolygonSoup mesh = bar_first ? joined({bar, block}) : joined({block, bar});
      EXPECT_EQ(inside_fault(mesh), low < 0 ? InsideFault::two_sided : InsideFault::none);
    }
}

TEST(TwoSided, WallsBetweenBodiesAndSheetsHideNothing) {
  const PolygonSoup box = cube(0, 10);
  std::vector<PolygonSoup> boxes = {box};
  for (int k = 0; k < 3; ++k)
    for (const double at : {-10.0, 10.0}) {
      const Vec3 shift = at * Vec3::Unit(k);
      boxes.push_back(scenes::box(shift, shift + Vec3::Constant(10), 1));
    }
  EXPECT_EQ(inside_fault(joined({boxes[0], boxes[1]})), InsideFault::none);
  // Each face of the box in the middle is there from both sides.
  EXPECT_EQ(inside_fault(joined(boxes)), InsideFault::none);
  const PolygonSoup sheet(std::vector<double>{0, 0, 20, 9, 0, 20, 0, 9, 20},
                          std::vector<Index>{0, 1, 2});
  EXPECT_EQ(inside_fault(joined({box, from_both_sides(sheet)})), InsideFault::none);
}

}  // namespace
}  // namespace touche::inside_fault_test
