// SPDX-License-Identifier: Apache-2.0
// A range of velocities that holds in several pieces of a motion.
#pragma once

#include <optional>

#include "math/motion_data.h"
#include "math/rounding.h"

namespace touche {

/// Holds the velocities of a point of a body, and of the body's turning, in several pieces of its
/// motion. The point's velocity in a piece is a mean: the point strays from a straight way by its
/// bulge.
class VelocityRange {
 public:
  /// `point` in body coordinates.
  explicit VelocityRange(const Vec3& point = Vec3::Zero()) : point_(point) {}

  const Vec3& point() const { return point_; }

  /// Includes all velocities of a piece. They must be known with their directions: no function.
  void include(const detail::Piece& piece);

  /// How much velocities differ at most from those in the middle of the range, and how large the
  /// latter are, for places on the body that are at most `radius` from the point.
  double spread(double radius) const;
  double speed(double radius) const;
  double bulge() const { return bulge_; }

  /// Velocities that hold in all of these pieces, within the time `length`, for a body whose point
  /// is at `place` now: those of the middle, give or take the spread.
  ///
  /// Why: let ω be the middle of the turning, and r a place on the body, seen from the point. Later
  /// its velocity differs from the middle's now by what the point's and the turning's do, and by
  /// ω × (r' − r). The rate of this last vector is at most |ω|² times the distance of r from the
  /// axis, which is the acceleration of a steady turn, and |ω| times the spread of the turning
  /// times |r|; for ω × (ω × (r' − r)) is orthogonal to it. If r jumps, all of its later way turns
  /// with it, and no more than the jump is added.
  VelocityBound held(double length, const Vec3& place) const;

 private:
  struct Range {
    Vec3 lo = Vec3::Constant(kInfinity), hi = Vec3::Constant(-kInfinity);

    // A velocity that overflows, in the shortest of times, makes the range infinite.
    void include(const Vec3& x) {
      lo = x.allFinite() ? Vec3(lo.cwiseMin(x)) : Vec3::Constant(-kInfinity);
      hi = x.allFinite() ? Vec3(hi.cwiseMax(x)) : Vec3::Constant(kInfinity);
    }
    Vec3 middle() const { return 0.5 * lo + 0.5 * hi; }
    double radius() const {
      const Vec3 m = middle();
      return (hi - m).cwiseMax(m - lo).norm() * kRoundUp;
    }
  };

  Vec3 point_;
  Range velocity_, angular_;
  double bulge_ = 0;
};

/// The point of a body whose velocity is least at the middle of the piece: it lies on the axis
/// about which all of the body turns while it advances along it. Nothing, if the body does not
/// turn.
std::optional<Vec3> point_on_axis(const detail::Piece& piece);

}  // namespace touche
