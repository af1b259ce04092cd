// SPDX-License-Identifier: Apache-2.0
// Plates, needles and prisms that are a millionth to a billionth as thick as they are long, or not
// thick at all, beside blocks that are level with them or nearly so. Faces and edges are nearly in
// one plane then, and triangles of the difference nearly segments. Bounds are checked by planes in
// rationals; polytopes of few corners by all triangles and all planes of their corners as well.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "exact_hulls.h"
#include "shape_cases.h"
#include "test_scale.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

/// Returns points of unit extent across z, and `thick` along it.
std::vector<Vec3> thin_points(base::Random& random, int kind, int count, double thick) {
  std::vector<Vec3> points;
  const double turn = random.uniform(0, 6);
  if (kind % 4 == 1) count = (count + 1) / 2;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count + turn;
    const Vec3 rim(std::cos(angle), std::sin(angle), 0);
    switch (kind % 4) {
      case 0:  // a plate with a wavy rim
        points.emplace_back(rim + Vec3(0, 0, thick * std::sin(7.0 * i)));
        break;
      case 1:  // a prism
        points.emplace_back(rim + Vec3(0, 0, i % 2 == 0 ? thick : -thick));
        points.emplace_back(rim - Vec3(0, 0, i % 2 == 0 ? thick : -thick));
        break;
      case 2:  // a box
        points.emplace_back(i % 2 == 0 ? 1 : -1, i / 2 % 2 == 0 ? 0.7 : -0.7,
                            i / 4 % 2 == 0 ? thick : -thick);
        break;
      default:  // a needle along x
        points.emplace_back(random.uniform(-1, 1), thick * random.uniform(-1, 1),
                            thick * random.uniform(-1, 1));
        break;
    }
  }
  return points;
}

/// A cube, a thin box or a prism of unit size.
std::vector<Vec3> block_points(int kind, double thick) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8 && kind < 2; ++i)
    points.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1,
                        (kind == 0 ? 1 : 3 * thick) * (i & 4 ? 1 : -1));
  for (int i = 0; i < 18 && kind == 2; ++i) {
    const double angle = 2 * std::numbers::pi * i / 18 + 0.1;
    points.emplace_back(std::cos(angle), std::sin(angle), 1);
    points.emplace_back(std::cos(angle), std::sin(angle), -1);
  }
  return points;
}

/// Whether all of b lies by `gap` or more farther along the normal than all of a.
bool lies_beyond(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& normal,
                 double gap) {
  const RVec n(normal);
  Rational most = dot(n, RVec(a[0])), least = dot(n, RVec(b[0]));
  for (const Vec3& p : a) most = std::max(most, dot(n, RVec(p)));
  for (const Vec3& p : b) least = std::min(least, dot(n, RVec(p)));
  const Rational between = least - most;
  return between >= 0 && between * between >= Rational(gap) * Rational(gap) * norm2(n);
}

struct ThinCase {
  std::vector<Vec3> thin, block;
  Pose block_pose;
};

template <class Ask>
void for_thin_cases(base::Random& random, int count, int most_corners, const Ask& ask) {
  for (int i = 0; i < count; ++i) {
    const double thick = std::array{1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 0.0}[random.below(6)];
    const double gap = std::array{0.3, 0.05, 1e-3, 1e-9, 0.0, -1e-9, -1e-3, -0.3}[random.below(8)];
    const int corners = 5 + static_cast<int>(random.below(static_cast<Index>(most_corners - 4)));
    // Level with the block's upper or lower side, nearly so, or between.
    const double level =
        std::array{1.0, -1.0, 1 + thick * random.uniform(-1, 1), random.uniform(-1, 1)}[i % 4];
    const Vec3 at(std::array{1.0, 1.5, 2.0, random.uniform(0, 2)}[random.below(4)], -2 - gap,
                  level);
    ThinCase c;
    const int kind = static_cast<int>(random.below(4));
    c.thin = thin_points(random, kind, corners, thick);
    c.block = block_points(most_corners > 8 ? static_cast<int>(random.below(3)) : 0, thick);
    c.block_pose = i % 3 == 0 ? Pose::from_axis_angle({1, 0, 0}, thick * random.uniform(-1, 1), at)
                              : Pose::from_translation(at);
    SCOPED_TRACE(testing::Message() << i << ": kind " << kind << ", thick " << thick << ", gap "
                                    << gap << ", level " << level << ", x " << at.x());
    ask(c);
  }
}

constexpr double kThinSize = 8;  // reaches and distance of the origins together are less

TEST(ThinShapes, DistancesAreCompleteAndProvedByPlanes) {
  base::Random random(1871);
  int apart = 0;
  const int cases = scaled(4000, 300);
  for_thin_cases(random, cases, 40, [&](const ThinCase& c) {
    const Shape a = Shape::hull(c.thin), b = Shape::hull(c.block);
    const DistanceResult d = distance(a, {}, b, c.block_pose);
    EXPECT_TRUE(d.complete);
    EXPECT_LE(d.distance.upper - d.distance.lower, 0x1p-42 * kThinSize);
    ASSERT_TRUE(d.closest);
    EXPECT_NEAR((d.closest->point_b - d.closest->point_a).norm(), d.distance.upper,
                1e-13 * kThinSize);
    for (const bool of_a : {true, false}) {
      const Shape point = Shape::sphere(0);
      const Pose at = Pose::from_translation(of_a ? d.closest->point_a : d.closest->point_b);
      EXPECT_LE(distance(of_a ? a : b, of_a ? Pose() : c.block_pose, point, at).distance.lower,
                1e-14 * kThinSize);
    }
    if (d.distance.lower > 0) {
      EXPECT_TRUE(lies_beyond(c.thin, seen_from({}, c.block_pose, c.block), d.closest->normal,
                              d.distance.lower));
      ++apart;
    }
    const std::vector<Pose> poses(3, c.block_pose);
    for (const DistanceResult& many : distances_at(a, {}, b, poses).answers) {
      EXPECT_TRUE(many.complete);
      EXPECT_LE(many.distance.lower, d.distance.upper);
      EXPECT_GE(many.distance.upper, d.distance.lower);
    }
    const IntersectsResult meet = intersects(a, {}, b, c.block_pose);
    EXPECT_TRUE(meet.complete);
    EXPECT_EQ(meet.intersects, d.distance.upper <= 0);
    const DepthResult deep = depth(a, {}, b, c.block_pose);
    EXPECT_TRUE(deep.complete);
    EXPECT_LE(deep.depth.lower, meet.intersects ? kInfinity : 0);
    EXPECT_LE(deep.depth.upper, meet.intersects ? kInfinity : 1e-13 * kThinSize);
  });
  EXPECT_GT(apart, cases / 3);
}

TEST(ThinShapes, AgreeWithAllTrianglesAndPlanes) {
  base::Random random(1872);
  for_thin_cases(random, scaled(12, 6), 6, [&](const ThinCase& c) {
    const Shape a = Shape::hull(c.thin), b = Shape::hull(c.block);
    const std::vector<Vec3> seen = seen_from({}, c.block_pose, c.block);
    const Rational distance2 = hull_distance2(rational(c.thin), rational(seen));
    EXPECT_TRUE(holds(distance(a, {}, b, c.block_pose).distance, distance2));
    EXPECT_EQ(intersects(a, {}, b, c.block_pose).intersects, distance2 == 0);
    const DepthResult deep = depth(a, {}, b, c.block_pose);
    EXPECT_TRUE(holds(deep.depth, hull_depth2(c.thin, seen)));
    EXPECT_TRUE(deep.complete);
  });
}

TEST(ThinShapes, RoundedOnesAreNearerByTheirRadii) {
  base::Random random(1873);
  for_thin_cases(random, scaled(1000, 200), 40, [&](const ThinCase& c) {
    const Shape a = Shape::hull(c.thin), b = Shape::hull(c.block);
    const DistanceResult sharp = distance(a, {}, b, c.block_pose);
    const double radius = 0.01;
    const DistanceResult round = distance(a.rounded(radius), {}, b, c.block_pose);
    EXPECT_TRUE(round.complete);
    EXPECT_LE(round.distance.upper - round.distance.lower, 0x1p-40 * kThinSize);
    if (sharp.distance.lower > radius) {
      EXPECT_NEAR(round.distance.upper, sharp.distance.upper - radius, 0x1p-41 * kThinSize);
      EXPECT_FALSE(intersects(a.rounded(radius), {}, b, c.block_pose).intersects);
    } else if (sharp.distance.upper > 1e-6 && sharp.distance.upper < radius - 1e-6) {
      EXPECT_TRUE(intersects(a.rounded(radius), {}, b, c.block_pose).intersects);
      const DepthResult deep = depth(a.rounded(radius), {}, b, c.block_pose);
      EXPECT_TRUE(deep.complete);
      EXPECT_NEAR(deep.depth.upper, radius - sharp.distance.upper, 1e-11);
    }
  });
}

TEST(ThinShapes, ZonotopesAndBoxes) {
  base::Random random(1874);
  for (int i = 0; i < scaled(1000, 200); ++i) {
    const double thick = std::array{1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 0.0}[i % 6];
    const std::vector<Vec3> generators = {
        {1, 0, 0}, {0.3, 0.5, 0}, {0.2, -0.6, 0}, {0, 0.1, thick}, {0.1, 0.1, thick}};
    const Shape a = i % 2 == 0 ? Shape::zonotope({0, 0, 0}, generators)
                               : Shape::box({1, 0.7, thick}),
                b = Shape::box({1, 1, i % 5 == 0 ? 2 * thick : 1});
    const Pose at = Pose::from_translation(
        {random.uniform(0, 4), random.uniform(-4, -1), i % 3 == 0 ? 1 : random.uniform(-1, 1)});
    const DistanceResult d = distance(a, {}, b, at);
    EXPECT_TRUE(d.complete) << i;
    EXPECT_LE(d.distance.upper - d.distance.lower, 0x1p-42 * kThinSize) << i;
    if (d.distance.lower > 0) {
      const std::vector<Vec3> corners(a.corners().begin(), a.corners().end());
      EXPECT_TRUE(
          lies_beyond(corners, seen_from({}, at, b.corners()), d.closest->normal, d.distance.lower))
          << i;
    }
    EXPECT_TRUE(depth(a, {}, b, at).complete) << i;
  }
}

/// Whether shifting b by `by` along the direction leaves nothing of it beyond a plane across the
/// direction that all of a lies behind: the two are parted then.
bool parts(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& direction,
           double by) {
  const RVec n(direction);
  Rational most = dot(n, RVec(a[0])), least = dot(n, RVec(b[0]));
  for (const Vec3& p : a) most = std::max(most, dot(n, RVec(p)));
  for (const Vec3& p : b) least = std::min(least, dot(n, RVec(p)));
  return most - least <= Rational(by) * norm2(n);
}

// Faces of their difference are so thin that rounded normals of them mean nothing.
TEST(ThinShapes, DepthsOfThinInThinAreComplete) {
  base::Random random(1875);
  int deep = 0;
  const int cases = scaled(8000, 2000);
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    const double thick = std::array{1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12}[i % 6];
    const int kind_a = i % 8 == 0 ? static_cast<int>(random.below(4)) : 2,
              kind_b = i % 8 == 1 ? static_cast<int>(random.below(4)) : 2;
    const std::vector<Vec3> a = thin_points(random, kind_a, 8, thick),
                            b = thin_points(random, kind_b, 8, thick);
    const Vec3 shift(random.uniform(-1, 1), random.uniform(-1, 1), thick * random.uniform(-1, 1));
    const Pose at =
        i % 2 == 0 ? Pose::from_translation(shift)
                   : Pose::from_axis_angle(random.direction(), thick * random.uniform(0, 1), shift);
    const Shape shape_a = Shape::hull(a), shape_b = Shape::hull(b);
    const DepthResult d = depth(shape_a, {}, shape_b, at);
    SCOPED_TRACE(testing::Message() << i << ": kinds " << kind_a << ' ' << kind_b << ", " << thick);
    EXPECT_TRUE(d.complete) << d.depth.lower << ' ' << d.depth.upper;
    EXPECT_LE(d.depth.upper - d.depth.lower, 1e-9 * d.depth.upper + 0x1p-42 * kThinSize);
    EXPECT_TRUE(parts(a, seen_from({}, at, b), d.direction, d.depth.upper * (1 + 1e-14)));
    deep += d.depth.lower > 0;
    // Rounded ones are deeper by the radius.
    if (i % 16 == 0 && d.depth.lower > 0) {
      const DepthResult round = depth(shape_a.rounded(0.01), {}, shape_b, at);
      EXPECT_TRUE(round.complete);
      EXPECT_NEAR(round.depth.upper, d.depth.upper + 0.01, 1e-10);
    }
  }
  EXPECT_GT(deep, cases / 3);
}

TEST(ThinShapes, PointsAtTheOriginAreZeroDeep) {
  const std::vector<Vec3> origin = {{0, 0, 0}};
  for (const Shape& a : {Shape::sphere(0), Shape::hull(origin), Shape::box({0, 0, 0})})
    for (const Shape& b : {Shape::sphere(0), Shape::hull(origin), Shape::capsule(0, 0)}) {
      const DepthResult d = depth(a, {}, b, {});
      EXPECT_TRUE(d.complete);
      EXPECT_EQ(d.depth.lower, 0);
      EXPECT_LE(d.depth.upper, 1e-300);
      EXPECT_TRUE(intersects(a, {}, b, {}).intersects);
      EXPECT_EQ(distance(a, {}, b, {}).distance.upper, 0);
    }
}

// Their bounds may be wider than for polytopes, but they are valid, and wider by no more than
// documented.
TEST(ThinShapes, RoundOnesLevelWithAFaceHoldTheTruth) {
  base::Random random(1876);
  double widest = 0;
  for (int i = 0; i < scaled(3000, 600); ++i) {
    const double thick = std::array{1e-3, 1e-6, 1e-8, 1e-9, 1e-12}[i % 5],
                 gap = random.uniform(1e-6, 1);
    const Shape round = i % 3 == 0   ? Shape::cylinder(1, thick)
                        : i % 3 == 1 ? Shape::cone(1, thick)
                                     : Shape::ellipsoid({1, 1, thick});
    // The rim is nearest to the block's side x = 2 + gap, where it lies between its ends in z.
    const double rim = i % 3 == 2 ? 0 : -thick / 2, level = std::array{1.0, -1.0, 0.3}[i % 7 % 3];
    const Pose block = Pose::from_translation({2 + gap, random.uniform(-0.9, 0.9), rim + level});
    const DistanceResult d = distance(round, {}, Shape::box({1, 1, 1}), block);
    EXPECT_LE(d.distance.lower, gap + 1e-15) << i;
    EXPECT_GE(d.distance.upper, gap - 1e-15) << i;
    widest = std::max(widest, d.distance.upper - d.distance.lower);
  }
  EXPECT_LE(widest, 1e-6);
}

}  // namespace
}  // namespace touche
