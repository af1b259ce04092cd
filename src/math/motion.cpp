// SPDX-License-Identifier: Apache-2.0
// Creation, cutting and joining of motions. Displacement bounds are in motion_bounds.cpp.
#include "touche/motion.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "math/coordinates.h"
#include "math/motion_data.h"
#include "math/rounding.h"

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

// Radians. The rotations of a pose and of the same pose shifted may differ by rounding of their
// quaternions; smaller rotations are treated as none. The resulting error of a point is no larger
// than the accuracy of poses. In a sequence of many pieces it adds up; displacement bounds count it
// in each.
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

MotionData one(Piece piece) {
  MotionData data;
  data.add(std::move(piece));
  return data;
}

const Piece& piece_at(std::span<const Piece> pieces, double t) {
  const auto next = std::upper_bound(pieces.begin(), pieces.end(), t,
                                     [](double x, const Piece& p) { return x < p.t_begin; });
  return next == pieces.begin() ? pieces.front() : *std::prev(next);
}

}  // namespace

// ---- storage of the pieces ------------------------------------------------------------------

void MotionData::add(Piece piece) {
  const auto is_large = [](const Vec3& x) { return !math::all_within(x, detail::kLargestOfPiece); };
  if (is_large(piece.centre) || is_large(piece.start) || is_large(piece.travel))
    throw InvalidInput("motion: a length is not finite or larger than 1e301");
  if (!(piece.max_speed < kInfinity && piece.max_angular_speed < kInfinity))
    throw InvalidInput("motion: a speed overflows");
  if (empty_) {
    single_ = std::move(piece);
    empty_ = false;
    return;
  }
  if (!several_) several_ = std::make_shared<std::vector<Piece>>(1, single_);
  several_->push_back(std::move(piece));
}

const MotionData& MotionData::of(const Motion& motion) { return motion.data(); }

const MotionData& Motion::data() const {
  return *std::launder(reinterpret_cast<const MotionData*>(memory_));
}
MotionData& Motion::data() { return *std::launder(reinterpret_cast<MotionData*>(memory_)); }

Motion::Motion(MotionData&& data) {
  static_assert(sizeof(MotionData) <= sizeof(memory_) && alignof(MotionData) <= alignof(Motion));
  new (memory_) MotionData(std::move(data));
}
Motion::Motion(const Motion& other) { new (memory_) MotionData(other.data()); }
Motion::Motion(Motion&& other) noexcept { new (memory_) MotionData(std::move(other.data())); }
Motion& Motion::operator=(const Motion& other) {
  if (this != &other) data() = other.data();
  return *this;
}
Motion& Motion::operator=(Motion&& other) noexcept {
  data() = std::move(other.data());
  return *this;
}
Motion::~Motion() { data().~MotionData(); }

// ---- creation -------------------------------------------------------------------------------

Motion Motion::at(const Pose& pose) { return Motion(one(still_piece(pose))); }

Motion Motion::interpolated(const Pose& start, const Pose& end, Interpolation how) {
  return Motion(one(interpolated_piece(start, end, how)));
}

Motion Motion::screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle,
                     double travel) {
  const Vec3 direction = math::unit_or_zero(axis);
  if (!point.allFinite() || direction.isZero())
    throw InvalidInput("screw: the axis has no finite point, or no direction");
  if (!std::isfinite(angle) || !std::isfinite(travel))
    throw InvalidInput("screw: angle or travel is not finite");
  Piece piece;
  piece.rotation = start.matrix();
  // The point of the axis nearest to the body's origin: the body rotates about it while it
  // advances.
  const Vec3 offset = start.translation() - point;
  piece.start = point + direction * direction.dot(offset);
  piece.centre = start.rotation().conjugate() * (piece.start - start.translation());
  piece.travel = travel * direction;
  piece.turn(piece.rotation, direction, angle);
  return Motion(one(std::move(piece)));
}

Motion Motion::through(std::span<const Pose> poses, std::span<const double> times,
                       Interpolation how) {
  if (poses.size() < 2) throw InvalidInput("motion: fewer than two poses");
  const std::vector<double> t = checked_times(times, poses.size());
  MotionData data;
  for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
    Piece piece = interpolated_piece(poses[i], poses[i + 1], how);
    piece.t_begin = t[i];
    piece.t_end = t[i + 1];
    data.add(std::move(piece));
  }
  return Motion(std::move(data));
}

Motion Motion::chain(std::span<const Motion> motions, std::span<const double> times) {
  if (motions.empty()) throw InvalidInput("motion: a chain of no motions");
  const std::vector<double> t = checked_times(times, motions.size() + 1);
  MotionData data;
  for (std::size_t i = 0; i < motions.size(); ++i)
    for (Piece piece : math::pieces_of(motions[i])) {
      const double length = t[i + 1] - t[i];
      piece.t_begin = piece.t_begin == 0 ? t[i] : t[i] + piece.t_begin * length;
      piece.t_end = piece.t_end == 1 ? t[i + 1] : t[i] + piece.t_end * length;
      if (piece.t_end > piece.t_begin) data.add(std::move(piece));
    }
  return Motion(std::move(data));
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
  return Motion(one(std::move(piece)));
}

Pose Motion::pose(double t) const {
  if (std::isnan(t)) throw InvalidInput("motion: t is not a number");
  return detail::pose(piece_at(math::pieces_of(*this), t), t);
}

Motion Motion::part(double t0, double t1) const {
  if (!(t0 >= 0 && t1 <= 1 && t0 < t1))
    throw InvalidInput("motion: a part needs 0 <= t0 < t1 <= 1");
  MotionData data;
  // A recorded path has a piece per step and is cut step by step: visit only the pieces in range.
  const std::span<const Piece> pieces = math::pieces_of(*this);
  const Piece* const last = pieces.data() + pieces.size();
  for (const Piece* next = &piece_at(pieces, t0); next != last && next->t_begin < t1; ++next) {
    Piece piece = *next;
    const double begin = std::max(t0, piece.t_begin), end = std::min(t1, piece.t_end);
    if (!(begin < end)) continue;
    const double u_begin = piece.u_at(begin), u_end = piece.u_at(end);
    piece.u_begin = u_begin;
    piece.u_end = u_end;
    piece.t_begin = begin == t0 ? 0 : (begin - t0) / (t1 - t0);
    piece.t_end = end == t1 ? 1 : (end - t0) / (t1 - t0);
    if (piece.t_end > piece.t_begin) data.add(std::move(piece));
  }
  return Motion(std::move(data));
}

Motion Motion::reversed() const {
  const std::span<const Piece> pieces = math::pieces_of(*this);
  MotionData data;
  for (auto next = pieces.rbegin(); next != pieces.rend(); ++next) {
    Piece piece = *next;
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
    } else {
      piece.start += piece.travel;
      piece.travel = -piece.travel;
      piece.turn(detail::rotation_at(piece, piece.angle), -piece.axis, piece.angle);
    }
    data.add(std::move(piece));
  }
  return Motion(std::move(data));
}

Motion Motion::carrying(const Pose& offset) const {
  // The body points of the pieces keep their positions; only their coordinates in the carried
  // body's frame differ.
  const Pose to_carried = offset.inverse();
  const Mat3 rotation = offset.matrix();
  MotionData data;
  for (Piece piece : math::pieces_of(*this)) {
    piece.centre = to_carried * piece.centre;
    if (piece.kind == PieceKind::function)
      piece.function = std::make_shared<const std::function<Pose(double)>>(
          [inner = piece.function, offset](double u) { return (*inner)(u)*offset; });
    else
      piece.turn(piece.rotation * rotation, piece.axis, piece.angle);
    data.add(std::move(piece));
  }
  return Motion(std::move(data));
}

bool Motion::is_still() const {
  const std::span<const Piece> pieces = math::pieces_of(*this);
  return std::all_of(pieces.begin(), pieces.end(),
                     [](const Piece& p) { return detail::is_still(p); });
}

Motion Motion::relative(const Motion& a, const Motion& b) {
  MotionData data;
  const std::span<const Piece> pieces_a = math::pieces_of(a), pieces_b = math::pieces_of(b);
  if (pieces_a.size() == 1 && a.is_still() && pieces_a[0].kind != PieceKind::function) {
    // Relative to a body at rest, a rotation about a fixed axis remains one.
    const Pose to_a = a.pose(0).inverse();
    const Mat3 rotation = to_a.matrix();
    for (Piece piece : pieces_b) {
      if (piece.kind == PieceKind::function) {
        auto inner = piece.function;
        piece.function = std::make_shared<const std::function<Pose(double)>>(
            [to_a, inner](double u) { return to_a * (*inner)(u); });
      }
      piece.start = to_a * piece.start;
      piece.travel = rotation * piece.travel;
      piece.turn(rotation * piece.rotation, rotation * piece.axis, piece.angle);
      data.add(std::move(piece));
    }
    return Motion(std::move(data));
  }
  // Otherwise both rotate: keep the poses and bound the speeds. Relative to a, the centre of b
  // moves with v_b − v_a − ω_a × (c_b − c_a), and b rotates at most as fast as both together.
  std::size_t i = 0, j = 0;
  double t = 0;
  while (t < 1) {
    const Piece &pa = pieces_a[i], &pb = pieces_b[j];
    const double end = std::min(pa.t_end, pb.t_end);
    const math::VelocityBound a0 = detail::moving_body(pa, t).velocity,
                              a1 = detail::moving_body(pa, end).velocity;
    const math::VelocityBound b0 = detail::moving_body(pb, t).velocity,
                              b1 = detail::moving_body(pb, end).velocity;
    const auto spin = [](const Piece& p, const math::VelocityBound& velocity) {
      return p.kind == PieceKind::function ? velocity.undirected_angular_speed
                                           : detail::angle_at(p, 0).max_rate * p.rate();
    };
    // Centres move on lines (or, for a function, with at most undirected_speed), so their distance
    // is largest at an end, up to that allowance.
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
    piece.max_speed = math::kRoundUp * speed * length;
    piece.max_angular_speed = math::kRoundUp * (spin(pa, a0) + spin(pb, b0)) * length;
    piece.centre = pb.centre;
    data.add(std::move(piece));
    if (pa.t_end <= end) ++i;
    if (pb.t_end <= end) ++j;
    t = end;
  }
  return Motion(std::move(data));
}

}  // namespace touche
