// SPDX-License-Identifier: Apache-2.0
#include "geometry/triangle_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "exact.h"
#include "geometry/point_triangle.h"
#include "geometry/segment_pair.h"
#include "geometry/segment_triangle.h"
#include "test_scale.h"
#include "triangle_families.h"

namespace touche {
namespace {

using test::Pairs, test::TrianglePair;

bool oracle(const Triangle& a, const Triangle& b) {
  return test::distance2(test::rational(a), test::rational(b)) == 0;
}

std::string describe(const Triangle& a, const Triangle& b) {
  std::ostringstream out;
  out << std::hexfloat;
  for (const Triangle* t : {&a, &b}) {
    out << "{";
    for (const Vec3& p : *t) out << "Vec3(" << p.x() << "," << p.y() << "," << p.z() << "),";
    out << "}\n";
  }
  return out.str();
}

void expect_hits_between(int hits, int cases, double least, double most) {
  EXPECT_GE(hits, least * cases);
  EXPECT_LE(hits, most * cases);
}

template <typename Generate>
int compare_with_oracle(int cases, Generate generate) {
  int hits = 0;
  for (int i = 0; i < cases; ++i) {
    const auto [a, b] = generate();
    const bool expected = oracle(a, b);
    hits += expected;
    EXPECT_EQ(geometry::triangles_intersect(a, b), expected) << describe(a, b);
    EXPECT_EQ(geometry::triangles_intersect(b, a), expected) << describe(a, b);
    if (testing::Test::HasFailure()) break;
  }
  return hits;
}

TEST(TrianglesIntersect, RandomPairsMatchTheOracle) {
  Pairs pairs(1);
  expect_hits_between(compare_with_oracle(5'000, [&] { return pairs.any(); }), 5'000, 0.3, 0.7);
}

TEST(TrianglesIntersect, GeneralPairs) {
  Pairs pairs(2);
  expect_hits_between(compare_with_oracle(2'000, [&] { return pairs.general(); }), 2'000, 0.3, 0.7);
}

TEST(TrianglesIntersect, SmallGrid) {
  Pairs pairs(3);
  expect_hits_between(compare_with_oracle(5'000, [&] { return pairs.grid(); }), 5'000, 0.3, 0.7);
}

TEST(TrianglesIntersect, CoplanarPairs) {
  Pairs pairs(4);
  expect_hits_between(compare_with_oracle(3'000, [&] { return pairs.coplanar_on_grid(); }), 3'000,
                      0.3, 0.7);
}

TEST(TrianglesIntersect, ZeroAreaPairs) {
  Pairs pairs(5);
  expect_hits_between(compare_with_oracle(5'000, [&] { return pairs.zero_area(); }), 5'000, 0.3,
                      0.7);
}

TEST(TrianglesIntersect, OrderOfCornersDoesNotMatter) {
  Pairs pairs(6);
  for (int i = 0; i < 3'000; ++i) {
    auto [a, b] = pairs.any();
    const bool expected = geometry::triangles_intersect(a, b);
    std::array<int, 3> order = {0, 1, 2};
    do {
      const Triangle turned = {a[order[0]], a[order[1]], a[order[2]]};
      ASSERT_EQ(geometry::triangles_intersect(turned, b), expected) << describe(a, b);
      ASSERT_EQ(geometry::triangles_intersect(b, turned), expected) << describe(a, b);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(TrianglesIntersect, CountsExactTestsOnlyWhereNeeded) {
  std::uint64_t exact = 0;
  const Triangle a = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_FALSE(
      geometry::triangles_intersect(a, {Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(0, 1, 2)}, &exact));
  EXPECT_EQ(exact, 0u);
  const Vec3 p(0.1, 0.2, 0.3), q(0.7, 0.1, 0.5), r(0.3, 0.9, 0.4);
  EXPECT_TRUE(geometry::triangles_intersect(
      {p, q, r}, {p, q, Vec3(p + 0.3 * (q - p) + 0.4 * (r - p))}, &exact));
  EXPECT_GT(exact, 0u);
}

TEST(BaseTests, SegmentAndTriangle) {
  Pairs pairs(7);
  int hits = 0;
  std::uint64_t exact = 0;
  for (int i = 0; i < 3'000; ++i) {
    auto [a, t] = pairs.any();
    if (i % 4 == 0) a[1] = pairs.on(t) + (pairs.on(t) - a[0]);
    const Triangle segment = {a[0], a[1], a[1]};
    const bool expected = oracle(segment, t);
    hits += expected;
    ASSERT_EQ(geometry::segment_meets_triangle(a[0], a[1], t, exact), expected)
        << describe(segment, t);
    ASSERT_EQ(geometry::segment_meets_triangle(a[1], a[0], t, exact), expected)
        << describe(segment, t);
  }
  expect_hits_between(hits, 3'000, 0.3, 0.7);
}

TEST(BaseTests, SegmentsAndPointsOnAGrid) {
  Pairs pairs(8);
  int segment_hits = 0, point_hits = 0;
  std::uint64_t exact = 0;
  for (int i = 0; i < 3'000; ++i) {
    const auto [a, b] = i % 2 == 0 ? pairs.coplanar_on_grid() : pairs.grid();
    const bool meet = oracle({a[0], a[1], a[1]}, {b[0], b[1], b[1]});
    const bool on = oracle({a[0], a[0], a[0]}, b);
    segment_hits += meet;
    point_hits += on;
    ASSERT_EQ(geometry::segments_intersect(a[0], a[1], b[0], b[1], exact), meet) << describe(a, b);
    ASSERT_EQ(geometry::point_on_triangle(a[0], b, exact), on) << describe(a, b);
  }
  EXPECT_GT(segment_hits, 500);
  EXPECT_GT(point_hits, 300);
}

double size_of(const Triangle& t) {
  return std::max({(t[1] - t[0]).norm(), (t[2] - t[1]).norm(), (t[0] - t[2]).norm()});
}

/// Distance, points and features of one pair against the oracle; returns whether they touch.
bool check_closest(const Triangle& a, const Triangle& b) {
  const geometry::ClosestPoints c = geometry::closest_points(a, b);
  const test::Rational exact2 = test::distance2(test::rational(a), test::rational(b));
  const double exact_distance = std::sqrt(static_cast<double>(exact2));
  const double length = std::max({size_of(a), size_of(b), exact_distance});
  EXPECT_TRUE(test::is_root_within(c.distance, exact2, 1e-12 * length))
      << c.distance << " is not " << exact_distance << " at size " << length << "\n"
      << describe(a, b);
  EXPECT_EQ(c.distance == 0, exact2 == 0) << describe(a, b);

  // Points are on their triangles, as far apart as said, up to the rounding of coordinates.
  double largest = length;
  for (const Triangle* t : {&a, &b})
    for (const Vec3& p : *t) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  const double tolerance = 1e-12 * length + 1e-15 * largest;
  const auto off = [](const Vec3& p, const Triangle& t) {
    return test::point_triangle2(p, test::rational(t));
  };
  EXPECT_TRUE(test::is_root_within(0, off(c.point_a, a), tolerance)) << describe(a, b);
  EXPECT_TRUE(test::is_root_within(0, off(c.point_b, b), tolerance)) << describe(a, b);
  EXPECT_NEAR((c.point_b - c.point_a).norm(), c.distance, tolerance) << describe(a, b);
  if (c.distance == 0) {
    EXPECT_EQ(c.point_a, c.point_b);
  }

  // And on the features named.
  const auto on_feature = [&](const Vec3& p, const Triangle& t, FeatureKind kind, int k) {
    ASSERT_TRUE(k >= 0 && k < 3);
    const Vec3 &from = t[k], &to = kind == FeatureKind::vertex ? t[k] : t[(k + 1) % 3];
    if (kind == FeatureKind::face) return;
    EXPECT_TRUE(test::is_root_within(0, test::point_segment2(p, from, to), tolerance))
        << describe(a, b);
  };
  on_feature(c.point_a, a, c.kind_a, c.local_a);
  on_feature(c.point_b, b, c.kind_b, c.local_b);
  return exact2 == 0;
}

TEST(ClosestPoints, RandomPairsMatchTheOracle) {
  Pairs pairs(11);
  int hits = 0;
  constexpr int kCases = 8'000;
  for (int i = 0; i < kCases && !testing::Test::HasFailure(); ++i) {
    const auto [a, b] = pairs.any();
    hits += check_closest(a, b);
  }
  expect_hits_between(hits, kCases, 0.3, 0.7);
}

TEST(ClosestPoints, FarPairs) {
  Pairs pairs(12);
  for (int i = 0; i < 1'000 && !testing::Test::HasFailure(); ++i) {
    auto [a, b] = pairs.any();
    const Vec3 shift = std::pow(10, pairs.integer(-3, 9)) * pairs.point();
    for (Vec3& p : b) p += shift;
    check_closest(a, b);
  }
}

TEST(ClosestPoints, EndsOfTheRange) {
  Pairs pairs(13);
  for (double scale : {1e-85, 1e-60, 1e60, 1e89}) {
    for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) {
      auto [a, b] = pairs.general();
      for (Triangle* t : {&a, &b})
        for (Vec3& p : *t) p *= scale;
      const geometry::ClosestPoints c = geometry::closest_points(a, b);
      EXPECT_TRUE(std::isfinite(c.distance) && c.point_a.allFinite() && c.point_b.allFinite());
      EXPECT_TRUE(test::is_root_within(
          c.distance, test::distance2(test::rational(a), test::rational(b)), 1e-11 * scale));
    }
  }
}

// A corner or edge that touches is named; only where none does, an edge that pierces a face.
TEST(ClosestPoints, NamesAnEdgeThatPiercesAFaceOnlyWhereNothingElseTouches) {
  Pairs pairs(14);
  int pierced = 0, touched = 0;
  for (int i = 0; i < test::scaled(40'000, 4'000) && !testing::Test::HasFailure(); ++i) {
    auto [a, b] = i % 2 == 0 ? pairs.general() : pairs.any();
    if (i % 8 == 0) {  // an edge of b through a point near an edge of a
      const Vec3 to = a[0] + pairs.real(0, 1) * (a[1] - a[0]), from = 0.5 * (b[0] + b[1]);
      for (Vec3& p : b) p += to - from + std::pow(10, pairs.integer(-17, -3)) * pairs.point();
    }
    if (!geometry::triangles_intersect(a, b)) continue;
    double least = kInfinity, size = 0;
    for (int k = 0; k < 3; ++k) {
      least = std::min({least, point_triangle_distance(a[k], b).distance,
                        point_triangle_distance(b[k], a).distance});
      size = std::max(
          {size, (a[k] - a[0]).cwiseAbs().maxCoeff(), (b[k] - a[0]).cwiseAbs().maxCoeff()});
      for (int j = 0; j < 3; ++j)
        least = std::min(
            least,
            segment_segment_distance({a[k], a[(k + 1) % 3]}, {b[j], b[(j + 1) % 3]}).distance);
    }
    const geometry::ClosestPoints c = geometry::closest_points(a, b);
    const bool pierces = (c.kind_a == FeatureKind::face && c.kind_b == FeatureKind::edge) ||
                         (c.kind_a == FeatureKind::edge && c.kind_b == FeatureKind::face);
    if (least > 0x1p-45 * size) {
      ++pierced;
      EXPECT_TRUE(pierces) << least / size;
    }
    if (least < 0x1p-48 * size) {
      ++touched;
      EXPECT_FALSE(pierces) << least / size;
    }
  }
  EXPECT_GT(pierced, test::scaled(5'000, 500));
  EXPECT_GT(touched, test::scaled(2'000, 200));
}

TEST(ClosestPoints, NamesFeatures) {
  const Triangle a = {Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  // A corner above the face.
  geometry::ClosestPoints c =
      geometry::closest_points(a, {Vec3(0, 0, 3), Vec3(1, 1, 1), Vec3(2, 1, 3)});
  EXPECT_DOUBLE_EQ(c.distance, 1);
  EXPECT_EQ(c.kind_a, FeatureKind::face);
  EXPECT_EQ(c.kind_b, FeatureKind::vertex);
  EXPECT_EQ(c.local_b, 1);
  // Two edges that cross.
  c = geometry::closest_points(a, {Vec3(2, -1, -1), Vec3(2, -1, 1), Vec3(2, -5, 0)});
  EXPECT_DOUBLE_EQ(c.distance, 1);
  EXPECT_EQ(c.kind_a, FeatureKind::edge);
  EXPECT_EQ(c.local_a, 0);
  EXPECT_EQ(c.kind_b, FeatureKind::edge);
  EXPECT_EQ(c.local_b, 0);
  // An edge that pierces the face.
  c = geometry::closest_points(a, {Vec3(1, 1, -10), Vec3(1, 1, 10), Vec3(50, 50, 30)});
  EXPECT_EQ(c.distance, 0);
  EXPECT_EQ(c.kind_a, FeatureKind::face);
  EXPECT_EQ(c.kind_b, FeatureKind::edge);
  EXPECT_EQ(c.point_a, Vec3(1, 1, 0));
}

// A forged hierarchy may lead to triangles that do not touch, of which no edge crosses a face.
TEST(ClosestPoints, NamesFeaturesThatExistWhateverTouches) {
  const Triangle a = {Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
  for (const double high : {1.0, -1.0, 1e3}) {
    const Triangle above = {Vec3(0, 0, high), Vec3(4, 1, high), Vec3(1, 4, 2 * high)};
    const geometry::ClosestPoints c = geometry::closest_points_touching(a, above);
    EXPECT_EQ(c.distance, 0);
    for (const int local : {c.local_a, c.local_b}) EXPECT_TRUE(local >= 0 && local < 3) << local;
    for (const Vec3& p : {c.point_a, c.point_b}) EXPECT_TRUE(p.allFinite()) << p.transpose();
    EXPECT_LT((c.point_a - 0.5 * (a[0] + above[0])).norm(), 4 + std::abs(high));
  }
}

}  // namespace
}  // namespace touche
