// SPDX-License-Identifier: Apache-2.0
// Pairs of bounding volumes against oracles that know nothing of separating axes: the faces of
// polytopes triangle by triangle, and rational distances of the cores of swept spheres.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "bounds_sets.h"
#include "exact.h"
#include "geometry/triangle_pair.h"
#include "hit_share.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::Sets;

// ---- oracle for polytopes -----------------------------------------------------------------------

struct Polytope {
  std::vector<Triangle> surface;
  std::vector<Vec3> corners;
};

Polytope polytope(const std::vector<std::vector<Vec3>>& faces, const Pose& place) {
  Polytope out;
  for (const auto& face : faces) {
    std::vector<Vec3> f;
    for (const Vec3& p : face) f.push_back(place * p);
    out.corners.insert(out.corners.end(), f.begin(), f.end());
    for (std::size_t i = 2; i < f.size(); ++i) out.surface.push_back({f[0], f[i - 1], f[i]});
  }
  return out;
}

Polytope polytope(const Obb& box, const Pose& place) {
  std::vector<std::vector<Vec3>> faces;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vec3 n = side * box.half[axis] * box.axes.col(axis);
      const int i = (axis + 1) % 3, j = (axis + 2) % 3;
      const Vec3 u = box.half[i] * box.axes.col(i), v = box.half[j] * box.axes.col(j);
      const Vec3 c = box.centre + n;
      faces.push_back({c - u - v, c + u - v, c + u + v, c - u + v});
    }
  return polytope(faces, place);
}

/// Distance of two convex sets by their surfaces; `inside_a(p)`: whether a holds p.
template <typename A, typename B>
double distance(const Polytope& a, const Polytope& b, const A& inside_a, const B& inside_b) {
  double least = kInfinity;
  for (const Triangle& s : a.surface)
    for (const Triangle& t : b.surface) {
      least = std::min(least, geometry::closest_points(s, t).distance);
      if (least == 0) return 0;
    }
  return inside_a(b.corners[0]) || inside_b(a.corners[0]) ? 0 : least;
}

double box_distance(const Obb& a, const Obb& b, const Pose& place) {
  const Pose back = place.inverse();
  return distance(
      polytope(a, Pose()), polytope(b, place), [&](const Vec3& p) { return a.contains(p); },
      [&](const Vec3& p) { return b.contains(back * p); });
}

// ---- boxes --------------------------------------------------------------------------------------

TEST(BoxPair, MatchesTheFaces) {
  Sets sets(1);
  const int n = test::scaled(6000);
  int hits = 0, apart = 0, false_positives = 0;
  double ratio = 0, least_ratio = 1;
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    const Obb a = sets.box(), b = sets.box();
    // Also turned by little, where products of edges have next to no length.
    const Pose turn = i % 4 == 0
                          ? Pose::from_axis_angle(sets.direction(),
                                                  std::pow(10, sets.real(-17, -1)), Vec3::Zero())
                          : sets.pose(Vec3::Zero());
    const Vec3 shift = a.centre - turn * b.centre + sets.real(0, 1) * sets.direction();
    const Pose place = Pose::from_quaternion_unchecked(turn.rotation(), shift);
    Obb second = b;
    if (i % 4 == 0) second.axes = a.axes;
    const double true_distance = box_distance(a, second, place);
    const bool met = overlap(a, second, place);
    const double bound = lower_bound(a, second, place);
    hits += met;
    if (true_distance == 0) {
      EXPECT_TRUE(met) << i;
    }
    if (true_distance > 1e-11) {
      EXPECT_FALSE(met) << i << ": " << true_distance;
    }
    EXPECT_LE(bound, true_distance * (1 + 1e-12) + 1e-15) << i;
    EXPECT_EQ(met, bound == 0) << i;
    if (met) {
      EXPECT_TRUE(overlap(a, second, place, BoxAxes::faces));
    } else {
      ++apart;
      false_positives += overlap(a, second, place, BoxAxes::faces);
      ratio += bound / true_distance;
      least_ratio = std::min(least_ratio, bound / true_distance);
    }
  }
  test::expect_about_half(hits, n);
  std::printf("six axes only: %d of %d pairs apart are called overlapping (%.2f %%)\n",
              false_positives, apart, 100.0 * false_positives / apart);
  std::printf("bound over distance: %.3f on average, %.3f at least\n", ratio / apart, least_ratio);
  EXPECT_GT(false_positives, 0);
  EXPECT_LT(false_positives, 0.2 * apart);
  EXPECT_GT(ratio / apart, 0.8);
}

TEST(BoxPair, TouchingOnAGridIsExact) {
  Sets sets(2);
  const int n = test::scaled(5000);
  int hits = 0, touching = 0;
  for (int i = 0; i < n; ++i) {
    const auto corner = [&](int size) {
      return Vec3(sets.integer(-size, size), sets.integer(-size, size), sets.integer(-size, size));
    };
    const Vec3 half_a = corner(2).cwiseAbs(), half_b = corner(2).cwiseAbs(), shift = corner(4);
    const AabbMinMax a = {-half_a, half_a}, b = {-half_b, half_b};
    const Vec3 gap = shift.cwiseAbs() - half_a - half_b;
    const bool meet = (gap.array() <= 0).all();
    hits += meet;
    touching += meet && (gap.array() == 0).any();
    EXPECT_EQ(overlap(a, b, Pose::from_translation(shift)), meet);
    const Vec3 beyond = gap.cwiseMax(0.0);
    EXPECT_NEAR(lower_bound(a, b, Pose::from_translation(shift)), beyond.maxCoeff(), 2e-12);
    const AabbMinMax moved_b = {b.lo + shift, b.hi + shift};
    EXPECT_EQ(overlap(a, moved_b), meet);
    EXPECT_EQ(overlap(to_min_widths(a), to_min_widths(moved_b)), meet);
    EXPECT_EQ(overlap(to_centre(a), to_centre(moved_b)), meet);
  }
  EXPECT_GT(touching, n / 20);
  EXPECT_GT(hits, 0.2 * n);
  EXPECT_LT(hits, 0.7 * n);
}

TEST(BoxPair, TouchingEdgesOverlap) {
  // Two bars crossing at right angles and turned by 45°, edge on edge; then a little apart.
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const Obb bar = {Vec3::Zero(), Mat3::Identity(), scale * Vec3(5, 1, 1)};
    const double angle = std::atan(1.0);
    const Pose turn_a = Pose::from_axis_angle(Vec3::UnitX(), angle, Vec3::Zero());
    const Pose turn_b = Pose::from_axis_angle(Vec3::UnitZ(), 2 * angle, Vec3::Zero()) * turn_a;
    const auto at = [&](double height) {
      return relative(turn_a, Pose::from_translation(height * Vec3::UnitZ()) * turn_b);
    };
    const double touch = scale * 2 * std::sqrt(2.0);
    EXPECT_TRUE(overlap(bar, bar, at(touch)));
    EXPECT_FALSE(overlap(bar, bar, at(touch * (1 + 1e-12))));
    EXPECT_NEAR(lower_bound(bar, bar, at(touch + scale)), scale, 1e-12 * scale);
    EXPECT_TRUE(overlap(bar, bar, at(touch + 0.1 * scale), BoxAxes::faces));
  }
}

// ---- spheres ------------------------------------------------------------------------------------

TEST(SpherePair, TouchingIsExactOnIntegers) {
  const Vec3 ways[] = {{3, 4, 0}, {1, 2, 2}, {2, 3, 6}, {4, 4, 7}, {0, 0, 5}};
  for (const Vec3& way : ways)
    for (double radius = 0; radius <= way.norm(); ++radius) {
      const Sphere a = {Vec3(7, -2, 1), radius}, b = {Vec3(-1, 5, 3), way.norm() - radius};
      const Vec3 shift = a.centre + way - b.centre;
      EXPECT_TRUE(overlap(a, b, Pose::from_translation(shift)));
      EXPECT_FALSE(overlap(a, b, Pose::from_translation(shift + 1e-12 * way)));
      EXPECT_NEAR(lower_bound(a, b, Pose::from_translation(shift + way)), way.norm(), 2e-12);
    }
}

TEST(SphereBox, MatchesTheFaces) {
  Sets sets(3);
  const int n = test::scaled(5000);
  int hits = 0;
  for (int i = 0; i < n; ++i) {
    const Sphere s = {sets.point(), sets.real(0, 0.5)};
    const Obb box = sets.box();
    const Pose place = sets.pose(sets.real(0, 1.3) * sets.direction() + s.centre);
    const Obb centred = {Vec3::Zero(), box.axes, box.half};
    double true_distance = kInfinity;
    for (const Triangle& t : polytope(centred, place).surface)
      true_distance = std::min(
          true_distance, geometry::closest_points({s.centre, s.centre, s.centre}, t).distance);
    if (centred.contains(place.inverse() * s.centre)) true_distance = 0;
    true_distance = std::max(0.0, true_distance - s.radius);
    const double bound = lower_bound(s, centred, place);
    hits += bound == 0;
    EXPECT_EQ(overlap(s, centred, place), bound == 0);
    EXPECT_LE(bound, true_distance + 1e-15);
    EXPECT_GE(bound, true_distance - 1e-12);
    const AabbMinMax flat = {-box.half, box.half};
    EXPECT_NEAR(lower_bound(s, flat, place),
                lower_bound(s, Obb{Vec3::Zero(), Mat3::Identity(), box.half}, place), 1e-15);
  }
  test::expect_about_half(hits, n);
}

// ---- swept spheres ------------------------------------------------------------------------------

/// Compares a bound with the exact distance of the cores; returns whether they overlap.
template <typename V>
bool check_swept(const V& a, const V& b, const test::Rational& core2, double tolerance) {
  const double core = std::sqrt(static_cast<double>(core2));
  const double true_distance = std::max(0.0, core - a.radius - b.radius);
  const double bound = lower_bound(a, b, Pose());
  EXPECT_LE(bound, true_distance * (1 + 1e-15) + 1e-16);
  EXPECT_GE(bound, true_distance - tolerance) << "of " << true_distance;
  EXPECT_EQ(overlap(a, b, Pose()), bound == 0);
  return bound == 0;
}

TEST(CapsulePair, MatchesExactSegments) {
  Sets sets(4);
  const int n = test::scaled(6000);
  int hits = 0;
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    Capsule a = {sets.point(), sets.point(), sets.real(0, 0.6)};
    Capsule b = {sets.point(), sets.point(), sets.real(0, 0.6)};
    if (i % 8 == 0) a.end = a.start;
    if (i % 8 == 1)  // nearly parallel
      b.end = b.start + sets.real(-1, 1) * (a.end - a.start) +
              std::pow(10, sets.real(-17, -1)) * sets.point();
    if (i % 8 == 2) a.radius = b.radius = 0;
    if (i % 8 == 3)  // axes that cross
      b.end = b.start + 2 * (sets.real(0, 1) * (a.end - a.start) + a.start - b.start);
    hits += check_swept(a, b, test::segment_segment2(a.start, a.end, b.start, b.end),
                        i % 8 == 1 ? 1e-7 : 1e-11);
  }
  test::expect_about_half(hits, n);
}

TEST(RssPair, MatchesExactRectangles) {
  Sets sets(5);
  const int n = test::scaled(800);
  int hits = 0;
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    const auto random = [&] {
      const Obb box = sets.box();
      return Rss{box.centre, box.axes, {box.half[0], box.half[1]}, sets.real(0, 0.7)};
    };
    Rss a = random(), b = random();
    if (i % 5 == 0) b.axes = a.axes;  // parallel planes
    if (i % 5 == 1) a.radius = b.radius = 0, b.centre = a.centre + 0.3 * sets.point();
    test::Rational core2 = test::norm2(test::RVec(a.centre) - test::RVec(b.centre));
    const auto p = a.corners(), q = b.corners();
    for (const auto& s : {Triangle{p[0], p[1], p[2]}, Triangle{p[0], p[2], p[3]}})
      for (const auto& t : {Triangle{q[0], q[1], q[2]}, Triangle{q[0], q[2], q[3]}})
        core2 = std::min(core2, test::distance2(test::rational(s), test::rational(t)));
    hits += check_swept(a, b, core2, 1e-11);
  }
  test::expect_about_half(hits, n);
}

// ---- k-DOPs -------------------------------------------------------------------------------------

template <int K>
void compare_kdops(unsigned seed) {
  Sets sets(seed);
  const int n = test::scaled(400);
  int hits = 0, apart = 0, false_positives = 0;
  for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) {
    const Kdop<K> a = Kdop<K>::fit(sets.cloud(10)), b = Kdop<K>::fit(sets.cloud(10));
    const Pose place = sets.pose(sets.real(0.3, 2.1) * sets.direction());
    const Pose back = place.inverse();
    const double true_distance = distance(
        polytope(faces(a), Pose()), polytope(faces(b), place),
        [&](const Vec3& p) { return a.contains(p); },
        [&](const Vec3& p) { return b.contains(back * p); });
    const double bound = lower_bound(a, b, place);
    const bool met = overlap(a, b, place);
    hits += true_distance == 0;
    EXPECT_LE(bound, true_distance * (1 + 1e-12) + 1e-13);
    if (true_distance == 0) {
      EXPECT_TRUE(met);
    } else {
      ++apart;
      false_positives += met;
    }
    // The refitted one is the smallest: it touches the moved corners on every direction.
    const Kdop<K> refitted = moved(b, place);
    const Kdop<K> around = Kdop<K>::fit(polytope(faces(b), place).corners);
    for (std::size_t k = 0; k < refitted.lo.size(); ++k) {
      EXPECT_NEAR(refitted.lo[k], around.lo[k], 1e-10);
      EXPECT_NEAR(refitted.hi[k], around.hi[k], 1e-10);
    }
  }
  test::expect_about_half(hits, n);
  std::printf("%d-DOP: %d of %d pairs apart are called overlapping (%.1f %%)\n", K, false_positives,
              apart, 100.0 * false_positives / apart);
  EXPECT_LT(false_positives, 0.5 * apart);
}

TEST(KdopPair, MatchesTheFaces6) { compare_kdops<6>(6); }
TEST(KdopPair, MatchesTheFaces14) { compare_kdops<14>(7); }
TEST(KdopPair, MatchesTheFaces18) { compare_kdops<18>(8); }
TEST(KdopPair, MatchesTheFaces26) { compare_kdops<26>(9); }

}  // namespace
}  // namespace touche::bounds
