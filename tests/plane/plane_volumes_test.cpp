// SPDX-License-Identifier: Apache-2.0
// Volumes of the plane against rational arithmetic: that they hold their points, that no pair that
// has a point in common is called apart, that no bound exceeds a distance, and that fits are good.
#include <gtest/gtest.h>

#include <numbers>

#include "exact.h"
#include "hit_share.h"
#include "plane/vec2.h"
#include "plane_sets.h"
#include "test_scale.h"
#include "touche/plane_volumes.h"

namespace touche::plane {
namespace {

using test::Rational;
using test::RVec;

RVec exact(const Vec2& p) { return {p.x(), p.y(), 0}; }
Rational turn(const RVec& a, const RVec& b) { return a.x * b.y - a.y * b.x; }
Rational size(const Rational& a) { return a < 0 ? Rational(-a) : a; }

// ---- whether a volume holds a point, as real numbers --------------------------------------------

bool holds(const Circle& v, const Vec2& p) {
  return test::norm2(exact(p) - exact(v.centre)) <= Rational(v.radius) * v.radius;
}

bool holds(const Box& v, const Vec2& p) { return v.contains(p); }

bool holds(const OrientedBox& v, const Vec2& p) {
  const RVec d = exact(p) - exact(v.centre), u = exact(v.axis), w = exact(v.across());
  return size(test::dot(d, u)) <= v.half.x() * test::norm2(u) &&
         size(test::dot(d, w)) <= v.half.y() * test::norm2(w);
}

template <int K>
bool holds(const Dop<K>& v, const Vec2& p) {
  const Rational x = p.x(), y = p.y();
  const std::array<Rational, 4> place = {x, y, Rational(x + y), Rational(x - y)};
  for (std::size_t i = 0; i < v.lo.size(); ++i)
    if (place[i] < v.lo[i] || place[i] > v.hi[i]) return false;
  return true;
}

bool holds(const Zonogon& v, const Vec2& p) {
  const RVec d = exact(p) - exact(v.centre);
  if (v.generators.empty()) return test::norm2(d) == 0;
  std::vector<RVec> normals;
  for (const Vec2& g : v.generators) normals.push_back(exact({-g.y(), g.x()}));
  if (normals.size() == 1) normals.push_back(exact(v.generators[0]));
  for (const RVec& n : normals) {
    Rational reach = 0;
    for (const Vec2& g : v.generators) reach += size(test::dot(n, exact(g)));
    if (size(test::dot(n, d)) > reach) return false;
  }
  return true;
}

Rational polygon_distance2(const std::vector<Vec2>& a, const std::vector<Vec2>& b);

bool holds(const Hull& v, const Vec2& p) {
  return polygon_distance2(v.corners, {p}) <= Rational(v.margin) * v.margin;
}

bool inside_polygon(const std::vector<Vec2>& corners, const Vec2& p) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const RVec a = exact(corners[i]), b = exact(corners[(i + 1) % corners.size()]);
    if (turn(b - a, exact(p) - a) < 0) return false;
  }
  return corners.size() > 2;
}

/// Returns the squared distance of two convex polygons, 0 where they overlap.
Rational polygon_distance2(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  if (inside_polygon(a, b[0]) || inside_polygon(b, a[0])) return 0;
  Rational least = test::norm2(exact(a[0]) - exact(b[0]));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      least = std::min(least, test::segment_segment2(exact(a[i]), exact(a[(i + 1) % a.size()]),
                                                     exact(b[j]), exact(b[(j + 1) % b.size()])));
  return least;
}

// ---- all kinds
// -----------------------------------------------------------------------------------

template <typename V>
class EveryVolume : public ::testing::Test {};
using Volumes = ::testing::Types<Circle, Box, OrientedBox, Dop4, Dop8, Zonogon, Hull>;
TYPED_TEST_SUITE(EveryVolume, Volumes);

double random_size(base::Random& random) { return std::pow(10.0, random.uniform(-8, 8)); }

TYPED_TEST(EveryVolume, HoldsItsPoints) {
  base::Random random(1);
  for (int n = 0; n < test::scaled(600); ++n) {
    const double size = random_size(random);
    std::vector<Vec2> points = test::random_points(random, size);
    const Vec2 far = test::random_vec2(random, n % 3 == 0 ? 1e6 * size : 0);
    for (Vec2& p : points) p += far;
    const TypeParam v = TypeParam::fit(points);
    const Rounded outer = rounded(v);
    for (const Vec2& p : points) {
      ASSERT_TRUE(holds(v, p)) << TypeParam::kName << " of set " << n;
      ASSERT_TRUE(v.contains(p)) << TypeParam::kName << " of set " << n;
      ASSERT_LE(polygon_distance2(outer.corners, {p}), Rational(outer.radius) * outer.radius);
    }
  }
}

TYPED_TEST(EveryVolume, HoldsItsPointsWhenMoved) {
  base::Random random(2);
  for (int n = 0; n < test::scaled(300); ++n) {
    const double size = random_size(random);
    const std::vector<Vec2> points = test::random_points(random, size);
    const Pose pose = test::random_plane_pose(random, size * (n % 2 == 0 ? 1 : 1000));
    const TypeParam there = moved(TypeParam::fit(points), pose);
    // The turn by the quaternion that the pose keeps, without rounding.
    const Rational w = pose.in_space().rotation().w(), z = pose.in_space().rotation().z();
    const Rational cosine = (w * w - z * z) / (w * w + z * z), sine = 2 * w * z / (w * w + z * z);
    for (const Vec2& p : points) {
      const Rational x = cosine * p.x() - sine * p.y() + pose.translation().x(),
                     y = sine * p.x() + cosine * p.y() + pose.translation().y();
      // A double next to the moved point, which may be outside by one rounding: move it towards
      // the middle by a few.
      const Vec2 near(static_cast<double>(x), static_cast<double>(y));
      const Vec2 middle = rounded(there).corners[0];
      const Vec2 inwards = near + 4e-16 * (middle - near);
      ASSERT_TRUE(there.contains(inwards) || holds(there, inwards)) << TypeParam::kName << n;
    }
  }
}

TYPED_TEST(EveryVolume, IsNotFarLargerThanItsPoints) {
  base::Random random(3);
  for (int n = 0; n < test::scaled(200); ++n) {
    const std::vector<Vec2> points = test::random_points(random, 1);
    const double least = Hull::fit(points).diameter();
    const TypeParam v = TypeParam::fit(points);
    EXPECT_LE(v.diameter(), 1.6 * least + 1e-12) << TypeParam::kName << " of set " << n;
    EXPECT_GE(v.diameter(), least * (1 - 1e-12));
    EXPECT_GE(v.perimeter() * (1 + 1e-12), Hull::fit(points).perimeter());
    EXPECT_GE(v.area() * (1 + 1e-12) + 1e-15, Hull::fit(points).area());
    // Isoperimetric: 4 π area <= perimeter².
    EXPECT_LE(4 * std::numbers::pi * v.area(), v.perimeter() * v.perimeter() * (1 + 1e-12));
    // Area and perimeter equal the values of the drawn polygon.
    const Rounded outer = rounded(v);
    const Hull drawn{outer.corners, outer.radius};
    EXPECT_NEAR(v.area(), drawn.area(), 1e-11);
    EXPECT_NEAR(v.perimeter(), drawn.perimeter(), 1e-11);
    EXPECT_NEAR(v.diameter(), drawn.diameter(), 1e-11);
  }
}

TYPED_TEST(EveryVolume, RefusesWhatIsNoPoint) {
  EXPECT_THROW((void)TypeParam::fit({}), InvalidInput);
  for (const double bad : {kInfinity, -kInfinity, std::nan(""), 1e91})
    EXPECT_THROW((void)TypeParam::fit(std::vector<Vec2>{{0, 0}, {1, bad}}), InvalidInput);
  const TypeParam one = TypeParam::fit(std::vector<Vec2>{{0.1, 0.7}});
  EXPECT_TRUE(one.contains({0.1, 0.7}));
  EXPECT_FALSE(one.contains({0.1, 0.7 + 1e-6}));
  EXPECT_LE(one.diameter(), 1e-14);
}

// ---- pairs
// ---------------------------------------------------------------------------------------

template <typename A, typename B>
void expect_sound(base::Random& random, int cases) {
  int overlapping = 0;
  for (int n = 0; n < cases; ++n) {
    const double size = random_size(random);
    std::vector<Vec2> a = test::random_points(random, size), b = test::random_points(random, size);
    const double away = random.below(4) == 0 ? 1e4 : 1.9;
    const Vec2 shift = test::random_vec2(random, away * size);
    for (Vec2& p : b) p += shift;
    if (n % 5 == 0)
      b.push_back(a[random.below(static_cast<Index>(a.size()))]);  // touching at least
    const A volume_a = A::fit(a);
    const B volume_b = B::fit(b);
    const bool meet = overlap(volume_a, volume_b);
    const double bound = lower_bound(volume_a, volume_b);
    overlapping += meet;
    EXPECT_EQ(meet, overlap(volume_b, volume_a));
    // The volumes hold the hulls.
    const Rational least = polygon_distance2(Hull::fit(a).corners, Hull::fit(b).corners);
    ASSERT_LE(Rational(bound) * bound, least) << A::kName << " " << B::kName << " of pair " << n;
    if (least == 0) {
      ASSERT_TRUE(meet) << A::kName << " " << B::kName << " of pair " << n;
    }
    // And lie in what is drawn of them: rounding aside the bound is the distance of these.
    const Rounded outer_a = rounded(volume_a), outer_b = rounded(volume_b);
    const double between =
        std::sqrt(static_cast<double>(polygon_distance2(outer_a.corners, outer_b.corners))) -
        outer_a.radius - outer_b.radius;
    double reach = 0;
    for (const Rounded* r : {&outer_a, &outer_b})
      for (const Vec2& p : r->corners) reach = std::max(reach, p.norm() + r->radius);
    EXPECT_NEAR(bound, std::max(between, 0.0), 1e-13 * reach) << A::kName << " " << B::kName << n;
    if (between > 1e-13 * reach && !std::is_same_v<A, Dop8>) {
      EXPECT_FALSE(meet) << A::kName << " " << B::kName << " of pair " << n;
    }
  }
  test::expect_about_half(overlapping, cases);
}

TYPED_TEST(EveryVolume, PairsAreSound) {
  base::Random random(4);
  const int cases = test::scaled(80, 30);
  expect_sound<TypeParam, Circle>(random, cases);
  expect_sound<TypeParam, Box>(random, cases);
  expect_sound<TypeParam, OrientedBox>(random, cases);
  expect_sound<TypeParam, Dop4>(random, cases);
  expect_sound<TypeParam, Dop8>(random, cases);
  expect_sound<TypeParam, Zonogon>(random, cases);
  expect_sound<TypeParam, Hull>(random, cases);
}

// ---- one kind at a time
// --------------------------------------------------------------------------

TEST(CircleFit, IsTheSmallestOfTwoOrThreePoints) {
  base::Random random(5);
  for (int n = 0; n < test::scaled(300); ++n) {
    const std::vector<Vec2> p = test::random_points(random, 1);
    // Every pair and three of them, whose circle holds all.
    double least = kInfinity;
    const auto attempt = [&](const Vec2& centre) {
      double far = 0;
      for (const Vec2& q : p) far = std::max(far, (q - centre).norm());
      least = std::min(least, far);
    };
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        attempt(0.5 * (p[i] + p[j]));
        for (std::size_t k = 0; k < j; ++k) {
          const Vec2 a = p[j] - p[i], b = p[k] - p[i];
          const double det = 2 * cross(a, b);
          if (std::abs(det) < 1e-9) continue;
          attempt(p[i] + Vec2(a.squaredNorm() * b.y() - b.squaredNorm() * a.y(),
                              b.squaredNorm() * a.x() - a.squaredNorm() * b.x()) /
                             det);
        }
      }
    EXPECT_NEAR(Circle::fit(p).radius, least, 1e-9) << n;
  }
}

TEST(OrientedBoxFit, IsTheBestOfManyDirections) {
  base::Random random(6);
  for (int n = 0; n < test::scaled(200); ++n) {
    const std::vector<Vec2> points = test::random_points(random, 1);
    for (const Measure m : {Measure::area, Measure::perimeter, Measure::diameter}) {
      const OrientedBox box = OrientedBox::fit(points, m);
      const auto value = [&](double w, double l) {
        return m == Measure::area ? w * l : m == Measure::perimeter ? w + l : std::hypot(w, l);
      };
      const double found = value(2 * box.half.x(), 2 * box.half.y());
      for (int k = 0; k < 90; ++k) {
        const Vec2 u(std::cos(k * std::numbers::pi / 180), std::sin(k * std::numbers::pi / 180));
        Vec2 lo = Vec2::Constant(kInfinity), hi = -lo;
        for (const Vec2& p : points) {
          const Vec2 place(p.dot(u), cross(u, p));
          lo = lo.cwiseMin(place), hi = hi.cwiseMax(place);
        }
        EXPECT_LE(found, value(hi.x() - lo.x(), hi.y() - lo.y()) + 1e-12) << n << " at " << k;
      }
    }
  }
}

TEST(ZonogonFit, IsExactForSymmetricPointsAndKeepsToItsNumber) {
  const std::vector<Vec2> hexagon = {{2, 0}, {1, 2}, {-1, 2}, {-2, 0}, {-1, -2}, {1, -2}};
  const Zonogon z = Zonogon::fit(hexagon);
  EXPECT_EQ(z.generators.size(), 3);
  EXPECT_NEAR(z.area(), Hull::fit(hexagon).area(), 1e-5);
  EXPECT_NEAR(z.centre.norm(), 0, 1e-5);
  EXPECT_THROW((void)Zonogon::fit(hexagon, 1), InvalidInput);
  std::vector<Vec2> circle;
  for (int k = 0; k < 100; ++k)
    circle.emplace_back(std::cos(k * std::numbers::pi / 50), std::sin(k * std::numbers::pi / 50));
  for (int most = 2; most < 12; ++most) {
    const Zonogon around = Zonogon::fit(circle, most);
    EXPECT_EQ(around.generators.size(), static_cast<std::size_t>(most));
    // Not far above the regular polygon of as many sides around the circle.
    const double angle = std::numbers::pi / (2 * most);
    EXPECT_LE(around.area(), 1.05 * 2 * most * std::tan(angle)) << most;
  }
}

TEST(DopFit, CutsCornersOff) {
  const std::vector<Vec2> diamond = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  EXPECT_EQ(Dop4::fit(diamond).area(), 4);
  EXPECT_EQ(Dop8::fit(diamond).area(), 2);
  EXPECT_EQ(Dop8::fit(diamond).diameter(), 2);
  EXPECT_TRUE(overlap(Dop4::fit(diamond), Dop4{{0.9, 0.9}, {2, 2}}));
  EXPECT_FALSE(overlap(Dop8::fit(diamond),
                       Dop8::fit(std::vector<Vec2>{{0.9, 0.9}, {2, 0.9}, {0.9, 2}, {2, 2}})));
}

TEST(PlanePose, TurnsAndMoves) {
  base::Random random(7);
  for (int n = 0; n < 200; ++n) {
    const double angle = random.uniform(-20, 20);
    const Vec2 shift = test::random_vec2(random, 3), p = test::random_vec2(random, 3);
    const Pose pose(angle, shift);
    const Vec2 there(std::cos(angle) * p.x() - std::sin(angle) * p.y() + shift.x(),
                     std::sin(angle) * p.x() + std::cos(angle) * p.y() + shift.y());
    EXPECT_NEAR((pose * p - there).norm(), 0, 1e-14);
    EXPECT_NEAR((pose.inverse() * there - p).norm(), 0, 1e-14);
    EXPECT_NEAR(std::remainder(pose.angle() - angle, 2 * std::numbers::pi), 0, 1e-14);
    EXPECT_LE(std::abs(pose.angle()), std::numbers::pi);
    const Pose other = test::random_plane_pose(random, 2);
    EXPECT_NEAR(((pose * other) * p - pose * (other * p)).norm(), 0, 1e-14);
    EXPECT_NEAR((pose.matrix() * p + shift - there).norm(), 0, 1e-14);
  }
  EXPECT_THROW((void)Pose(kInfinity, {0, 0}), InvalidInput);
  EXPECT_THROW((void)Pose(0, {0, kInfinity}), InvalidInput);
  EXPECT_THROW((void)Pose::from_space(touche::Pose::from_axis_angle({1, 0, 0}, 1, {0, 0, 0})),
               InvalidInput);
  EXPECT_THROW((void)Pose::from_space(touche::Pose::from_translation({0, 0, 1})), InvalidInput);
}

}  // namespace
}  // namespace touche::plane
