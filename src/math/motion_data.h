// SPDX-License-Identifier: Apache-2.0
// The parts of a Motion. They are smooth pieces, each a rotation about an axis of fixed direction
// through a body point that moves on a straight line, or a user's function with declared speeds.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "math/pose_bits.h"
#include "math/velocity_bound.h"
#include "touche/motion.h"

namespace touche::detail {

/// No coordinate of a piece is larger. Ten times what poses need, so sums and turned vectors of a
/// few of them do not overflow either.
inline constexpr double kLargestOfPiece = 10 * PoseBits::kLargestTranslation;

enum class PieceKind : std::uint8_t { slerp, nlerp, function };

/// A piece covers [t_begin, t_end] of its motion. Its own parameter u runs linearly over [u_begin,
/// u_end], a part of [0, 1]; cutting a piece changes only these four numbers.
struct Piece {
  double t_begin = 0, t_end = 1;
  double u_begin = 0, u_end = 1;
  PieceKind kind = PieceKind::slerp;

  Vec3 centre = Vec3::Zero();  // body coordinates; in the world it moves as start + u · travel
  Vec3 start = Vec3::Zero();
  Vec3 travel = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();  // at u = 0
  Vec3 axis = Vec3::UnitX();         // unit, world
  double angle = 0;                  // from u = 0 to u = 1
  // Rodrigues' formula: after a rotation by θ, the rotation matrix is rotation + sin θ sine + (1 −
  // cos θ) cosine, with sine = [axis] rotation and cosine = [axis]² rotation.
  Mat3 rodrigues_sine = Mat3::Zero(), rodrigues_cosine = Mat3::Zero();

  /// Sets rotation, axis and angle, and the members that follow from them.
  void turn(const Mat3& from, const Vec3& about, double by);

  std::shared_ptr<const std::function<Pose(double)>> function;  // of u
  double max_speed = 0, max_angular_speed = 0;                  // per unit of u, function only

  double u_at(double t) const;
  double rate() const { return (u_end - u_begin) / (t_end - t_begin); }  // du/dt
};

/// Pieces in order, without gaps, from t = 0 to t = 1. A single one is stored inline; several are
/// shared by copies.
class MotionData {
 public:
  /// The data stored in a motion's memory.
  static const MotionData& of(const Motion& motion);
  /// A motion of these pieces.
  static Motion motion(MotionData&& data) { return Motion(std::move(data)); }

  /// Throws InvalidInput for a coordinate that is too large and for a speed that is not finite.
  void add(Piece piece);
  std::span<const Piece> pieces() const {
    return several_ ? std::span(*several_) : std::span(&single_, 1);
  }

 private:
  bool empty_ = true;
  Piece single_;
  std::shared_ptr<std::vector<Piece>> several_;  // not changed once it belongs to a motion
};

/// A body's pose in the world at time t, and its velocity bound until the piece ends.
struct MovingBody {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  math::VelocityBound velocity;

  Vec3 to_world(const Vec3& x) const { return translation + rotation * x; }
};
MovingBody moving_body(const Piece& piece, double t);

Pose pose(const Piece& piece, double t);

/// The body's rotation after it has turned by `angle` from u = 0.
Mat3 rotation_at(const Piece& piece, double angle);

/// Largest angle the body turns from t0 to t1 inside the piece.
double turned_angle(const Piece& piece, double t0, double t1);

/// Angle at u, its rate, and bounds of rate and second derivative over all u in [0, 1].
struct Angle {
  double value, rate, max_rate, max_second;
};
Angle angle_at(const Piece& piece, double u);

bool is_still(const Piece& piece);

}  // namespace touche::detail

namespace touche::math {

/// The smooth pieces, in order.
inline std::span<const detail::Piece> pieces_of(const Motion& motion) {
  return detail::MotionData::of(motion).pieces();
}

}  // namespace touche::math
