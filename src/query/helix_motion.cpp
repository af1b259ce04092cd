// SPDX-License-Identifier: Apache-2.0
#include "query/helix_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rounding.h"

namespace touche {
namespace {

// A motion may be off a helix by this share of the tolerance.
constexpr double kMostDrift = 0.25;

double reach_of(const Object& object) {
  return object.bounds().lo.cwiseAbs().cwiseMax(object.bounds().hi.cwiseAbs()).norm();
}

}  // namespace

std::optional<HelixMotion> helix_motion(const Object& a, const Object& b, const TimeSlices& slices,
                                        const TimeSlice& slice, double begin, double& end) {
  const bool a_still = detail::is_still(*slice.piece_a), b_still = detail::is_still(*slice.piece_b);
  if (a_still == b_still) return {};
  const detail::Piece& moving = a_still ? *slice.piece_b : *slice.piece_a;
  const detail::Piece& still = a_still ? *slice.piece_a : *slice.piece_b;
  if (moving.kind != detail::PieceKind::slerp || moving.angle == 0) return {};
  end = std::min({moving.t_end, still.t_end, 1.0});
  const double u_begin = moving.u_at(begin), u_end = moving.u_at(end);

  // The centre moves along the axis. If it moves across it as well, place the line where it is at
  // first, and count how far it gets.
  HelixMotion motion;
  motion.a_moves = !a_still;
  const double along = moving.axis.dot(moving.travel);
  const Vec3 across = moving.travel - along * moving.axis;
  const double drift = across.norm() * std::abs(u_end - u_begin);
  if (!(drift <= kMostDrift * slices.tolerance())) return {};
  motion.advance = along / moving.angle;
  motion.turn_begin = std::min(moving.angle * u_begin, moving.angle * u_end);
  motion.turn_end = std::max(moving.angle * u_begin, moving.angle * u_end);

  // At the turn angle · u, the point x of the moving body is at
  //   start + u · travel + turned by that angle: rotation (x − centre).
  Mat3 to_axis;
  const Vec3 side = moving.axis.unitOrthogonal();
  to_axis << side.transpose(), moving.axis.cross(side).transpose(), moving.axis.transpose();
  motion.moving.rotation = to_axis * moving.rotation;
  motion.moving.translation = -(motion.moving.rotation * moving.centre);
  const detail::MovingBody at_rest = detail::moving_body(still, begin);
  motion.still.rotation = to_axis * at_rest.rotation;
  motion.still.translation = to_axis * (at_rest.translation - (moving.start + u_begin * across));

  // No number on the way to a profile's coordinates is larger than the sum of these, and no
  // formula has as many operations as kFormulaError allows for. A height has the advance times
  // angles in it, of up to half a turn of each body and all turns of the motion.
  const double turns =
      std::abs(motion.turn_begin) + std::abs(motion.turn_end) + 4 * std::numbers::pi;
  const double largest = reach_of(a) + reach_of(b) + moving.centre.norm() + moving.start.norm() +
                         moving.travel.norm() + at_rest.translation.norm() +
                         std::abs(motion.advance) * turns;
  motion.error = (slices.snapshot(slice, begin).error + drift + kFormulaError * largest) * kRoundUp;
  if (!std::isfinite(motion.error) || !std::isfinite(motion.advance)) return {};
  return motion;
}

}  // namespace touche
