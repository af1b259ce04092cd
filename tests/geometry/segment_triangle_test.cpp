// SPDX-License-Identifier: Apache-2.0
// Segments and boxes against triangles of any shape, each decision and each t against rational
// geometry.
#include "geometry/segment_triangle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "exact.h"
#include "geometry/box_triangle.h"
#include "hit_share.h"
#include "random.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;
using test::Rational;
using test::RVec;

Vec3 grid_point(base::Random& random) {
  return Vec3(random.below(7), random.below(7), random.below(7)) - Vec3(3, 3, 3);
}

/// Points on a small grid make every special case common; shifts and factors make them hard.
struct Case {
  Vec3 p, q;
  Triangle t;
};
Case some_case(base::Random& random, int i) {
  Case c = {grid_point(random),
            grid_point(random),
            {grid_point(random), grid_point(random), grid_point(random)}};
  Vec3* all[] = {&c.p, &c.q, &c.t[0], &c.t[1], &c.t[2]};
  if (i % 4 == 1)
    for (Vec3* x : all) (*x)[2] = 1;  // in one plane
  if (i % 4 >= 2) {
    // Through a point of the triangle, or nearly.
    const double u = random.uniform(-0.2, 1), v = random.uniform(-0.2, 1);
    const Vec3 x = c.t[0] + u * (c.t[1] - c.t[0]) + v * (c.t[2] - c.t[0]);
    c.q = x + random.uniform(0, 2) * (x - c.p);
  }
  if (i % 3 == 1)
    for (Vec3* x : all) *x = 0.1 * *x + Vec3(1e3, 2e3, -1e3) / 3;
  const double factor = i % 5 == 0 ? 1e-80 : i % 5 == 1 ? 1e80 : 1;
  for (Vec3* x : all) *x *= factor;
  return c;
}

/// The least of all t that can be the first: 0, where planes and lines cross, and corners.
std::optional<Rational> first_t(const Case& c) {
  const RVec p(c.p), way = RVec(c.q) - p;
  const test::RTriangle t = test::rational(c.t);
  std::vector<Rational> all = {0};
  const RVec n = test::cross(t[1] - t[0], t[2] - t[0]);
  if (const Rational down = test::dot(n, way); down != 0)
    all.push_back(test::dot(n, t[0] - p) / down);
  const auto component = [](const RVec& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
  for (int k = 0; k < 3; ++k) {
    const RVec edge = t[(k + 1) % 3] - t[k];
    const RVec above = test::cross(edge, t[k] - p), below = test::cross(edge, way);
    for (int axis = 0; axis < 3; ++axis) {
      if (component(below, axis) != 0)
        all.push_back(component(above, axis) / component(below, axis));
      if (component(way, axis) != 0)
        all.push_back(component(t[k] - p, axis) / component(way, axis));
    }
  }
  std::optional<Rational> first;
  for (const Rational& s : all)
    if (s >= 0 && s <= 1 && (!first || s < *first) && test::point_triangle2(p + s * way, t) == 0)
      first = s;
  return first;
}

TEST(SegmentTriangle, FirstCommonPointIsThatOfRationals) {
  base::Random random(1);
  int hits = 0, total = 0, worst = -60;
  for (int i = 0, n = test::scaled(3000, 500); i < n && !HasFailure(); ++i) {
    const Case c = some_case(random, i);
    const auto expected = first_t(c);
    const auto found = geometry::first_common_point(c.p, c.q, c.t);
    std::uint64_t exact = 0;
    ASSERT_EQ(found.has_value(), expected.has_value()) << i;
    EXPECT_EQ(geometry::segment_meets_triangle(c.p, c.q, c.t, exact), expected.has_value());
    hits += found.has_value();
    ++total;
    if (!found) continue;
    const Rational off = abs(Rational(found->t) - *expected);
    EXPECT_LE(off, Rational(geometry::kSegmentHitError) * *expected) << i << ": " << found->t;
    while (off > Rational(std::ldexp(1.0, worst)) * *expected) ++worst;
    const int side_p = -test::orient3d(c.t[0], c.t[1], c.t[2], c.p);
    const int side_q = -test::orient3d(c.t[0], c.t[1], c.t[2], c.q);
    EXPECT_EQ(found->side, side_p != 0 ? side_p : -side_q);
  }
  std::printf("largest relative error of t: 2^%d\n", worst);
  test::expect_about_half(hits, total);
}

TEST(BoxTriangle, MatchesRationals) {
  base::Random random(2);
  int hits = 0, total = 0;
  for (int i = 0, n = test::scaled(1000, 300); i < n && !HasFailure(); ++i) {
    const Case c = some_case(random, i);
    // Boxes with corners on the grid, some flat; some moved by a little.
    Aabb box = {c.p.cwiseMin(c.q), c.p.cwiseMax(c.q)};
    if (i % 3 == 0) {
      const Vec3 middle = box.centre();
      box = {0.5 * (box.lo + middle), 0.5 * (box.hi + middle)};
    }
    const auto corner = [&](int k) {
      return Vec3(k & 1 ? box.hi.x() : box.lo.x(), k & 2 ? box.hi.y() : box.lo.y(),
                  k & 4 ? box.hi.z() : box.lo.z());
    };
    bool expected = false;
    for (const Vec3& x : c.t)
      expected |= (x.array() >= box.lo.array()).all() && (x.array() <= box.hi.array()).all();
    const int sides[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                             {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    for (const auto& s : sides)
      for (const int last : {1, 3})
        expected = expected || test::distance2({corner(s[0]), corner(s[last]), corner(s[2])},
                                               test::rational(c.t)) == 0;
    EXPECT_EQ(geometry::box_meets_triangle(box, c.t), expected) << i;
    hits += expected;
    ++total;
  }
  test::expect_about_half(hits, total);
}

}  // namespace
}  // namespace touche
