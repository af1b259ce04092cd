// SPDX-License-Identifier: Apache-2.0
#include "bvh/pair_frame.h"

namespace touche {

bool LocalMap::representable(const Bvh& a, const Bvh& b) {
  const double ratio = a.scale() / b.scale();
  return ratio > 0x1p-40 && ratio < 0x1p40;
}

LocalMap::LocalMap(const Bvh& a, const Bvh& b, const Mat3& rotation, const Vec3& shift,
                   double pose_error)
    : ratio(a.scale() / b.scale()) {
  const Vec3 moved = rotation * b.centre() + shift;
  const Vec3 t = a.scale() * (moved - a.centre());
  for (int i = 0; i < 3; ++i) {
    translation[i] = t[i];
    rows[i][3] = 0;
    for (int j = 0; j < 3; ++j) {
      matrix[i][j] = ratio * rotation(i, j);
      rows[i][j] = static_cast<float>(matrix[i][j]);
    }
  }
  // Every coordinate of either object passes through numbers of at most this size.
  const double size = b.centre().lpNorm<1>() + 2 / b.scale() + shift.lpNorm<1>() +
                      a.centre().lpNorm<1>() + 2 / a.scale();
  error = a.scale() * (16 * 0x1p-53 * size + pose_error);
}

}  // namespace touche
