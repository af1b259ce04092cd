// SPDX-License-Identifier: Apache-2.0
// The cross product as a matrix.
#pragma once

#include "touche/types.h"

namespace touche::math {

/// cross_matrix(v) w = v × w.
inline Mat3 cross_matrix(const Vec3& v) {
  Mat3 matrix;
  matrix << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return matrix;
}

}  // namespace touche::math
