// SPDX-License-Identifier: Apache-2.0
#include "query/velocity_range.h"

#include <algorithm>
#include <cmath>

namespace touche {

void VelocityRange::include(const detail::Piece& piece) {
  // A normalised lerp is slowest at its ends.
  const detail::Angle angle = detail::angle_at(piece, 0);
  angular_.include((piece.rate() * angle.rate) * piece.axis);
  angular_.include((piece.rate() * std::copysign(angle.max_rate, angle.rate)) * piece.axis);
  const Vec3 offset = point_ - piece.centre;
  if (offset.isZero(0)) return velocity_.include(piece.rate() * piece.travel);
  const detail::Kinematics begin = detail::kinematics(piece, piece.t_begin),
                           end = detail::kinematics(piece, piece.t_end);
  const double length = piece.t_end - piece.t_begin;
  velocity_.include((end.place(point_) - begin.place(point_)) / length);
  // What has an acceleration strays from the line between two of its places by an eighth of it.
  const double from_axis = piece.axis.cross(begin.rotation * offset).norm();
  bulge_ = std::max((1 + 1e-12) * 0.125 * begin.curvature * from_axis * length * length, bulge_);
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
  k.free_angular = angular_.radius() * (1 + 0.5 * rate * length);
  k.still = k.free_speed == 0 && k.free_angular == 0 && rate == 0 && k.velocity.isZero(0);
}

std::optional<Vec3> point_on_axis(const detail::Piece& piece) {
  const detail::Kinematics begin = detail::kinematics(piece, piece.t_begin),
                           end = detail::kinematics(piece, piece.t_end);
  const double turning = piece.axis.dot(begin.angular);
  if (turning == 0) return std::nullopt;
  const Vec3 across = piece.axis.cross(begin.velocity) / turning;
  return piece.centre + 0.5 * (begin.rotation + end.rotation).transpose() * across;
}

}  // namespace touche
