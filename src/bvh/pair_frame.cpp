// SPDX-License-Identifier: Apache-2.0
#include "bvh/pair_frame.h"

#include "math/rounding.h"

namespace touche::bvh {

bool LocalMap::representable(const Bvh& a, const Bvh& b) {
  const double ratio = a.normalization().scale * b.normalization().inverse_scale;
  return ratio > 0x1p-40 && ratio < 0x1p40;
}

LocalMap::LocalMap(const Bvh& bvh_a, const Bvh& bvh_b, const Mat3& rotation, const Vec3& shift,
                   double pose_error) {
  const Normalization &a = bvh_a.normalization(), &b = bvh_b.normalization();
  const double exact_ratio = a.scale * b.inverse_scale;
  ratio = static_cast<float>(exact_ratio);
  inverse_ratio = static_cast<float>(b.scale * a.inverse_scale);
  const Vec3 moved = rotation * b.centre + shift;
  const Vec3 t = a.scale * (moved - a.centre);
  for (int i = 0; i < 3; ++i) {
    translation[i] = t[i];
    rows[i][3] = 0;
    columns[i][3] = 0;
    for (int j = 0; j < 3; ++j) {
      columns[j][i] = exact_ratio * rotation(i, j);
      rows[i][j] = static_cast<float>(columns[j][i]);
    }
  }
  translation[3] = 0;
  // All intermediate numbers of coordinates of either object are at most this large.
  const double size = a.largest_number + b.largest_number + shift.lpNorm<1>();
  error = 1.0001f * static_cast<float>(a.scale * (16 * math::kUnitRoundoff * size + pose_error)) +
          1e-30f;
}

}  // namespace touche::bvh
