// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "math/motion_data.h"

namespace touche::detail {
namespace {

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace

// 1 − cos is computed as 2 sin² of the half angle, which keeps small angles accurate.
Mat3 rotation_at(const Piece& piece, double angle) {
  if (angle == 0) return piece.rotation;
  const double sine = std::sin(0.5 * angle), cosine = std::cos(0.5 * angle);
  return piece.rotation + (2 * sine * cosine) * piece.rodrigues_sine +
         (2 * sine * sine) * piece.rodrigues_cosine;
}

void Piece::turn(const Mat3& from, const Vec3& about, double by) {
  rotation = from;
  axis = about;
  angle = by;
  rodrigues_sine = cross_matrix(about) * from;
  rodrigues_cosine = cross_matrix(about) * rodrigues_sine;
}

double Piece::u_at(double t) const {
  if (t <= t_begin) return u_begin;
  if (t >= t_end) return u_end;
  return u_begin + (t - t_begin) * rate();
}

Angle angle_at(const Piece& piece, double u) {
  if (piece.kind == PieceKind::slerp)
    return {piece.angle * u, piece.angle, std::abs(piece.angle), 0.0};
  // Normalised lerp of quaternions that enclose the angle h: the direction angle φ of (1 − u) q0 +
  // u q1 has φ' = sin h / D with D = 1 − 2 u (1 − u) (1 − cos h), the squared length.
  const double h = 0.5 * piece.angle;
  const double sine = std::sin(h), cosine = std::cos(h);
  const double d = 1 - 2 * u * (1 - u) * (1 - cosine);
  const double d_min = 0.5 * (1 + cosine);
  return {2 * std::atan2(u * sine, (1 - u) + u * cosine), 2 * sine / d, 2 * std::abs(sine) / d_min,
          4 * std::abs(sine) * (1 - cosine) / (d_min * d_min)};
}

Pose pose(const Piece& piece, double t) {
  const double u = piece.u_at(t);
  if (piece.kind == PieceKind::function) return (*piece.function)(u);
  const Mat3 rotation = rotation_at(piece, angle_at(piece, u).value);
  const Vec3 centre = piece.start + u * piece.travel;
  return Pose::from_quaternion_unchecked(Eigen::Quaterniond(rotation),
                                         centre - rotation * piece.centre);
}

MovingBody moving_body(const Piece& piece, double t) {
  const double u = piece.u_at(t);
  MovingBody body;
  math::VelocityBound& v = body.velocity;
  v.still = is_still(piece);
  if (piece.kind == PieceKind::function) {
    const Pose p = (*piece.function)(u);
    body.rotation = p.matrix();
    body.translation = p.translation();
    v.centre = p * piece.centre;
    v.undirected_speed = piece.max_speed * piece.rate();
    v.undirected_angular_speed = piece.max_angular_speed * piece.rate();
    return body;
  }
  const Angle angle = angle_at(piece, u);
  const double rate = piece.rate();
  body.rotation = rotation_at(piece, angle.value);
  v.centre = piece.start + u * piece.travel;
  body.translation = v.centre - body.rotation * piece.centre;
  v.linear = rate * piece.travel;
  v.axis = piece.axis;
  v.angular = (rate * angle.rate) * piece.axis;
  // |θ'' a × r + θ'² a × (a × r)|, two orthogonal vectors of length |θ''| d and θ'² d.
  v.acceleration_per_distance = rate * rate * (angle.max_rate * angle.max_rate + angle.max_second);
  return body;
}

double turned_angle(const Piece& piece, double t0, double t1) {
  const double u0 = piece.u_at(t0), u1 = piece.u_at(t1);
  if (piece.kind == PieceKind::function) return piece.max_angular_speed * std::abs(u1 - u0);
  return std::abs(angle_at(piece, u1).value - angle_at(piece, u0).value);
}

bool is_still(const Piece& piece) {
  if (piece.kind == PieceKind::function)
    return piece.max_speed == 0 && piece.max_angular_speed == 0;
  return piece.angle == 0 && piece.travel.isZero(0);
}

}  // namespace touche::detail
