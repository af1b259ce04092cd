// SPDX-License-Identifier: Apache-2.0
// Motions with a translation added: poses, and bounds that still hold.
#include "response/shifted_motion.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/random.h"
#include "test_scale.h"

namespace touche::shifted_motion_test {
namespace {

Pose some_pose(base::Random& random) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(0, 3);
  return Pose::from_axis_angle(axis, angle, random.in_box(2));
}

Motion some_motion(base::Random& random) {
  const std::array poses = {some_pose(random), some_pose(random), some_pose(random)};
  const Vec3 point = random.in_box(1), axis = random.direction();
  switch (random.below(5)) {
    case 0:
      return Motion::at(poses[0]);
    case 1:
      return Motion::interpolated(poses[0], poses[1], Interpolation::nlerp);
    case 2:
      return Motion::screw(poses[0], point, axis, random.uniform(-9, 9), random.uniform(-1, 1));
    case 3:
      return Motion::through(poses);
    default:
      return Motion::function(
          [from = poses[0], axis](double t) {
            return from * Pose::from_axis_angle(axis, t, {t * t, 0, 0});
          },
          2, 1);
  }
}

TEST(ShiftedMotion, IsTheSamePosesShifted) {
  base::Random random(41);
  for (int i = 0; i < test::scaled(300); ++i) {
    Motion motion = some_motion(random);
    if (random.below(2) == 0) motion = motion.part(0.2, 0.7);
    const Vec3 begin = random.in_box(1), end = random.in_box(3);
    const Motion both = response::shifted(motion, begin, end);
    const Ball ball = {random.in_box(1), random.uniform()};
    for (int k = 0; k <= 20; ++k) {
      const double t = k / 20.0;
      const Vec3 shift = begin + t * (end - begin);
      EXPECT_LT((both.pose(t).translation() - motion.pose(t).translation() - shift).norm(), 1e-12);
      EXPECT_LT((both.pose(t).matrix() - motion.pose(t).matrix()).norm(), 1e-12);
      const Vec3 x = ball.centre + ball.radius * random.direction();
      EXPECT_LE((both.pose(t) * x - both.pose(0) * x).norm(),
                both.displacement_bound(ball, 0, 0, t) + 1e-12)
          << i << " " << t;
    }
  }
}

}  // namespace
}  // namespace touche::shifted_motion_test
