// SPDX-License-Identifier: Apache-2.0
// Inside and outside against closed forms and sums over all faces; thicknesses against closed forms
// and dense sampling.
#include "touche/overlap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hit_share.h"
#include "motion_kinds.h"
#include "moved_vertices.h"
#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/query.h"

namespace touche::overlap_test {
namespace {

using scenes::Random;
using test::random_pose;

PolygonSoup box(const Vec3& lo, const Vec3& hi) { return scenes::box(lo, hi); }

/// All faces of several soups.
PolygonSoup together(const std::vector<PolygonSoup>& soups, const std::vector<bool>& inverted) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (std::size_t i = 0; i < soups.size(); ++i) {
    const auto first = static_cast<Index>(xyz.size() / 3);
    for (const Vec3& v : soups[i].vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
    for (const auto& t : soups[i].triangles())
      for (std::size_t k = 0; k < 3; ++k) corners.push_back(first + t[inverted[i] ? 2 - k : k]);
  }
  return PolygonSoup(xyz, corners);
}

TEST(Interior, OfABoxIsTheBox) {
  const Interior inside(Object(box({-1, -2, -3}, {1, 2, 3})));
  EXPECT_TRUE(inside.closed());
  base::Random random(1);
  int hits = 0;
  const int total = test::scaled(2000, 300);
  for (int i = 0; i < total; ++i) {
    const Vec3 x = Vec3(1.25, 2.5, 3.75).cwiseProduct(random.in_box(1));
    const Vec3 left = Vec3(1, 2, 3) - x.cwiseAbs();
    if (left.cwiseAbs().minCoeff() < 1e-9) continue;
    const bool expected = left.minCoeff() > 0;
    hits += expected;
    EXPECT_EQ(inside.contains(x), expected) << x.transpose();
    EXPECT_NEAR(inside.winding_number(x), expected ? 1 : 0, 1e-9);
    EXPECT_NEAR(inside.signed_distance(x), expected ? -left.minCoeff() : (-left).cwiseMax(0).norm(),
                1e-12);
  }
  test::expect_about_half(hits, total);
}

// The hierarchy gives the same result as the sum over all faces, for any soup at any scale and
// position.
TEST(Interior, AgreesWithTheSumOverAllFaces) {
  base::Random random(2);
  for (const double scale : {1e-6, 1.0, 1e6})
    for (const double offset : {0.0, 1e3}) {
      const Vec3 away = offset * scale * random.direction();
      const PolygonSoup bumpy = scenes::bumpy_sphere(500, 3);
      PolygonSoup soups[] = {bumpy, scenes::torus_knot(2, 3, 800),
                             scenes::random_soup(4, {.faces = 300}),
                             together({bumpy, scenes::sphere(0.3, 60)}, {false, true})};
      for (PolygonSoup& soup : soups) {
        soup.move_vertices(
            test::moved(soup, [&](const Vec3& v) { return Vec3(scale * v + away); }));
        const Interior inside{Object(soup)};
        const Vec3 middle = inside.object().bounds().centre();
        const double size = inside.object().bounds().diagonal();
        for (int i = 0; i < test::scaled(100, 20); ++i) {
          const Vec3 x = middle + 0.4 * size * random.in_box(1);
          const double w = std::abs(inside.winding_number(x));
          if (std::abs(w - 0.5) < 1e-6) continue;
          EXPECT_EQ(inside.contains(x), w > 0.5) << w;
        }
      }
    }
}

TEST(Interior, HollowInvertedAndOpen) {
  const PolygonSoup outer = box({-2, -2, -2}, {2, 2, 2}), inner = box({-1, -1, -1}, {1, 1, 1});
  const Interior hollow(Object(together({outer, inner}, {false, true})));
  EXPECT_TRUE(hollow.closed());
  EXPECT_FALSE(hollow.contains(Vec3(0.1, 0.2, 0.3)));
  EXPECT_TRUE(hollow.contains(Vec3(1.5, 0.2, 0.3)));
  const Interior inverted(Object(together({outer}, {true})));
  EXPECT_TRUE(inverted.contains(Vec3(0.1, 0.2, 0.3)));
  EXPECT_NEAR(inverted.winding_number(Vec3(0.1, 0.2, 0.3)), -1, 1e-9);
  const std::vector<double> sheet = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
  const Interior open(Object(PolygonSoup(sheet, std::vector<Index>{0, 1, 2})));
  EXPECT_FALSE(open.closed());
  EXPECT_FALSE(open.contains(Vec3(0, 0, 1e-3)) && open.contains(Vec3(0, 0, -1e-3)));
  EXPECT_FALSE(open.contains(Vec3(0, 0, 1)));
}

TEST(Containment, KnowsWhoIsInside) {
  const Interior large(Object(box({-2, -2, -2}, {2, 2, 2})));
  const Interior small(Object(box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})));
  const Interior hollow(Object(together(
      {box({-2, -2, -2}, {2, 2, 2}), box({-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5})}, {false, true})));
  const auto of = [](const Interior& a, const Interior& b, const Vec3& shift) {
    return containment(a, Pose(), b, Pose::from_translation(shift));
  };
  EXPECT_EQ(of(large, small, {1, 0, 0}), Containment::b_in_a);
  EXPECT_EQ(of(small, large, {1, 0, 0}), Containment::a_in_b);
  EXPECT_EQ(of(large, small, {2, 0, 0}), Containment::none);  // they intersect
  EXPECT_EQ(of(large, small, {4, 0, 0}), Containment::none);
  EXPECT_EQ(of(hollow, small, {0, 0, 0}), Containment::none);  // in the hole, not in the material
  // One part inside, one outside.
  const Interior pair(Object(together(
      {box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}), box({3, 0, 0}, {4, 1, 1})}, {false, false})));
  EXPECT_EQ(of(large, pair, {0, 0, 0}), Containment::none);
  EXPECT_EQ(of(large, pair, {-1.2, 0, 0}), Containment::none);
}

/// A box of size 4 around the origin without its first triangles.
PolygonSoup open_box(Index missing) {
  const PolygonSoup whole = box({-2, -2, -2}, {2, 2, 2});
  std::vector<double> coordinates;
  for (const Vec3& v : whole.vertices()) coordinates.insert(coordinates.end(), v.begin(), v.end());
  std::vector<Index> triangles;
  for (Index t = missing; t < whole.triangle_count(); ++t)
    triangles.insert(triangles.end(), whole.triangle(t).begin(), whole.triangle(t).end());
  return PolygonSoup(coordinates, triangles);
}

// Neither that it is inside, nor that it is not.
TEST(Containment, IsUnknownOfOpenObjects) {
  const Interior small(Object(box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1})));
  const auto of = [&](const Interior& outer, const Vec3& at) {
    const Pose pose = Pose::from_translation(at);
    const Containment one = containment(outer, Pose(), small, pose),
                      other = containment(small, pose, outer, Pose());
    EXPECT_EQ(one == Containment::b_in_a ? Containment::a_in_b : one, other);
    return one;
  };
  EXPECT_EQ(of(Interior(Object(open_box(0))), {1, 1, 1}), Containment::b_in_a);
  EXPECT_FALSE(Interior(Object(open_box(0))).is_open());
  for (Index missing = 1; missing <= 6; ++missing) {
    SCOPED_TRACE(missing);
    const Interior open{Object(open_box(missing))};
    EXPECT_TRUE(open.is_open());
    EXPECT_EQ(of(open, {0, 0, 0}), Containment::open);
    EXPECT_EQ(of(open, {3, 0, 0}), Containment::none);
    EXPECT_EQ(of(open, {0, -3, 0.5}), Containment::none);
  }
  // Each face from both sides.
  const PolygonSoup whole = open_box(0);
  const Interior two_sided(Object(together({whole, whole}, {false, true})));
  EXPECT_TRUE(two_sided.closed());
  EXPECT_TRUE(two_sided.is_open());
  EXPECT_EQ(of(two_sided, {0, 0, 0}), Containment::open);
  EXPECT_EQ(of(two_sided, {3, 0, 0}), Containment::none);
  // A flat sheet holds nothing, however it is turned.
  base::Random random(5);
  const std::vector<double> sheet = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0};
  for (int i = 0; i < 20; ++i) {
    const Pose turn = test::random_pose(random, 1);
    PolygonSoup soup(sheet, std::vector<Index>{0, 1, 2, 0, 2, 3});
    soup.move_vertices(test::moved(soup, [&](const Vec3& v) { return turn * v; }));
    const Pose above = turn * Pose::from_translation({1, 2, i % 2 == 0 ? 0.3 : -0.3});
    EXPECT_EQ(containment(Interior(Object(soup)), {}, small, above), Containment::none);
  }
}

// Each vertex is tested if the other object is open; if stopped before the last one, the result is
// undecided.
TEST(Containment, SaysWhenItsBudgetEnds) {
  const Interior open{Object(open_box(2))}, closed{Object(open_box(0))};
  const Interior small(Object(box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})));
  ASSERT_FALSE(open.closed());
  const auto of = [&](const Interior& outer, const Budget& budget) {
    return containment(outer, Pose(), small, Pose(), budget);
  };
  EXPECT_EQ(of(open, {}), Containment::open);
  EXPECT_EQ(of(closed, {}), Containment::b_in_a);
  bool known = false;
  for (std::uint64_t work = 0; work < 200; ++work)
    for (const Interior* outer : {&open, &closed}) {
      const Containment c = of(*outer, {.max_work = work});
      const Containment answer = outer == &open ? Containment::open : Containment::b_in_a;
      EXPECT_TRUE(c == Containment::undecided || c == answer) << work;
      if (outer == &open) known = c == answer;
    }
  EXPECT_TRUE(known);
  EXPECT_EQ(of(open, {.max_work = 1}), Containment::undecided);
  const Cancel cancel = test::requested();
  EXPECT_EQ(of(open, {.cancel = cancel}), Containment::undecided);
  EXPECT_EQ(Containment{}, Containment::undecided);
}

/// The bracket holds for a ball that is really there, and no sample is deeper.
void judge(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
           const Thickness& r, base::Random& random) {
  EXPECT_LE(r.diameter.lower, r.diameter.upper);
  const auto depth = [&](const Vec3& x) {
    return -std::max(a.signed_distance(pose_a.inverse() * x),
                     b.signed_distance(pose_b.inverse() * x));
  };
  if (r.diameter.lower > 0) {
    EXPECT_NEAR(2 * depth(r.centre), r.diameter.lower, 1e-9 * (1 + r.diameter.lower));
  }
  const Aabb& box = a.object().bounds();
  for (int i = 0; i < 300; ++i) {
    const Vec3 x = box.centre() + 0.5 * (box.hi - box.lo).cwiseProduct(random.in_box(1));
    EXPECT_LE(2 * depth(pose_a * x), r.diameter.upper * (1 + 1e-9));
  }
}

TEST(Thickness, OfBoxesIsHowFarTheyOverlap) {
  const Interior a(Object(box({-1, -1, -1}, {1, 1, 1}))), b(Object(box({-1, -1, -1}, {1, 1, 1})));
  base::Random random(3);
  for (const double h : {1.5, 0.5, 0.1, 0.02}) {
    const Pose pose_a = random_pose(random);
    const Pose pose_b = pose_a * Pose::from_translation({2 - h, 0.1, -0.1});
    const Thickness r = overlap_thickness(a, pose_a, b, pose_b);
    EXPECT_LE(r.diameter.lower, h * (1 + 1e-9));
    EXPECT_GE(r.diameter.upper, h * (1 - 1e-9));
    EXPECT_LE(r.diameter.upper, 1.02 * r.diameter.lower) << h << " " << r.work;
    judge(a, pose_a, b, pose_b, r, random);
    const Thickness swapped = overlap_thickness(b, pose_b, a, pose_a);
    EXPECT_LE(swapped.diameter.lower, r.diameter.upper);
    EXPECT_GE(swapped.diameter.upper, r.diameter.lower);
  }
  EXPECT_EQ(overlap_thickness(a, Pose(), b, Pose::from_translation({2.5, 0, 0})).diameter.upper, 0);
  // Just touching: no overlap is proved, and the bracket is as narrow as demanded.
  const Thickness touching =
      overlap_thickness(a, Pose(), b, Pose::from_translation({2, 0, 0}), {.absolute_error = 0.02});
  EXPECT_EQ(touching.diameter.lower, 0);
  EXPECT_LE(touching.diameter.upper, 0.0201);
}

// Meshes of two balls: the lens between them, the better the finer.
TEST(Thickness, ConvergesUnderRefinement) {
  const double d = 1.5;
  double last = kInfinity;
  for (const Index triangles : {100u, 1000u, 10000u}) {
    const Interior a(Object(scenes::sphere(1, triangles)));
    const Pose pose_b = Pose::from_axis_angle(Vec3(1, 2, 3), 0.4, Vec3(d, 0, 0));
    const Thickness r =
        overlap_thickness(a, Pose(), a, pose_b, {.relative_error = 1e-3, .max_points = 400'000});
    EXPECT_LE(r.diameter.upper - r.diameter.lower, 2e-3 * r.diameter.upper);
    EXPECT_LE(r.diameter.lower, 0.5);
    EXPECT_LT(0.5 - r.diameter.lower, last);
    last = 0.5 * (0.5 - r.diameter.lower);
  }
  EXPECT_LT(last, 0.002);
}

TEST(Thickness, RandomBodies) {
  base::Random random(4);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(80, 12); ++round) {
    const auto seed = static_cast<std::uint64_t>(round);
    const Interior a(Object(scenes::bumpy_sphere(200, seed)));
    const Interior b(Object(round % 2 == 0 ? scenes::bumpy_sphere(100, seed + 1000)
                                           : scenes::torus_knot(2, 3, 400)));
    const Pose pose_a = random_pose(random);
    const Vec3 shift = random.uniform(1.0, round % 2 == 0 ? 3.0 : 4.5) * random.direction();
    const Pose pose_b = pose_a * Pose::from_translation(shift) * random_pose(random, 0);
    const Thickness r = overlap_thickness(a, pose_a, b, pose_b, {.relative_error = 0.05});
    judge(a, pose_a, b, pose_b, r, random);
    if (r.diameter.lower > 0) {
      EXPECT_TRUE(intersects(a.object(), pose_a, b.object(), pose_b) ||
                  containment(a, pose_a, b, pose_b) != Containment::none);
    }
    hits += r.diameter.lower > 0;
    ++total;
  }
  test::expect_about_half(hits, total);
}

TEST(Thickness, ABudgetLeavesAValidBracket) {
  const Interior a(Object(scenes::bumpy_sphere(500, 1))), b(Object(scenes::bumpy_sphere(500, 2)));
  const Pose pose = Pose::from_translation({1.2, 0.3, 0});
  const Thickness fine = overlap_thickness(a, Pose(), b, pose, {.relative_error = 1e-3});
  for (const std::uint64_t work : {1, 10, 100, 1000}) {
    const Thickness r = overlap_thickness(a, Pose(), b, pose, {.max_points = work});
    EXPECT_LE(r.diameter.lower, fine.diameter.upper);
    EXPECT_GE(r.diameter.upper, fine.diameter.lower);
  }
  EXPECT_THROW((void)overlap_thickness(a, Pose(), b, pose, {.relative_error = -1}), InvalidInput);
}

}  // namespace
}  // namespace touche::overlap_test
