// SPDX-License-Identifier: Apache-2.0
// Two objects at one relative pose: the maps between their local coordinates, and between the
// frames of two nodes, with bounds of their errors.
#pragma once

#include "bvh/bvh.h"
#include "touche/pose.h"

namespace touche {

/// Between local coordinates of two objects: local_a = matrix · local_b + translation.
struct LocalMap {
  double matrix[3][3];  // rotation times `ratio`
  double translation[3];
  float rows[3][4];            // `matrix` in single precision, padded for vector loads
  float ratio, inverse_ratio;  // one local unit of b, in local units of a; powers of two
  float error;                 // bound of the rounding of all of this, in local units of a

  /// `rotation`, `translation`: x_a = rotation x_b + translation, in the objects' coordinates.
  /// `pose_error`: how far these may place a point of b wrongly (model units).
  LocalMap(const Bvh& a, const Bvh& b, const Mat3& rotation, const Vec3& translation,
           double pose_error = 0);

  /// False where single precision cannot span both objects: one is more than 2^40 times larger.
  static bool representable(const Bvh& a, const Bvh& b);
};

/// Between the frames of two nodes, in single precision: y_a = r y_b + t, y_b = back_r y_a +
/// back_t. Made by Kernels::compose.
struct PairFrame {
  float r[3][4], t[4];
  float back_r[3][4], back_t[4];
  float error_a, error_b;      // bounds of the error of a moved coordinate, in a's and in b's units
  float ratio, inverse_ratio;  // one local unit of b in units of a
  float reach;  // no corner of either node lies farther from a's origin, in units of a
};

}  // namespace touche
