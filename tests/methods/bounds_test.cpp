// SPDX-License-Identifier: Apache-2.0
// Every bounding volume promises this: it contains what it was fitted to, as real numbers; pairs
// that share a point overlap; bounds of distances are bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "bounds_sets.h"
#include "exact_volumes.h"
#include "hit_share.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::holds;
using test::Sets;

double size_of(const std::vector<Vec3>& points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, p.norm());
  return size;
}

template <typename V>
class EveryVolume : public testing::Test {};
TYPED_TEST_SUITE(EveryVolume, test::AllVolumeTypes);

TYPED_TEST(EveryVolume, ContainsWhatItIsFittedTo) {
  Sets sets(1);
  for (int i = 0, n = test::scaled(600); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    const TypeParam v = TypeParam::fit(points);
    for (const Vec3& p : points) {
      EXPECT_TRUE(holds(v, p)) << "set " << i << " of " << points.size();
      EXPECT_TRUE(v.contains(p)) << "set " << i;
    }
    EXPECT_GE(v.volume(), 0);
    EXPECT_GE(v.surface_area(), 0);
  }
}

TYPED_TEST(EveryVolume, ContainsLargeSets) {
  Sets sets(10);
  const int n = test::scaled(20'000, 2000);
  for (const double offset : {0.0, 1e5}) {
    std::vector<Vec3> points;  // most of them at the border, many at the same distance
    for (int i = 0; i < n; ++i)
      points.push_back(offset * Vec3(1, 2, 3) + (i % 2 == 0 ? sets.direction() : sets.point()));
    const TypeParam v = TypeParam::fit(points);
    int outside = 0;
    for (const Vec3& p : points) outside += !holds(v, p);
    EXPECT_EQ(outside, 0);
  }
}

TYPED_TEST(EveryVolume, IsNotMuchLargerThanItsPoints) {
  Sets sets(2);
  for (int i = 0, n = test::scaled(600); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    double extent = 0;
    for (const Vec3& p : points)
      for (const Vec3& q : points) extent = std::max(extent, (p - q).norm());
    const TypeParam v = TypeParam::fit(points);
    // A box around a set of extent d has edges of at most d; a sphere about the middle is smaller.
    const double rounding = 1e-12 * size_of(points);
    EXPECT_LE(v.diameter(), 2.01 * extent + rounding);
    EXPECT_GE(v.diameter(), extent - rounding);
    const Vec3 outside = points[0] + (2.02 * extent + 10 * rounding + 1e-140) * sets.direction();
    EXPECT_FALSE(v.contains(outside)) << "set " << i;
  }
}

TYPED_TEST(EveryVolume, VolumeIsTheShareOfPointsContained) {
  Sets sets(3);
  for (int i = 0; i < 3; ++i) {
    const std::vector<Vec3> points = sets.cloud(20);
    const TypeParam v = TypeParam::fit(points);
    const double reach = v.diameter();
    const int samples = 200'000;
    int hits = 0;
    for (int k = 0; k < samples; ++k) hits += v.contains(points[0] + reach * sets.point());
    const double sampled = 8 * reach * reach * reach * hits / samples;
    // Five standard deviations of a small share.
    EXPECT_GT(hits, 500);
    EXPECT_NEAR(v.volume() / sampled, 1, 5 / std::sqrt(hits));
  }
}

TYPED_TEST(EveryVolume, SharedPointsOverlap) {
  Sets sets(4);
  for (int i = 0, n = test::scaled(1500); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> a = sets.any(), b = sets.any();
    const TypeParam va = TypeParam::fit(a), vb = TypeParam::fit(b);
    // Inner points on each other, or corners of the sets: then the volumes may touch only.
    const bool corners = i % 2 == 0;
    const Vec3 p = corners ? a.back() : sets.inside(a), q = corners ? b.back() : sets.inside(b);
    const Pose turn = sets.pose(Vec3::Zero());
    const Vec3 shift = p - turn * q;
    const Pose place = i % 4 < 2 ? Pose::from_quaternion_unchecked(turn.rotation(), shift)
                                 : Pose::from_translation(p - q);
    // The pose puts q on p only up to the rounding of the shift: so the volumes are that close.
    const double rounding = 1e-15 * (p.lpNorm<1>() + q.lpNorm<1>() + shift.lpNorm<1>());
    EXPECT_LE(lower_bound(va, vb, place), 4 * rounding) << "pair " << i;
  }
}

TYPED_TEST(EveryVolume, ExactlySharedCornersOverlap) {
  // Integers small enough for every sum to be exact: touching by a hair's breadth of nothing.
  Sets sets(5);
  for (int i = 0, n = test::scaled(2000); i < n && !testing::Test::HasFailure(); ++i) {
    std::vector<Vec3> a, b;
    const auto corner = [&] {
      return Vec3(sets.integer(0, 8), sets.integer(-8, 8), sets.integer(-8, 8));
    };
    for (int k = 0; k < 5; ++k) a.push_back(-corner()), b.push_back(corner());
    a[0].x() = b[0].x() = 0;
    const Vec3 shift = a[0] - b[0];  // b on the other side of the plane x = 0
    const TypeParam va = TypeParam::fit(a), vb = TypeParam::fit(b);
    EXPECT_TRUE(overlap(va, vb, Pose::from_translation(shift)));
    EXPECT_TRUE(overlap(vb, va, Pose::from_translation(-shift)));
  }
}

TYPED_TEST(EveryVolume, LowerBoundsAreBounds) {
  Sets sets(6);
  int hits = 0;
  const int n = test::scaled(2000);
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> a = i % 3 == 0 ? sets.degenerate(i % 9 / 3, 8) : sets.cloud(8);
    const std::vector<Vec3> b = sets.cloud(8);
    const TypeParam va = TypeParam::fit(a), vb = TypeParam::fit(b);
    const Pose place = sets.pose(sets.real(0.1, 2.3) * sets.direction());
    const double bound = lower_bound(va, vb, place), back = lower_bound(vb, va, place.inverse());
    const bool met = overlap(va, vb, place);
    hits += met;
    EXPECT_EQ(met, bound == 0);
    EXPECT_NEAR(bound, back, 1e-12);
    double least = kInfinity;
    for (int k = 0; k < 40; ++k)
      least = std::min(least, (sets.inside(a) - place * sets.inside(b)).norm());
    for (const Vec3& p : a)
      for (const Vec3& q : b) least = std::min(least, (p - place * q).norm());
    EXPECT_LE(bound, least);
    // And apart by as much as their diameters, everyone sees it.
    const Vec3 away = (va.diameter() + vb.diameter() + 6) * sets.direction();
    const Pose far = Pose::from_quaternion_unchecked(place.rotation(), away);
    EXPECT_GT(lower_bound(va, vb, far), 0.5);
    EXPECT_FALSE(overlap(va, vb, far));
  }
  test::expect_about_half(hits, n);
}

TYPED_TEST(EveryVolume, MovesWithItsPoints) {
  Sets sets(7);
  for (int i = 0, n = test::scaled(500); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    const TypeParam v = TypeParam::fit(points);
    const Pose place = sets.pose(sets.point());
    const TypeParam w = moved(v, place);
    for (const Vec3& p : points) EXPECT_TRUE(holds(w, place * p)) << "set " << i;
    const double rounding = 1e-9 * size_of(points) + 1e-12;
    EXPECT_GE(w.diameter(), v.diameter() * 0.57 - rounding);
    EXPECT_LE(w.diameter(), v.diameter() * 1.74 + rounding);
  }
}

TYPED_TEST(EveryVolume, AsksForFinitePoints) {
  EXPECT_THROW(TypeParam::fit({}), InvalidInput);
  const std::vector<Vec3> bad = {Vec3(0, 0, 0), Vec3(0, std::nan(""), 0)};
  EXPECT_THROW(TypeParam::fit(bad), InvalidInput);
}

TEST(MixedVolume, TakesTheShapeThatFits) {
  // A ball of points, a plate along the axes, and the same plate turned.
  Sets sets(8);
  std::vector<Vec3> ball, plate, turned;
  const Pose turn = sets.pose(Vec3::Zero());
  for (int i = 0; i < 200; ++i) {
    ball.push_back(sets.direction());
    plate.push_back(sets.point().cwiseProduct(Vec3(3, 1, 0.01)));
    turned.push_back(turn * plate.back());
  }
  const TestCosts equal = {1, 1, 1.01};  // of equal boxes the simpler one
  const auto kind = [&](const std::vector<Vec3>& points, const TestCosts& costs) {
    return Mixed::fit(points, Criterion::surface_area, costs).kind;
  };
  EXPECT_EQ(kind(ball, equal), Mixed::Kind::sphere);
  EXPECT_EQ(kind(plate, equal), Mixed::Kind::aabb);
  EXPECT_EQ(kind(turned, equal), Mixed::Kind::obb);
  EXPECT_NE(kind(turned, {1, 1, 1000}), Mixed::Kind::obb);  // what a test costs counts
}

TEST(MixedVolume, PairsOfAllKindsMatchTheirShapes) {
  Sets sets(9);
  int hits = 0, kinds[3][3] = {};
  const int n = test::scaled(2000);
  for (int i = 0; i < n; ++i) {
    const auto random = [&](int kind) {
      const std::vector<Vec3> points = sets.cloud(8);
      return kind == 0   ? Mixed{Sphere::fit(points)}
             : kind == 1 ? Mixed{AabbMinMax::fit(points)}
                         : Mixed{Obb::fit(points)};
    };
    const Mixed a = random(i % 3), b = random(i / 3 % 3);
    const Pose place = sets.pose(sets.real(0.1, 2.6) * sets.direction());
    // The shapes' own tests are compared with their faces elsewhere. Here: that no kind, and no
    // direction of the pose, is mixed up.
    double least = kInfinity;
    for (int k = 0; k < 200; ++k) {
      const Vec3 p = 1.7 * sets.point();
      if (a.contains(p) && b.contains(place.inverse() * p)) least = 0;
    }
    const bool met = overlap(a, b, place);
    hits += met;
    ++kinds[i % 3][i / 3 % 3];
    if (least == 0) {
      EXPECT_TRUE(met);
    }
    const double bound = lower_bound(a, b, place);
    EXPECT_EQ(met, bound == 0);
    EXPECT_EQ(met, overlap(b, a, place.inverse()));
    EXPECT_NEAR(bound, lower_bound(b, a, place.inverse()), 1e-12);
  }
  for (const auto& row : kinds)
    for (const int count : row) EXPECT_GT(count, 0);
  test::expect_about_half(hits, n);
}

}  // namespace
}  // namespace touche::bounds
