// SPDX-License-Identifier: Apache-2.0
// The time of impact in the plane: closed forms, and random motions against an oracle that shares
// nothing with the library. It moves points by sines in extended precision, measures all pairs of
// edges, and knows that no point moves faster than its body's fastest.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "plane_outlines.h"
#include "test_scale.h"
#include "touche/reference.h"

namespace touche::plane {
namespace {

constexpr double kPi = std::numbers::pi;

Object lines(std::vector<Vec2> points, bool closed = false) {
  return Object(Outline(std::vector<Chain>{Chain{std::move(points), closed, ""}}));
}

// ---- closed forms
// ----------------------------------------------------------------------------------

// `speed`: of approach at contact, per unit of t.
void expect_contact(const Object& a, const Motion& motion_a, const Object& b,
                    const Motion& motion_b, double tolerance, double time, double speed) {
  for (const bool slow : {false, true}) {
    const ToiOptions options{.tolerance = tolerance};
    const ToiResult r = slow ? brute_force::time_of_impact(a, motion_a, b, motion_b, options)
                             : time_of_impact(a, motion_a, b, motion_b, options);
    ASSERT_EQ(r.status, ToiStatus::contact);
    const double rounding = 4e-16;
    EXPECT_LE(r.time.lower, time + rounding);
    EXPECT_GE(r.time.upper, time - 2 * r.tolerance / speed - rounding);
    EXPECT_LE(r.time.upper - r.time.lower, 2 * r.tolerance / speed);
    ASSERT_TRUE(r.contact);
    EXPECT_LE(r.contact->distance, r.tolerance * (1 + 1e-9));
  }
}

void expect_free(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                 double tolerance) {
  const auto options = ToiOptions{.tolerance = tolerance};
  EXPECT_EQ(time_of_impact(a, motion_a, b, motion_b, options).status, ToiStatus::free);
  EXPECT_EQ(time_of_impact(b, motion_b, a, motion_a, options).status, ToiStatus::free);
  EXPECT_EQ(brute_force::time_of_impact(a, motion_a, b, motion_b, options).status, ToiStatus::free);
}

// The motion ends `above` the other object. That is less than the least tolerance at these sizes,
// which the results state: so both a contact and none are valid, but a contact only at such a
// distance and near the end. The fast search finds that it is free; to require that of the
// reference implementation would be more than is guaranteed.
void expect_ends_above(const Object& a, const Motion& motion_a, const Object& b,
                       const Motion& motion_b, double above) {
  const ToiOptions options{.tolerance = 1e-15};
  EXPECT_EQ(time_of_impact(a, motion_a, b, motion_b, options).status, ToiStatus::free);
  EXPECT_EQ(time_of_impact(b, motion_b, a, motion_a, options).status, ToiStatus::free);
  const ToiResult twin = brute_force::time_of_impact(a, motion_a, b, motion_b, options);
  EXPECT_GT(twin.tolerance, above);
  if (twin.status == ToiStatus::free) return;
  ASSERT_EQ(twin.status, ToiStatus::contact);
  EXPECT_GE(twin.contact->distance, above * (1 - 1e-3));
  EXPECT_LE(twin.contact->distance, twin.tolerance);
  EXPECT_GT(twin.time.lower, 1 - 1e-10);
}

// A point at (−1, 0.5) turns about (0, 0.5); the edge runs from (−2, 0) to (2, 0).
TEST(PlaneToi, APointTurnsOntoAnEdge) {
  const Object edge = lines({{-2, 0}, {2, 0}}), dot = lines({{-1, 0.5}});
  const Motion still = Motion::at(Pose());
  const auto turn = [](double angle) { return Motion::turning(Pose(), angle, {0, 0.5}); };
  const double speed = std::cos(kPi / 6);  // downwards, per radian
  for (const double angle : {0.6, 1.0, 3.0, 10.0, 20 * kPi, 100 * kPi})
    expect_contact(dot, turn(angle), edge, still, 1e-9, kPi / 6 / angle, angle * speed);
  for (const double angle : {4.0, 10.0, 100 * kPi})
    expect_contact(dot, turn(-angle), edge, still, 1e-9, 7 * kPi / 6 / angle, angle * speed);
  for (const double angle : {0.5, 0.1, 1e-12, -0.1, -3.0, -3.6})
    expect_free(dot, turn(angle), edge, still, 1e-9);
  // A hair beyond the contact, and a hair short of it: 8.7e-13 above the edge.
  expect_contact(dot, turn(kPi / 6 + 1e-12), edge, still, 1e-15, kPi / 6 / (kPi / 6 + 1e-12),
                 speed * kPi / 6);
  for (const double tolerance : {1e-15, 1e-13})
    expect_free(dot, turn(kPi / 6 - 1e-12), edge, still, tolerance);
}

TEST(PlaneToi, APointMovesStraightToAnEdge) {
  const Object edge = lines({{-2, 0}, {2, 0}});
  const Motion still = Motion::at(Pose());
  const auto drop = [](double y) {
    return Motion::interpolated(Pose(), Pose(0, Vec2(0, y - 0.5)));
  };
  for (const double x : {0.0, -1.0, 2.0, -2.0})
    for (const double y : {-1e-12, -0.25, -10.0})
      expect_contact(lines({{x, 0.5}}), drop(y), edge, still, 1e-12, 0.5 / (0.5 - y), 0.5 - y);
  for (const double x : {0.0, -1.0, 2.0, -2.0})
    expect_ends_above(lines({{x, 0.5}}), drop(1e-12), edge, still, 1e-12);
  expect_free(lines({{0, 0.5}}), drop(1e-11), edge, still, 1e-12);
  for (const double y : {-0.25, -10.0})
    expect_free(lines({{2 + 1e-8, 0.5}}), drop(y), edge, still, 1e-12);
}

TEST(PlaneToi, ASquareTurnsInASlot) {
  // Half its diagonal is √2: between walls at ±1.5 it turns freely, between walls at ±1.2 it meets
  // them when its corner, at 45° + φ, is as high as they are.
  const Object square = lines({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, true);
  const auto slot = [](double half) {
    return Object(Outline(std::vector<Chain>{{{{-9, half}, {9, half}}, false, ""},
                                             {{{-9, -half}, {9, -half}}, false, ""}}));
  };
  const Motion still = Motion::at(Pose());
  for (const double angle : {50.0, -50.0}) {
    const Motion turn = Motion::turning(Pose(), angle, {0, 0});
    expect_free(square, turn, slot(1.5), still, 1e-6);
    expect_free(square, turn, slot(std::sqrt(2) + 1e-6), still, 1e-8);
    const double phi = std::asin(1.2 / std::sqrt(2)) - kPi / 4;
    expect_contact(square, turn, slot(1.2), still, 1e-9, phi / 50,
                   50 * std::sqrt(2) * std::cos(kPi / 4 + phi));
    // It rolls along: turning and moving.
    expect_free(square, Motion::turning(Pose(), angle, {0, 0}, {3, 0}), slot(1.5), still, 1e-6);
  }
}

TEST(PlaneToi, WhatTouchesMaySeparate) {
  const Object ground = lines({{-5, 0}, {5, 0}}), plate = lines({{-1, 0}, {1, 0}, {0, 1}}, true);
  const Motion still = Motion::at(Pose());
  ToiOptions options{.tolerance = 1e-9, .may_separate = true};
  for (const Vec2& away : {Vec2(0, 1), Vec2(3, 1), Vec2(-1, 0.2)}) {
    const Motion lift = Motion::interpolated(Pose(), Pose(0, away));
    EXPECT_EQ(time_of_impact(plate, lift, ground, still, options).status, ToiStatus::free);
    EXPECT_EQ(brute_force::time_of_impact(plate, lift, ground, still, options).status,
              ToiStatus::free);
  }
  for (const Vec2& stay : {Vec2(1, 0), Vec2(0, -1), Vec2(0, 0)}) {
    const Motion motion = Motion::interpolated(Pose(), Pose(0, stay));
    EXPECT_EQ(time_of_impact(plate, motion, ground, still, options).status,
              ToiStatus::initially_touching);
  }
}

TEST(PlaneToi, BudgetsEndItHonestly) {
  const Object a = lines({{0, 0}, {1, 0}, {0.3, 0.8}}, true), b = lines({{4, -3}, {4, 3}});
  const Motion motion = Motion::turning(Pose(), 3, {0, 0}, {6, 0});
  const ToiResult whole = time_of_impact(a, motion, b, Motion::at(Pose()), {.tolerance = 1e-9});
  ASSERT_EQ(whole.status, ToiStatus::contact);
  for (const bool slow : {false, true})
    for (const std::uint64_t work : {0, 1, 2, 4}) {
      const ToiOptions options{.tolerance = 1e-9, .budget = {.max_work = work}};
      const ToiResult r =
          slow ? brute_force::time_of_impact(a, motion, b, Motion::at(Pose()), options)
               : time_of_impact(a, motion, b, Motion::at(Pose()), options);
      EXPECT_LE(r.time.lower, whole.time.upper);
      if (r.status != ToiStatus::undecided) {
        EXPECT_EQ(r.status, ToiStatus::contact);
      }
    }
  EXPECT_THROW((void)time_of_impact(a, motion, b, motion, {.tolerance = 0}), InvalidInput);
}

// ---- the oracle
// ------------------------------------------------------------------------------------

using Real = long double;
struct Point {
  Real x, y;
};

/// Turns by angle · t about the body's pivot, which moves by travel · t.
struct Ride {
  double start_angle = 0, angle = 0;
  Vec2 pivot = Vec2::Zero(), start = Vec2::Zero(), travel = Vec2::Zero();

  Motion motion() const {
    // The pose at which the pivot is at `start`.
    const Vec2 turned(std::cos(start_angle) * pivot.x() - std::sin(start_angle) * pivot.y(),
                      std::sin(start_angle) * pivot.x() + std::cos(start_angle) * pivot.y());
    return Motion::turning(Pose(start_angle, start - turned), angle, pivot, travel);
  }
  Point at(const Vec2& p, Real t) const {
    const Real phi = start_angle + angle * t, c = std::cos(phi), s = std::sin(phi);
    const Real dx = Real(p.x()) - pivot.x(), dy = Real(p.y()) - pivot.y();
    return {start.x() + t * travel.x() + c * dx - s * dy,
            start.y() + t * travel.y() + s * dx + c * dy};
  }
  Real speed(const Outline& outline) const {
    double reach = 0;
    for (const Vec2& p : outline.vertices()) reach = std::max(reach, (p - pivot).norm());
    return travel.norm() + std::abs(angle) * reach;
  }
};

Real turn_of(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

Real point_edge(const Point& p, const Point& a, const Point& b) {
  const Real ux = b.x - a.x, uy = b.y - a.y, l2 = ux * ux + uy * uy;
  Real s = l2 > 0 ? ((p.x - a.x) * ux + (p.y - a.y) * uy) / l2 : 0;
  s = std::clamp<Real>(s, 0, 1);
  return std::hypot(a.x + s * ux - p.x, a.y + s * uy - p.y);
}

struct Scene {
  Object a, b;
  Ride ride_a, ride_b;

  /// 0 where edges cross.
  Real distance_at(Real t) const {
    const auto place = [t](const Object& o, const Ride& ride) {
      std::vector<Point> points;
      for (const Vec2& p : o.outline().vertices()) points.push_back(ride.at(p, t));
      return points;
    };
    const std::vector<Point> pa = place(a, ride_a), pb = place(b, ride_b);
    Real least = INFINITY;
    for (Index i = 0; i < a.outline().edge_count(); ++i)
      for (Index j = 0; j < b.outline().edge_count(); ++j) {
        const Point &p = pa[a.outline().edge(i)[0]], &q = pa[a.outline().edge(i)[1]];
        const Point &r = pb[b.outline().edge(j)[0]], &s = pb[b.outline().edge(j)[1]];
        if (turn_of(p, q, r) * turn_of(p, q, s) < 0 && turn_of(r, s, p) * turn_of(r, s, q) < 0)
          return 0;
        least = std::min({least, point_edge(p, r, s), point_edge(q, r, s), point_edge(r, p, q),
                          point_edge(s, p, q)});
      }
    return least;
  }
  Real speed() const { return ride_a.speed(a.outline()) + ride_b.speed(b.outline()); }
};

/// Whether they are farther apart than `tolerance` all the time; a step from t goes as far as the
/// distance there allows.
bool keeps_apart(const Scene& scene, Real tolerance) {
  const Real speed = scene.speed() * (1 + 1e-9L);
  for (Real t = 0; t <= 1;) {
    const Real d = scene.distance_at(t);
    if (d <= tolerance * (1 + 1e-6L)) return false;
    if (speed == 0) return true;
    t += std::max((d - tolerance) / speed, tolerance * 1e-7L / speed);
  }
  return scene.distance_at(1) > tolerance;
}

Scene random_scene(base::Random& random) {
  const auto ride = [&](double reach) {
    Ride r;
    r.start_angle = random.uniform(-kPi, kPi);
    r.angle = random.below(3) == 0 ? 0 : random.uniform(-6, 6);
    r.pivot = random.below(2) == 0 ? Vec2(0, 0) : test::random_vec2(random, 3);
    r.start = test::random_vec2(random, reach);
    r.travel = random.below(3) == 0 ? Vec2(0, 0) : test::random_vec2(random, 3);
    return r;
  };
  Scene scene{Object(test::random_outline(random, 1)), Object(test::random_outline(random, 1)),
              ride(1.7), ride(1.7)};
  if (random.below(2) == 0) scene.ride_b = {.start = scene.ride_b.start};
  return scene;
}

TEST(PlaneToi, RandomMotionsAgreeWithTheOracle) {
  base::Random random(1);
  const int cases = test::scaled(100);
  int contacts = 0;
  for (int n = 0; n < cases; ++n) {
    const Scene scene = random_scene(random);
    const double tolerance = n % 2 == 0 ? 1e-2 : 1e-7;
    const ToiOptions options{.tolerance = tolerance};
    const Motion motion_a = scene.ride_a.motion(), motion_b = scene.ride_b.motion();
    const ToiResult fast = time_of_impact(scene.a, motion_a, scene.b, motion_b, options);
    contacts += fast.status != ToiStatus::free;
    std::vector<ToiResult> results = {fast};
    if (n % 4 == 0)
      results.push_back(brute_force::time_of_impact(scene.a, motion_a, scene.b, motion_b, options));
    constexpr int kSamples = 300;
    for (const ToiResult& r : results) {
      ASSERT_NE(r.status, ToiStatus::undecided);
      for (int k = 0; k <= kSamples; ++k) {
        const Real t = Real(k) / kSamples;
        if (t < r.time.lower) {
          ASSERT_GT(scene.distance_at(t), 0) << n << " at " << k;
        }
      }
      if (r.status == ToiStatus::free) {
        EXPECT_GT(scene.distance_at(1), 0) << n;
      } else {
        EXPECT_LE(scene.distance_at(r.time.upper), r.tolerance * (1 + 1e-9) + 1e-14) << n;
        ASSERT_TRUE(r.contact);
        EXPECT_LE(r.contact->distance, r.tolerance * (1 + 1e-9) + 1e-14);
        EXPECT_EQ(r.status == ToiStatus::initially_touching, r.time.upper == 0);
      }
      if (tolerance > 1e-3 && keeps_apart(scene, r.tolerance)) {
        EXPECT_EQ(r.status, ToiStatus::free) << n;
      }
    }
  }
  test::expect_about_half(contacts, cases);
}

TEST(PlaneToi, ManyEdgesAgreeWithTheTwin) {
  base::Random random(2);
  const int cases = test::scaled(12, 2);
  int contacts = 0;
  for (int n = 0; n < cases; ++n) {
    const Object a(Outline(std::vector<Chain>{test::star_polygon(random, 150, 1)})),
        b(Outline(std::vector<Chain>{test::star_polygon(random, 100, 1)}));
    const Motion motion = Motion::turning(Pose(), random.uniform(-3, 3), {0, 0},
                                          {random.uniform(0, 1.2), random.uniform(-0.5, 0.5)});
    const Motion still = Motion::at(Pose(0, {2.2, 0.3}));
    const ToiOptions options{.tolerance = 1e-6};
    const ToiResult fast = time_of_impact(a, motion, b, still, options);
    const ToiResult slow = brute_force::time_of_impact(a, motion, b, still, options);
    EXPECT_EQ(fast.status, slow.status) << n;
    contacts += fast.status != ToiStatus::free;
    if (fast.status == ToiStatus::contact) {
      EXPECT_NEAR(fast.time.upper, slow.time.upper, 1e-5);
    }
  }
  EXPECT_GT(contacts, 0);
}

TEST(PlaneMotion, IsThatOfSpace) {
  base::Random random(3);
  for (int n = 0; n < 100; ++n) {
    Ride ride;
    ride.start_angle = random.uniform(-3, 3);
    ride.angle = random.uniform(-20, 20);
    ride.pivot = test::random_vec2(random, 2);
    ride.start = test::random_vec2(random, 2);
    ride.travel = test::random_vec2(random, 2);
    const Motion motion = ride.motion();
    const double t = random.uniform();
    const Vec2 p = test::random_vec2(random, 2);
    const Point there = ride.at(p, t);
    EXPECT_NEAR((motion.pose(t) * p - Vec2(double(there.x), double(there.y))).norm(), 0, 1e-13);
    EXPECT_NEAR((motion.reversed().pose(1 - t) * p - motion.pose(t) * p).norm(), 0, 1e-12);
    EXPECT_NEAR((motion.part(0, 0.5).pose(t) * p - motion.pose(0.5 * t) * p).norm(), 0, 1e-12);
    const Motion both = Motion::chain(std::vector<Motion>{motion, motion.reversed()});
    EXPECT_NEAR((both.pose(0.5 * t) * p - motion.pose(t) * p).norm(), 0, 1e-12);
    const Motion same = Motion::function([motion](double s) { return motion.pose(s); }, 100, 20);
    EXPECT_NEAR((same.pose(t) * p - motion.pose(t) * p).norm(), 0, 1e-13);
    const Pose poses[] = {motion.pose(0), motion.pose(0.01), motion.pose(0.02)};
    EXPECT_NEAR((Motion::through(poses).pose(0.5) * p - motion.pose(0.01) * p).norm(), 0, 1e-12);
  }
  EXPECT_THROW((void)Motion::turning(Pose(), kInfinity, {0, 0}), InvalidInput);
  EXPECT_THROW((void)Motion::function(nullptr, 1, 1), InvalidInput);
}

}  // namespace
}  // namespace touche::plane
