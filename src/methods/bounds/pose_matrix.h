// SPDX-License-Identifier: Apache-2.0
// The pose of the second of two bounding volumes, seen from the first, as a matrix, with a bound of
// the rounding that moving a point involves.
//
// Every slack in this folder is derived in multiples of u, the unit roundoff. Terms of second order
// in u are covered by rounding the sum of the first order ones up to a power of two.
#pragma once

#include <span>

#include "math/rounding.h"
#include "touche/pose.h"

namespace touche::bounds {

/// x' = R x + t with the matrix of a Pose, formed once for many volumes.
struct PoseMatrix {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  /// How far from where the pose puts them the points may lie that are meant: for tests that stand
  /// for others of rounded coordinates.
  double slack = 0;

  PoseMatrix() = default;
  PoseMatrix(const Pose& pose);  // implicit: a Pose is accepted wherever its matrix is expected
  PoseMatrix inverse() const;
  Vec3 operator*(const Vec3& x) const { return rotation * x + translation; }

  /// Bounds the Euclidean distance of a moved point, as computed, from the one that is meant,
  /// for points with a sum of coordinates' magnitudes up to `size`; also for one `inverse`.
  ///
  /// The quaternion has unit length up to 3 u, which moves an entry of the matrix by 12 u; forming
  /// it takes five more roundings, together below 24 u. A component of R x + t is then off by at
  /// most 28 u (|x|₁ + |t|₁); that of an inverse, whose translation has passed once more through
  /// the matrix, by 64 u. Three components: √3 · 64 < 128. With the slack.
  double error(double size) const {
    return 128 * math::kUnitRoundoff * (size + translation.lpNorm<1>()) + math::kUnderflow + slack;
  }
};

/// Throws InvalidInput unless there is at least one point and all are finite.
void require_points(std::span<const Vec3> points);

}  // namespace touche::bounds
