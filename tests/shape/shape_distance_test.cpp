// SPDX-License-Identifier: Apache-2.0
// Whether and how far convex shapes are apart: polytopes against all pairs of triangles of their
// corners in rationals, round shapes against closed forms and polytopes inside and outside of them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "exact_hulls.h"
#include "hit_share.h"
#include "shape_cases.h"
#include "test_scale.h"
#include "touche/distance.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

void expect_agrees(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const Rational& distance2, double size) {
  const IntersectsResult meet = intersects(a, pose_a, b, pose_b);
  EXPECT_TRUE(meet.complete);
  EXPECT_EQ(meet.intersects, distance2 == 0);
  const DistanceResult d = distance(a, pose_a, b, pose_b);
  EXPECT_TRUE(holds(d.distance, distance2)) << d.distance.lower << ' ' << d.distance.upper << ' '
                                            << std::sqrt(distance2.convert_to<double>());
  EXPECT_TRUE(d.complete);
  EXPECT_LE(d.distance.upper - d.distance.lower, 0x1p-40 * size);
  ASSERT_TRUE(d.closest);
  EXPECT_NEAR((d.closest->point_b - d.closest->point_a).norm(), d.distance.upper, 1e-12 * size);
}

TEST(ShapeDistance, PolytopesAgreeWithAllPairsOfTriangles) {
  base::Random random(1801);
  int hits = 0;
  const int cases = scaled(120, 60);
  for (int i = 0; i < cases; ++i) {
    const int kind_a = static_cast<int>(random.below(7)),
              kind_b = static_cast<int>(random.below(7));
    const std::vector<Vec3> pa = some_points(random, kind_a), pb = some_points(random, kind_b);
    const bool grid = random.below(2) == 0;
    const Pose pose_a = grid ? Pose() : random_pose(random, 1);
    const Pose pose_b = grid ? Pose::from_translation((random.in_box(0.7)).array().round())
                             : pose_a * random_pose(random, 0.15);
    const Shape a = Shape::hull(pa), b = Shape::hull(pb);
    const Rational distance2 =
        hull_distance2(rational(pa), rational(seen_from(pose_a, pose_b, pb)));
    SCOPED_TRACE(testing::Message() << "case " << i << " kinds " << kind_a << ' ' << kind_b);
    expect_agrees(a, pose_a, b, pose_b, distance2, 8);
    hits += distance2 == 0;
  }
  expect_about_half(hits, cases);
}

TEST(ShapeDistance, FarAndLargeAndSmall) {
  base::Random random(1802);
  for (int i = 0; i < scaled(20, 6); ++i) {
    const double size = std::array{1e-80, 1e-6, 1.0, 1e6, 1e80}[i % 5];
    std::vector<Vec3> pa = some_points(random, 0), pb = some_points(random, 7);
    for (Vec3& p : pa) p *= size;
    for (Vec3& p : pb) p *= size;
    const Pose pose_b = random_pose(random, 1e6 * size);
    const Rational distance2 = hull_distance2(rational(pa), rational(seen_from({}, pose_b, pb)));
    expect_agrees(Shape::hull(pa), {}, Shape::hull(pb), pose_b, distance2, 1e7 * size);
  }
}

TEST(ShapeDistance, BoxesThatTouchExactly) {
  const Shape box = Shape::box({1, 2, 3});
  const double just = std::nextafter(2.0, 3.0);
  for (const Vec3& shift : {Vec3(2, 0, 0), Vec3(2, 4, 0), Vec3(2, 4, 6), Vec3(0, 4, 1)}) {
    const Pose there = Pose::from_translation(shift);
    const IntersectsResult r = intersects(box, {}, box, there);
    EXPECT_TRUE(r.complete && r.intersects) << shift.transpose();
    EXPECT_EQ(distance(box, {}, box, there).distance.upper, 0) << shift.transpose();
  }
  for (const Vec3& shift : {Vec3(just, 0, 0), Vec3(just, 4, 0), Vec3(just, -4, 6)}) {
    const IntersectsResult r = intersects(box, {}, box, Pose::from_translation(shift));
    EXPECT_TRUE(r.complete && !r.intersects) << shift.transpose();
  }
}

TEST(ShapeDistance, SpheresAndCapsulesInClosedForm) {
  base::Random random(1803);
  int hits = 0;
  const int cases = scaled(400);
  for (int i = 0; i < cases; ++i) {
    const double ra = random.uniform(0.05, 0.5), rb = random.uniform(0.05, 0.5);
    const double la = i % 3 == 0 ? 0 : random.uniform(0, 2), lb = random.uniform(0, 2);
    const Pose pose_a = random_pose(random, 0.7), pose_b = random_pose(random, 0.7);
    const Segment sa{pose_a * Vec3(0, 0, -la / 2), pose_a * Vec3(0, 0, la / 2)};
    const Segment sb{pose_b * Vec3(0, 0, -lb / 2), pose_b * Vec3(0, 0, lb / 2)};
    const double between = segment_segment_distance(sa, sb).distance - ra - rb;
    const Shape a = i % 3 == 0 ? Shape::sphere(ra) : Shape::capsule(ra, la),
                b = Shape::capsule(rb, lb);
    const DistanceResult d = distance(a, pose_a, b, pose_b);
    EXPECT_NEAR(d.distance.lower, std::max(between, 0.0), 1e-12);
    EXPECT_NEAR(d.distance.upper, std::max(between, 0.0), 1e-12);
    EXPECT_TRUE(d.complete);
    const IntersectsResult r = intersects(a, pose_a, b, pose_b);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.intersects, between < 0);
    const DepthResult deep = depth(a, pose_a, b, pose_b);
    // Crossing capsules: the axes' distance; any shift across it is longer.
    if (between < 0 && between + ra + rb > 1e-3) {
      EXPECT_NEAR(deep.depth.upper, -between, 1e-12);
      EXPECT_NEAR(deep.depth.lower, -between, 1e-12);
    } else if (between > 0) {
      EXPECT_EQ(deep.depth.upper, 0);
    }
    hits += between < 0;
  }
  expect_about_half(hits, cases);
}

TEST(ShapeDistance, SphereAndBoxInClosedForm) {
  base::Random random(1804);
  for (int i = 0; i < scaled(200); ++i) {
    const Vec3 half(0.5, 1, 0.25), at = random.in_box(1.5);
    const double r = random.uniform(0.1, 0.6);
    const double between = point_box_distance(at, {-half, half}).distance - r;
    const DistanceResult d =
        distance(Shape::box(half), {}, Shape::sphere(r), Pose::from_translation(at));
    EXPECT_NEAR(d.distance.lower, std::max(between, 0.0), 1e-13);
    EXPECT_NEAR(d.distance.upper, std::max(between, 0.0), 1e-13);
  }
}

/// A prism in or around a cylinder, a pyramid in or around a cone, an ellipsoid's sphere likewise.
Shape polytope_near(ShapeKind kind, const Vec3& size, int n, bool outside) {
  std::vector<Vec3> points;
  const double step = std::numbers::pi / n;
  const double grow = outside ? 1 / std::cos(step) + 1e-12 : 1 - 1e-12;
  for (int i = 0; i < 2 * n; i += 2) {
    const double x = grow * std::cos(i * step), y = grow * std::sin(i * step);
    if (kind == ShapeKind::cylinder) {
      points.emplace_back(size.x() * x, size.x() * y, -size.z());
      points.emplace_back(size.x() * x, size.x() * y, size.z());
    } else if (kind == ShapeKind::cone) {
      points.emplace_back(size.x() * x, size.x() * y, -size.z());
    } else {
      // A point of the sphere is within half a step along and across of a point of the grid.
      const double more = outside ? grow / std::cos(step) + 1e-12 : 1 - 1e-12;
      for (int j = -n / 2; j <= n / 2; ++j) {
        const double up = j * std::numbers::pi / n;
        points.push_back(more *
                         size.cwiseProduct(Vec3(std::cos(up) * std::cos(i * step),
                                                std::cos(up) * std::sin(i * step), std::sin(up))));
      }
    }
  }
  if (kind == ShapeKind::cone) points.emplace_back(0, 0, size.z());
  return Shape::hull(points);
}

/// Polytopes inside and around a cylinder, a cone and an ellipsoid.
struct Enclosure {
  std::array<std::vector<Shape>, 2> of;  // inside, around
  double distances = 0, depths = 0;      // by how much they differ, in sum

  Enclosure(const Vec3& size, int fineness) {
    for (const ShapeKind k : {ShapeKind::cylinder, ShapeKind::cone, ShapeKind::ellipsoid})
      for (const bool outside : {false, true})
        of[outside].push_back(polytope_near(k, size, fineness, outside));
  }
  void compare(std::size_t ka, const Pose& pose_a, std::size_t kb, const Pose& pose_b,
               const DistanceResult& d, const DepthResult& deep) {
    const DistanceResult least = distance(of[1][ka], pose_a, of[1][kb], pose_b),
                         most = distance(of[0][ka], pose_a, of[0][kb], pose_b);
    EXPECT_GE(d.distance.upper, least.distance.lower);
    EXPECT_LE(d.distance.lower, most.distance.upper);
    distances += most.distance.upper - least.distance.lower;
    const DepthResult deepest = depth(of[1][ka], pose_a, of[1][kb], pose_b),
                      shallow = depth(of[0][ka], pose_a, of[0][kb], pose_b);
    EXPECT_LE(deep.depth.lower, deepest.depth.upper);
    EXPECT_GE(deep.depth.upper, shallow.depth.lower);
    depths += deepest.depth.upper - shallow.depth.lower;
  }
};

TEST(ShapeDistance, RoundShapesLieBetweenPolytopes) {
  base::Random random(1805);
  int hits = 0;
  const int cases = scaled(150, 60);
  const Vec3 size(0.6, 0.4, 0.5);
  const Shape exact[3] = {Shape::cylinder(0.6, 1), Shape::cone(0.6, 1), Shape::ellipsoid(size)};
  std::array<Enclosure, 3> enclosures = {Enclosure(size, 12), Enclosure(size, 24),
                                         Enclosure(size, 48)};
  for (int i = 0; i < cases; ++i) {
    const std::size_t ka = random.below(3), kb = random.below(3);
    const Pose pose_a = random_pose(random, 0.8), pose_b = random_pose(random, 0.8);
    const DistanceResult d = distance(exact[ka], pose_a, exact[kb], pose_b);
    EXPECT_TRUE(d.complete);
    EXPECT_LE(d.distance.upper - d.distance.lower, 1e-10);
    const DepthResult deep = depth(exact[ka], pose_a, exact[kb], pose_b);
    EXPECT_LE(deep.depth.upper - deep.depth.lower, 1e-6);
    for (Enclosure& e : enclosures) e.compare(ka, pose_a, kb, pose_b, d, deep);
    hits += d.distance.upper == 0;
  }
  expect_about_half(hits, cases);
  // Twice as fine is four times as near.
  for (std::size_t i = 1; i < enclosures.size(); ++i) {
    EXPECT_NEAR(enclosures[i].distances / enclosures[i - 1].distances, 0.25, 0.08);
    EXPECT_NEAR(enclosures[i].depths / enclosures[i - 1].depths, 0.25, 0.08);
  }
}

TEST(ShapeDistance, SwappedTheSame) {
  base::Random random(1806);
  for (int i = 0; i < scaled(300); ++i) {
    const Shape a = some_shape(random, i),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose_a = random_pose(random, 0.8), pose_b = random_pose(random, 0.8);
    const DistanceResult d = distance(a, pose_a, b, pose_b), e = distance(b, pose_b, a, pose_a);
    EXPECT_LE(d.distance.lower, e.distance.upper);
    EXPECT_LE(e.distance.lower, d.distance.upper);
    EXPECT_TRUE(d.complete && e.complete) << name(a.kind()) << ' ' << name(b.kind());
    const IntersectsResult r = intersects(a, pose_a, b, pose_b);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.intersects, d.distance.upper == 0);
    if (d.distance.lower > 0) {
      // Between the planes through the closest points lies nothing of either.
      const Contact& c = *d.closest;
      EXPECT_LE(c.normal.dot(pose_a * a.support(pose_a.inverse().rotate(c.normal)) - c.point_a),
                1e-10);
      EXPECT_GE(c.normal.dot(pose_b * b.support(pose_b.inverse().rotate(-c.normal)) - c.point_b),
                -1e-10);
      EXPECT_NEAR((c.point_b - c.point_a).norm(), d.distance.lower, 1e-10);
    }
  }
}

TEST(ShapeDistance, StopsWhereTold) {
  const Shape a = Shape::ellipsoid({1, 2, 3}), b = Shape::cone(1, 2);
  const Pose there = Pose::from_translation({5, 1, 0.3});
  DistanceOptions options;
  options.max_distance = 1;
  const DistanceResult far = distance(a, {}, b, there, options);
  EXPECT_GT(far.distance.lower, 1);
  EXPECT_FALSE(far.closest);
  EXPECT_TRUE(far.complete);
  options.max_distance = kInfinity;
  options.absolute_error = 0.5;
  const DistanceResult rough = distance(a, {}, b, there, options), fine = distance(a, {}, b, there);
  EXPECT_LE(rough.stats.primitive_tests, fine.stats.primitive_tests);
  EXPECT_LE(rough.distance.lower, fine.distance.upper);
  EXPECT_GE(rough.distance.upper, fine.distance.lower);
  options.absolute_error = -1;
  EXPECT_THROW((void)distance(a, {}, b, there, options), InvalidInput);
}

}  // namespace
}  // namespace touche
