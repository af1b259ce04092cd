// SPDX-License-Identifier: Apache-2.0
// Shapes of every kind, rounded, against every kind: rounding by r adds a ball to the difference of
// both. So distances shrink by r and depths grow by it, nearest points move by it, and what is in
// contact at a time was r apart without it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "shape_cases.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

constexpr std::size_t kKinds = kNames<ShapeKind>.size();

/// A shape of the kind, of about unit size.
Shape shape_of_kind(base::Random& random, ShapeKind kind) {
  const double r = random.uniform(0.2, 0.8), s = random.uniform(0.2, 0.8);
  switch (kind) {
    case ShapeKind::sphere:
      return Shape::sphere(r);
    case ShapeKind::capsule:
      return Shape::capsule(0.5 * r, s);
    case ShapeKind::box:
      return Shape::box({r, s, 0.5});
    case ShapeKind::cylinder:
      return Shape::cylinder(r, s);
    case ShapeKind::cone:
      return Shape::cone(r, 2 * s);
    case ShapeKind::ellipsoid:
      return Shape::ellipsoid({r, s, 0.4});
    case ShapeKind::hull:
      return Shape::hull(on_sphere(random, 12, r));
    case ShapeKind::zonotope:
      return Shape::zonotope(Vec3::Zero(), on_sphere(random, 4, 0.5 * r));
    case ShapeKind::sum:
      return Shape::sum(Shape::cylinder(0.5 * r, s), Shape::box({0.2, 0.1, s}),
                        random_pose(random, 0.1));
    case ShapeKind::half_space:
      return Shape::half_space(random.direction(), random.uniform(-0.5, 0.5));
    case ShapeKind::soup:
      break;
  }
  std::vector<double> corners;
  for (int i = 0; i < 5; ++i)
    for (const Vec3& p : on_sphere(random, 3, r)) corners.insert(corners.end(), p.begin(), p.end());
  std::vector<Index> faces(15);
  for (Index i = 0; i < 15; ++i) faces[i] = i;
  return Shape::soup(Object(PolygonSoup(std::move(corners), std::move(faces))));
}

double lower_from(const Shape& shape, const Pose& pose, const Vec3& x) {
  return distance(shape, pose, Shape::sphere(0), Pose::from_translation(x)).distance.lower;
}

/// Expects the point to be `far` from the shape. Bounds of a point on a surface may be a millionth
/// wide.
void expect_from(const Shape& shape, const Pose& pose, const Vec3& x, double far,
                 double room = 1e-9) {
  const Bracket d = distance(shape, pose, Shape::sphere(0), Pose::from_translation(x)).distance;
  EXPECT_LE(d.lower, far + room);
  EXPECT_GE(d.upper, far - room);
  EXPECT_LE(d.upper - d.lower, 2e-5);
}

template <class Ask>
void for_every_pair(std::uint64_t seed, int rounds, ShapeQuestion question, const Ask& ask) {
  base::Random random(seed);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < kKinds; ++i)
      for (std::size_t j = 0; j < kKinds; ++j) {
        const auto kind_a = static_cast<ShapeKind>(i), kind_b = static_cast<ShapeKind>(j);
        if (!answers(question, kind_a, kind_b)) continue;
        SCOPED_TRACE(testing::Message() << round << ": " << name(kind_a) << ", " << name(kind_b));
        const Shape a = shape_of_kind(random, kind_a), b = shape_of_kind(random, kind_b);
        const double more_a = random.uniform(0.01, 0.3),
                     more_b = round % 2 == 0 ? 0 : random.uniform(0.01, 0.3);
        const Shape round_a = a.rounded(more_a), round_b = b.rounded(more_b);
        EXPECT_EQ(round_a.kind(), kind_a);
        EXPECT_DOUBLE_EQ(round_a.radius(), a.radius() + more_a);
        ask(random, a, b, round_a, round_b, more_a, more_b);
      }
}

TEST(RoundedShapes, DistancesOfEveryKindShrinkByTheRadii) {
  std::array<std::array<int, kKinds>, kKinds> apart = {}, met = {};
  const int cases = 30, rounds = scaled(cases, 10);
  for_every_pair(
      1861, rounds, ShapeQuestion::distance,
      [&](base::Random& random, const Shape& a, const Shape& b, const Shape& round_a,
          const Shape& round_b, double more_a, double more_b) {
        const Pose pose_a = random_pose(random, 1.2), pose_b = random_pose(random, 1.2);
        const double more = more_a + more_b;
        const DistanceResult plain = distance(a, pose_a, b, pose_b),
                             round = distance(round_a, pose_a, round_b, pose_b);
        EXPECT_TRUE(plain.complete && round.complete);
        EXPECT_NEAR(round.distance.upper, std::max(0.0, plain.distance.upper - more), 1e-9);
        EXPECT_NEAR(round.distance.lower, std::max(0.0, plain.distance.lower - more), 1e-9);
        EXPECT_LE(round.distance.upper - round.distance.lower, 1e-9);
        const auto i = static_cast<std::size_t>(a.kind()), j = static_cast<std::size_t>(b.kind());
        const IntersectsResult meets = intersects(round_a, pose_a, round_b, pose_b);
        if (std::abs(plain.distance.upper - more) > 1e-9) {
          EXPECT_TRUE(meets.complete);
          EXPECT_EQ(meets.intersects, plain.distance.upper < more);
        }
        if (!(plain.distance.lower > more + 1e-3)) {
          ++met[i][j];
          if (!(round.distance.upper > 0)) {  // a point of both
            EXPECT_LE(lower_from(a, pose_a, round.closest->point_a), more_a + 1e-5);
            EXPECT_LE(lower_from(b, pose_b, round.closest->point_a), more_b + 1e-5);
          }
          return;
        }
        ++apart[i][j];
        // The points of the plain shapes, moved along the line between them. There may be many such
        // points, e.g. on a face that is parallel to a plane, but each must be on its rounded
        // shape.
        const Contact& c = *round.closest;
        EXPECT_NEAR((c.point_b - c.point_a).norm(), plain.distance.upper - more, 1e-9);
        expect_from(a, pose_a, c.point_a, more_a);
        expect_from(b, pose_b, c.point_b, more_b);
      });
  for (std::size_t i = 0; i < kKinds && rounds >= cases; ++i)
    for (std::size_t j = 0; j < kKinds; ++j) {
      if (!answers(ShapeQuestion::distance, static_cast<ShapeKind>(i), static_cast<ShapeKind>(j)))
        continue;
      EXPECT_GT(apart[i][j], 0) << i << ' ' << j;
      EXPECT_GT(met[i][j], 0) << i << ' ' << j;
    }
}

TEST(RoundedShapes, DepthsOfEveryKindGrowByTheRadii) {
  int cores_met = 0, balls_met = 0, apart = 0;
  for_every_pair(1862, scaled(20, 8), ShapeQuestion::depth,
                 [&](base::Random& random, const Shape& a, const Shape& b, const Shape& round_a,
                     const Shape& round_b, double more_a, double more_b) {
                   const Pose pose_a = random_pose(random, 0.7), pose_b = random_pose(random, 0.7);
                   const double more = more_a + more_b;
                   const DistanceResult plain = distance(a, pose_a, b, pose_b);
                   const DepthResult round = depth(round_a, pose_a, round_b, pose_b);
                   EXPECT_TRUE(round.complete);
                   if (plain.distance.lower > more) {
                     ++apart;
                     EXPECT_LE(round.depth.upper, 1e-9);
                   } else if (plain.distance.lower > 0) {
                     ++balls_met;
                     EXPECT_NEAR(round.depth.lower, more - plain.distance.upper, 1e-9);
                     EXPECT_NEAR(round.depth.upper, more - plain.distance.lower, 1e-9);
                   } else if (plain.distance.upper <= 0) {
                     ++cores_met;
                     const DepthResult deep = depth(a, pose_a, b, pose_b);
                     EXPECT_LE(round.depth.lower, deep.depth.upper + more + 1e-12);
                     EXPECT_GE(round.depth.upper, deep.depth.lower + more - 1e-12);
                     EXPECT_LE(round.depth.upper - round.depth.lower, 1e-8);
                   }
                 });
  EXPECT_GT(cores_met, 100);
  EXPECT_GT(balls_met, 100);
  EXPECT_GT(apart, 100);
}

TEST(RoundedShapes, TheyMeetWhenTheyWouldBeTheRadiiApart) {
  int contacts = 0, pairs = 0;
  for_every_pair(
      1863, scaled(4, 2), ShapeQuestion::time_of_impact,
      [&](base::Random& random, const Shape& a, const Shape& b, const Shape& round_a,
          const Shape& round_b, double more_a, double more_b) {
        const Pose start = Pose::from_axis_angle(random.direction(), 1, 3 * random.direction()),
                   end = Pose::from_axis_angle(random.direction(), 1,
                                               -start.translation() + random.in_box(1));
        const Motion motion = Motion::interpolated(start, end), still = Motion::at({});
        const double tolerance = 1e-6, more = more_a + more_b;
        ++pairs;
        const ToiResult round =
            time_of_impact(round_a, motion, round_b, still, {.tolerance = tolerance});
        ASSERT_NE(round.status, ToiStatus::undecided);
        const double free_until = round.status == ToiStatus::free ? 1 : round.time.lower;
        for (int k = 0; k < 30; ++k) {
          const double t = free_until * k / 30;
          if (free_until == 0) break;
          EXPECT_GT(distance(a, motion.pose(t), b, {}).distance.upper, more);
        }
        if (round.status == ToiStatus::free) return;
        ++contacts;
        const Pose there = motion.pose(round.time.upper);
        EXPECT_LE(distance(a, there, b, {}).distance.lower, more + 1.001 * round.tolerance);
        if (round.status != ToiStatus::contact) return;
        EXPECT_LE(round.contact->distance, 1.001 * round.tolerance);
        expect_from(a, there, round.contact->point_a, more_a, 2e-6);
        expect_from(b, {}, round.contact->point_b, more_b, 2e-6);
      });
  EXPECT_GT(contacts, pairs / 4);
}

}  // namespace
}  // namespace touche
