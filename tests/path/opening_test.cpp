// SPDX-License-Identifier: Apache-2.0
// The direction in which a contact opens, against closed forms.
#include "touche/overlap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "requested_cancel.h"
#include "shapes.h"

namespace touche::opening_test {
namespace {

Contact contact_of(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  const DistanceResult r = distance(a, pose_a, b, pose_b);
  EXPECT_TRUE(r.closest);
  return *r.closest;
}

// A cube that stands on a table, or a little in it, is lifted off it.
TEST(Opening, LiftsACubeOffItsTable) {
  const Object cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Object table(scenes::box({-5, -5, -2}, {5, 5, -1}));
  const Pose world = Pose::from_axis_angle(Vec3(1, 2, 3), 0.7, Vec3(4, 5, 6));
  for (const double depth : {-1e-9, 0.0, 0.05}) {
    const Pose on_it = world * Pose::from_translation({0.3, 0.2, -depth});
    const Contact contact = contact_of(cube, on_it, table, world);
    const auto open = opening(cube, on_it, table, world, contact, 0.1).best;
    ASSERT_TRUE(open) << depth;
    EXPECT_NEAR(open->direction.dot(world.matrix() * Vec3::UnitZ()), 1, 1e-9) << depth;
    EXPECT_LE(open->clearance.lower, 0.1 - depth + 1e-12);
    EXPECT_NEAR(open->clearance.upper, 0.1 - depth, 1e-9);
    // With the arguments swapped, the table moves down.
    const Contact swapped = contact_of(table, world, cube, on_it);
    const auto down = opening(table, world, cube, on_it, swapped, 0.1).best;
    ASSERT_TRUE(down);
    EXPECT_NEAR(down->direction.dot(open->direction), -1, 1e-9);
  }
}

// Bodies deeper than the shift do not come free, and one that would come to lie inside is not free.
TEST(Opening, IsNotThereWhenTheShiftIsTooSmall) {
  const Object cube(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const Object block(scenes::box({-5, -5, -9}, {5, 5, -0.5}));
  const Contact contact = contact_of(cube, Pose(), block, Pose());
  EXPECT_FALSE(opening(cube, Pose(), block, Pose(), contact, 0.4).best);
  EXPECT_TRUE(opening(cube, Pose(), block, Pose(), contact, 0.6).best);
  EXPECT_FALSE(
      opening(block, Pose(), cube, Pose(), contact_of(block, Pose(), cube, Pose()), 0.4).best);
  for (const double shift : {0.0, -1.0, std::nan("")})
    EXPECT_THROW((void)opening(cube, Pose(), block, Pose(), contact, shift), InvalidInput);
}

// Stopped at any time, it says so, and what it found is proved all the same.
TEST(Opening, SaysWhenItsBudgetEnds) {
  const Object ball(scenes::sphere(1, 2000));
  const Pose pose_b = Pose::from_translation({1.2, 1, 0.9});
  const Contact contact = contact_of(ball, Pose(), ball, pose_b);
  const OpeningResult whole = opening(ball, Pose(), ball, pose_b, contact, 0.2);
  ASSERT_TRUE(whole.complete && whole.best);
  for (const std::uint64_t work : {0, 1, 10, 100, 1000}) {
    const OpeningResult r = opening(ball, Pose(), ball, pose_b, contact, 0.2, {.max_work = work});
    EXPECT_EQ(r.complete, work == 1000) << work;
    if (r.best) {
      EXPECT_LE(r.best->clearance.lower, whole.best->clearance.upper);
    }
  }
  const Cancel cancel = test::requested();
  EXPECT_FALSE(opening(ball, Pose(), ball, pose_b, contact, 0.2, {.cancel = cancel}).complete);
}

// Two balls come apart along the line between their middles.
TEST(Opening, OfBallsIsAlongTheirMiddles) {
  const Object ball(scenes::sphere(1, 2000));
  const Vec3 apart = Vec3(1, 2, 2) / 3 * 1.99;
  const Pose pose_b = Pose::from_translation(apart);
  const auto open =
      opening(ball, Pose(), ball, pose_b, contact_of(ball, Pose(), ball, pose_b), 0.2).best;
  ASSERT_TRUE(open);
  EXPECT_GT(open->direction.dot(-apart.normalized()), 0.99);
  EXPECT_NEAR(open->clearance.upper, 0.19, 0.01);
}

}  // namespace
}  // namespace touche::opening_test
