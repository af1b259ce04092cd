// SPDX-License-Identifier: Apache-2.0
// Supports, exact decisions and the bounds of separations, where shapes do not show them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "convex/depth.h"
#include "convex/exact_meet.h"
#include "convex/gjk.h"
#include "convex/polytope_gjk.h"
#include "convex/scan.h"
#include "exact_hulls.h"
#include "hit_share.h"
#include "shape/shape_data.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

TEST(FarthestCorner, SameOnAllInstructionSets) {
  base::Random random(1851);
  const auto targets = convex::farthest_corner_of_targets();
  ASSERT_GE(targets.size(), 1u);
  for (int i = 0; i < scaled(500); ++i) {
    const Shape shape = Shape::hull(on_sphere(random, 1 + static_cast<int>(random.below(60))));
    const convex::Body& body = shape::body_of(shape);
    Vec3 d = random.direction();
    if (i % 3 == 0) d = (2 * d).array().round();  // several are as far
    Index first = 0;
    const auto along = [&](Index k) {
      const Vec3 p = body.corner(k);
      return (p.x() * d.x() + p.y() * d.y()) + p.z() * d.z();
    };
    for (Index k = 1; k < body.corners; ++k)
      if (along(k) > along(first)) first = k;
    for (const auto& farthest : targets) EXPECT_EQ(farthest(body, d), first);
  }
}

// Against one body after the other; bodies of more corners than a word has bits are scanned in
// another way.
TEST(FindVertex, SameOnAllInstructionSets) {
  base::Random random(1856);
  const auto targets = convex::find_polytope_vertex_of_targets();
  ASSERT_GE(targets.size(), 1u);
  for (int i = 0; i < scaled(500); ++i) {
    const Shape a = Shape::hull(on_sphere(random, 1 + static_cast<int>(random.below(80)))),
                b = Shape::hull(on_sphere(random, 1 + static_cast<int>(random.below(80))));
    const convex::RigidTransform place({}, i % 3 == 0 ? Pose() : random_pose(random, 2));
    Vec3 d = random.direction();
    if (i % 2 == 0) d = (2 * d).array().round();  // several are as far
    if (d.isZero(0)) d = Vec3::UnitX();
    const double scale = std::array{1.0, 0x1p-90, 0x1p90}[i % 3];
    const convex::Supporting at_a = convex::supporting(shape::body_of(a), -d),
                             at_b = convex::supporting(shape::body_of(b), place.turned_back(d));
    const Vec3 seen = scale * (place * at_b.point);
    for (const auto& find : targets) {
      convex::Vertex v;
      find(shape::body_of(a), shape::body_of(b), place, d.x(), d.y(), d.z(), scale, v);
      EXPECT_EQ(v.corner_a, at_a.corner);
      EXPECT_EQ(v.corner_b, at_b.corner);
      EXPECT_EQ(v.a, scale * at_a.point);
      EXPECT_EQ(v.b, seen);
      EXPECT_EQ(v.w, seen - v.a);
    }
  }
}

TEST(FindVertex, StaysInTheBodyWhereDirectionsAreNoNumbers) {
  base::Random random(1857);
  const Shape shape = Shape::hull(on_sphere(random, 13));
  const convex::Body& body = shape::body_of(shape);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& find : convex::find_polytope_vertex_of_targets()) {
    convex::Vertex v;
    find(body, body, {}, kNan, kNan, kNan, 1, v);
    EXPECT_LT(v.corner_a, body.padded);
    EXPECT_LT(v.corner_b, body.padded);
  }
}

// The choice of the farthest of few corners may be off by the last bits; how far it is at most is a
// bound.
TEST(FindNearlyFarthest, SameOnAllInstructionSets) {
  base::Random random(1859);
  const auto targets = convex::polytope_pair_kernels_of_targets();
  int others = 0;  // not the very farthest
  const int cases = scaled(2000);
  for (int i = 0; i < cases; ++i) {
    const auto some = [&] {
      return Shape::hull(on_sphere(random, 1 + static_cast<int>(random.below(64))));
    };
    const Shape a = some(), b = some();
    const convex::Body &body_a = shape::body_of(a), &body_b = shape::body_of(b);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(body_a.x) % 64, 0u);
    const convex::RigidTransform place({}, random_pose(random, 2));
    Vec3 d = random.direction();
    if (i % 2 == 0 && body_a.corners > 1) {
      // Two corners of a are equally far, except for rounding: if one is found as the farthest, the
      // other one usually is as well.
      std::vector<Vec3> far;
      for (Index k = 0; k < body_a.corners; ++k) far.push_back(body_a.corner(k));
      std::ranges::sort(far, {}, [&](const Vec3& p) { return d.dot(p); });
      const Vec3 along = far[1] - far[0];
      d = (d - d.dot(along) / along.squaredNorm() * along).normalized();
    }
    double most_a = -kInfinity, most_b = -kInfinity;
    for (Index k = 0; k < body_a.corners; ++k) most_a = std::max(most_a, -d.dot(body_a.corner(k)));
    for (Index k = 0; k < body_b.corners; ++k)
      most_b = std::max(most_b, d.dot(place * body_b.corner(k)));
    std::optional<std::tuple<double, Index, Index>> first;
    for (const auto& kernels : targets) {
      convex::PlacedCorners placed;
      kernels.place(body_b, place, placed);
      convex::Vertex v;
      const double most = kernels.find(body_a, body_b, placed, d.x(), d.y(), d.z(), v);
      ASSERT_LT(v.corner_a, body_a.corners);
      ASSERT_LT(v.corner_b, body_b.corners);
      EXPECT_EQ(v.w, place * body_b.corner(v.corner_b) - body_a.corner(v.corner_a));
      // Up to the rounding of products of lengths 1 and 4.
      EXPECT_GE(most, most_a + most_b - 8e-16);
      EXPECT_LE(most, most_a + most_b + 2 * convex::kNearlyFarthest * (1 + 4) + 8e-16);
      EXPECT_GE(d.dot(v.w), most_a + most_b - convex::kNearlyFarthest * (1 + 4) - 2e-15);
      if (!first) first = {most, v.corner_a, v.corner_b};
      EXPECT_EQ(*first, std::tuple(most, v.corner_a, v.corner_b));
      if (&kernels == &targets.front()) others += -d.dot(body_a.corner(v.corner_a)) < most_a;
    }
  }
  EXPECT_GE(others, cases / 20);  // as neighbours are
}

TEST(FindNearlyFarthest, StaysInTheBodyWhereDirectionsAreNoNumbers) {
  base::Random random(1860);
  const Shape shape = Shape::hull(on_sphere(random, 13));
  const convex::Body& body = shape::body_of(shape);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& kernels : convex::polytope_pair_kernels_of_targets()) {
    convex::PlacedCorners placed;
    kernels.place(body, {}, placed);
    convex::Vertex v;
    kernels.find(body, body, placed, kNan, kNan, kNan, v);
    EXPECT_LT(v.corner_a, body.corners);
    EXPECT_LT(v.corner_b, body.corners);
  }
}

// And as by the search that finds one supporting point after the other: bounds hold for each other.
TEST(SeparatePolytopes, SameOnAllInstructionSets) {
  base::Random random(1858);
  const auto targets = convex::polytope_pair_kernels_of_targets();
  ASSERT_GE(targets.size(), 1u);
  int hits = 0;
  const int cases = scaled(600);
  for (int i = 0; i < cases; ++i) {
    const auto some = [&] {
      const int kind = static_cast<int>(random.below(9));
      return Shape::hull(kind < 7 ? some_points(random, kind)
                                  : on_sphere(random, 1 + static_cast<int>(random.below(64))));
    };
    const Shape a = some(), b = some();
    const Pose pose = random_pose(random, i % 4 == 0 ? 0.1 : 1.3);
    const convex::RigidTransform place({}, pose);
    const convex::Body &body_a = shape::body_of(a), &body_b = shape::body_of(b);
    const convex::Pair pair{body_a, body_b, place, convex::corners_error(body_b, place)};
    convex::SeparationOptions options;
    options.goal =
        std::array{convex::Goal::distance, convex::Goal::cores, convex::Goal::decide}[i % 3];
    if (i % 7 == 0) options.guess = random.direction();
    if (i % 11 == 0) options.relative_error = 0.1;
    const convex::Separation expected = convex::separation(pair, options);
    for (const auto& kernels : targets) {
      convex::Simplex simplex;
      convex::Separation found;
      kernels.separate(pair, options, simplex, found);
      EXPECT_EQ(found.lower, expected.lower);
      EXPECT_EQ(found.upper, expected.upper);
      EXPECT_EQ(found.direction, expected.direction);
      EXPECT_EQ(found.point_a, expected.point_a);
      EXPECT_EQ(found.point_b, expected.point_b);
      EXPECT_EQ(found.supports, expected.supports);
    }
    // The plane has all corners on its sides, the points are as far apart.
    const auto& [lower, upper, n] = std::tuple(expected.lower, expected.upper, expected.direction);
    double most_a = -kInfinity, least_b = kInfinity;
    for (Index k = 0; k < body_a.corners; ++k) most_a = std::max(most_a, n.dot(body_a.corner(k)));
    for (Index k = 0; k < body_b.corners; ++k)
      least_b = std::min(least_b, n.dot(place * body_b.corner(k)));
    EXPECT_LE(lower, least_b - most_a + 1e-16);
    if (upper > 0 && upper < kInfinity) {
      EXPECT_GE(upper, (expected.point_b - expected.point_a).norm() - 1e-16);
    }
    hits += expected.upper <= 0;
    if (lower > 0) continue;
    // Only then may a shift part them.
    EXPECT_GE(expected.upper, -(most_a - least_b) - 1e-15);
  }
  EXPECT_GE(hits, cases / 20);
}

TEST(Supporting, NoPointOfTheCoreIsFarther) {
  base::Random random(1852);
  for (int i = 0; i < scaled(300); ++i) {
    const Shape shape = some_shape(random, i);
    const convex::Body& body = shape::body_of(shape);
    const Vec3 d = random.direction();
    const double most = d.dot(convex::supporting(body, d).point);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = convex::supporting(body, random.direction()).point;  // also in the core
      EXPECT_LE(d.dot(p), most + 3 * convex::supporting_error(body));
      EXPECT_LE(p.norm(), body.reach * (1 + 1e-14));
    }
  }
}

TEST(ExactlyMeet, AgreesWithRationals) {
  base::Random random(1853);
  int hits = 0;
  const int cases = scaled(100, 60);
  for (int i = 0; i < cases; ++i) {
    const int kind_a = static_cast<int>(random.below(7)),
              kind_b = static_cast<int>(random.below(7));
    const std::vector<Vec3> pa = some_points(random, kind_a), pb = some_points(random, kind_b);
    const bool grid = random.below(2) == 0;
    const Pose pose = grid ? Pose::from_translation((random.in_box(0.7)).array().round())
                           : random_pose(random, 0.15);
    const Shape a = Shape::hull(pa), b = Shape::hull(pb);
    const bool expected = hull_distance2(rational(pa), rational(seen_from({}, pose, pb))) == 0;
    const convex::RigidTransform place({}, pose);
    EXPECT_EQ(convex::exactly_meet(shape::body_of(a), shape::body_of(b), place, {}), expected) << i;
    hits += expected;
  }
  expect_about_half(hits, cases);
}

TEST(ConvexSeparation, BoundsHoldForWhateverIsAsked) {
  base::Random random(1854);
  int open = 0, hits = 0;
  const int cases = scaled(400);
  for (int i = 0; i < cases; ++i) {
    const Shape a = some_shape(random, i),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose = random_pose(random, 1);
    const convex::RigidTransform place({}, pose);
    const convex::Pair pair{shape::body_of(a), shape::body_of(b), place,
                            convex::placed_error(shape::body_of(b), place)};
    const convex::Separation fine = convex::separation(pair);
    convex::SeparationOptions options;
    options.relative_error = 0.1;
    options.absolute_error = random.uniform(0, 0.01);
    options.guess = random.direction();
    if (i % 2 == 0) options.stop_above = random.uniform(0, 1);
    const convex::Separation rough = convex::separation(pair, options);
    EXPECT_LE(rough.lower, std::max(fine.upper, 0.0) + 1e-15);
    EXPECT_GE(std::max(rough.upper, 0.0), fine.lower - 1e-15);
    options = {};
    options.goal = convex::Goal::cores;
    const convex::Separation cores = convex::separation(pair, options);
    EXPECT_LE(cores.lower, cores.upper);
    if (fine.lower > 0) {
      EXPECT_NEAR(cores.lower, fine.lower, 1e-10);
    }
    const convex::Penetration deep = convex::penetration(pair);
    EXPECT_LE(deep.lower, deep.upper);
    if (cores.upper < 0) {
      EXPECT_GE(deep.upper, -cores.upper);
    }
    if (fine.lower > 0) {
      EXPECT_EQ(deep.lower, 0);
    }
    // The number that decides, perhaps by a ball that is inside, is a bound as well.
    options.goal = convex::Goal::decide;
    if (i % 2 == 0) options.guess = random.direction();
    const convex::Separation decided = convex::separation(pair, options);
    EXPECT_FALSE(decided.lower > 0 && decided.upper <= 0);
    EXPECT_LE(decided.lower, std::max(fine.upper, 0.0));
    EXPECT_GE(deep.upper, -decided.upper);
    if (decided.upper <= 0) {
      EXPECT_LE(fine.lower, 0);
    }
    open += decided.lower <= 0 && decided.upper > 0;
    hits += decided.upper <= 0;
  }
  EXPECT_LE(open, cases / 20);
  expect_about_half(hits, cases);
}

// Vertex by vertex, as a search adds them: each before the plane across the nearest point so far.
TEST(ConvexSeparation, NearestPointsOfSimplices) {
  base::Random random(1855);
  int inside = 0, faces = 0, faces_on_the_way = 0;
  std::array<int, 5> sizes = {};
  const int cases = scaled(1500);
  for (int i = 0; i < cases; ++i) {
    convex::Simplex s;
    std::vector<Vec3> w;  // of the vertices that were kept, and the new one
    const Vec3 shift = random.in_box(0.7);
    const bool grid = i % 5 == 0;
    Vec3 point = shift;
    double before = kInfinity;
    for (int k = 0; k < 12; ++k) {
      convex::Vertex v{};
      v.w = random.in_box(1) + shift;
      if (grid) v.w = (3 * v.w).array().round();
      v.a = v.b = v.w;
      if (s.size > 0 && !(v.w.dot(point) < point.squaredNorm() - 1e-9)) continue;
      w.clear();
      for (int n = 0; n < s.size; ++n) w.push_back(s.vertex(n).w);
      w.push_back(v.w);
      s.add(v);
      convex::Nearest nearest, on_the_way;
      convex::find_nearest(s, nearest);
      if (nearest.size == 3 && s.size == 4) {
        ++faces;
        if (convex::is_nearest_on_the_way(s, math::Three(point), on_the_way)) {
          ++faces_on_the_way;
          EXPECT_NEAR(on_the_way.distance2, nearest.distance2, 1e-12 * nearest.distance2);
          EXPECT_EQ(on_the_way.vertex, nearest.vertex);
        }
      } else if (s.size == 4) {
        EXPECT_FALSE(convex::is_nearest_on_the_way(s, math::Three(point), on_the_way)) << grid;
      }
      nearest.keep_in(s);
      point = nearest.point.vec();
      ++sizes[static_cast<std::size_t>(s.size)];
      EXPECT_EQ(nearest.distance2, math::dot(nearest.point, nearest.point));
      EXPECT_LT(nearest.distance2, before);
      before = nearest.distance2;
      // No vertex lies before the plane through the point: it is the nearest one of the hull.
      for (const Vec3& x : w) EXPECT_GE(x.dot(point), point.squaredNorm() - 1e-12 * x.norm());
      Vec3 sum = Vec3::Zero();
      double shares = 0;
      for (int n = 0; n < s.size; ++n) {
        const double share = s.share[static_cast<std::size_t>(n)];
        EXPECT_GE(share, 0);
        sum += share * s.vertex(n).w;
        shares += share;
      }
      ASSERT_GT(shares, 0);
      sum /= shares;
      if (s.size == 4) {
        ++inside;
        EXPECT_GE(convex::depth_inside(s), 0);
        EXPECT_LE(sum.norm(), 1e-9);
        break;
      }
      EXPECT_LE((sum - point).norm(), 1e-9);
      if (point.norm() < 1e-6) break;
      const Vec3 towards = nearest.towards.vec();
      EXPECT_LE((towards.normalized() - point.normalized()).norm(), 1e-9);
    }
  }
  EXPECT_GE(inside, cases / 10);
  EXPECT_GE(faces, cases / 10);
  EXPECT_GE(faces_on_the_way, faces * 2 / 3);
  for (const int size : {1, 2, 3})
    EXPECT_GE(sizes[static_cast<std::size_t>(size)], cases / 3) << size;
}

}  // namespace
}  // namespace touche
