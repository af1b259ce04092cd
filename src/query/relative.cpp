// SPDX-License-Identifier: Apache-2.0
#include "query/relative.h"

#include <algorithm>
#include <cmath>

#include "bvh/object_data.h"

#include "math/rounding.h"

namespace touche {

bool far_apart(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  const Normalization &ball_a = bvh_of(a).normalization(), &ball_b = bvh_of(b).normalization();
  // However the objects are turned, they lie within these distances from their origins.
  const auto reach = [](const Normalization& ball) {
    return ball.centre.lpNorm<1>() + ball.radius;
  };
  const Vec3 &at_a = pose_a.translation(), &at_b = pose_b.translation();
  const double most =
      (1 + 1e-13) * (reach(ball_a) + reach(ball_b)) + 1e-13 * (at_a.lpNorm<1>() + at_b.lpNorm<1>());
  return (at_b - at_a).squaredNorm() > most * most;
}

bool bounds_disjoint(const Object& a, const Object& b, const RelativePose& pose) {
  const Normalization &ball_a = bvh_of(a).normalization(), &ball_b = bvh_of(b).normalization();
  const Mat3& r = pose.rotation;
  const Vec3 apart = r * ball_b.centre + pose.translation - ball_a.centre;
  // Every number on the way is at most this large and rounded a few times.
  const double slack =
      1e-13 * (ball_a.largest_number + ball_b.largest_number + pose.translation.lpNorm<1>());
  const double reach = ball_a.radius + ball_b.radius + slack;
  const double apart2 = apart.squaredNorm();
  if (apart2 > reach * reach) return true;

  // The boxes, along the axes of either, unless even the balls inside of them meet.
  const Vec3 half_a = 0.5 * (a.bounds().hi - a.bounds().lo);
  const Vec3 half_b = 0.5 * (b.bounds().hi - b.bounds().lo);
  const double inside = half_a.minCoeff() + half_b.minCoeff();
  if (apart2 <= inside * inside) return false;
  double most = -kInfinity;
  for (int i = 0; i < 3; ++i) {
    double reach_a = half_a[i], reach_b = half_b[i], along = 0;
    for (int j = 0; j < 3; ++j) {
      reach_a += std::abs(r(i, j)) * half_b[j];
      reach_b += std::abs(r(j, i)) * half_a[j];
      along += r(j, i) * apart[j];
    }
    most = std::max({most, std::abs(apart[i]) - reach_a, std::abs(along) - reach_b});
  }
  return most > slack;
}

}  // namespace touche
