// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "math/keeps_plane.h"
#include "math/rounding.h"
#include "touche/plane.h"

namespace touche::plane {

Pose::Pose(double angle, const Vec2& translation)
    : pose_(touche::Pose::from_axis_angle(Vec3::UnitZ(), angle,
                                          {translation.x(), translation.y(), 0})) {}

Pose Pose::from_space(const touche::Pose& pose) {
  if (!math::keeps_plane(pose))
    throw InvalidInput("pose: it does not keep the plane z = 0 in itself");
  Pose result;
  result.pose_ = pose;
  return result;
}

double Pose::angle() const {
  const Eigen::Quaterniond turn = pose_.rotation();
  return 2 * std::atan2(turn.z(), turn.w());  // w >= 0, so half the angle is in [−π/2, π/2]
}

// Products of rotations about z and translations within z = 0 are again such, exactly: products
// with zeros are exact.
Pose Pose::inverse() const { return from_space(pose_.inverse()); }

Pose operator*(const Pose& a, const Pose& b) { return Pose::from_space(a.pose_ * b.pose_); }

Vec2 Pose::operator*(const Vec2& point) const {
  return (pose_ * Vec3(point.x(), point.y(), 0)).head<2>();
}

Vec2 Pose::rotate(const Vec2& direction) const {
  return pose_.rotate(Vec3(direction.x(), direction.y(), 0)).head<2>();
}

}  // namespace touche::plane
