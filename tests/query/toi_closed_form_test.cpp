// SPDX-License-Identifier: Apache-2.0
// First contacts that can be written down: what the library calls contact must lie in a bracket
// around the formula's time, as narrow as the tolerance and the speed of approach allow.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "touche/query.h"
#include "touche/reference.h"

namespace touche::toi_closed_form_test {
namespace {

constexpr double kPi = std::numbers::pi;

// One triangle; equal corners make a segment or a point of it.
Object triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double xyz[] = {a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), c.x(), c.y(), c.z()};
  const Index corners[] = {0, 1, 2};
  return Object(PolygonSoup(xyz, corners));
}
Object point(const Vec3& p) { return triangle(p, p, p); }
Object segment(const Vec3& p, const Vec3& q) { return triangle(p, q, q); }
Object floor_at(double z, double size = 50) {
  return Object(scenes::box(Vec3(-size, -size, z - 1), Vec3(size, size, z)));
}

// `speed`: of approach at contact, per unit of t.
void expect_contact(const Object& a, const Motion& motion_a, const Object& b,
                    const Motion& motion_b, double tolerance, double time, double speed) {
  const ToiResult r = time_of_impact(a, motion_a, b, motion_b, {.tolerance = tolerance});
  ASSERT_EQ(r.status, ToiStatus::contact);
  const double rounding = 4e-16;
  EXPECT_LE(r.time.lower, time + rounding);
  // Approaching at constant speed the tolerance is reached so much earlier, and twice is allowed
  // for the curvature of the path.
  EXPECT_GE(r.time.upper, time - 2 * r.tolerance / speed - rounding);
  EXPECT_LE(r.time.upper - r.time.lower, 2 * r.tolerance / speed);
  const ToiResult slow =
      brute_force::time_of_impact(a, motion_a, b, motion_b, {.tolerance = tolerance});
  EXPECT_EQ(slow.status, ToiStatus::contact);
  EXPECT_LE(slow.time.lower, time + rounding);
  EXPECT_GE(slow.time.upper, time - 2 * r.tolerance / speed - rounding);
}

void expect_free(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                 double tolerance) {
  const auto options = ToiOptions{.tolerance = tolerance};
  EXPECT_EQ(time_of_impact(a, motion_a, b, motion_b, options).status, ToiStatus::free);
  EXPECT_EQ(time_of_impact(b, motion_b, a, motion_a, options).status, ToiStatus::free);
  EXPECT_EQ(brute_force::time_of_impact(a, motion_a, b, motion_b, options).status, ToiStatus::free);
}

// A point at (−1, 0.5) turns about (0, 0.5); the edge runs from (−2, 0) to (2, 0).
TEST(ToiClosedForm, APointTurnsOntoAnEdge) {
  const Object edge = segment(Vec3(-2, 0, 0), Vec3(2, 0, 0));
  const Object dot = point(Vec3(-1, 0.5, 0));
  const Motion still = Motion::at(Pose());
  const auto turn = [](double angle) {
    return Motion::screw(Pose(), Vec3(0, 0.5, 0), Vec3::UnitZ(), angle, 0);
  };
  const double speed = std::cos(kPi / 6);  // downwards, per radian
  for (const double angle : {0.6, 1.0, 3.0, 10.0, 20 * kPi, 100 * kPi})
    expect_contact(dot, turn(angle), edge, still, 1e-9, kPi / 6 / angle, angle * speed);
  for (const double angle : {4.0, 10.0, 100 * kPi})
    expect_contact(dot, turn(-angle), edge, still, 1e-9, 7 * kPi / 6 / angle, angle * speed);
  for (const double angle : {0.5, 0.1, 1e-12, -0.1, -3.0, -3.6})
    expect_free(dot, turn(angle), edge, still, 1e-9);
  // A hair beyond the contact, and a hair short of it: nearer than any tolerance that can be met,
  // so that either answer is right for the latter, but never "free" for the former.
  expect_contact(dot, turn(kPi / 6 + 1e-12), edge, still, 1e-15, kPi / 6 / (kPi / 6 + 1e-12),
                 speed * kPi / 6);
  const ToiResult r = time_of_impact(dot, turn(kPi / 6 - 1e-12), edge, still, {.tolerance = 1e-15});
  EXPECT_GT(r.time.lower, 1 - 1e-10);
  expect_free(dot, turn(kPi / 6 - 1e-9), edge, still, 1e-11);
}

TEST(ToiClosedForm, APointMovesStraightToAnEdge) {
  const Object edge = segment(Vec3(-2, 0, 0), Vec3(2, 0, 0));
  const Motion still = Motion::at(Pose());
  const auto drop = [](double y) {
    return Motion::interpolated(Pose(), Pose::from_translation(Vec3(0, y - 0.5, 0)));
  };
  for (const double x : {0.0, -1.0, 2.0, -2.0})
    for (const double y : {-1e-12, -0.25, -10.0})
      expect_contact(point(Vec3(x, 0.5, 0)), drop(y), edge, still, 1e-12, 0.5 / (0.5 - y), 0.5 - y);
  // Just short of the edge, and just past its end.
  expect_free(point(Vec3(1, 0.5, 0)), drop(1e-9), edge, still, 1e-10);
  expect_free(point(Vec3(2 + 1e-8, 0.5, 0)), drop(-1), edge, still, 1e-9);
  const ToiResult short_of =
      time_of_impact(point(Vec3(1, 0.5, 0)), drop(1e-12), edge, still, {.tolerance = 1e-15});
  EXPECT_GT(short_of.time.lower, 1 - 1e-10);
}

// A rod of half length 1, level at height 0.5, tips about its middle: its end reaches the floor
// when sin(angle) = 0.5. Falling meanwhile by f, when 0.5 − f t = sin(angle t).
TEST(ToiClosedForm, ARodFallsOntoAPlane) {
  const Object rod = segment(Vec3(-1, 0, 0), Vec3(1, 0, 0)), ground = floor_at(0);
  const Motion still = Motion::at(Pose());
  for (const double angle : {0.7, 2.0, 12 * kPi})
    for (const double fall : {0.0, 0.4, 3.0}) {
      const Pose start = Pose::from_translation(Vec3(0.1, 0.2, 0.5));
      // About the y axis the end at +x goes down.
      const Motion tip = Motion::function(
          [=](double t) {
            return Pose::from_axis_angle(Vec3::UnitY(), angle * t, Vec3(0.1, 0.2, 0.5 - fall * t));
          },
          fall, angle);
      double lo = 0, hi = std::min(1.0, kPi / 2 / angle);
      while (0.5 * (lo + hi) > lo && 0.5 * (lo + hi) < hi) {
        const double t = 0.5 * (lo + hi);
        (0.5 - fall * t > std::sin(angle * t) ? lo : hi) = t;
      }
      const double speed = fall + angle * std::cos(angle * hi);
      expect_contact(rod, tip, ground, still, 1e-10, hi, speed);
      if (fall == 0)
        expect_contact(rod, Motion::screw(start, start.translation(), Vec3::UnitY(), angle, 0),
                       ground, still, 1e-10, std::asin(0.5) / angle, speed);
    }
  // Level: the whole rod arrives at once.
  expect_contact(rod,
                 Motion::interpolated(Pose::from_translation(Vec3(0, 0, 0.5)),
                                      Pose::from_translation(Vec3(0, 0, -0.5))),
                 ground, still, 1e-10, 0.5, 1);
}

// A unit cube's edge turns towards another box: half a diagonal at 45° reaches x = √2 / 2.
TEST(ToiClosedForm, ABoxTurnsAgainstABox) {
  const Object cube(scenes::box(Vec3(-0.5, -0.5, -0.5), Vec3(0.5, 0.5, 0.5)));
  const Motion spin = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 4 * kPi, 0);
  const auto wall = [](double x) {
    return Object(scenes::box(Vec3(x, -3, -3), Vec3(x + 1, 3, 3)));
  };
  for (const double x : {0.5001, 0.55, 0.6, 0.7}) {
    // Where the corner at 45° has its x = √½ cos(45° − angle).
    const double angle = kPi / 4 - std::acos(x * std::sqrt(2.0));
    const double speed = 4 * kPi * std::sqrt(0.5) * std::sin(kPi / 4 - angle);
    expect_contact(cube, spin, wall(x), Motion::at(Pose()), 1e-9, angle / (4 * kPi), speed);
  }
  const double reach = std::sqrt(0.5);
  expect_free(cube, spin, wall(reach + 1e-7), Motion::at(Pose()), 0.9e-7);
  // Both turning, like cogs whose corners never meet, and then a little closer.
  const Motion other = Motion::screw(Pose::from_translation(Vec3(2 * reach + 1e-4, 0, 0)),
                                     Vec3(2 * reach + 1e-4, 0, 0), Vec3::UnitZ(), -4 * kPi, 0);
  expect_free(cube, spin, cube, other, 0.9e-4);
  const Motion near = Motion::screw(Pose::from_translation(Vec3(2 * reach - 1e-4, 0, 0)),
                                    Vec3(2 * reach - 1e-4, 0, 0), Vec3::UnitZ(), -4 * kPi, 0);
  EXPECT_EQ(time_of_impact(cube, spin, cube, near, {.tolerance = 1e-9}).status, ToiStatus::contact);
}

// A groove along a helix of radius 1 and pitch 0.5: a ribbon below and one above, of `half` the
// gap each. A point on the helix that screws along it stays in the middle at the right pitch; at
// a wrong one it reaches a side when it has gained half the gap, less what the facets take.
TEST(ToiClosedForm, AScrewInAHelix) {
  constexpr double kPitch = 0.5, kHalf = 0.05;
  constexpr int kTurns = 4, kSteps = 256;
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (int i = 0; i <= kTurns * kSteps; ++i) {
    const double angle = 2 * kPi * i / kSteps;
    for (const double side : {-kHalf, kHalf})
      for (const double r : {0.8, 1.2})
        xyz.insert(xyz.end(),
                   {r * std::cos(angle), r * std::sin(angle), kPitch * angle / (2 * kPi) + side});
  }
  for (Index i = 0; i < kTurns * kSteps; ++i)
    for (const Index side : {0u, 2u}) {
      const Index p = 4 * i + side;
      corners.insert(corners.end(), {p, p + 1, p + 4, p + 1, p + 5, p + 4});
    }
  const Object groove(PolygonSoup(xyz, corners));
  const Object tooth = point(Vec3(std::cos(1), std::sin(1), kPitch / (2 * kPi)));
  const double angle = 3 * 2 * kPi;
  const auto screwed = [&](double pitch) {
    return Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), angle, 3 * pitch);
  };
  expect_free(tooth, screwed(kPitch), groove, Motion::at(Pose()), 0.01);
  // Between two steps the ribbon's facets deviate from the helix, by the bow of a chord of 1 / 256
  // turn in radius, and in height by the slope of a facet across it.
  const double facet = kPitch / kSteps * 0.1 + 1e-4;
  for (const double pitch : {kPitch + 0.1, kPitch - 0.1, kPitch + 0.03, -kPitch}) {
    const ToiResult r =
        time_of_impact(tooth, screwed(pitch), groove, Motion::at(Pose()), {.tolerance = 1e-9});
    ASSERT_EQ(r.status, ToiStatus::contact);
    const double gain = 3 * std::abs(pitch - kPitch);
    EXPECT_NEAR(r.time.upper, kHalf / gain, 2 * facet / gain) << pitch;
  }
}

// A corner that turns at radius R passes a wall at R + gap, for gaps of either sign: contact
// exactly when it reaches the wall, in any direction and at any scale.
TEST(ToiClosedForm, GrazingPasses) {
  scenes::Random random(5);
  int hits = 0, total = 0;
  for (int round = 0; round < 1000; ++round) {
    const double scale = std::exp(random.uniform(std::log(1e-6), std::log(1e6)));
    const double gap = std::exp(random.uniform(std::log(1e-9), std::log(1e-3)));
    const bool hit = random.below(2) == 0;
    const Pose place =
        Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), scale * random.in_box(3));
    // In a frame whose x axis points at the wall, 1 + gap away.
    const double x = scale * (hit ? 1 - gap : 1 + gap);
    const Object wall = triangle(Vec3(x, -3 * scale, -3 * scale), Vec3(x, 5 * scale, -2 * scale),
                                 Vec3(x, -1 * scale, 4 * scale));
    const double z = scale * random.uniform(-0.5, 0.5);
    const Object blade = triangle(Vec3(scale, 0, z), Vec3(0.3 * scale, 0.1 * scale, z),
                                  Vec3(0.2 * scale, -0.1 * scale, z + 0.1 * scale));
    const double start = random.uniform(-2.5, -0.5), angle = random.uniform(3, 30);
    const Pose back = Pose::from_axis_angle(Vec3::UnitZ(), start, Vec3::Zero());
    const Motion turn =
        Motion::screw(place * back, place.translation(), place.rotate(Vec3::UnitZ()), angle, 0);
    const ToiResult r =
        time_of_impact(blade, turn, wall, Motion::at(place), {.tolerance = 0.9 * gap * scale});
    ++total;
    hits += hit;
    ASSERT_EQ(r.status, hit ? ToiStatus::contact : ToiStatus::free)
        << "round " << round << " gap " << gap << " scale " << scale;
    if (!hit) continue;
    const double time = (-start - std::acos(1 - gap)) / angle;
    EXPECT_LE(r.time.lower, time + 1e-12);
    EXPECT_GE(r.time.upper, (-start - std::acos(1 - 1.9 * gap)) / angle - 1e-9);
  }
  test::expect_about_half(hits, total);
}

}  // namespace
}  // namespace touche::toi_closed_form_test
