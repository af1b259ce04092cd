// SPDX-License-Identifier: Apache-2.0
// Supports, exact decisions and the bounds of separations, where shapes do not show them.
#include <gtest/gtest.h>

#include <cmath>

#include "convex/depth.h"
#include "convex/exact_meet.h"
#include "convex/gjk.h"
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
  Random random(1851);
  const auto targets = convex::farthest_corner_of_targets();
  ASSERT_GE(targets.size(), 1u);
  for (int i = 0; i < scaled(500); ++i) {
    const Shape shape = Shape::hull(on_sphere(random, 1 + static_cast<int>(random.below(60))));
    const convex::Body& body = body_of(shape);
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

TEST(Supporting, NoPointOfTheCoreIsFarther) {
  Random random(1852);
  for (int i = 0; i < scaled(300); ++i) {
    const Shape shape = some_shape(random, i);
    const convex::Body& body = body_of(shape);
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
  Random random(1853);
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
    const convex::Placement place({}, pose);
    EXPECT_EQ(convex::exactly_meet(body_of(a), body_of(b), place, {}), expected) << i;
    hits += expected;
  }
  expect_about_half(hits, cases);
}

TEST(ConvexSeparation, BoundsHoldForWhateverIsAsked) {
  Random random(1854);
  for (int i = 0; i < scaled(400); ++i) {
    const Shape a = some_shape(random, i),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose = random_pose(random, 1);
    const convex::Placement place({}, pose);
    const convex::Pair pair{body_of(a), body_of(b), place, convex::placed_error(body_of(b), place)};
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
  }
}

TEST(ConvexSeparation, NearestPointsOfSimplices) {
  Random random(1855);
  int inside = 0;
  const int cases = scaled(3000);
  for (int i = 0; i < cases; ++i) {
    convex::Simplex s;
    std::array<Vec3, 4> w;
    const int size = 1 + i % 4;
    const Vec3 shift = random.in_box(0.4);
    for (int k = 0; k < size; ++k) {
      convex::Vertex v{};
      v.w = w[static_cast<std::size_t>(k)] = random.in_box(1) + shift;
      s.add(v);
    }
    const Vec3 point = convex::nearest_of(s);
    // No vertex lies before the plane through the point: it is the nearest one of the hull.
    for (int k = 0; k < size; ++k)
      EXPECT_GE(w[static_cast<std::size_t>(k)].dot(point), point.squaredNorm() - 1e-12);
    Vec3 sum = Vec3::Zero();
    double shares = 0;
    for (int k = 0; k < s.size; ++k) {
      EXPECT_GE(s.share[k], 0);
      sum += s.share[k] * s.vertex(k).w;
      shares += s.share[k];
    }
    EXPECT_NEAR(shares, 1, 1e-13);
    if (s.size < 4) {
      EXPECT_LE((sum - point).norm(), 1e-9);
    }
    if (s.size == 4) {
      ++inside;
      EXPECT_GE(convex::depth_inside(s), 0);
      EXPECT_LE(sum.norm(), 1e-9);
    }
  }
  EXPECT_GE(inside, cases / 100);
}

}  // namespace
}  // namespace touche
