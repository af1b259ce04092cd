// SPDX-License-Identifier: Apache-2.0
// A range of velocities that holds in several pieces of a motion.
#pragma once

#include <optional>

#include "math/motion_data.h"
#include "math/rounding.h"

namespace touche::query {

/// Holds the velocities of a point of a body, and the body's angular velocities, in several pieces
/// of its motion. The point's velocity in a piece is a mean: the point deviates from a straight
/// line by at most the bulge.
class VelocityRange {
 public:
  /// `point` in body coordinates.
  explicit VelocityRange(const Vec3& point = Vec3::Zero()) : point_(point) {}

  const Vec3& point() const { return point_; }

  /// Includes all velocities of a piece. Their directions must be known: the piece must not be a
  /// function.
  void include(const detail::Piece& piece);

  /// The largest deviation from the velocities in the middle of the range, and the largest of the
  /// middle's velocities, for points of the body that are at most `radius` from the point.
  double spread(double radius) const;
  double speed(double radius) const;
  double bulge() const { return bulge_; }

  /// Velocities that hold in all of these pieces, within the time `length`, for a body whose point
  /// is now at `place`: the velocities of the middle of the range, with the spread as their
  /// uncertainty.
  ///
  /// Why: let ω be the middle of the angular velocities, and r a position on the body relative to
  /// the point. Later its velocity differs from the middle's velocity now by the deviations of the
  /// point's velocity and of the angular velocity, and by ω × (r' − r). The rate of this last
  /// vector is at most |ω|² times the distance of r from the axis, which is the acceleration of a
  /// steady turn, plus |ω| times the spread of the angular velocities times |r|; for ω × (ω × (r' −
  /// r)) is orthogonal to it. If r jumps, the rest of its path turns with it, which adds no more
  /// than the jump.
  math::VelocityBound held(double length, const Vec3& place) const;

 private:
  struct Range {
    Vec3 lo = Vec3::Constant(kInfinity), hi = Vec3::Constant(-kInfinity);

    // A velocity that overflows, because a piece is extremely short, makes the range infinite.
    void include(const Vec3& x) {
      lo = x.allFinite() ? Vec3(lo.cwiseMin(x)) : Vec3::Constant(-kInfinity);
      hi = x.allFinite() ? Vec3(hi.cwiseMax(x)) : Vec3::Constant(kInfinity);
    }
    Vec3 middle() const { return 0.5 * lo + 0.5 * hi; }
    double radius() const {
      const Vec3 m = middle();
      return (hi - m).cwiseMax(m - lo).norm() * math::kRoundUp;
    }
  };

  Vec3 point_;
  Range velocity_, angular_;
  double bulge_ = 0;
};

/// The point of a body with the least velocity at the middle of the piece: it lies on the axis
/// about which the body turns while it advances along it. Empty if the body does not turn.
std::optional<Vec3> point_on_axis(const detail::Piece& piece);

}  // namespace touche::query
