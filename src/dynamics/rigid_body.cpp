// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rigid_body.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/cross_matrix.h"
#include "math/motion_data.h"

namespace touche {
namespace {

// Pieces of more than this angle would make the orientation too inexact; fewer pieces are faster.
constexpr double kMaxTurn = 0.5;

}  // namespace

Inertia::Inertia(const MassProperties& of)
    : mass(of.mass),
      inverse_mass(1 / of.mass),
      centre(of.centre),
      body(of.inertia),
      inverse_body(of.inertia.inverse()) {}

Vec3 free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
               double h) {
  const Vec3 m0 = rotation.transpose() * angular_momentum;
  Vec3 omega = inertia.inverse_body * m0;
  const double size = m0.norm();
  for (int i = 0; i < 10; ++i) {
    const double speed = omega.norm();
    const double half_angle = std::min(0.5 * h * speed, 1.0);
    const double half_k = speed > 0 ? std::tan(half_angle) / speed : 0.5 * h;
    const Vec3 momentum = inertia.body * omega;
    const Vec3 error = momentum - m0 + half_k * omega.cross(momentum);
    if (error.norm() <= 4e-16 * size) break;
    const Mat3 slope =
        inertia.body + half_k * (cross_matrix(omega) * inertia.body - cross_matrix(momentum));
    omega -= slope.inverse() * error;
  }
  return rotation * omega;
}

double longest_free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
                         double h) {
  const Vec3 m = rotation.transpose() * angular_momentum, omega = inertia.inverse_body * m;
  const double speed = omega.stableNorm();
  if (!(h * speed > kMaxTurn)) return h;
  const bool keeps_axis = (omega / speed).cross(m).stableNorm() <= 1e-14 * m.stableNorm();
  return keeps_axis ? h : kMaxTurn / speed;
}

Mat3 turned(const Mat3& rotation, const Vec3& by) {
  const double angle = by.norm();
  if (!(angle > 0)) return rotation;
  return Eigen::AngleAxisd(angle, by / angle).toRotationMatrix() * rotation;
}

detail::Piece piece_about(const Vec3& straight, const Vec3& in_centre, const Vec3& centre,
                          const Mat3& rotation, const Drift& drift, double h) {
  detail::Piece piece;
  piece.centre = straight;
  const double speed = drift.angular.stableNorm();
  if (speed > 0)
    piece.turn(rotation, drift.angular / speed, h * speed);
  else
    piece.turn(rotation, Vec3::UnitX(), 0);
  piece.start = centre;
  piece.travel = h * drift.linear;
  const Vec3 arm = straight - in_centre;
  if (!arm.isZero(0)) {
    piece.start += rotation * arm;
    piece.travel += (detail::rotation_at(piece, piece.angle) - rotation) * arm;
  }
  return piece;
}

Motion drifting(const Inertia& inertia, const Pose& pose, const Drift& drift, double h) {
  detail::MotionData data;
  data.add(
      piece_about(inertia.centre, inertia.centre, pose * inertia.centre, pose.matrix(), drift, h));
  return detail::MotionData::motion(std::move(data));
}

Motion tumbling(const Inertia& inertia, const Pose& pose, const Vec3& linear,
                const Vec3& angular_momentum, double h) {
  Mat3 rotation = pose.matrix();
  const double longest = longest_free_turn(inertia, rotation, angular_momentum, h);
  const int pieces = std::max(1, static_cast<int>(std::ceil(h / longest)));
  const double time = h / pieces;
  const Vec3 centre = pose * inertia.centre;
  detail::MotionData data;
  for (int i = 0; i < pieces; ++i) {
    const Drift drift{linear, free_turn(inertia, rotation, angular_momentum, time)};
    detail::Piece piece = piece_about(inertia.centre, inertia.centre, centre + (i * time) * linear,
                                      rotation, drift, time);
    piece.t_begin = static_cast<double>(i) / pieces;
    piece.t_end = static_cast<double>(i + 1) / pieces;
    rotation =
        Eigen::Quaterniond(detail::rotation_at(piece, piece.angle)).normalized().toRotationMatrix();
    data.add(std::move(piece));
  }
  return detail::MotionData::motion(std::move(data));
}

}  // namespace touche
