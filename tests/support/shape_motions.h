// SPDX-License-Identifier: Apache-2.0
// Random motions of shapes, and a judge of a time of impact that only knows distances at instants.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "shape_cases.h"
#include "touche/shape.h"

namespace touche::test {

inline constexpr int kShapeMotions = 8;

/// Returns a motion of the requested kind, from near `start` to near `end`.
inline Motion some_motion(base::Random& random, int kind, const Vec3& start, const Vec3& end) {
  const auto turned = [&](const Vec3& at) {
    const Pose p = random_pose(random, 0);
    return Pose::from_quaternion_unchecked(p.rotation(), at);
  };
  const Pose from = turned(start), to = turned(end);
  const Vec3 axis = random.direction(), way = end - start;
  switch (kind % kShapeMotions) {
    case 0:
      return Motion::interpolated(from, Pose::from_quaternion_unchecked(from.rotation(), end));
    case 1:
      return Motion::interpolated(from, to);
    case 2:
      return Motion::interpolated(from, to, Interpolation::nlerp);
    case 3:
      return Motion::screw(from, start, way, random.uniform(-20, 20), way.norm());
    case 4:
      return Motion::screw(from, 0.5 * (start + end), way.cross(axis), 3.1, 0);
    case 5: {
      std::vector<Pose> poses{from};
      for (int i = 1; i < 6; ++i)
        poses.push_back(turned(start + 0.2 * i * way + random.in_box(0.1)));
      return Motion::through(poses);
    }
    case 6: {
      const double angle = random.uniform(-3, 3);
      return Motion::function(
          [=](double t) {
            const Pose p = Pose::from_axis_angle(axis, std::sin(angle * t), Vec3::Zero()) * from;
            return Pose::from_quaternion_unchecked(p.rotation(), start + t * t * way);
          },
          2.001 * way.norm(), 1.001 * std::abs(angle));
    }
    default:
      return Motion::chain(
          std::vector{Motion::interpolated(from, to), Motion::screw(to, end, axis, 2, 0.1)});
  }
}

/// Checks what a result promises, by distances at many instants.
inline void judge_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options, const ToiResult& r,
                         int samples = 60) {
  const auto apart = [&](double t) {
    return distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance;
  };
  EXPECT_GE(r.tolerance, options.tolerance);
  const bool separated = r.separated_at > 0;
  for (int i = 0; i <= samples; ++i) {
    double t = options.t_start + (r.time.lower - options.t_start) * i / samples;
    if (i == samples) t = std::nextafter(t, 0);
    if (t < options.t_start || (separated && t <= r.separated_at)) continue;
    if (!(t < r.time.lower)) continue;
    EXPECT_GT(apart(t).upper, options.clearance) << "at " << t << " of " << r.time.lower;
  }
  if (r.status == ToiStatus::free) {
    EXPECT_EQ(r.time.lower, 1);
  }
  if (r.status == ToiStatus::contact || r.status == ToiStatus::initially_touching) {
    EXPECT_LE(r.time.upper - r.time.lower, 1e-9);
    EXPECT_LE(apart(r.time.upper).lower, options.clearance + r.tolerance);
    ASSERT_TRUE(r.contact);
    EXPECT_NEAR(r.contact->normal.norm(), 1, 1e-9);
    const double reached = (r.contact->point_b - r.contact->point_a).norm();
    EXPECT_LE(reached, options.clearance + 2 * r.tolerance);
    EXPECT_LE(distance(a, motion_a.pose(r.time.upper), Shape::sphere(0),
                       Pose::from_translation(r.contact->point_a))
                  .distance.lower,
              r.tolerance);
  } else {
    EXPECT_FALSE(r.contact);
    EXPECT_EQ(r.time.upper, kInfinity);
  }
}

}  // namespace touche::test
