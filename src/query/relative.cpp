// SPDX-License-Identifier: Apache-2.0
#include "query/relative.h"

#include "bvh/object_data.h"

#include "math/rounding.h"

namespace touche {

bool balls_disjoint(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  const Normalization &ball_a = bvh_of(a).normalization(), &ball_b = bvh_of(b).normalization();
  const Vec3 apart = pose_b * ball_b.centre - pose_a * ball_a.centre;
  // Every number on the way is at most this large and rounded a few times.
  const double size = ball_a.largest_number + ball_b.largest_number +
                      pose_a.translation().lpNorm<1>() + pose_b.translation().lpNorm<1>();
  const double reach = ball_a.radius + ball_b.radius + 1e-13 * size;
  return apart.squaredNorm() > reach * reach;
}

}  // namespace touche
