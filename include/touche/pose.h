// SPDX-License-Identifier: Apache-2.0
// Rigid placements in space. A Pose is rigid by construction: it can neither scale nor shear.
#pragma once

#include <Eigen/Geometry>

#include "touche/types.h"

namespace touche {

/// A rotation followed by a translation: x' = R x + t.
///
/// The rotation is stored as a unit quaternion. All conversions are well defined at their
/// singularities (listed in thesis App. A: half turns for axis–angle, ±90° for the fixed angles).
///
/// All numbers of a pose are finite, and a translation's coordinates are at most 1e300 in size.
/// Every function that makes poses throws InvalidInput where they would not be: for arguments that
/// are not finite, and for products that become too large.
///
///     const Pose pose = Pose::from_axis_angle(Vec3::UnitZ(), 0.5, {1, 0, 0});
///     const Vec3 in_world = pose * point;
class [[nodiscard]] Pose {
 public:
  Pose() = default;  ///< identity

  /// Throws InvalidInput when the quaternion's length differs from 1 by more than 1e-3. A smaller
  /// difference is removed by normalisation.
  static Pose from_quaternion(double w, double x, double y, double z, const Vec3& translation);

  /// Uses the rotation nearest to `rotation`. Throws InvalidInput unless `rotation` is orthonormal
  /// within 1e-3 and has determinant +1.
  static Pose from_matrix(const Mat3& rotation, const Vec3& translation);

  /// `angle` is in radians and may be of any size; `axis` may have any length except 0. Throws
  /// InvalidInput for an axis of length 0.
  static Pose from_axis_angle(const Vec3& axis, double angle, const Vec3& translation);

  /// Rotates about the fixed x, then y, then z axis, by angles in radians: R = Rz(z) Ry(y) Rx(x).
  static Pose from_fixed_xyz(double x, double y, double z, const Vec3& translation);

  static Pose from_translation(const Vec3& translation);

  /// For rotations that were computed: the quaternion may have any length and is normalised. Throws
  /// InvalidInput when the square of its length overflows or underflows.
  static Pose from_quaternion_unchecked(double w, double x, double y, double z,
                                        const Vec3& translation);
  static Pose from_quaternion_unchecked(const Eigen::Quaterniond& q, const Vec3& translation) {
    return from_quaternion_unchecked(q.w(), q.x(), q.y(), q.z(), translation);
  }

  /// Has unit length and w >= 0.
  [[nodiscard]] Eigen::Quaterniond rotation() const { return {w_, x_, y_, z_}; }
  [[nodiscard]] const Vec3& translation() const { return translation_; }
  [[nodiscard]] Mat3 matrix() const;

  struct AxisAngle {
    Vec3 axis;     ///< unit length; (1, 0, 0) for the identity
    double angle;  ///< in [0, π]
  };
  [[nodiscard]] AxisAngle axis_angle() const;

  /// Angles x, y, z in radians, with y in [-π/2, π/2]. Where y = ±π/2, x is arbitrary and set to 0.
  [[nodiscard]] Vec3 fixed_xyz() const;

  Pose inverse() const;
  [[nodiscard]] Vec3 operator*(const Vec3& point) const;
  [[nodiscard]] Vec3 rotate(const Vec3& direction) const;

 private:
  Pose(const Eigen::Quaterniond& rotation, const Vec3& translation);
  friend struct PoseBits;
  friend Pose operator*(const Pose& a, const Pose& b);
  friend Pose relative(const Pose& a, const Pose& b);

  // The alignment of an Eigen quaternion, and so the size of a class that holds one, depends on
  // compiler flags. Plain numbers have the same layout in the library and in programs that use it.
  double w_ = 1, x_ = 0, y_ = 0, z_ = 0;
  Vec3 translation_ = Vec3::Zero();
};

/// Applies b first, then a.
Pose operator*(const Pose& a, const Pose& b);

/// The pose of b seen from a: a⁻¹ b.
Pose relative(const Pose& a, const Pose& b);

}  // namespace touche
