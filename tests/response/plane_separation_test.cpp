// SPDX-License-Identifier: Apache-2.0
// Signed separation of outlines: closed forms, convex polygons against all normals of their sides,
// and what is proved of every shift.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "path/parts_inside.h"
#include "plane_outlines.h"
#include "test_scale.h"
#include "touche/plane_volumes.h"
#include "touche/reference.h"
#include "touche/separation.h"

namespace touche::plane::plane_separation_test {
namespace {

constexpr double kTolerance = 1e-5;
const SeparationOptions kOptions = {.tolerance = kTolerance};

Object drawing(std::vector<Chain> chains) { return Object(Outline(chains)); }
Chain ring(std::vector<Vec2> points) { return {std::move(points), true, "ring"}; }
Chain square(double half) {
  return ring({{-half, -half}, {half, -half}, {half, half}, {-half, half}});
}
Pose at(double x, double y, double angle = 0) { return Pose(angle, {x, y}); }

/// Whether the areas have no point in common.
bool are_apart(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  return !brute_force::intersects(a, pose_a, b, pose_b).intersects &&
         paths::any_part_inside(Interior(a.in_space()), pose_a.in_space(), Interior(b.in_space()),
                                pose_b.in_space(), {}) == Containment::none;
}

/// Expects what holds of any answer.
void expect_sound(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                  const Separation& s, double clearance = 0) {
  ASSERT_NE(s.status, SeparationStatus::undecided);
  ASSERT_LE(s.distance.lower, s.distance.upper);
  ASSERT_NEAR(s.direction.norm(), 1, 1e-12);
  const Pose now = resolved_pose(s, pose_b);
  if (s.status == SeparationStatus::apart) {
    ASSERT_EQ(s.shift, Vec2(0, 0));
    ASSERT_GT(s.distance.lower, 0);
    ASSERT_TRUE(s.closest);
    ASSERT_NEAR((s.closest->point_b - s.closest->point_a).norm(), s.distance.upper, 1e-9);
    return;
  }
  ASSERT_LE(s.distance.upper, 0);
  ASSERT_NEAR(s.shift.norm(), -s.distance.lower, 1e-12 * s.shift.norm());
  ASSERT_GT(brute_force::distance(a, pose_a, b, now).distance.lower, clearance);
  ASSERT_TRUE(are_apart(a, pose_a, b, now));
  // Half of what is proved to be too little leaves them in each other.
  const double half = 0.5 * std::max(0.0, -s.distance.upper);
  ASSERT_FALSE(are_apart(a, pose_a, b, Pose(0, half * s.direction) * pose_b));
}

TEST(PlaneSeparation, OfTwoSquares) {
  const Object a = drawing({square(0.5)}), b = drawing({square(0.5)});
  for (const double x : {2.0, 1.5, 1.001}) {
    const Separation s = separation(a, {}, b, at(x, 0.1), kOptions);
    EXPECT_EQ(s.status, SeparationStatus::apart);
    EXPECT_NEAR(s.distance.lower, x - 1, 3 * kTolerance);
    EXPECT_NEAR(s.distance.upper, x - 1, 1e-9);
    EXPECT_LT((s.direction - Vec2(1, 0)).norm(), 1e-9);
    expect_sound(a, {}, b, at(x, 0.1), s);
  }
  for (const double x : {0.99, 0.7, 0.4, -0.8}) {
    const Separation s = separation(a, {}, b, at(x, 0.1), kOptions);
    EXPECT_EQ(s.status, SeparationStatus::overlapping);
    EXPECT_TRUE(s.complete);
    EXPECT_NEAR(s.distance.lower, -(1 - std::abs(x)), 3 * kTolerance) << x;
    EXPECT_NEAR(s.distance.upper, -(1 - std::abs(x)), 0.03) << x;  // as thick as deep
    EXPECT_LT((s.direction - Vec2(x > 0 ? 1 : -1, 0)).norm(), 1e-6) << x;
    expect_sound(a, {}, b, at(x, 0.1), s);
  }
}

TEST(PlaneSeparation, OfOneInsideAnother) {
  const Object a = drawing({ring({{-2, -3}, {2, -3}, {2, 3}, {-2, 3}})}),
               b = drawing({square(0.25)});
  const Separation s = separation(a, {}, b, at(1, 0.5), kOptions);
  EXPECT_EQ(s.status, SeparationStatus::overlapping);
  EXPECT_NEAR(s.distance.lower, -1.25, 3 * kTolerance);  // 1 to the side, and its half edge
  EXPECT_NEAR(s.distance.upper, -0.5, 0.02);             // the disc inside of it
  expect_sound(a, {}, b, at(1, 0.5), s);
  const Separation other = separation(b, at(1, 0.5), a, {}, kOptions);
  EXPECT_NEAR(other.distance.lower, -1.25, 3 * kTolerance);
  EXPECT_LT((other.direction + s.direction).norm(), 1e-6);
  expect_sound(b, at(1, 0.5), a, {}, other);
}

TEST(PlaneSeparation, HolesAreOutside) {
  const Object washer = drawing({square(4), square(1)}), pin = drawing({square(0.5)});
  const Separation in_hole = separation(washer, {}, pin, at(0.1, 0), kOptions);
  EXPECT_EQ(in_hole.status, SeparationStatus::apart);
  EXPECT_NEAR(in_hole.distance.upper, 0.4, 1e-9);
  expect_sound(washer, {}, pin, at(0.1, 0), in_hole);
  // Over the hole's border by 0.1, it goes back into the hole.
  const Separation over = separation(washer, {}, pin, at(0.6, 0), kOptions);
  EXPECT_EQ(over.status, SeparationStatus::overlapping);
  EXPECT_NEAR(over.distance.lower, -0.1, 3 * kTolerance);
  EXPECT_LT((over.direction - Vec2(-1, 0)).norm(), 1e-6);
  expect_sound(washer, {}, pin, at(0.6, 0), over);
  // A chain that is drawn again encloses nothing more.
  Chain again = square(4);
  again.again = true;
  const Object twice = drawing({square(4), again});
  EXPECT_EQ(separation(twice, {}, pin, {}, kOptions).status, SeparationStatus::overlapping);
}

TEST(PlaneSeparation, OfConvexPolygonsIsTheLeastAlongTheirNormals) {
  base::Random random(41);
  int overlapping = 0;
  for (int i = 0, n = test::scaled(60, 15); i < n && !HasFailure(); ++i) {
    const auto polygon = [&] {
      std::vector<Vec2> points;
      for (int k = 0; k < 12; ++k) points.push_back(test::random_vec2(random, 1));
      return Hull::fit(points).corners;
    };
    const std::vector<Vec2> of_a = polygon(), of_b = polygon();
    const Object a = drawing({ring(of_a)}), b = drawing({ring(of_b)});
    const Pose pose_a = test::random_plane_pose(random, 1),
               pose_b = test::random_plane_pose(random, 1.5);
    const Separation s = separation(a, pose_a, b, pose_b, kOptions);
    expect_sound(a, pose_a, b, pose_b, s);
    if (s.status != SeparationStatus::overlapping) continue;
    ++overlapping;
    double least = kInfinity;
    const auto along = [&](const Vec2& normal) {
      double most_a = -kInfinity, least_b = kInfinity;
      for (const Vec2& p : of_a) most_a = std::max(most_a, normal.dot(pose_a * p));
      for (const Vec2& p : of_b) least_b = std::min(least_b, normal.dot(pose_b * p));
      least = std::min(least, most_a - least_b);
    };
    for (const auto& [corners, pose, sign] :
         {std::tuple(of_a, pose_a, 1.0), std::tuple(of_b, pose_b, -1.0)})
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec2 side = pose.rotate(corners[(k + 1) % corners.size()] - corners[k]).normalized();
        along(sign * Vec2(side.y(), -side.x()));
      }
    EXPECT_NEAR(-s.distance.lower, least, 5 * kTolerance) << i;
    EXPECT_LE(-s.distance.upper, least + 1e-9) << i;
  }
  EXPECT_GT(overlapping, 3);
}

TEST(PlaneSeparation, OfAnyOutlinesIsSound) {
  base::Random random(42);
  const SeparationOptions few = {.tolerance = kTolerance, .clearance = 0.01, .max_positions = 300};
  int overlapping = 0;
  const int n = test::scaled(30, 10);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const auto outline = [&] {
      std::vector<Chain> chains = {test::star_polygon(random, 20, 1)};
      if (random.below(2) == 0) chains.push_back(test::star_polygon(random, 6, 0.35));
      return drawing(chains);
    };
    const Object a = outline(), b = outline();
    const Pose pose_a = test::random_plane_pose(random, 1),
               pose_b = test::random_plane_pose(random, 1.5);
    const Separation s = separation(a, pose_a, b, pose_b, few);
    expect_sound(a, pose_a, b, pose_b, s, few.clearance);
    overlapping += s.status == SeparationStatus::overlapping;
  }
  EXPECT_GT(overlapping, n / 5);
}

TEST(PlaneSeparation, IsThatOfTheObjectsInSpace) {
  const Object a = drawing({square(0.5)}), b = drawing({square(0.5)});
  const Pose pose = at(0.7, 0.1);
  const touche::Separation in_space =
      separation(Interior(a.in_space()), {}, Interior(b.in_space()), pose.in_space(), kOptions);
  EXPECT_EQ(in_space.shift.z(), 0);
  EXPECT_EQ(in_space.distance.lower, separation(a, {}, b, pose, kOptions).distance.lower);
}

TEST(PlaneSeparation, RefusesWhatHasNone) {
  const Object closed = drawing({square(1)}),
               open = drawing({{{{0, 0}, {1, 0}, {1, 1}}, false, ""}});
  EXPECT_THROW((void)separation(closed, {}, open, {}, kOptions), InvalidInput);
  EXPECT_THROW((void)separation(open, {}, closed, {}, kOptions), InvalidInput);
  EXPECT_THROW((void)separation(closed, {}, closed, {}, {.tolerance = 0}), InvalidInput);
  EXPECT_THROW((void)resolved_pose(Separation(), {}), InvalidInput);
  // Nothing leaves the plane.
  const Interior flat(closed.in_space());
  EXPECT_THROW(
      (void)separation(flat, {}, flat, touche::Pose::from_translation({0, 0, 1}), kOptions),
      InvalidInput);
}

}  // namespace
}  // namespace touche::plane::plane_separation_test
