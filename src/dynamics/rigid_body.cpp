// SPDX-License-Identifier: Apache-2.0
#include "dynamics/rigid_body.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/cross_matrix.h"
#include "math/motion_data.h"

namespace touche::dynamics {
namespace {

// Radians: larger pieces would make the orientation too inexact, smaller ones are slower.
constexpr double kMaxTurn = 0.5;

double turning_speed(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum) {
  const Vec3 turning = inertia.inverse_body * (rotation.transpose() * angular_momentum);
  return turning.stableNorm();
}

// True if the body turns about one of its principal axes.
bool keeps_axis(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum) {
  const Vec3 m = rotation.transpose() * angular_momentum, omega = inertia.inverse_body * m;
  const double speed = omega.stableNorm();
  return !(speed > 0) || (omega / speed).cross(m).stableNorm() <= 1e-14 * m.stableNorm();
}

int free_pieces(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
                double h) {
  const double longest = longest_free_turn(inertia, rotation, angular_momentum, h);
  return std::max(1, static_cast<int>(std::ceil(h / longest)));
}

Mat3 normalized(const Mat3& rotation) {
  return Eigen::Quaterniond(rotation).normalized().toRotationMatrix();
}

// Returns the time of the first piece of a motion, which ends a lag.
double time_of_lag(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
                   double h) {
  const double speed = turning_speed(inertia, rotation, angular_momentum);
  return h * speed > kMaxTurn ? kMaxTurn / speed : h;
}

// Returns the rest of a lag after a first piece that takes this time: the lag ends in proportion to
// the rotation.
Mat3 lag_left(const Inertia& inertia, const Mat3& rotation, const Mat3& lag,
              const Vec3& angular_momentum, double time) {
  const double left = 1 - time * turning_speed(inertia, rotation, angular_momentum) / kMaxTurn;
  if (!(left > 1e-9)) return Mat3::Identity();
  const Eigen::AngleAxisd turn(lag);
  return Eigen::AngleAxisd(left * turn.angle(), turn.axis()).toRotationMatrix();
}

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
    const Mat3 slope = inertia.body + half_k * (math::cross_matrix(omega) * inertia.body -
                                                math::cross_matrix(momentum));
    omega -= slope.inverse() * error;
  }
  return rotation * omega;
}

double longest_free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
                         double h) {
  const double speed = turning_speed(inertia, rotation, angular_momentum);
  if (!(h * speed > kMaxTurn)) return h;
  return keeps_axis(inertia, rotation, angular_momentum) ? h : kMaxTurn / speed;
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

Motion tumbling(const Inertia& inertia, const Pose& pose, const Mat3& lag, const Vec3& linear,
                const Vec3& angular_momentum, double h) {
  const Vec3 centre = pose * inertia.centre;
  Mat3 rotation = pose.matrix();
  detail::MotionData data;
  const auto add = [&](const Vec3& turning, double begin, double time, double t_begin,
                       double t_end) {
    detail::Piece piece = piece_about(inertia.centre, inertia.centre, centre + begin * linear,
                                      rotation, {linear, turning}, time);
    piece.t_begin = t_begin;
    piece.t_end = t_end;
    rotation = normalized(detail::rotation_at(piece, piece.angle));
    data.add(std::move(piece));
  };
  double done = 0;
  if (!lag.isIdentity(0) && h > 0) {
    const Mat3 counted = rotation * lag;
    done = time_of_lag(inertia, counted, angular_momentum, h);
    const Mat3 then = turned(counted, done * free_turn(inertia, counted, angular_momentum, done)) *
                      lag_left(inertia, counted, lag, angular_momentum, done).transpose();
    const Eigen::AngleAxisd turn(Mat3(then * rotation.transpose()));
    add((turn.angle() / done) * turn.axis(), 0, done, 0, done < h ? done / h : 1);
    if (done == h) return detail::MotionData::motion(std::move(data));
  }
  const double rest = h - done, first = done > 0 ? done / h : 0;
  const int pieces = free_pieces(inertia, rotation, angular_momentum, rest);
  const double time = rest / pieces;
  for (int i = 0; i < pieces; ++i)
    add(free_turn(inertia, rotation, angular_momentum, time), done + i * time, time,
        first + (1 - first) * i / pieces,
        i + 1 < pieces ? first + (1 - first) * (i + 1) / pieces : 1);
  return detail::MotionData::motion(std::move(data));
}

Mat3 lag_after(const Inertia& inertia, const Pose& pose, const Mat3& lag,
               const Vec3& angular_momentum, double h, double t, const Pose& now) {
  Mat3 counted = pose.matrix() * lag;
  const auto turn = [&](double time) {
    counted =
        normalized(turned(counted, time * free_turn(inertia, counted, angular_momentum, time)));
  };
  double done = 0;
  if (!lag.isIdentity(0) && h > 0) {
    done = time_of_lag(inertia, counted, angular_momentum, h);
    if (t >= done && done == h) return lag_left(inertia, counted, lag, angular_momentum, h);
    turn(std::min(t, done));
  }
  if (t > done) {
    if (t >= h || keeps_axis(inertia, counted, angular_momentum)) return Mat3::Identity();
    const double rest = h - done,
                 time = rest / free_pieces(inertia, counted, angular_momentum, rest);
    for (double left = t - done; left > 0; left -= time) turn(std::min(left, time));
  }
  return now.matrix().transpose() * counted;
}

}  // namespace touche::dynamics
