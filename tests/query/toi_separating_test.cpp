// SPDX-License-Identifier: Apache-2.0
// Bodies that start in contact: separation is distinguished from sliding, rolling and deeper
// penetration.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion_kinds.h"
#include "scenes.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/query.h"
#include "touche/reference.h"

namespace touche::toi_separating_test {
namespace {

using scenes::Random;

const Motion kStill = Motion::at(Pose());
const Object& cube() {
  static const Object made(scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 1)));
  return made;
}
const Object& floor_below() {
  static const Object made(scenes::box(Vec3(-9, -9, -3), Vec3(9, 9, -1)));
  return made;
}
Motion shifted(const Vec3& by) { return Motion::interpolated(Pose(), Pose::from_translation(by)); }

ToiResult search(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                 double clearance = 0) {
  const ToiOptions options{.tolerance = 1e-6, .clearance = clearance, .may_separate = true};
  const ToiResult r = time_of_impact(a, motion_a, b, motion_b, options);
  const ToiResult twin = brute_force::time_of_impact(a, motion_a, b, motion_b, options);
  EXPECT_EQ(r.status, twin.status);
  EXPECT_NEAR(r.time.lower, twin.time.lower, 1e-5);
  const ToiResult swapped = time_of_impact(b, motion_b, a, motion_a, options);
  EXPECT_EQ(r.status, swapped.status);
  // Without leave a start in contact is one.
  EXPECT_EQ(
      time_of_impact(a, motion_a, b, motion_b, {.tolerance = 1e-6, .clearance = clearance}).status,
      ToiStatus::initially_touching);
  return r;
}

TEST(Separating, ACubeLiftsOff) {
  const ToiResult up = search(cube(), shifted(Vec3(0, 0, 5)), floor_below(), kStill);
  EXPECT_EQ(up.status, ToiStatus::free);
  EXPECT_GT(up.separated_at, 0);
  EXPECT_LT(up.separated_at, 1e-6);
  EXPECT_EQ(search(cube(), shifted(Vec3(5, 0, 0.1)), floor_below(), kStill).status,
            ToiStatus::free);
  // While rotating about its direction of motion.
  const Motion turning = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 3, 1);
  EXPECT_EQ(search(cube(), turning, floor_below(), kStill).status, ToiStatus::free);
  // Both move, the floor faster.
  EXPECT_EQ(search(cube(), shifted(Vec3(0, 0, -1)), floor_below(), shifted(Vec3(0, 0, -2))).status,
            ToiStatus::free);
}

TEST(Separating, WhatSlidesRollsOrGoesDeeperDoesNot) {
  for (const Vec3& by : {Vec3(5, 0, 0), Vec3(0, 0, -1), Vec3(1, 0, -1e-3), Vec3(0, 0, 1e-7)}) {
    const ToiResult r = search(cube(), shifted(by), floor_below(), kStill);
    EXPECT_EQ(r.status, ToiStatus::initially_touching) << by.transpose();
    EXPECT_EQ(r.separated_at, 0);
  }
  // Over its lower edge.
  const Motion tipped = Motion::screw(Pose(), Vec3(1, 0, -1), Vec3::UnitY(), 0.5, 0);
  EXPECT_EQ(search(cube(), tipped, floor_below(), kStill).status, ToiStatus::initially_touching);
}

// Cubes side by side: triangles in one plane, edges and corners that coincide.
TEST(Separating, WhatLiesInOnePlane) {
  const Object other(scenes::box(Vec3(1, -1, -1), Vec3(3, 1, 1)));
  const Object above(scenes::box(Vec3(1, 1, 1), Vec3(2, 2, 2)));
  EXPECT_EQ(search(cube(), shifted(Vec3(-1, 0, 0)), other, kStill).status, ToiStatus::free);
  EXPECT_EQ(search(cube(), shifted(Vec3(-1, 0.5, 0)), other, kStill).status, ToiStatus::free);
  EXPECT_EQ(search(cube(), shifted(Vec3(0, 1, 0)), other, kStill).status,
            ToiStatus::initially_touching);
  EXPECT_EQ(search(cube(), shifted(Vec3(-1, -1, -1)), above, kStill).status, ToiStatus::free);
  EXPECT_EQ(search(cube(), shifted(Vec3(0, 0, -1)), above, kStill).status, ToiStatus::free);
}

// Finely meshed plates with thousands of pairs that touch, pulled apart slowly.
TEST(Separating, LargeContactsAndSlowMotions) {
  const auto grid = [](double z) {
    constexpr int kSide = 24;
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (int y = 0; y <= kSide; ++y)
      for (int x = 0; x <= kSide; ++x) xyz.insert(xyz.end(), {0.1 * x, 0.1 * y, z});
    for (Index y = 0; y < kSide; ++y)
      for (Index x = 0; x < kSide; ++x) {
        const Index v = y * (kSide + 1) + x;
        corners.insert(corners.end(),
                       {v, v + 1, v + kSide + 1, v + 1, v + kSide + 2, v + kSide + 1});
      }
    return Object(PolygonSoup(xyz, corners));
  };
  const Object lower = grid(0), upper = grid(0);
  const ToiResult r = time_of_impact(upper, shifted(Vec3(0, 0, 1e-4)), lower, kStill,
                                     {.tolerance = 1e-6, .may_separate = true});
  EXPECT_EQ(r.status, ToiStatus::free);
  EXPECT_GT(r.separated_at, 0.01);
}

// Keyframes of both bodies a rounding apart leave slices that cannot be cut.
TEST(Separating, TheShortestSlicesEnd) {
  const Object sheet(scenes::bumpy_sphere(512, 1)), other(scenes::bumpy_sphere(512, 2));
  std::vector<Pose> poses_a, poses_b;
  std::vector<double> times_a, times_b;
  for (int i = 0; i <= 10; ++i) {
    const Vec3 at(0, 0, i < 5 ? 2.2 : 2.2 + i);
    poses_a.push_back(Pose::from_axis_angle(Vec3::UnitX(), 0.3 * i, Vec3::Zero()));
    poses_b.push_back(Pose::from_axis_angle(Vec3::UnitX(), -0.3 * i, at));
    times_a.push_back(i == 10 ? 1 : 0.1 * i);
    times_b.push_back(i == 10 ? 1 : i / 10.0);
  }
  const ToiResult r = time_of_impact(sheet, Motion::through(poses_a, times_a), other,
                                     Motion::through(poses_b, times_b), {.tolerance = 1e-9});
  EXPECT_NE(r.status, ToiStatus::undecided);
}

TEST(Separating, ThenItHitsSomethingElse) {
  // A cube on the floor of a room 4 high rises 5: its top meets the ceiling after 2.
  const Object room(scenes::box(Vec3(-9, -9, -1), Vec3(9, 9, 3)));
  const ToiResult r = search(cube(), shifted(Vec3(0, 0, 5)), room, kStill);
  EXPECT_EQ(r.status, ToiStatus::contact);
  EXPECT_LE(r.time.lower, 0.4);
  EXPECT_GE(r.time.upper, 0.4 - 1e-6);
  EXPECT_LT(r.separated_at, 1e-6);
}

TEST(Separating, ClearanceIsSomethingToSeparateFromAsWell) {
  // Within the clearance from the start on, apart by 0.5: it is kept from t = 0.1 on.
  const Motion up = Motion::interpolated(Pose::from_translation(Vec3(0, 0, 0.5)),
                                         Pose::from_translation(Vec3(0, 0, 5.5)));
  EXPECT_EQ(search(cube(), up, floor_below(), kStill, 1.0).status, ToiStatus::initially_touching);
  const Motion just = Motion::interpolated(Pose::from_translation(Vec3(0, 0, 1)),
                                           Pose::from_translation(Vec3(0, 0, 5)));
  EXPECT_EQ(search(cube(), just, floor_below(), kStill, 1.0).status, ToiStatus::free);
}

// Back from a first contact: that separates, and is free except for grazing contacts. On in the
// original direction, a result of free must be true.
TEST(Separating, BackFromRandomContacts) {
  base::Random random(71);
  int contacts = 0, recognised = 0, further = 0, wrong = 0;
  for (int round = 0; round < test::scaled(25, 2); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    for (std::size_t k = 0; k < as.size(); ++k) {
      SCOPED_TRACE(std::to_string(round) + " " + std::to_string(k));
      const Object a(scenes::bumpy_sphere(128, k)), b(scenes::bumpy_sphere(128, k + 100));
      const ToiResult hit = time_of_impact(a, as[k], b, bs[k], {.tolerance = 1e-7});
      if (hit.status != ToiStatus::contact || hit.time.upper < 0.01 || hit.time.upper > 0.99)
        continue;
      ++contacts;
      const double t = hit.time.upper;
      // The tolerance is one that the start surely is in.
      const ToiOptions options{.tolerance = 2e-7, .may_separate = true};
      const ToiResult back =
          time_of_impact(a, as[k].part(0, t).reversed(), b, bs[k].part(0, t).reversed(), options);
      recognised += back.status == ToiStatus::free && back.separated_at < 1e-3;
      const Motion on_a = as[k].part(t, 1), on_b = bs[k].part(t, 1);
      const ToiResult on = time_of_impact(a, on_a, b, on_b, options);
      if (on.status == ToiStatus::initially_touching) continue;
      ++further;
      for (int i = 1; i <= 100; ++i) {
        const double at = on.separated_at + (on.time.lower - on.separated_at) * i / 101;
        wrong += intersects(a, on_a.pose(at), b, on_b.pose(at)).intersects;
      }
    }
  }
  EXPECT_GT(contacts, test::scaled(60, 5));
  EXPECT_GE(recognised, 0.8 * contacts) << contacts;
  EXPECT_LE(further, 0.2 * contacts);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace touche::toi_separating_test
