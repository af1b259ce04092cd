// SPDX-License-Identifier: Apache-2.0
// Rigid placements. A Pose is rigid by type: there is no way to make one that scales or shears.
#pragma once

#include <Eigen/Geometry>

#include "touche/types.h"

namespace touche {

/// A rotation followed by a translation: x' = R x + t.
///
/// The rotation is kept as a unit quaternion. All conversions are safe at their singular places
/// (thesis App. A lists them: half turns for axis–angle, ±90° for the fixed angles).
class [[nodiscard]] Pose {
 public:
  Pose() = default;  ///< identity

  /// Throws InvalidInput when a component is not finite or the quaternion's length differs from
  /// one by more than 1e-3; a smaller difference is normalised away.
  static Pose from_quaternion(double w, double x, double y, double z, const Vec3& translation);

  /// Throws InvalidInput unless `rotation` is orthonormal within 1e-3 and has determinant +1;
  /// the nearest rotation is taken.
  static Pose from_matrix(const Mat3& rotation, const Vec3& translation);

  /// Throws InvalidInput when the axis has no direction. `angle` in radians, any size.
  static Pose from_axis_angle(const Vec3& axis, double angle, const Vec3& translation);

  /// Rotations about the fixed x, then y, then z axis, in radians: R = Rz(z) Ry(y) Rx(x).
  static Pose from_fixed_xyz(double x, double y, double z, const Vec3& translation);

  static Pose from_translation(const Vec3& translation);

  /// For values computed to be rigid: normalises, checks nothing.
  static Pose from_quaternion_unchecked(double w, double x, double y, double z,
                                        const Vec3& translation);
  static Pose from_quaternion_unchecked(const Eigen::Quaterniond& q, const Vec3& translation) {
    return from_quaternion_unchecked(q.w(), q.x(), q.y(), q.z(), translation);
  }

  /// Unit length, w >= 0.
  [[nodiscard]] Eigen::Quaterniond rotation() const { return {w_, x_, y_, z_}; }
  [[nodiscard]] const Vec3& translation() const { return translation_; }
  [[nodiscard]] Mat3 matrix() const;

  struct AxisAngle {
    Vec3 axis;     ///< unit length; (1, 0, 0) when there is no rotation
    double angle;  ///< in [0, π]
  };
  [[nodiscard]] AxisAngle axis_angle() const;

  /// Angles x, y, z with y in [-π/2, π/2]; x is 0 where y = ±π/2 leaves it free.
  [[nodiscard]] Vec3 fixed_xyz() const;

  Pose inverse() const;
  [[nodiscard]] Vec3 operator*(const Vec3& point) const;
  [[nodiscard]] Vec3 rotate(const Vec3& direction) const;

 private:
  Pose(const Eigen::Quaterniond& rotation, const Vec3& translation);
  friend struct PoseBits;
  friend Pose operator*(const Pose& a, const Pose& b);
  friend Pose relative(const Pose& a, const Pose& b);

  // Eigen aligns a quaternion as the compiler's flags say, so the size of a class that holds one
  // depends on them. Plain numbers look the same to the library and to all of its users.
  double w_ = 1, x_ = 0, y_ = 0, z_ = 0;
  Vec3 translation_ = Vec3::Zero();
};

/// First b, then a.
Pose operator*(const Pose& a, const Pose& b);

/// The pose of b seen from a: a⁻¹ b.
Pose relative(const Pose& a, const Pose& b);

}  // namespace touche
