// SPDX-License-Identifier: Apache-2.0
// The path that was taken, written as poses: a study's motion through them is the motion of the
// part, up to the given deviation.
#include "simulation/taken_path.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "test_scale.h"

namespace touche::simulation::taken_path_test {
namespace {

struct Taken {
  HandPoses path;
  std::vector<Motion> motions;
};

// Screws one after the other, each a step of one second.
Taken random_way(base::Random& random, double deviation) {
  Taken taken;
  Pose pose = Pose::from_translation(random.in_box(10));
  taken.path = {{0}, {pose}};
  const Index count = 1 + random.below(4);
  for (Index i = 0; i < count; ++i) {
    const Vec3 point = random.in_box(20);
    const Vec3 axis = random.direction();
    const double angle = random.uniform(-2.5, 2.5), travel = random.uniform(-3, 3);
    taken.motions.push_back(Motion::screw(pose, point, axis, angle, travel));
    append(taken.path, {taken.motions.back()}, i + 1, deviation);
    pose = taken.motions.back().pose(1);
  }
  return taken;
}

TEST(TakenPath, IsTheMotionButForTheDeviation) {
  base::Random random(3);
  const int cases = test::scaled(300);
  int coarse = 0, fine = 0;
  for (int k = 0; k < cases; ++k) {
    const double deviation = k % 2 == 0 ? 1e-3 : 0.3;
    const Taken taken = random_way(random, deviation);
    const std::size_t steps = taken.motions.size();
    (taken.path.poses.size() > 20 * steps ? fine : coarse) += 1;
    ASSERT_EQ(taken.path.times.back(), static_cast<double>(steps));
    std::vector<double> times = taken.path.times;
    for (double& t : times) t /= static_cast<double>(steps);
    const Motion written = Motion::through(taken.path.poses, times);
    for (int i = 0; i <= 200; ++i) {
      const double t = static_cast<double>(steps) * i / 200;
      const std::size_t step = std::min(steps - 1, static_cast<std::size_t>(t));
      const Pose part = taken.motions[step].pose(t - static_cast<double>(step));
      const Pose study = written.pose(t / static_cast<double>(steps));
      EXPECT_LE((part.translation() - study.translation()).norm(), deviation * (1 + 1e-9));
      EXPECT_LT(relative(part, study).axis_angle().angle, 1e-6);
    }
  }
  EXPECT_GT(coarse, cases / 5);
  EXPECT_GT(fine, cases / 5);
}

TEST(TakenPath, NoPosesMoreThanNeeded) {
  HandPoses path{{0}, {Pose()}};
  const Pose there = Pose::from_translation({5, 0, 0});
  append(path, {Motion::interpolated({}, there)}, 1, 1e-9);
  EXPECT_EQ(path.poses.size(), 2u);
  // Turning in place.
  append(path, {Motion::screw(there, {5, 0, 0}, Vec3::UnitZ(), 0.5, 0)}, 2, 1e-9);
  EXPECT_EQ(path.poses.size(), 3u);
  append(path, {}, 3, 1e-9);
  EXPECT_EQ(path.times, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(path.poses[3].translation(), path.poses[2].translation());
}

TEST(TakenPath, MotionsOfAStepShareItsTime) {
  HandPoses path{{0}, {Pose()}};
  const Pose a = Pose::from_translation({1, 0, 0}), b = Pose::from_translation({1, 1, 0});
  append(path, {Motion::interpolated({}, a), Motion::interpolated(a, b)}, 0.5, 1e-3);
  EXPECT_EQ(path.times, (std::vector<double>{0, 0.25, 0.5}));
  EXPECT_EQ(path.poses.back().translation(), b.translation());
}

}  // namespace
}  // namespace touche::simulation::taken_path_test
