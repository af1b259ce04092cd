// SPDX-License-Identifier: Apache-2.0
// Every bounding volume promises this: it contains what it was fitted to, as real numbers; pairs
// that share a point overlap; bounds of distances are bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "bounds_sets.h"
#include "exact_volumes.h"
#include "hit_share.h"
#include "methods/bounds/any_volume.h"
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

// Volumes are used as AnyVolume, so that all this is compiled once.
class EveryBound : public testing::TestWithParam<VolumeKind> {
 protected:
  static AnyVolume fit(std::span<const Vec3> points) { return GetParam().fit(points); }
  /// False for volumes whose exact judges take long.
  static bool is_quick() {
    const auto quick = volume_kinds().first(10);
    return std::ranges::find(quick, GetParam().name, &VolumeKind::name) != quick.end();
  }
  static int cases(int n) { return test::scaled(is_quick() ? n : n / 4); }
};
INSTANTIATE_TEST_SUITE_P(Bounds, EveryBound, testing::ValuesIn(volume_kinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

/// Directions as a user may give them: of any length, in any order, some nearly alike.
std::vector<VolumeKind> directed_kinds() {
  const std::vector<Vec3> prism = {Vec3(1e-3, 0, 0), Vec3(0.5, 0.87, 0), Vec3(-500, 870, 0),
                                   Vec3(0, 0, -3)};
  std::vector<Vec3> spiral;
  for (int k = 0; k < 11; ++k) {
    const double z = (k + 0.5) / 11, r = std::sqrt(1 - z * z), angle = 2.4 * k;
    spiral.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  std::vector<Vec3> repeated = {Vec3::UnitX(),    Vec3::UnitY(),  Vec3::UnitZ(),
                                Vec3(1, 1e-9, 0), -Vec3::UnitX(), Vec3(1, 1, 1)};
  return {kind_of_directions(prism), kind_of_directions(spiral), kind_of_directions(repeated)};
}
INSTANTIATE_TEST_SUITE_P(AnyDirections, EveryBound, testing::ValuesIn(directed_kinds()),
                         [](const auto& kind) {
                           return "dop" + std::to_string(2 * kind.param.directions->size()) + "_" +
                                  std::to_string(kind.index);
                         });

TEST_P(EveryBound, ContainsWhatItIsFittedTo) {
  Sets sets(1);
  for (int i = 0, n = cases(600); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    const AnyVolume v = fit(points);
    for (const Vec3& p : points) {
      EXPECT_TRUE(holds(v, p)) << "set " << i << " of " << points.size();
      EXPECT_TRUE(v.contains(p)) << "set " << i;
    }
    EXPECT_GE(v.volume(), 0);
    EXPECT_GE(v.surface_area(), 0);
  }
}

TEST_P(EveryBound, ContainsLargeSets) {
  Sets sets(10);
  const int n = is_quick() ? test::scaled(20'000, 2000) : 400;
  for (const double offset : {0.0, 1e5}) {
    std::vector<Vec3> points;  // most of them at the border, many at the same distance
    for (int i = 0; i < n; ++i)
      points.push_back(offset * Vec3(1, 2, 3) + (i % 2 == 0 ? sets.direction() : sets.point()));
    const AnyVolume v = fit(points);
    int outside = 0;
    for (const Vec3& p : points) outside += !holds(v, p);
    EXPECT_EQ(outside, 0);
  }
}

TEST_P(EveryBound, IsNotMuchLargerThanItsPoints) {
  Sets sets(2);
  for (int i = 0, n = cases(600); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    double extent = 0;
    for (const Vec3& p : points)
      for (const Vec3& q : points) extent = std::max(extent, (p - q).norm());
    const AnyVolume v = fit(points);
    // A box around a set of extent d has edges of at most d; a sphere about the middle is smaller.
    const double rounding = 1e-12 * size_of(points);
    EXPECT_LE(v.diameter(), 2.01 * extent + rounding);
    EXPECT_GE(v.diameter(), extent - rounding);
    const Vec3 outside = points[0] + (2.02 * extent + 10 * rounding + 1e-140) * sets.direction();
    EXPECT_FALSE(v.contains(outside)) << "set " << i;
  }
}

TEST_P(EveryBound, VolumeIsTheShareOfPointsContained) {
  Sets sets(3);
  for (int i = 0; i < 3; ++i) {
    const std::vector<Vec3> points = sets.cloud(20);
    const AnyVolume v = fit(points);
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

TEST_P(EveryBound, SharedPointsOverlap) {
  Sets sets(4);
  for (int i = 0, n = cases(1500); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> a = sets.any(), b = sets.any();
    const AnyVolume va = fit(a), vb = fit(b);
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

TEST_P(EveryBound, ExactlySharedCornersOverlap) {
  // Integers small enough for every sum to be exact: touching by a hair's breadth of nothing.
  Sets sets(5);
  for (int i = 0, n = cases(2000); i < n && !testing::Test::HasFailure(); ++i) {
    std::vector<Vec3> a, b;
    const auto corner = [&] {
      return Vec3(sets.integer(0, 8), sets.integer(-8, 8), sets.integer(-8, 8));
    };
    for (int k = 0; k < 5; ++k) a.push_back(-corner()), b.push_back(corner());
    a[0].x() = b[0].x() = 0;
    const Vec3 shift = a[0] - b[0];  // b on the other side of the plane x = 0
    const AnyVolume va = fit(a), vb = fit(b);
    EXPECT_TRUE(overlap(va, vb, Pose::from_translation(shift)));
    EXPECT_TRUE(overlap(vb, va, Pose::from_translation(-shift)));
  }
}

TEST_P(EveryBound, LowerBoundsAreBounds) {
  Sets sets(6);
  int hits = 0;
  // Always all: of a quarter of the slow volumes' cases chance decides how many hit.
  const int full = is_quick() ? 2000 : 500, n = test::scaled(full, full);
  // The tighter, the nearer.
  const auto tight = {"cylinder", "cone", "slabs", "zonotope", "hull"};
  const double reach = std::ranges::count(tight, GetParam().name) > 0 ? 1.8 : 2.3;
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> a = i % 3 == 0 ? sets.degenerate(i % 9 / 3, 8) : sets.cloud(8);
    const std::vector<Vec3> b = sets.cloud(8);
    const AnyVolume va = fit(a), vb = fit(b);
    const Pose place = sets.pose(sets.real(0.1, reach) * sets.direction());
    const double bound = lower_bound(va, vb, place), back = lower_bound(vb, va, place.inverse());
    const bool met = overlap(va, vb, place);
    hits += met;
    EXPECT_EQ(met, bound == 0);
    // A search for the shortest connection starts elsewhere from the other side.
    EXPECT_NEAR(bound, back, 1e-7);
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

TEST_P(EveryBound, MovesWithItsPoints) {
  Sets sets(7);
  for (int i = 0, n = cases(500); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    const AnyVolume v = fit(points);
    const Pose place = sets.pose(sets.point());
    const AnyVolume w = moved(v, place);
    for (const Vec3& p : points) EXPECT_TRUE(holds(w, place * p)) << "set " << i;
    const double rounding = 1e-9 * size_of(points) + 1e-12;
    EXPECT_GE(w.diameter(), v.diameter() * 0.57 - rounding);
    EXPECT_LE(w.diameter(), v.diameter() * 1.74 + rounding);
  }
}

TEST_P(EveryBound, AsksForFinitePoints) {
  EXPECT_THROW(fit({}), InvalidInput);
  const std::vector<Vec3> bad = {Vec3(0, 0, 0), Vec3(0, std::nan(""), 0)};
  EXPECT_THROW(fit(bad), InvalidInput);
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
