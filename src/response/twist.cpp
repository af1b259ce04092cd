// SPDX-License-Identifier: Apache-2.0
#include "response/twist.h"

#include <cmath>

namespace touche::response {
namespace {

// (1 − θ / 2 · cot(θ / 2)) / θ², which is 1 / 12 at θ = 0.
double curl(double angle) {
  if (angle < 1e-3) return (1 + angle * angle / 60) / 12;
  const double half = 0.5 * angle;
  return (1 - half * std::cos(half) / std::sin(half)) / (angle * angle);
}

}  // namespace

Vec6 offset_between(const Pose& from, const Pose& to, const Vec3& centre) {
  const Pose::AxisAngle turn = (to * from.inverse()).axis_angle();
  Vec6 offset;
  offset << to * centre - from * centre, turn.angle * turn.axis;
  return offset;
}

Vec6 twist_between(const Pose& from, const Pose& to, const Vec3& centre) {
  Vec6 twist = offset_between(from, to, centre);
  const Vec3 way = twist.head<3>(), rotation = twist.tail<3>();
  // The path of the centre on the screw is an arc with this chord; the inverse of the left Jacobian
  // of rotations gives the velocity at its start.
  const Vec3 across = rotation.cross(way);
  twist.head<3>() += curl(rotation.norm()) * rotation.cross(across) - 0.5 * across;
  return twist;
}

namespace {

/// The centre moves straight to a point while the body turns about it.
Motion straight_to(const Vec3& to, const Pose& start, const Vec3& centre, const Vec3& rotation) {
  const double angle = rotation.norm();
  const Pose from_centre = start * Pose::from_translation(centre);
  const Vec3 axis = angle > 0 ? Vec3(rotation / angle) : Vec3::UnitX();
  const Pose turn = Pose::from_axis_angle(axis, angle, Vec3::Zero());
  const Pose end = Pose::from_quaternion_unchecked((turn * from_centre).rotation(), to);
  return Motion::interpolated(from_centre, end).carrying(Pose::from_translation(-centre));
}

}  // namespace

Motion straight_along(const Pose& start, const Vec3& centre, const Vec6& offset) {
  return straight_to(start * centre + offset.head<3>(), start, centre, offset.tail<3>());
}

Motion motion_along(const Pose& start, const Vec3& centre, const Vec6& twist) {
  const Vec3 velocity = twist.head<3>(), rotation = twist.tail<3>(), from = start * centre;
  const double angle = rotation.norm();
  // If the axis is farther away than a thousand times the length of the path, the error of its
  // position exceeds the difference between the arc and its chord.
  constexpr double kLeastAngle = 1e-3;
  if (angle < kLeastAngle) {
    const Vec3 across = rotation.cross(velocity);
    return straight_to(from + velocity + across / 2 + rotation.cross(across) / 6, start, centre,
                       rotation);
  }
  const Vec3 axis = rotation / angle;
  const double travel = axis.dot(velocity);
  return Motion::screw(start, from + axis.cross(velocity) / angle, axis, angle, travel);
}

}  // namespace touche::response
