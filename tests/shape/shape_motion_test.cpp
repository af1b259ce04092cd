// SPDX-License-Identifier: Apache-2.0
// When two moving convex shapes first touch: closed forms, distances at many instants, and the
// bound that all proofs rest on.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "shape/moving_pair.h"
#include "shape_motions.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

constexpr double kTurn = 2 * std::numbers::pi;

// ---- the chord
// -----------------------------------------------------------------------------------

TEST(ShapeMotion, OpenShareIsTheFirstRoot) {
  base::Random random(1821);
  int all = 0;
  const int cases = scaled(3000);
  for (int i = 0; i < cases; ++i) {
    const auto number = [&] { return std::exp2(random.uniform(-30, 10)); };
    const double first = number(), deviation = random.below(8) == 0 ? 0 : number();
    const double last = random.below(3) == 0 ? -number() : number();
    const double share = shape::share_open(first, last, deviation);
    const auto gap = [&](long double s) {
      return (1 - s) * static_cast<long double>(first) + s * static_cast<long double>(last) -
             static_cast<long double>(deviation) * s * (1 - s);
    };
    ASSERT_TRUE(share >= 0 && share <= 1);
    for (int k = 0; k <= 20; ++k) ASSERT_GE(gap(static_cast<long double>(share) * k / 20), 0);
    if (share < 1) {
      EXPECT_LT(gap(std::min(share * (1 + 1e-6), 1.0)), 1e-6 * (first + deviation));
    }
    all += share == 1;
  }
  expect_about_half(all, cases);
  EXPECT_EQ(shape::share_open(0, 1, 1), 0);
  EXPECT_EQ(shape::share_open(1, 1, kInfinity), 0);
  EXPECT_EQ(shape::share_open(1, 1, std::nan("")), 0);
  EXPECT_EQ(shape::share_open(1e-100, 1e100, 0), 1);
  EXPECT_EQ(shape::share_open(1e-200, 1e-200, 1e-200), 0);  // too small to be decided
  EXPECT_LE(shape::share_open(1e80, -1e90, 1e90), 1e-9);
}

// Points of both bodies leave the chord by no more than the deviation, in every frame.
TEST(ShapeMotion, GapsStayNearTheChord) {
  base::Random random(1822);
  double most = 0;
  for (int i = 0; i < scaled(400); ++i) {
    const Shape a = some_shape(random, static_cast<int>(random.below(11))),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const shape::Mover mover_a(a), mover_b(b);
    const Motion motion_a = some_motion(random, static_cast<int>(random.below(kShapeMotions)),
                                        random.in_box(2), random.in_box(2)),
                 motion_b = some_motion(random, static_cast<int>(random.below(kShapeMotions)),
                                        random.in_box(2), random.in_box(2));
    shape::PiecePairs pieces(motion_a, motion_b);
    do {
      if (!(pieces.begin() < pieces.end())) continue;
      const shape::MovingPair pair(mover_a, pieces.a(), mover_b, pieces.b());
      double t0 = random.uniform(pieces.begin(), pieces.end()),
             t1 = random.uniform(pieces.begin(), pieces.end());
      if (t1 < t0) std::swap(t0, t1);
      if (!(t0 < t1)) continue;
      const Vec3 core_a = a.support(random.direction()) * (a.radius() > 0 ? 0 : 1),
                 core_b = b.support(random.direction()) * (b.radius() > 0 ? 0 : 1);
      for (const shape::Rest rest : {shape::Rest::world, shape::Rest::a, shape::Rest::b}) {
        if (!pair.may_rest(rest)) continue;
        const Vec3 n = random.direction();
        const auto gap = [&](double t) {
          const shape::Instant at = pair.at(t);
          return shape::MovingPair::to_world(rest, n, at)
              .dot(at.b.to_world(core_b) - at.a.to_world(core_a));
        };
        const double first = gap(t0), last = gap(t1),
                     deviation = pair.chord_deviation(rest, pair.at(t0), t1 - t0);
        for (int k = 1; k < 8; ++k) {
          const double s = k / 8.0, off = gap(t0 + s * (t1 - t0)) - ((1 - s) * first + s * last);
          EXPECT_LE(std::abs(off), deviation * s * (1 - s) + pair.error())
              << "rest " << static_cast<int>(rest);
          if (deviation > 1e-3) most = std::max(most, std::abs(off) / (deviation * s * (1 - s)));
        }
      }
    } while (pieces.next());
  }
  EXPECT_GT(most, 0.3);  // it is not much too large
}

// ---- closed forms
// --------------------------------------------------------------------------------

TEST(ShapeMotion, SpheresMeetWhereTheirCentresSay) {
  base::Random random(1823);
  int hits = 0;
  const int cases = scaled(200);
  for (int i = 0; i < cases; ++i) {
    const double size = std::exp2(random.uniform(-20, 20));
    const double ra = size * random.uniform(0.2, 0.6), rb = size * random.uniform(0.2, 0.6);
    const Vec3 start = size * 1.5 * random.direction(), end = size * random.in_box(1.2);
    const Vec3 way = end - start;
    const double p = start.dot(way) / way.squaredNorm(),
                 q = (start.squaredNorm() - (ra + rb) * (ra + rb)) / way.squaredNorm(),
                 root = p * p - q;
    if (q <= 0) continue;
    const double expected =
        root >= 0 && p < 0 && -p - std::sqrt(root) <= 1 ? -p - std::sqrt(root) : kInfinity;
    // However they spin.
    const Pose turned = random_pose(random, 0);
    const Motion motion_a = Motion::screw({}, Vec3::Zero(), random.direction(), 5, 0);
    const Motion motion_b = Motion::interpolated(
        Pose::from_translation(start), Pose::from_quaternion_unchecked(turned.rotation(), end));
    const ToiOptions options{.tolerance = 1e-9 * size};
    const ToiResult r =
        time_of_impact(Shape::sphere(ra), motion_a, Shape::sphere(rb), motion_b, options);
    if (expected < kInfinity) {
      EXPECT_EQ(r.status, ToiStatus::contact);
      EXPECT_LE(r.time.lower, expected + 1e-12);
      // At the grazing end of a chord, a tolerance is a long time.
      const double slow = std::sqrt(2 * r.tolerance * 2 * (ra + rb)) / way.norm();
      EXPECT_GE(r.time.upper, expected - slow);
    } else if (r.status != ToiStatus::free) {
      const double t = std::clamp(-p, 0.0, 1.0);
      EXPECT_LE((start + t * way).norm() - ra - rb, 2 * r.tolerance);
    }
    hits += r.status == ToiStatus::contact;
  }
  expect_about_half(hits, cases);
}

TEST(ShapeMotion, ALongThinRodTurnsTenTimes) {
  // The rod turns about its middle; the ball waits at the angle phi, or just out of reach.
  const Shape rod = Shape::sum(Shape::capsule(0.001, 10), Shape::sphere(0));
  const Pose lying = Pose::from_axis_angle(Vec3::UnitY(), kTurn / 4, Vec3::Zero());
  for (const double spins : {10.0, -10.0, 0.3}) {
    const Motion turning = Motion::screw(lying, Vec3::Zero(), Vec3::UnitZ(), spins * kTurn, 0);
    for (const double phi : {0.4, 1.2, 2.9}) {
      const double r = 0.25, d = 4;
      const Motion ball =
          Motion::at(Pose::from_translation(d * Vec3(std::cos(phi), std::sin(phi), 0)));
      const ToiResult hit =
          time_of_impact(rod, turning, Shape::sphere(r), ball, {.tolerance = 1e-8});
      const double open = std::asin((r + 0.001) / d);
      // Both halves of the rod come.
      const double angle = spins > 0 ? phi - open : std::numbers::pi - phi - open;
      if (angle > std::abs(spins) * kTurn) {
        EXPECT_EQ(hit.status, ToiStatus::free);
        continue;
      }
      ASSERT_EQ(hit.status, ToiStatus::contact);
      EXPECT_NEAR(hit.time.upper, angle / (std::abs(spins) * kTurn), 1e-8);
      EXPECT_LE(hit.time.lower, angle / (std::abs(spins) * kTurn) + 1e-13);
      EXPECT_LT(hit.stats.primitive_tests, 200);
    }
    const Motion out = Motion::at(Pose::from_translation({0, 5.26, 0}));
    const ToiResult free =
        time_of_impact(rod, turning, Shape::sphere(0.25), out, {.tolerance = 1e-6});
    EXPECT_EQ(free.status, ToiStatus::free);
    EXPECT_LT(free.stats.primitive_tests, 3000);
  }
}

TEST(ShapeMotion, ABoxTurnsOverAPlane) {
  const Shape box = Shape::box({1, 1, 1}), ground = Shape::half_space({0, 0, 2}, 0);
  const double height = 1.3;
  const Motion turning = Motion::screw(Pose::from_translation({3, 0, height}), {0, 0, height},
                                       Vec3::UnitX(), kTurn / 2, 0);
  const double expected =
      (std::asin(height / std::numbers::sqrt2) - std::numbers::pi / 4) / (kTurn / 2);
  for (const bool first : {true, false}) {
    const Motion still = Motion::at({});
    const ToiResult r = first ? time_of_impact(box, turning, ground, still, {.tolerance = 1e-9})
                              : time_of_impact(ground, still, box, turning, {.tolerance = 1e-9});
    ASSERT_EQ(r.status, ToiStatus::contact);
    EXPECT_NEAR(r.time.upper, expected, 1e-8);
    EXPECT_LE(r.time.lower, expected + 1e-13);
    EXPECT_NEAR(r.contact->normal.z(), first ? -1 : 1, 1e-12);
    EXPECT_NEAR(r.contact->point_a.z(), 0, 1e-8);
  }
  // The plane turns and the box stands still: the same, as seen from the plane.
  const Motion about = Motion::screw({}, {0, 0, height}, Vec3::UnitX(), -kTurn / 2, 0);
  const ToiResult r = time_of_impact(box, Motion::at(Pose::from_translation({3, 0, height})),
                                     ground, about, {.tolerance = 1e-9});
  ASSERT_EQ(r.status, ToiStatus::contact);
  EXPECT_NEAR(r.time.upper, expected, 1e-8);
  // A user's function, of which only speeds are known.
  const Motion function = Motion::function(
      [](double t) { return Pose::from_axis_angle(Vec3::UnitX(), -t, Vec3(0, 0, 0.5 * t)); }, 0.5,
      1);
  const Motion box_still = Motion::at(Pose::from_translation({0, 0, 1.8}));
  const ToiResult f = time_of_impact(box, box_still, ground, function, {.tolerance = 1e-6});
  ASSERT_EQ(f.status, ToiStatus::contact);
  judge_impact(box, box_still, ground, function, {.tolerance = 1e-6}, f);
}

// ---- anything
// ------------------------------------------------------------------------------------

TEST(ShapeMotion, EveryPairIsFreeUntilItTouches) {
  base::Random random(1824);
  int hits = 0;
  const int cases = scaled(400);
  for (int i = 0; i < cases; ++i) {
    const int kind_a = static_cast<int>(random.below(11)),
              kind_b = static_cast<int>(random.below(11));
    const int move_a = static_cast<int>(random.below(kShapeMotions)),
              move_b = static_cast<int>(random.below(kShapeMotions));
    const Shape a = some_shape(random, kind_a), b = some_shape(random, kind_b);
    const Motion motion_a =
        some_motion(random, move_a, 0.3 * random.direction(), 0.3 * random.direction());
    const Motion motion_b = some_motion(random, move_b, Vec3(2.2, 0, 0) + random.in_box(0.5),
                                        Vec3(0, 1.1, 0) + random.in_box(0.8));
    const ToiOptions options{.tolerance = std::exp2(random.uniform(-30, -6)),
                             .clearance = random.below(4) == 0 ? 0.05 : 0};
    SCOPED_TRACE(testing::Message() << "case " << i << ": shapes " << kind_a << ' ' << kind_b
                                    << ", motions " << move_a << ' ' << move_b);
    const ToiResult r = time_of_impact(a, motion_a, b, motion_b, options);
    judge_impact(a, motion_a, b, motion_b, options, r);
    hits += r.status == ToiStatus::contact;
    const Bracket there =
        distance(a, motion_a.pose(r.time.lower), b, motion_b.pose(r.time.lower)).distance;
    EXPECT_NE(r.status, ToiStatus::undecided)
        << "at " << r.time.lower << ", " << there.lower << ' ' << there.upper
        << " apart, tolerance " << r.tolerance << ", clearance " << options.clearance;

    const ToiResult swapped = time_of_impact(b, motion_b, a, motion_a, options);
    judge_impact(b, motion_b, a, motion_a, options, swapped, 5);
    if (r.status == swapped.status && r.status == ToiStatus::contact) {
      EXPECT_NEAR(r.time.upper, swapped.time.upper, 2 * std::sqrt(options.tolerance));
    }
  }
  expect_about_half(hits, cases);
}

TEST(ShapeMotion, WorkGrowsWithTheDigitsOfTheToleranceOnly) {
  const Shape a = Shape::box({1, 0.5, 0.3}), b = Shape::cylinder(0.4, 1);
  const Motion motion_a = Motion::screw({}, Vec3::Zero(), {1, 1, 0.3}, 3, 0),
               motion_b = Motion::interpolated(Pose::from_translation({4, 0.2, 0.1}), {});
  for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const ToiResult r = time_of_impact(a, motion_a, b, motion_b, {.tolerance = tolerance});
    EXPECT_EQ(r.status, ToiStatus::contact);
    EXPECT_LE(r.stats.primitive_tests, 40) << tolerance;
  }
}

TEST(ShapeMotion, FarFromTheOriginTheToleranceIsRaised) {
  const Shape ball = Shape::sphere(1);
  const Vec3 far(1e9, -2e9, 3e9);
  const Motion motion_a = Motion::at(Pose::from_translation(far)),
               motion_b = Motion::interpolated(Pose::from_translation(far + Vec3(4, 0, 0)),
                                               Pose::from_translation(far));
  const ToiOptions options{.tolerance = 1e-9};
  const ToiResult r = time_of_impact(ball, motion_a, ball, motion_b, options);
  EXPECT_EQ(r.status, ToiStatus::contact);
  EXPECT_GT(r.tolerance, 1e-6);
  EXPECT_NEAR(r.time.upper, 0.5, r.tolerance);
}

// ---- what touches at the start
// -------------------------------------------------------------------

TEST(ShapeMotion, WhatTouchesMaySeparate) {
  const Shape box = Shape::box({1, 1, 1}), ground = Shape::half_space({0, 0, 1}, 0);
  const auto resting = [](double z) { return Pose::from_translation({0, 0, z}); };
  const ToiOptions options{.tolerance = 1e-6, .may_separate = true};
  struct Case {
    const char* what;
    Shape below;
    Pose below_at, start, end;
    ToiStatus expected;
  };
  const Pose tilted = Pose::from_axis_angle(Vec3::UnitX(), 0.3, Vec3(0, 0, 1.8));
  for (const Case& c : {
           Case{"lifted off a plane", ground, {}, resting(1), resting(2), ToiStatus::free},
           Case{"lifted off a box", box, resting(-1), resting(1), resting(2), ToiStatus::free},
           Case{"lifted and tilted", box, resting(-1), resting(1), tilted, ToiStatus::free},
           Case{"pressed into a box", box, resting(-1), resting(1), resting(0.5),
                ToiStatus::initially_touching},
           Case{"slides on a plane",
                ground,
                {},
                resting(1),
                Pose::from_translation({1, 0, 1}),
                ToiStatus::initially_touching},
           Case{"deep inside", box, resting(0.5), resting(1), resting(9),
                ToiStatus::initially_touching},
       }) {
    SCOPED_TRACE(c.what);
    const Motion moving = Motion::interpolated(c.start, c.end), still = Motion::at(c.below_at);
    const ToiResult r = time_of_impact(c.below, still, box, moving, options);
    EXPECT_EQ(r.status, c.expected);
    judge_impact(c.below, still, box, moving, options, r);
    if (c.expected == ToiStatus::free) {
      EXPECT_GT(r.separated_at, 0);
      EXPECT_LT(r.separated_at, 1e-3);
    }
    const ToiResult stays = time_of_impact(c.below, still, box, moving, {.tolerance = 1e-6});
    EXPECT_EQ(stays.status, ToiStatus::initially_touching);
    EXPECT_EQ(stays.time, (Bracket{0, 0}));
  }
}

TEST(ShapeMotion, ASearchGoesOnWhereItStopped) {
  const Shape a = Shape::cone(1, 2), b = Shape::ellipsoid({0.5, 0.4, 0.3});
  const Motion motion_a = Motion::screw({}, Vec3::Zero(), {1, 2, 3}, 30, 0),
               motion_b = Motion::interpolated(Pose::from_translation({5, 0, 0}),
                                               Pose::from_translation({1.2, 0, 0}));
  ToiOptions options{.tolerance = 1e-6};
  const ToiResult whole = time_of_impact(a, motion_a, b, motion_b, options);
  ASSERT_EQ(whole.status, ToiStatus::contact);
  options.budget.max_work = 3;
  int rounds = 0;
  ToiResult r;
  do {
    r = time_of_impact(a, motion_a, b, motion_b, options);
    EXPECT_LE(r.time.lower, whole.time.upper + 1e-5);  // the tolerance is a time, too
    options.t_start = r.time.lower;
  } while (r.status == ToiStatus::undecided && ++rounds < 1000);
  EXPECT_GT(rounds, 2);
  EXPECT_EQ(r.status, ToiStatus::contact);
  EXPECT_NEAR(r.time.upper, whole.time.upper, 1e-5);
}

TEST(ShapeMotion, RefusesWhatHasNoAnswer) {
  const Shape ball = Shape::sphere(1), plane = Shape::half_space({0, 0, 1}, 0);
  const Motion still = Motion::at({});
  EXPECT_THROW((void)time_of_impact(plane, still, plane, still, {.tolerance = 1}), InvalidInput);
  EXPECT_THROW((void)time_of_impact(ball, still, plane, still, {}), InvalidInput);
  EXPECT_THROW((void)time_of_impact(ball, still, plane, still, {.tolerance = 1, .clearance = -1}),
               InvalidInput);
  EXPECT_THROW((void)time_of_impact(ball, still, plane, still, {.tolerance = 1, .t_start = 1}),
               InvalidInput);
}

}  // namespace
}  // namespace touche
