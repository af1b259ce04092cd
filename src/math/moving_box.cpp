// SPDX-License-Identifier: Apache-2.0
// Bounding boxes of motions. A piece of a motion is cut into steps that rotate little. In a step
// every point stays near the chord of its path, so a box that moves linearly from the box at the
// start to the box at the end, enlarged by the distance from the chord, contains the points. For a
// body that turns many times, one box contains the whole turn.
#include "touche/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/box_corner.h"
#include "math/motion_data.h"
#include "math/moved_box.h"
#include "math/rounding.h"

namespace touche {
namespace {

using detail::Piece;
using detail::PieceKind;

// Radians. A point then deviates from its chord by at most 3.5 % of its distance from the axis.
constexpr double kTurnOfStep = std::numbers::pi / 6;
// Only speed bounds are known of a user's function. Points stay nearer to their chords the shorter
// these are, but each step calls the function once more.
constexpr double kFewestCalls = 8, kMostCalls = 32;

// The points of a box while a motion goes through one of its pieces.
class BoxOnPiece {
 public:
  BoxOnPiece(const Piece& piece, const Aabb& box) : piece_(piece), box_(box) {
    const double size = piece.start.norm() + piece.travel.norm() + piece.centre.norm() +
                        box.lo.norm() + box.hi.norm();
    error_ = math::kMovedBoxError * std::max(1.0, std::abs(piece.angle)) * size;
    if (piece.kind == PieceKind::function) {
      for (int i = 0; i < 8; ++i)
        to_centre_ = std::max(to_centre_, (math::corner_of(box, i) - piece.centre).norm());
    } else if (piece.angle != 0) {
      goes_round_ = piece.kind == PieceKind::slerp &&
                    std::abs(piece.angle) * du(piece.t_begin, piece.t_end) >= 2 * std::numbers::pi;
      turn();
    }
  }

  // The box at t; for a body that turns many times, the box of a whole turn.
  Aabb at(double t) const {
    if (goes_round_) {
      const Vec3 centre = piece_.start + piece_.u_at(t) * piece_.travel;
      return math::grown_by({centre + turns_.lo, centre + turns_.hi}, Vec3::Constant(error_));
    }
    const detail::MovingBody body = detail::moving_body(piece_, t);
    return math::grown_by(math::turned_box(box_, body.rotation, body.translation),
                          Vec3::Constant(error_ + math::kMovedBoxError * body.translation.norm()));
  }

  int steps() const {
    if (goes_round_ || detail::is_still(piece_)) return 1;
    const double whole = du(piece_.t_begin, piece_.t_end);
    if (piece_.kind == PieceKind::function)
      return static_cast<int>(std::clamp(std::ceil(piece_.max_angular_speed * whole / kTurnOfStep),
                                         kFewestCalls, kMostCalls));
    return std::max(1,
                    static_cast<int>(std::ceil(std::sqrt(acceleration()) * whole / kTurnOfStep)));
  }

  // A bound of the points' distance from their chords between t0 and t1.
  Vec3 bulge(double t0, double t1) const {
    if (goes_round_) return Vec3::Zero();
    const double step = du(t0, t1);
    // At a share s of a step, a point that moves no faster than v is at most s v from its start and
    // (1 − s) v from its end, so at most 2 s (1 − s) v from the point at s of its chord.
    if (piece_.kind == PieceKind::function) {
      const double turn = std::min(0.5 * piece_.max_angular_speed * step, 2.0);
      return Vec3::Constant(math::kRoundUp * (0.5 * piece_.max_speed * step + turn * to_centre_));
    }
    // A smooth function deviates from the chord between its ends by at most an eighth of its
    // largest second derivative, which here is orthogonal to the axis.
    return math::kRoundUp * 0.125 * acceleration() * step * step * to_axis_ * across_;
  }

 private:
  double du(double t0, double t1) const { return piece_.u_at(t1) - piece_.u_at(t0); }

  // Computes the region that corners can reach while the box rotates about the axis.
  void turn() {
    const Vec3& axis = piece_.axis;
    across_ = {std::hypot(axis.y(), axis.z()), std::hypot(axis.z(), axis.x()),
               std::hypot(axis.x(), axis.y())};
    for (int i = 0; i < 8; ++i) {
      const Vec3 arm = piece_.rotation * (math::corner_of(box_, i) - piece_.centre);
      const double to_axis = axis.cross(arm).norm();
      const Vec3 along = axis * axis.dot(arm);
      to_axis_ = std::max(to_axis_, to_axis);
      turns_.include(math::grown_by({along, along}, to_axis * across_));
    }
  }

  // Per unit of u² and of the distance from the axis.
  double acceleration() const {
    const detail::Angle angle = detail::angle_at(piece_, 0);
    return angle.max_rate * angle.max_rate + angle.max_second;
  }

  const Piece& piece_;
  const Aabb& box_;
  // For each axis of the world, the length of its component orthogonal to the piece's axis.
  Vec3 across_ = Vec3::Zero();
  double to_centre_ = 0, to_axis_ = 0;  // greatest distances of the box's points
  Aabb turns_;                          // contains all positions of the box in a whole turn
  double error_ = 0;
  bool goes_round_ = false;
};

// Calls visit(t0, box at t0, t1, box at t1) for all steps: a box that moves linearly from one to
// the other contains the points between t0 and t1.
template <class Visit>
void for_each_step(const Motion& motion, const Aabb& box, Visit&& visit) {
  for (const Piece& piece : math::pieces_of(motion)) {
    const BoxOnPiece moving(piece, box);
    const int steps = moving.steps();
    double t = piece.t_begin;
    Aabb here = moving.at(t);
    for (int i = 1; i <= steps; ++i) {
      const double next =
          i == steps ? piece.t_end : piece.t_begin + (piece.t_end - piece.t_begin) * i / steps;
      const Aabb there = moving.at(next);
      const Vec3 bulge = moving.bulge(t, next);
      visit(t, math::grown_by(here, bulge), next, math::grown_by(there, bulge));
      t = next;
      here = there;
    }
  }
}

bool is_empty(const Aabb& box) {
  if (box.empty()) return true;
  if (!box.lo.allFinite() || !box.hi.allFinite())
    throw InvalidInput("motion: the box has coordinates that are not finite");
  return false;
}

}  // namespace

Aabb Motion::swept_box(const Aabb& box) const {
  Aabb swept;
  if (is_empty(box)) return swept;
  for_each_step(*this, box, [&](double, const Aabb& here, double, const Aabb& there) {
    swept.include(here);
    swept.include(there);
  });
  return swept;
}

MovingBox Motion::moving_box(const Aabb& box) const {
  if (is_empty(box)) return {};
  // Start with the line from the first box to the last.
  MovingBox moving;
  int steps = 0;
  for_each_step(*this, box, [&](double, const Aabb& here, double, const Aabb& there) {
    if (steps++ == 0) moving.start = here;
    moving.end = there;
  });
  if (steps == 1) return moving;
  // Then move each side outwards until it just contains all steps.
  Vec3 below = Vec3::Constant(-kInfinity), above = below;
  const auto hold = [&](double t, const Aabb& held) {
    const Aabb now = moving.at(t);
    below = below.cwiseMax(now.lo - held.lo);
    above = above.cwiseMax(held.hi - now.hi);
  };
  for_each_step(*this, box, [&](double t0, const Aabb& here, double t1, const Aabb& there) {
    hold(t0, here);
    hold(t1, there);
  });
  for (Aabb* const side : {&moving.start, &moving.end}) {
    side->lo -= below;
    side->hi += above;
  }
  return moving;
}

std::optional<TimeInterval> overlap_time(const MovingBox& a, const MovingBox& b, double clearance) {
  if (!(clearance >= 0) || !std::isfinite(clearance))
    throw InvalidInput("moving boxes: the clearance must be a length >= 0");
  if (a.start.empty() || a.end.empty() || b.start.empty() || b.end.empty()) return {};
  TimeInterval time;
  // The gap between the two boxes along one axis is linear in time, from `at_start` to `at_end`.
  const auto no_farther = [&](double lo_start, double hi_start, double lo_end, double hi_end) {
    const auto gap = [&](double lo, double hi) {
      return lo - hi - clearance - math::kFormulaError * (std::abs(lo) + std::abs(hi) + clearance);
    };
    const double at_start = gap(lo_start, hi_start), at_end = gap(lo_end, hi_end);
    if (at_start > 0 && at_end > 0) return false;
    const double zero = at_start / (at_start - at_end);
    if (at_start > 0) time.start = std::max(time.start, zero * math::kRoundDown);
    if (at_end > 0) time.end = std::min(time.end, zero * math::kRoundUp);
    return true;
  };
  for (int k = 0; k < 3; ++k)
    if (!no_farther(a.start.lo[k], b.start.hi[k], a.end.lo[k], b.end.hi[k]) ||
        !no_farther(b.start.lo[k], a.start.hi[k], b.end.lo[k], a.end.hi[k]))
      return {};
  if (time.start > time.end) return {};
  return time;
}

}  // namespace touche
