// SPDX-License-Identifier: Apache-2.0
// Cheap tests that two objects are apart, made before anything is prepared for a query. They are
// inline so that the relative pose stays in registers: reading numbers in pairs that were written
// one by one stalls the processor.
#pragma once

#include <algorithm>
#include <cmath>

#include "bvh/object_data.h"
#include "query/relative.h"

namespace touche::query {

/// Whether two objects are proved apart by the positions of their origins alone, for any rounding
/// of the poses. Takes a few nanoseconds and may save larger preparations.
inline bool far_apart(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  const bvh::Normalization &ball_a = bvh::bvh_of(a).normalization(),
                           &ball_b = bvh::bvh_of(b).normalization();
  // However the objects are rotated, they lie within these distances from their origins.
  const auto reach = [](const bvh::Normalization& ball) {
    return ball.centre.lpNorm<1>() + ball.radius;
  };
  const Vec3 &at_a = pose_a.translation(), &at_b = pose_b.translation();
  const double most =
      (1 + 1e-13) * (reach(ball_a) + reach(ball_b)) + 1e-13 * (at_a.lpNorm<1>() + at_b.lpNorm<1>());
  return (at_b - at_a).squaredNorm() > most * most;
}

/// Whether the boxes around two objects, each aligned to its object's axes, or the balls around
/// these boxes are proved disjoint, or farther apart than a margin. Takes about ten nanoseconds and
/// may save far larger preparations.
[[gnu::always_inline]] inline bool bounds_disjoint(const Object& a, const Object& b,
                                                   const RelativePose& pose, double margin = 0) {
  const bvh::Normalization &ball_a = bvh::bvh_of(a).normalization(),
                           &ball_b = bvh::bvh_of(b).normalization();
  const Mat3& r = pose.rotation;
  const Vec3 &t = pose.translation, &from = ball_b.centre, &to = ball_a.centre;
  const auto moved = [&](int i) __attribute__((always_inline)) {
    return ((r(i, 0) * from[0] + r(i, 1) * from[1]) + r(i, 2) * from[2]) + t[i] - to[i];
  };
  const double apart[3] = {moved(0), moved(1), moved(2)};
  // Every intermediate number is at most this large and rounded a few times.
  const double size = std::abs(t[0]) + std::abs(t[1]) + std::abs(t[2]);
  double slack = 1e-13 * (ball_a.largest_number + ball_b.largest_number + size);
  if (margin > 0) slack += margin;  // no instruction if the margin is a constant 0
  const double reach = ball_a.radius + ball_b.radius + slack;
  const double apart2 = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
  if (apart2 > reach * reach) return true;

  // Compare the boxes along the axes of both, unless even the balls inside them overlap.
  const Aabb &box_a = base::data_of(a).soup.bounds(), &box_b = base::data_of(b).soup.bounds();
  const auto half = [](const Aabb& box, int i) __attribute__((always_inline)) {
    return 0.5 * (box.hi[i] - box.lo[i]);
  };
  const double half_a[3] = {half(box_a, 0), half(box_a, 1), half(box_a, 2)};
  const double half_b[3] = {half(box_b, 0), half(box_b, 1), half(box_b, 2)};
  const double inside =
      std::min({half_a[0], half_a[1], half_a[2]}) + std::min({half_b[0], half_b[1], half_b[2]});
  if (apart2 <= inside * inside) return false;
  const auto gap_a = [&](int i) __attribute__((always_inline)) {
    return std::abs(apart[i]) - half_a[i] -
           (std::abs(r(i, 0)) * half_b[0] + std::abs(r(i, 1)) * half_b[1] +
            std::abs(r(i, 2)) * half_b[2]);
  };
  if (std::max({gap_a(0), gap_a(1), gap_a(2)}) > slack) return true;
  const auto gap_b = [&](int j) __attribute__((always_inline)) {
    return std::abs(r(0, j) * apart[0] + r(1, j) * apart[1] + r(2, j) * apart[2]) - half_b[j] -
           (std::abs(r(0, j)) * half_a[0] + std::abs(r(1, j)) * half_a[1] +
            std::abs(r(2, j)) * half_a[2]);
  };
  return std::max({gap_b(0), gap_b(1), gap_b(2)}) > slack;
}

}  // namespace touche::query
