// SPDX-License-Identifier: Apache-2.0
// Two objects at one relative pose: the maps between their local coordinates, and between the
// frames of two nodes, with error bounds.
#pragma once

#include "bvh/bvh.h"
#include "touche/pose.h"

namespace touche::bvh {

/// The map between local coordinates of two objects: local_a = matrix · local_b + translation.
struct LocalMap {
  double columns[3][4];  // of the matrix: rotation times `ratio`; padded for vector loads
  double translation[4];
  float rows[3][4];            // of the matrix in single precision
  float ratio, inverse_ratio;  // one local unit of b, in local units of a; powers of two
  float error;                 // bound of the rounding of the whole map, in local units of a

  /// `rotation`, `translation`: x_a = rotation x_b + translation, in the objects' coordinates.
  /// `pose_error`: the largest resulting error of the position of a point of b (model units).
  LocalMap(const Bvh& a, const Bvh& b, const Mat3& rotation, const Vec3& translation,
           double pose_error = 0);

  /// False if single precision cannot span both objects: one is more than 2^40 times larger.
  static bool representable(const Bvh& a, const Bvh& b);
};

/// The map from one node's frame to another's: y' = Σ columns[j] y[j] + shift.
struct FrameMap {
  float columns[3][4], shift[4];
};

/// The maps between the frames of two nodes, in single precision. Kernels::relate makes them.
struct PairFrame {
  FrameMap to_a, to_b;
  Box b_in_a;                  // around b's whole box, enlarged by the error
  float error_a, error_b;      // bounds of the error of a moved coordinate, in a's and in b's units
  float ratio, inverse_ratio;  // one local unit of b in units of a
  float reach;  // bound of the distance of all corners of both nodes from a's origin, in units of a
};

/// The number of pairs that are processed together.
inline constexpr int kBatch = 16;

/// The same for several pairs, structure of arrays. Kernels::relate_pairs makes them.
struct PairFrames {
  float to_a[4][3][kBatch], to_b[4][3][kBatch];  // [column or shift][component][lane]
  float b_in_a[2][3][kBatch];                    // centres and half widths
  float error_a[kBatch], error_b[kBatch];
  float ratio;  // one local unit of b in units of a
};

}  // namespace touche::bvh
