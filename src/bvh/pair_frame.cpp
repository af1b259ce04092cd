// SPDX-License-Identifier: Apache-2.0
#include "bvh/pair_frame.h"

#include <cmath>

namespace touche {
namespace {

constexpr double kUnit = 0x1p-53;

// A matrix product, its conversions and the frames' small lack of orthonormality cost less than
// 24 half-ulps of single precision per coordinate; sums of centres and half widths a few more.
constexpr float kFrameError = 4e-6f;

}  // namespace

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
    for (int j = 0; j < 3; ++j) matrix[i][j] = ratio * rotation(i, j);
  }
  // Every coordinate of either object passes through numbers of at most this size.
  const double size = b.centre().lpNorm<1>() + 2 / b.scale() + shift.lpNorm<1>() +
                      a.centre().lpNorm<1>() + 2 / a.scale();
  error = a.scale() * (16 * kUnit * size + pose_error);
}

PairFrame::PairFrame(const LocalMap& map, const Frame& a, float extent_a, const Frame& b,
                     float extent_b)
    : ratio(static_cast<float>(map.ratio)) {
  float g[3][3];  // a.axes · matrix
  float m[3][3];
  double d[3];
  for (int i = 0; i < 3; ++i) {
    d[i] = map.translation[i] - static_cast<double>(a.origin[i]);
    for (int j = 0; j < 3; ++j) {
      d[i] += map.matrix[i][j] * static_cast<double>(b.origin[j]);
      m[i][j] = static_cast<float>(map.matrix[i][j]);
    }
  }
  const float df[3] = {static_cast<float>(d[0]), static_cast<float>(d[1]),
                       static_cast<float>(d[2])};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      g[i][j] = a.axes[i][0] * m[0][j] + a.axes[i][1] * m[1][j] + a.axes[i][2] * m[2][j];
    t[i] = a.axes[i][0] * df[0] + a.axes[i][1] * df[1] + a.axes[i][2] * df[2];
  }
  const float inverse_square = 1.0f / (ratio * ratio);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      r[i][j] = g[i][0] * b.axes[j][0] + g[i][1] * b.axes[j][1] + g[i][2] * b.axes[j][2];
      back_r[j][i] = inverse_square * r[i][j];
    }
  for (int j = 0; j < 3; ++j)
    back_t[j] = -(back_r[j][0] * t[0] + back_r[j][1] * t[1] + back_r[j][2] * t[2]);
  const float reach =
      std::abs(t[0]) + std::abs(t[1]) + std::abs(t[2]) + extent_a + ratio * extent_b;
  error_a = kFrameError * reach + 1.0001f * static_cast<float>(map.error) + 1e-30f;
  error_b = 1.0001f * (error_a / ratio);
}

}  // namespace touche
