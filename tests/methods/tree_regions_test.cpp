// SPDX-License-Identifier: Apache-2.0
// Table 3.1 of the thesis against numbers worked out by hand, and the regions they stand for.
#include <gtest/gtest.h>

#include "methods/tree/regions.h"
#include "random.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree {
namespace {

/// Half sizes 6, 4 and 2 about (10, 20, 30), the longest along y, then z, then x.
const bounds::Obb kBox = {Vec3(10, 20, 30), Mat3::Identity(), Vec3(2, 6, 4)};

std::vector<Vec3> centres(int degree) {
  return region_centres(kBox, degree, longest_first(kBox.half));
}

void expect_centres(int degree, const std::vector<Vec3>& expected) {
  const std::vector<Vec3> found = centres(degree);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT((found[i] - expected[i]).norm(), 1e-14 * 40) << degree << ": " << i;
}

TEST(Regions, CentresOfTable31) {
  EXPECT_EQ(longest_first(kBox.half), (AxisOrder{1, 2, 0}));
  expect_centres(2, {{10, 17, 30}, {10, 23, 30}});
  expect_centres(3, {{10, 16, 30}, {10, 20, 30}, {10, 24, 30}});
  expect_centres(4, {{10, 17, 28}, {10, 17, 32}, {10, 23, 28}, {10, 23, 32}});
  expect_centres(5, {{10, 17, 28}, {10, 17, 32}, {10, 20, 30}, {10, 23, 28}, {10, 23, 32}});
  expect_centres(
      6, {{10, 16, 28}, {10, 20, 28}, {10, 24, 28}, {10, 16, 32}, {10, 20, 32}, {10, 24, 32}});
}

TEST(Regions, DegreesBeyondTheTable) {
  expect_centres(7, {{10, 16, 28},
                     {10, 20, 28},
                     {10, 24, 28},
                     {10, 20, 30},
                     {10, 16, 32},
                     {10, 20, 32},
                     {10, 24, 32}});
  expect_centres(8, {{9, 17, 28},
                     {11, 17, 28},
                     {9, 17, 32},
                     {11, 17, 32},
                     {9, 23, 28},
                     {11, 23, 28},
                     {9, 23, 32},
                     {11, 23, 32}});
  EXPECT_THROW(centres(9), InvalidInput);
  EXPECT_THROW(centres(1), InvalidInput);
}

TEST(Regions, TurnWithTheBox) {
  Mat3 axes;  // a turn by 90° about z: x to y, y to −x
  axes << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const bounds::Obb box = {Vec3::Zero(), axes, Vec3(6, 4, 2)};
  const auto found = region_centres(box, 4, longest_first(box.half));
  EXPECT_EQ(found[0], Vec3(2, -3, 0));
  EXPECT_EQ(found[1], Vec3(-2, -3, 0));
  EXPECT_EQ(found[2], Vec3(2, 3, 0));
  EXPECT_EQ(found[3], Vec3(-2, 3, 0));
}

/// The table's regions of a box are halves for degrees 2, 4 and 8, and thirds for 3 and 6: they
/// share out a grid of points evenly.
TEST(Regions, AreTheBoxesTheTableNames) {
  std::vector<Triangle> points;
  for (int x = 0; x < 12; ++x)
    for (int y = 0; y < 12; ++y)
      for (int z = 0; z < 12; ++z) {
        const Vec3 p(3 * x, 2 * y, z);
        points.push_back({p, p, p});
      }
  const PolygonSoup soup = test::soup_of(points);
  const Faces faces(soup);
  const test::BoxFitter fitter(faces);
  const auto splitter = make_splitter(faces, fitter, {.method = SplitMethod::zachmann});
  for (const int degree : {2, 3, 4, 6, 8}) {
    const Split split = splitter->split(test::all_of(faces), degree, 0);
    ASSERT_EQ(split.parts, degree);
    std::vector<Index> count(static_cast<std::size_t>(degree));
    for (const auto p : split.part) ++count[p];
    for (const Index n : count) EXPECT_EQ(n, 1728u / static_cast<Index>(degree)) << degree;
  }
}

/// One face that is long in x makes x the longest axis, along which all middles are the same.
TEST(Regions, OtherAxesAreTriedWhereTheLongestDoesNotDivide) {
  std::vector<Triangle> triangles = {{Vec3(-50, 0, 0), Vec3(50, 0, 0), Vec3(0, 0, 0)}};
  for (const double y : {1.0, 2.0, 9.0, 10.0})
    triangles.push_back({Vec3(-1, y, 0), Vec3(1, y, 0), Vec3(0, y, 0)});
  const PolygonSoup soup = test::soup_of(triangles);
  const Faces faces(soup);
  const test::BoxFitter fitter(faces);
  for (const SplitMethod method : {SplitMethod::gottschalk, SplitMethod::zachmann}) {
    const Split split =
        make_splitter(faces, fitter, {.method = method})->split(test::all_of(faces), 2, 0);
    ASSERT_EQ(split.parts, 2);
    EXPECT_EQ(split.part[0], split.part[1]);
    EXPECT_EQ(split.part[0], split.part[2]);
    EXPECT_NE(split.part[0], split.part[3]);
    EXPECT_EQ(split.part[3], split.part[4]);
  }
}

/// Tested face by face; parts are numbered as the centres are.
TEST(Regions, EveryFaceIsWithTheNearestCentre) {
  for (int seed = 1; seed <= test::scaled(100, 10); ++seed) {
    const PolygonSoup soup = scenes::random_soup(static_cast<std::uint64_t>(seed), {.faces = 50});
    const Faces faces(soup);
    const auto set = test::all_of(faces);
    const bounds::Obb box = principal_box(faces, set);
    for (int degree = 2; degree <= 8; ++degree) {
      const Split split = divide_by_regions(faces, set, box, degree);
      const auto at = region_centres(box, degree, longest_first(box.half));
      // Parts are numbered as the centres are, leaving out centres without faces.
      std::vector<int> part_of(at.size(), -1);
      for (Index f = 0; f < faces.size(); ++f) {
        std::size_t nearest = 0;
        for (std::size_t c = 1; c < at.size(); ++c)
          if ((faces.middle(f) - at[c]).norm() < (faces.middle(f) - at[nearest]).norm())
            nearest = c;
        if (part_of[nearest] < 0) part_of[nearest] = split.part[f];
        EXPECT_EQ(part_of[nearest], split.part[f]);
      }
      int parts = 0;
      for (const int p : part_of) {
        if (p < 0) continue;
        EXPECT_EQ(p, parts);
        ++parts;
      }
      EXPECT_EQ(parts, split.parts);
    }
  }
}

}  // namespace
}  // namespace touche::tree
