// SPDX-License-Identifier: Apache-2.0
// Making, cutting and joining motions. Displacement bounds are in motion_bounds.cpp.
#include "touche/motion.h"

#include <algorithm>
#include <cmath>

#include "math/motion_data.h"

namespace touche {

using detail::MotionData;
using detail::Piece;
using detail::PieceKind;

namespace {

Piece still_piece(const Pose& pose) {
  Piece piece;
  piece.start = pose.translation();
  piece.rotation = pose.matrix();
  return piece;
}

// Radians. A pose and the same pose shifted differ by roundings of their quaternions; that is no
// turn. A point of the body is then off by no more than poses are known to anyway.
constexpr double kNoTurn = 2e-15;

Piece interpolated_piece(const Pose& start, const Pose& end, Interpolation how) {
  Piece piece = still_piece(start);
  piece.travel = end.translation() - start.translation();
  // World rotation from start to end, the short way round because a Pose keeps w >= 0.
  const Pose turn =
      Pose::from_quaternion_unchecked(end.rotation() * start.rotation().conjugate(), Vec3::Zero());
  const Pose::AxisAngle by = turn.axis_angle();
  piece.turn(piece.rotation, by.axis, by.angle < kNoTurn ? 0 : by.angle);
  piece.kind = how == Interpolation::slerp ? PieceKind::slerp : PieceKind::nlerp;
  return piece;
}

std::vector<double> checked_times(std::span<const double> times, std::size_t count) {
  std::vector<double> result(times.begin(), times.end());
  if (result.empty())
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(static_cast<double>(i) / static_cast<double>(count - 1));
  if (result.size() != count)
    throw InvalidInput("motion: " + std::to_string(result.size()) + " times given, expected " +
                       std::to_string(count));
  for (std::size_t i = 1; i < count; ++i)
    if (!(result[i] > result[i - 1]))
      throw InvalidInput("motion: time " + std::to_string(i) + " does not increase");
  if (result.front() != 0 || result.back() != 1)
    throw InvalidInput("motion: times must run from 0 to 1");
  return result;
}

std::shared_ptr<const MotionData> share(std::vector<Piece> pieces) {
  return std::make_shared<const MotionData>(MotionData{std::move(pieces)});
}

const Piece& piece_at(const MotionData& data, double t) {
  const auto next = std::upper_bound(data.pieces.begin(), data.pieces.end(), t,
                                     [](double x, const Piece& p) { return x < p.t_begin; });
  return next == data.pieces.begin() ? data.pieces.front() : *std::prev(next);
}

}  // namespace

Motion Motion::at(const Pose& pose) { return Motion(share({still_piece(pose)})); }

Motion Motion::interpolated(const Pose& start, const Pose& end, Interpolation how) {
  return Motion(share({interpolated_piece(start, end, how)}));
}

Motion Motion::screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle,
                     double travel) {
  const Vec3 direction = axis.stableNormalized();
  if (!point.allFinite() || !direction.allFinite() || direction.isZero())
    throw InvalidInput("screw: the axis has no place or direction");
  if (!std::isfinite(angle) || !std::isfinite(travel))
    throw InvalidInput("screw: angle or travel is not finite");
  Piece piece;
  piece.rotation = start.matrix();
  // The point of the axis nearest to the body's origin: the body turns about it, and it advances.
  const Vec3 offset = start.translation() - point;
  piece.start = point + direction * direction.dot(offset);
  piece.centre = start.rotation().conjugate() * (piece.start - start.translation());
  piece.travel = travel * direction;
  piece.turn(piece.rotation, direction, angle);
  return Motion(share({piece}));
}

Motion Motion::through(std::span<const Pose> poses, std::span<const double> times,
                       Interpolation how) {
  if (poses.size() < 2) throw InvalidInput("motion: fewer than two poses");
  const std::vector<double> t = checked_times(times, poses.size());
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
    pieces.push_back(interpolated_piece(poses[i], poses[i + 1], how));
    pieces.back().t_begin = t[i];
    pieces.back().t_end = t[i + 1];
  }
  return Motion(share(std::move(pieces)));
}

Motion Motion::chain(std::span<const Motion> motions, std::span<const double> times) {
  if (motions.empty()) throw InvalidInput("motion: a chain of no motions");
  const std::vector<double> t = checked_times(times, motions.size() + 1);
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < motions.size(); ++i)
    for (Piece piece : motions[i].data_->pieces) {
      const double length = t[i + 1] - t[i];
      piece.t_begin = piece.t_begin == 0 ? t[i] : t[i] + piece.t_begin * length;
      piece.t_end = piece.t_end == 1 ? t[i + 1] : t[i] + piece.t_end * length;
      if (piece.t_end > piece.t_begin) pieces.push_back(std::move(piece));
    }
  return Motion(share(std::move(pieces)));
}

Motion Motion::function(std::function<Pose(double)> pose, double max_speed,
                        double max_angular_speed, const Vec3& reference) {
  if (!pose) throw InvalidInput("motion: no function given");
  if (!(max_speed >= 0) || !(max_angular_speed >= 0) || !std::isfinite(max_speed) ||
      !std::isfinite(max_angular_speed) || !reference.allFinite())
    throw InvalidInput("motion: declared speeds must be finite and not negative");
  Piece piece;
  piece.kind = PieceKind::function;
  piece.function = std::make_shared<const std::function<Pose(double)>>(std::move(pose));
  piece.max_speed = max_speed;
  piece.max_angular_speed = max_angular_speed;
  piece.centre = reference;
  return Motion(share({piece}));
}

Pose Motion::pose(double t) const { return detail::pose(piece_at(*data_, t), t); }

Motion Motion::part(double t0, double t1) const {
  if (!(t0 >= 0 && t1 <= 1 && t0 < t1))
    throw InvalidInput("motion: a part needs 0 <= t0 < t1 <= 1");
  std::vector<Piece> pieces;
  // A recorded path has a piece per step and is cut step by step: look at no others.
  const Piece* const last = data_->pieces.data() + data_->pieces.size();
  for (const Piece* next = &piece_at(*data_, t0); next != last && next->t_begin < t1; ++next) {
    Piece piece = *next;
    const double begin = std::max(t0, piece.t_begin), end = std::min(t1, piece.t_end);
    if (!(begin < end)) continue;
    const double u_begin = piece.u_at(begin), u_end = piece.u_at(end);
    piece.u_begin = u_begin;
    piece.u_end = u_end;
    piece.t_begin = begin == t0 ? 0 : (begin - t0) / (t1 - t0);
    piece.t_end = end == t1 ? 1 : (end - t0) / (t1 - t0);
    if (piece.t_end > piece.t_begin) pieces.push_back(std::move(piece));
  }
  return Motion(share(std::move(pieces)));
}

Motion Motion::reversed() const {
  std::vector<Piece> pieces(data_->pieces.rbegin(), data_->pieces.rend());
  for (Piece& piece : pieces) {
    const auto mirror = [](double& from, double& to) {
      const double begin = from;
      from = 1 - to;
      to = 1 - begin;
    };
    mirror(piece.t_begin, piece.t_end);
    mirror(piece.u_begin, piece.u_end);
    if (piece.kind == PieceKind::function) {
      piece.function = std::make_shared<const std::function<Pose(double)>>(
          [there = piece.function](double u) { return (*there)(1 - u); });
      continue;
    }
    piece.start += piece.travel;
    piece.travel = -piece.travel;
    piece.turn(detail::rotation_at(piece, piece.angle), -piece.axis, piece.angle);
  }
  return Motion(share(std::move(pieces)));
}

bool Motion::is_still() const {
  return std::all_of(data_->pieces.begin(), data_->pieces.end(),
                     [](const Piece& p) { return detail::is_still(p); });
}

Motion Motion::relative(const Motion& a, const Motion& b) {
  std::vector<Piece> pieces;
  if (a.data_->pieces.size() == 1 && a.is_still() &&
      a.data_->pieces[0].kind != PieceKind::function) {
    // Seen from a body at rest a turn stays a turn.
    const Pose to_a = a.pose(0).inverse();
    const Mat3 rotation = to_a.matrix();
    for (Piece piece : b.data_->pieces) {
      if (piece.kind == PieceKind::function) {
        auto inner = piece.function;
        piece.function = std::make_shared<const std::function<Pose(double)>>(
            [to_a, inner](double u) { return to_a * (*inner)(u); });
      }
      piece.start = to_a * piece.start;
      piece.travel = rotation * piece.travel;
      piece.turn(rotation * piece.rotation, rotation * piece.axis, piece.angle);
      pieces.push_back(std::move(piece));
    }
    return Motion(share(std::move(pieces)));
  }
  // Otherwise both turn: keep the poses and bound the speeds. Seen from a, the centre of b moves
  // with v_b − v_a − ω_a × (c_b − c_a), and b turns at most as fast as both together.
  std::size_t i = 0, j = 0;
  double t = 0;
  while (t < 1) {
    const Piece &pa = a.data_->pieces[i], &pb = b.data_->pieces[j];
    const double end = std::min(pa.t_end, pb.t_end);
    const VelocityBound a0 = detail::moving_body(pa, t).velocity,
                        a1 = detail::moving_body(pa, end).velocity;
    const VelocityBound b0 = detail::moving_body(pb, t).velocity,
                        b1 = detail::moving_body(pb, end).velocity;
    const auto spin = [](const Piece& p, const VelocityBound& velocity) {
      return p.kind == PieceKind::function ? velocity.undirected_angular_speed
                                           : detail::angle_at(p, 0).max_rate * p.rate();
    };
    // Centres move on lines (or, for a function, at most undirected_speed), so their distance is
    // largest at an end, up to that allowance.
    const double wander = (a0.undirected_speed + b0.undirected_speed) * (end - t);
    const double reach =
        std::max((b0.centre - a0.centre).norm(), (b1.centre - a1.centre).norm()) + wander;
    Piece piece;
    piece.kind = PieceKind::function;
    piece.t_begin = t;
    piece.t_end = end;
    const double begin = t, length = end - t;
    piece.function =
        std::make_shared<const std::function<Pose(double)>>([a, b, begin, length](double u) {
          const double at = begin + u * length;
          return touche::relative(a.pose(at), b.pose(at));
        });
    const double speed = (b0.linear - a0.linear).norm() + a0.undirected_speed +
                         b0.undirected_speed + spin(pa, a0) * reach;
    const double up = 1 + 1e-12;
    piece.max_speed = up * speed * length;
    piece.max_angular_speed = up * (spin(pa, a0) + spin(pb, b0)) * length;
    piece.centre = pb.centre;
    pieces.push_back(std::move(piece));
    if (pa.t_end <= end) ++i;
    if (pb.t_end <= end) ++j;
    t = end;
  }
  return Motion(share(std::move(pieces)));
}

}  // namespace touche
