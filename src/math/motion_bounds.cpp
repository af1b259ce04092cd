// SPDX-License-Identifier: Apache-2.0
// Bounds the displacement of points. In a smooth piece the centre moves on a line, and a point at
// distance d from the axis through the centre moves on a chord of at most 2 d sin(Δθ / 2). The
// chord is orthogonal to the axis, so it adds at a right angle to the travel along the axis.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/box_corner.h"
#include "math/motion_data.h"
#include "math/rounding.h"

namespace touche {
namespace {

using detail::Piece;
using detail::PieceKind;

/// Bounds the displacement of any point in a piece from one time to another.
class PieceTravel {
 public:
  PieceTravel(const Piece& piece, double t0, double t1) : piece_(piece) {
    const double du = std::abs(piece.u_at(t1) - piece.u_at(t0));
    if (piece.kind == PieceKind::function) {
      const double turned = std::min(piece.max_angular_speed * du, std::numbers::pi);
      across_ = piece.max_speed * du;
      chord_ = 2 * std::sin(0.5 * turned);
      return;
    }
    const double turned = std::min(detail::turned_angle(piece, t0, t1), std::numbers::pi);
    along_ = std::abs(piece.axis.dot(piece.travel)) * du;
    across_ = piece.axis.cross(piece.travel).norm() * du;
    chord_ = 2 * std::sin(0.5 * turned);
  }

  double of(const Ball& ball) const {
    const Vec3 offset = ball.centre - piece_.centre;
    if (piece_.kind == PieceKind::function) return across_ + chord_ * (offset.norm() + ball.radius);
    const double to_axis = piece_.axis.cross(piece_.rotation * offset).norm() + ball.radius;
    return std::hypot(along_, across_ + chord_ * to_axis);
  }

 private:
  const Piece& piece_;
  double along_ = 0, across_ = 0;  // of the centre, along and across the axis
  double chord_ = 0;               // for a point at distance 1 from the axis
};

// The pieces from which poses at times in [t0, t1] are computed: see Motion::pose.
std::span<const Piece> pieces_between(const Motion& motion, double t0, double t1) {
  const std::span<const Piece> pieces = math::pieces_of(motion);
  const auto after = [&](double t) {
    return std::upper_bound(pieces.begin(), pieces.end(), t,
                            [](double x, const Piece& piece) { return x < piece.t_begin; });
  };
  const auto first = std::prev(std::max(after(t0), pieces.begin() + 1));
  return {first, std::max(after(t1), first + 1)};
}

// From t_ref to the farthest time of [t_ref, t_end] (or backwards), summed piece by piece.
template <std::size_t N>
std::array<double, N> one_way(std::span<const Piece> pieces, const std::array<Ball, N>& balls,
                              double t_ref, double t_end) {
  const double lo = std::min(t_ref, t_end), hi = std::max(t_ref, t_end);
  std::array<double, N> sums{};
  for (const Piece& piece : pieces) {
    const double begin = std::max(lo, piece.t_begin), end = std::min(hi, piece.t_end);
    if (!(begin < end)) continue;
    const PieceTravel travel(piece, begin, end);
    for (std::size_t i = 0; i < N; ++i) sums[i] += travel.of(balls[i]);
  }
  return sums;
}

// The largest bound of several balls.
template <std::size_t N>
double largest_displacement(const Motion& motion, const std::array<Ball, N>& balls, double t_ref,
                            double t0, double t1) {
  const auto is_nan = [](const Ball& ball) {
    return ball.centre.hasNaN() || std::isnan(ball.radius);
  };
  if (std::any_of(balls.begin(), balls.end(), is_nan) || std::isnan(t_ref) || std::isnan(t0) ||
      std::isnan(t1))
    throw InvalidInput("motion: a ball, a box or a time is not a number");
  const std::span<const Piece> pieces =
      pieces_between(motion, std::min(t_ref, t0), std::max(t_ref, t1));
  std::array<double, N> before{}, after{};
  if (t0 < t_ref) before = one_way(pieces, balls, t_ref, t0);
  if (t1 > t_ref) after = one_way(pieces, balls, t_ref, t1);
  // Allow for the rounding of the formulas above, of the two poses that the caller compares, and of
  // the poses at which a piece ends and the next one begins. These two differ by rounding and by a
  // rotation too small for a piece to represent; together that is less than the allowance for a
  // single point.
  double size = 0, angle = 1;
  for (const Piece& piece : pieces) {
    size = std::max(size, piece.start.norm() + piece.travel.norm() + piece.centre.norm());
    angle = std::max(angle, std::abs(piece.angle));
  }
  const auto count = static_cast<double>(pieces.size());
  const double of_sums = 2 * math::kUnitRoundoff * (count - 1);
  const double of_points = math::kMovedPointError * angle * count;
  double bound = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const double moved = std::max(before[i], after[i]);
    const double reach = size + balls[i].centre.norm() + balls[i].radius;
    const double far = moved * (math::kRoundUp + of_sums) + of_points * reach;
    if (!(far <= bound)) bound = far;  // keeps NaN, of infinite balls
  }
  return std::isnan(bound) ? kInfinity : bound;
}

}  // namespace

double Motion::displacement_bound(const Ball& ball, double t_ref, double t0, double t1) const {
  return largest_displacement(*this, std::array{ball}, t_ref, t0, t1);
}

double Motion::bulge_bound(const Ball& ball) const {
  // Before the middle it is no farther from its start, after the middle no farther from its end.
  const double bound =
      std::max(displacement_bound(ball, 0, 0, 0.5), displacement_bound(ball, 1, 0.5, 1));
  const std::span<const Piece> pieces = math::pieces_of(*this);
  if (pieces.size() != 1 || pieces[0].kind == PieceKind::function) return bound;
  // A smooth function on [0, 1] deviates from the chord between its ends by at most an eighth of
  // its largest second derivative. The straight motion of the centre has none.
  const Piece& piece = pieces[0];
  const double acceleration = detail::moving_body(piece, 0).velocity.acceleration_per_distance;
  const Vec3 offset = ball.centre - piece.centre;
  const double to_axis = piece.axis.cross(piece.rotation * offset).norm() + ball.radius;
  // The rounding allowance is that of the displacement; the bound of an empty interval is just
  // that.
  return std::min(
      bound, 0.125 * acceleration * to_axis * math::kRoundUp + displacement_bound(ball, 0, 0, 0));
}

double Motion::displacement_bound(const Aabb& box, double t_ref, double t0, double t1) const {
  // At a fixed time the displacement is an affine function of the point, so its length is largest
  // at a corner.
  std::array<Ball, 8> corners;
  for (int i = 0; i < 8; ++i) corners[static_cast<std::size_t>(i)] = {math::corner_of(box, i), 0.0};
  return largest_displacement(*this, corners, t_ref, t0, t1);
}

}  // namespace touche
