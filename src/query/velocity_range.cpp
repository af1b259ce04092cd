// SPDX-License-Identifier: Apache-2.0
#include "query/velocity_range.h"

#include <algorithm>
#include <cmath>

namespace touche {

void VelocityRange::include(const PiecePart& part) {
  const detail::Piece& piece = part.piece;
  // A normalised lerp is slowest at its ends.
  const detail::Angle angle = detail::angle_at(piece, 0);
  const Vec3 slowest = (piece.rate() * angle.rate) * piece.axis;
  const Vec3 fastest = (piece.rate() * std::copysign(angle.max_rate, angle.rate)) * piece.axis;
  angular_.include(slowest);
  angular_.include(fastest);
  const Vec3 offset = point_ - piece.centre;
  if (offset.isZero(0)) return velocity_.include(part.begin.velocity);
  velocity_.include((part.end.place(point_) - part.begin.place(point_)) / part.length);
  // What has an acceleration strays from the line between two of its places by an eighth of it.
  const double from_axis = piece.axis.cross(part.begin.rotation * offset).norm();
  bulge_ = std::max(
      bulge_, (1 + 1e-12) * 0.125 * part.begin.curvature * from_axis * part.length * part.length);
}

double VelocityRange::spread(double radius) const {
  return velocity_.radius() + angular_.radius() * radius;
}

double VelocityRange::speed(double radius) const {
  return velocity_.middle().norm() + angular_.middle().norm() * radius;
}

void VelocityRange::hold(double length, detail::Kinematics& k) const {
  k.centre = k.place(point_);
  k.velocity = velocity_.middle();
  k.angular = angular_.middle();
  const double rate = k.angular.norm();
  k.axis = rate > 0 ? Vec3(k.angular / rate) : Vec3(Vec3::UnitX());
  k.curvature = rate * rate * (1 + 1e-12);
  k.free_speed = velocity_.radius();
  k.free_angular = angular_.radius() * (1 + rate * length);
  k.still = k.free_speed == 0 && k.free_angular == 0 && rate == 0 && k.velocity.isZero(0);
}

std::optional<Vec3> point_on_axis(const PiecePart& part) {
  const Vec3 &axis = part.piece.axis, v = part.begin.velocity;
  const double turning = axis.dot(part.begin.angular);
  if (turning == 0) return std::nullopt;
  const Vec3 middle = 0.5 * (part.begin.rotation.transpose() * axis.cross(v) +
                             part.end.rotation.transpose() * axis.cross(v));
  return part.piece.centre + middle / turning;
}

}  // namespace touche
