// SPDX-License-Identifier: Apache-2.0
#include "query/velocity_range.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::query {

void VelocityRange::include(const detail::Piece& piece) {
  // A normalised lerp is slowest at its ends.
  const detail::Angle angle = detail::angle_at(piece, 0);
  angular_.include((piece.rate() * angle.rate) * piece.axis);
  angular_.include((piece.rate() * std::copysign(angle.max_rate, angle.rate)) * piece.axis);
  const Vec3 offset = point_ - piece.centre;
  if (offset.isZero(0)) return velocity_.include(piece.rate() * piece.travel);
  const detail::MovingBody begin = detail::moving_body(piece, piece.t_begin),
                           end = detail::moving_body(piece, piece.t_end);
  const double length = piece.t_end - piece.t_begin;
  velocity_.include((end.to_world(point_) - begin.to_world(point_)) / length);
  // A point deviates from the chord between its positions at two times by at most its acceleration
  // times the squared time between them, divided by 8.
  const double from_axis = piece.axis.cross(begin.rotation * offset).norm();
  bulge_ = std::max(math::kRoundUp * 0.125 * begin.velocity.acceleration_per_distance * from_axis *
                        length * length,
                    bulge_);
}

double VelocityRange::spread(double radius) const {
  return velocity_.radius() + angular_.radius() * radius;
}

double VelocityRange::speed(double radius) const {
  return velocity_.middle().norm() + angular_.middle().norm() * radius;
}

math::VelocityBound VelocityRange::held(double length, const Vec3& place) const {
  math::VelocityBound v;
  v.centre = place;
  v.linear = velocity_.middle();
  v.angular = angular_.middle();
  const double rate = v.angular.norm();
  v.axis = rate > 0 ? Vec3(v.angular / rate) : Vec3(Vec3::UnitX());
  v.acceleration_per_distance = rate * rate * math::kRoundUp;
  v.undirected_speed = velocity_.radius();
  v.undirected_angular_speed = angular_.radius() * (1 + 0.5 * rate * length);
  v.still =
      v.undirected_speed == 0 && v.undirected_angular_speed == 0 && rate == 0 && v.linear.isZero(0);
  return v;
}

std::optional<Vec3> point_on_axis(const detail::Piece& piece) {
  const detail::MovingBody begin = detail::moving_body(piece, piece.t_begin),
                           end = detail::moving_body(piece, piece.t_end);
  const double turning = piece.axis.dot(begin.velocity.angular);
  if (turning == 0) return std::nullopt;
  const Vec3 across = piece.axis.cross(begin.velocity.linear) / turning;
  return piece.centre + 0.5 * (begin.rotation + end.rotation).transpose() * across;
}

}  // namespace touche::query
