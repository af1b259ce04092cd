// SPDX-License-Identifier: Apache-2.0
// Where the second of two bounding volumes lies, seen from the first, with a bound of the rounding
// that moving a point involves; and the unit in which this folder states its rounding errors.
//
// Every slack in src/bounds is derived in multiples of u = 2^-53, half the distance from 1 to the
// next double: one operation has a relative error of at most u. Terms of second order in u are
// covered by rounding the sum of the first order ones up to a power of two. kTiny stands for
// underflow, which for coordinates in the documented range cannot add up to more.
#pragma once

#include <span>

#include "touche/pose.h"

namespace touche::bounds {

inline constexpr double kU = 0x1p-53;
inline constexpr double kTiny = 1e-290;

/// x' = R x + t with the matrix of a Pose, formed once for many volumes.
struct Placement {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  /// How far from where the pose puts them the points may lie that are meant: for tests that stand
  /// for others of rounded coordinates.
  double slack = 0;

  Placement() = default;
  Placement(const Pose& pose);  // implicit: a pose is meant wherever a placement is asked for
  Placement inverse() const;
  Vec3 operator*(const Vec3& x) const { return rotation * x + translation; }

  /// Bounds the Euclidean distance of the computed place of a point from the one the pose means,
  /// for points with a sum of coordinates' magnitudes up to `size`; also for one `inverse`.
  ///
  /// The quaternion has unit length up to 3 u, which moves an entry of the matrix by 12 u; forming
  /// it takes five more roundings, together below 24 u. A component of R x + t is then off by at
  /// most 28 u (|x|₁ + |t|₁); that of an inverse, whose translation has passed once more through
  /// the matrix, by 64 u. Three components: √3 · 64 < 128. With the slack.
  double error(double size) const {
    return 128 * kU * (size + translation.lpNorm<1>()) + kTiny + slack;
  }
};

/// Throws InvalidInput unless there is at least one point and all are finite.
void require_points(std::span<const Vec3> points);

}  // namespace touche::bounds
