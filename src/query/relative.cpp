// SPDX-License-Identifier: Apache-2.0
#include "query/relative.h"

namespace touche {

bool balls_disjoint(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  const auto half_diagonal = [](const Aabb& box) { return 0.5 * (box.hi - box.lo).norm(); };
  const Vec3 centre_a = pose_a * a.bounds().centre(), centre_b = pose_b * b.bounds().centre();
  // Every number on the way is at most this large and rounded a few times.
  const double size = a.bounds().lo.lpNorm<1>() + a.bounds().hi.lpNorm<1>() +
                      b.bounds().lo.lpNorm<1>() + b.bounds().hi.lpNorm<1>() +
                      pose_a.translation().lpNorm<1>() + pose_b.translation().lpNorm<1>();
  const double reach = half_diagonal(a.bounds()) + half_diagonal(b.bounds()) + 1e-13 * size;
  return (centre_b - centre_a).squaredNorm() > reach * reach;
}

}  // namespace touche
