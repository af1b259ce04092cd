// SPDX-License-Identifier: Apache-2.0
// Motions of every kind there is, at random.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "random.h"
#include "touche/motion.h"

namespace touche::test {

inline constexpr double kPi = std::numbers::pi;

inline Pose random_pose(scenes::Random& random, double spread = 2) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(-kPi, kPi);
  return Pose::from_axis_angle(axis, angle, random.in_box(spread));
}

/// One motion of every kind.
inline std::vector<Motion> all_kinds(scenes::Random& random) {
  const Pose p = random_pose(random), q = random_pose(random), r = random_pose(random);
  const Vec3 axis = random.direction(), point = random.in_box(1);
  const double angle = random.uniform(-20, 20), shift = random.uniform(-3, 3);
  const Pose poses[] = {p, q, r, p};
  const double times[] = {0, 0.1, 0.7, 1};
  std::vector<Motion> motions{
      Motion::at(p),
      Motion::interpolated(p, q),
      Motion::interpolated(p, q, Interpolation::nlerp),
      Motion::screw(p, point, axis, angle, shift),
      Motion::through(poses, times),
      Motion::through(poses, {}, Interpolation::nlerp),
      Motion::function(
          [p, axis](double t) {
            return Pose::from_axis_angle(axis, std::sin(5 * t), Vec3(t * t, 0, 0)) * p;
          },
          2 + 5 * 4, 5, Vec3::Zero())};
  motions.push_back(Motion::chain(std::vector{motions[1], Motion::screw(q, point, axis, 7, 1)}));
  std::vector<Pose> recorded;  // in steps that hardly differ
  for (int i = 0; i <= 50; ++i) {
    const double t = 0.02 * i;
    recorded.push_back(Pose::from_axis_angle(axis, 2 * t, Vec3(t * t, std::sin(t), 0)) * p);
  }
  motions.push_back(Motion::through(recorded));
  motions.push_back(motions[3].part(0.2, 0.9));
  motions.push_back(motions[4].part(0.05, 0.8));
  motions.push_back(motions[2].part(0.3, 0.4));
  motions.push_back(Motion::relative(motions[1], motions[3]));
  motions.push_back(Motion::relative(motions[0], motions[4]));
  motions.push_back(Motion::relative(motions[4], motions[2]));
  return motions;
}

}  // namespace touche::test
