// SPDX-License-Identifier: Apache-2.0
// Conversions of rotations. The singular cases are listed in thesis App. A, each handled where it
// occurs; the thesis' quaternion formulas hold only for unit quaternions, which is what a Pose
// keeps.
#include "touche/pose.h"

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "math/coordinates.h"
#include "math/pose_bits.h"
#include "math/rounding.h"

namespace touche {
namespace {

constexpr double kRigidSlack = 1e-3;
// Where R Rᵀ differs from 1 by less, one step of Newton's method gives the nearest rotation up to
// rounding, since its error is the square of the difference.
constexpr double kNearlyRigid = 1e-9;

void require_finite(const Vec3& translation) {
  if (!math::all_within(translation, PoseBits::kLargestTranslation))
    throw InvalidInput("pose: the translation is not finite or larger than 1e300");
}

Eigen::Quaterniond canonical(Eigen::Quaterniond q) {
  q.normalize();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q;
}

// The same as canonical() for a product of unit quaternions: one step of Newton's method for the
// inverse square root of a number within rounding of 1.
Eigen::Quaterniond canonical_product(Eigen::Quaterniond q) {
  const double factor = 1.5 - 0.5 * q.squaredNorm();
  q.coeffs() *= q.w() < 0 ? -factor : factor;
  return q;
}

}  // namespace

Pose::Pose(const Eigen::Quaterniond& q, const Vec3& translation)
    : w_(q.w()), x_(q.x()), y_(q.y()), z_(q.z()), translation_(translation) {
  require_finite(translation);
}

Pose Pose::from_quaternion(double w, double x, double y, double z, const Vec3& translation) {
  const double length = std::sqrt(w * w + x * x + y * y + z * z);
  if (!std::isfinite(length)) throw InvalidInput("pose: the quaternion is not finite");
  if (std::abs(length - 1) > kRigidSlack)
    throw InvalidInput("pose: the quaternion's length is " + std::to_string(length) +
                       ", expected 1");
  return {canonical({w, x, y, z}), translation};
}

Pose Pose::from_matrix(const Mat3& rotation, const Vec3& translation) {
  if (!rotation.allFinite()) throw InvalidInput("pose: the rotation matrix is not finite");
  const Mat3 error = rotation * rotation.transpose() - Mat3::Identity();
  if (!math::all_within(error, kRigidSlack))
    throw InvalidInput(
        "pose: the matrix is not rigid (it scales or shears: R Rᵀ differs from 1 by " +
        std::to_string(error.cwiseAbs().maxCoeff()) + ")");
  if (rotation.determinant() < 0)
    throw InvalidInput("pose: the matrix is a reflection (determinant -1)");
  if (math::all_within(error, kNearlyRigid)) {
    const Mat3 nearest = rotation - 0.5 * (error * rotation);
    return {canonical(Eigen::Quaterniond(nearest)), translation};
  }
  const Eigen::JacobiSVD<Mat3> svd(rotation, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {canonical(Eigen::Quaterniond(svd.matrixU() * svd.matrixV().transpose())), translation};
}

Pose Pose::from_axis_angle(const Vec3& axis, double angle, const Vec3& translation) {
  const Vec3 direction = math::unit_or_zero(axis);
  if (!std::isfinite(angle) || direction.isZero())
    throw InvalidInput("pose: the axis has no direction or the angle is not finite");
  return {canonical(Eigen::Quaterniond(Eigen::AngleAxisd(angle, direction))), translation};
}

Pose Pose::from_fixed_xyz(double x, double y, double z, const Vec3& translation) {
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z))
    throw InvalidInput("pose: an angle is not finite");
  return {canonical(Eigen::AngleAxisd(z, Vec3::UnitZ()) * Eigen::AngleAxisd(y, Vec3::UnitY()) *
                    Eigen::AngleAxisd(x, Vec3::UnitX())),
          translation};
}

Pose Pose::from_translation(const Vec3& translation) {
  return {Eigen::Quaterniond::Identity(), translation};
}

Pose Pose::from_quaternion_unchecked(double w, double x, double y, double z,
                                     const Vec3& translation) {
  require_finite(translation);
  if (!std::isnormal(w * w + x * x + y * y + z * z))
    throw InvalidInput("pose: the quaternion is not finite or has no length");
  return PoseBits::unit(w, x, y, z, translation);
}

Mat3 Pose::matrix() const { return rotation().toRotationMatrix(); }

Vec3 Pose::operator*(const Vec3& point) const { return rotate(point) + translation_; }

Vec3 Pose::rotate(const Vec3& v) const { return PoseBits::rotated(*this, v); }

Pose::AxisAngle Pose::axis_angle() const {
  // atan2 of the vector part's length is accurate near 0 and near a half turn, unlike the arc
  // cosine of w or of the trace.
  const Vec3 vector(x_, y_, z_);
  const double sine = vector.stableNorm();
  if (sine == 0) return {Vec3::UnitX(), 0.0};
  return {vector / sine, 2 * std::atan2(sine, w_)};
}

Vec3 Pose::fixed_xyz() const {
  const Mat3 m = matrix();
  const double cosine_y = std::hypot(m(0, 0), m(1, 0));
  const double y = std::atan2(-m(2, 0), cosine_y);
  if (cosine_y > 1e-7) return {std::atan2(m(2, 1), m(2, 2)), y, std::atan2(m(1, 0), m(0, 0))};
  // At y = ±90° only z ∓ x is determined: choose x = 0.
  return {0.0, y, std::atan2(-m(0, 1), m(1, 1))};
}

Pose Pose::inverse() const {
  const Eigen::Quaterniond back = rotation().conjugate();
  return {back, -(back * translation_)};
}

Pose operator*(const Pose& a, const Pose& b) {
  return {canonical_product(a.rotation() * b.rotation()), a * b.translation_};
}

Pose relative(const Pose& a, const Pose& b) {
  const PoseBits::Numbers n = PoseBits::relative(a, b);
  return PoseBits::make({n.w, n.x, n.y, n.z}, {n.move_x, n.move_y, n.move_z});
}

}  // namespace touche
