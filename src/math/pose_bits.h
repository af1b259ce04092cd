// SPDX-License-Identifier: Apache-2.0
// Access to the numbers of poses, for code that stores them, and for queries so short that passing
// poses by value would cost a large part of their time.
#pragma once

#include <cmath>

#include "touche/pose.h"

namespace touche {

struct PoseBits {
  /// No coordinate of a translation is larger. So differences of two poses do not overflow, and
  /// queries need not check theirs.
  static constexpr double kLargestTranslation = 1e300;

  /// The numbers must be a valid pose.
  static Pose make(const Eigen::Quaterniond& rotation, const Vec3& translation) {
    return {rotation, translation};
  }
  static bool same(const Pose& a, const Pose& b) {
    return a.rotation().coeffs() == b.rotation().coeffs() && a.translation() == b.translation();
  }

  /// Takes a quaternion of any length and normalises it as Eigen does; with w >= 0. The numbers
  /// must make a pose. Here and below numbers are handled one by one: vectors that are
  /// written in halves and read as a whole, or the other way round, stall the processor.
  [[gnu::always_inline]] static Pose unit(double w, double x, double y, double z,
                                          const Vec3& translation) {
    const double square = (x * x + z * z) + (y * y + w * w);
    const double length = square > 0 ? std::sqrt(square) : 1, divisor = w < 0 ? -length : length;
    Pose pose;
    pose.w_ = w / divisor, pose.x_ = x / divisor, pose.y_ = y / divisor, pose.z_ = z / divisor;
    pose.translation_ = translation;
    return pose;
  }

  /// Computed as by Eigen's quaternions.
  [[gnu::always_inline]] static Vec3 rotated(const Pose& pose, const Vec3& v) {
    const double w = pose.w_, x = pose.x_, y = pose.y_, z = pose.z_;
    const double* const from = v.data();
    const double vx = from[0], vy = from[1], vz = from[2];
    const double cx = y * vz - z * vy, cy = z * vx - x * vz, cz = x * vy - y * vx;
    const double tx = cx + cx, ty = cy + cy, tz = cz + cz;
    return {(vx + w * tx) + (y * tz - z * ty), (vy + w * ty) + (z * tx - x * tz),
            (vz + w * tz) + (x * ty - y * tx)};
  }
  [[gnu::always_inline]] static Vec3 moved(const Pose& pose, const Vec3& v) {
    const Vec3 turned = rotated(pose, v);
    return {turned[0] + pose.translation_[0], turned[1] + pose.translation_[1],
            turned[2] + pose.translation_[2]};
  }

  /// A rotation's quaternion and a translation.
  struct Numbers {
    double w, x, y, z, move_x, move_y, move_z;
  };

  static Numbers numbers(const Pose& pose) {
    const double* const t = pose.translation_.data();
    return {pose.w_, pose.x_, pose.y_, pose.z_, t[0], t[1], t[2]};
  }

  /// a⁻¹ b. Operations are in the order of Eigen's product with SSE2, which keeps results bit for
  /// bit.
  [[gnu::always_inline]] static Numbers relative(const Pose& a, const Pose& b) {
    const double aw = a.w_, ax = -a.x_, ay = -a.y_, az = -a.z_;
    const double bw = b.w_, bx = b.x_, by = b.y_, bz = b.z_;
    const double x = (aw * bx + ay * bz) - (az * by - ax * bw),
                 y = (aw * by + ay * bw) + (az * bx - ax * bz),
                 z = (aw * bz - ay * bx) + (az * bw + ax * by),
                 w = (aw * bw - ay * by) - (az * bz + ax * bx);
    // Unit length by one step of Newton's method for the inverse square root of a number within
    // rounding of 1; and w >= 0.
    const double length = 1.5 - 0.5 * ((x * x + z * z) + (y * y + w * w)),
                 factor = w < 0 ? -length : length;
    // R_aᵀ (t_b − t_a): subtracting first keeps the small difference of two large translations.
    const double* const from = a.translation_.data();
    const double* const to = b.translation_.data();
    const double vx = to[0] - from[0], vy = to[1] - from[1], vz = to[2] - from[2];
    const double cx = ay * vz - az * vy, cy = az * vx - ax * vz, cz = ax * vy - ay * vx;
    const double ux = cx + cx, uy = cy + cy, uz = cz + cz;
    return {factor * w,
            factor * x,
            factor * y,
            factor * z,
            (vx + aw * ux) + (ay * uz - az * uy),
            (vy + aw * uy) + (az * ux - ax * uz),
            (vz + aw * uz) + (ax * uy - ay * ux)};
  }

  /// The matrix and the translation of a⁻¹ b.
  [[gnu::always_inline]] static void relative(const Pose& a, const Pose& b, Mat3& rotation,
                                              Vec3& translation) {
    const Numbers n = relative(a, b);
    const double tx = 2 * n.x, ty = 2 * n.y, tz = 2 * n.z;
    const double twx = tx * n.w, twy = ty * n.w, twz = tz * n.w, txx = tx * n.x, txy = ty * n.x,
                 txz = tz * n.x, tyy = ty * n.y, tyz = tz * n.y, tzz = tz * n.z;
    double* const m = rotation.data();  // column by column
    m[0] = 1 - (tyy + tzz), m[1] = txy + twz, m[2] = txz - twy;
    m[3] = txy - twz, m[4] = 1 - (txx + tzz), m[5] = tyz + twx;
    m[6] = txz + twy, m[7] = tyz - twx, m[8] = 1 - (txx + tyy);
    double* const t = translation.data();
    t[0] = n.move_x, t[1] = n.move_y, t[2] = n.move_z;
  }
};

}  // namespace touche
