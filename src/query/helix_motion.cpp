// SPDX-License-Identifier: Apache-2.0
// In the coordinates of the body at rest, let x(s) be a point of the moving body in a slice, where
// s runs from 0 to 1, c(s) the centre of its rotation, which moves on a straight line, r = x − c,
// and ω the rotation vector of the slice. The helix has the unit axis n through q and turns by α =
// n · ω in the slice, at a constant rate in s; y(s) is its position of the same point. Then d = x −
// y has the second derivative
//   ω × (ω × r) − α² n × (n × (y − q)), and with y − q = r − d + c − q
//   |d''| <= |ω − α n| (|ω| + |α|) |r| + α² (|d| + |n × (c − q)|).
// A function deviates from its chord by at most an eighth of its largest second derivative, so with
// E, the larger |d| of both ends, and D, the largest between them,
//   (1 − α² / 8) D <= E + (|ω − α n| (|ω| + |α|) |r| + α² |n × (c − q)|) / 8.
#include "query/helix_motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/expansion.h"
#include "math/rounding.h"

namespace touche::query {
namespace {

// A motion may deviate from a helix by this share of the tolerance, or of the moving body's size.
constexpr double kMostDrift = 0.25, kMostOfSize = 1e-6;

// The largest rotation of a slice (radians).
constexpr double kMostSliceTurn = 1;

double reach_of(const Object& object) {
  return object.bounds().lo.cwiseAbs().cwiseMax(object.bounds().hi.cwiseAbs()).norm();
}

/// A part of a slice, in the coordinates of the body at rest.
struct HelixStep {
  struct Placed {
    Mat3 rotation;  // of the moving body
    Vec3 translation, centre;
    Vec3 operator()(const Vec3& x) const { return translation + rotation * x; }
  } from, to;
  Vec3 turn;         // rotation from the one to the other: the axis, with the angle as its length
  Vec3 body_centre;  // in the moving body's coordinates
  double largest;    // bound of all coordinates in the computation

  Vec3 travel() const { return to.centre - from.centre; }

  HelixStep(const detail::Piece& moving, const detail::Piece& still, double begin, double end)
      : body_centre(moving.centre) {
    const detail::MovingBody rests = detail::moving_body(still, begin);
    const Mat3 back = rests.rotation.transpose();
    const auto placed = [&](double t) {
      const detail::MovingBody moves = detail::moving_body(moving, t);
      return Placed{back * moves.rotation, back * (moves.translation - rests.translation),
                    back * (moving.start + moving.u_at(t) * moving.travel - rests.translation)};
    };
    from = placed(begin);
    to = placed(end);
    turn = moving.angle * (moving.u_at(end) - moving.u_at(begin)) * (back * moving.axis);
    largest = moving.centre.norm() + moving.start.norm() + moving.travel.norm() +
              rests.translation.norm();
  }
};

/// The slices that are fitted by one helix; one body stands still in each of them.
struct HelixSteps {
  const TimeSlices& slices;
  std::size_t first, last;
  double begin;
  bool a_moves = !detail::is_still(*slices[first].piece_a);

  const detail::Piece& moving(std::size_t i) const {
    return a_moves ? *slices[i].piece_a : *slices[i].piece_b;
  }
  const detail::Piece& still(std::size_t i) const {
    return a_moves ? *slices[i].piece_b : *slices[i].piece_a;
  }
  bool apply() const {
    for (std::size_t i = first; i <= last; ++i)
      if (!detail::is_still(still(i)) || moving(i).kind != detail::PieceKind::slerp) return false;
    return true;
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    for (std::size_t i = first; i <= last; ++i)
      visit(HelixStep(moving(i), still(i), std::max(begin, slices[i].begin), slices[i].end));
  }
};

// The centre of the circle on which the step's centre moves, around an axis.
Vec3 middle_of(const HelixStep& step, const Vec3& axis) {
  const double angle = axis.dot(step.turn);
  const Vec3 chord = step.travel();
  return step.from.centre + 0.5 * (chord - axis.dot(chord) * axis) +
         0.5 / std::tan(0.5 * angle) * axis.cross(chord);
}

}  // namespace

std::optional<HelixMotion> helix_motion(const Object& a, const Object& b, const TimeSlices& slices,
                                        std::size_t first, std::size_t last, double begin) {
  const HelixSteps steps{slices, first, last, begin};
  if (!steps.apply()) return {};

  // Estimate the axis as the mean over all steps, weighted by their rotation. How far the steps
  // deviate from it is bounded below.
  Vec3 turn = Vec3::Zero();
  steps.visit([&](const HelixStep& step) { turn += step.turn; });
  if (!(turn.norm() > 0)) return {};
  const Vec3 axis = turn.normalized();
  const double turned = axis.dot(turn);
  Vec3 on_axis = Vec3::Zero();  // across the axis
  double travel = 0, largest = 0;
  steps.visit([&](const HelixStep& step) {
    travel += axis.dot(step.travel());
    largest = std::max(largest, step.largest);
    const double share = axis.dot(step.turn) / turned;
    if (share == 0) return;
    const Vec3 middle = middle_of(step, axis);
    on_axis += share * (middle - axis.dot(middle) * axis);
  });

  HelixMotion motion;
  motion.a_moves = steps.a_moves;
  motion.advance = travel / turned;
  Mat3 to_axis;
  const Vec3 side = axis.unitOrthogonal();
  to_axis << side.transpose(), axis.cross(side).transpose(), axis.transpose();
  const HelixStep start(steps.moving(first), steps.still(first), begin, slices[first].end);
  motion.moving.rotation = to_axis * start.from.rotation;
  motion.moving.translation = to_axis * (start.from.translation - on_axis);
  motion.still.rotation = to_axis;
  motion.still.translation = -(to_axis * on_axis);

  // Bound the deviation of points: at the ends of slices, and between.
  const Object& object = steps.a_moves ? a : b;
  const Vec3 middle = object.bounds().centre();
  const double radius = 0.5 * object.bounds().diagonal() * math::kRoundUp;
  geometry::exact::TwoTerms turned_so_far{0, 0};  // roundings of many equal turns do not cancel
  double angle = 0;
  bool bounded = true;
  const auto off_by = [&](const HelixStep::Placed& placed) {
    const Mat3 turned_by =
        Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix() * motion.moving.rotation;
    const Vec3 there = turned_by * middle +
                       Eigen::AngleAxisd(angle, Vec3::UnitZ()) * motion.moving.translation +
                       motion.advance * angle * Vec3::UnitZ();
    return (to_axis * (placed(middle) - on_axis) - there).norm() +
           (to_axis * placed.rotation - turned_by).norm() * radius;
  };
  const double most_off = std::max(kMostDrift * slices.tolerance(), kMostOfSize * radius);
  steps.visit([&](const HelixStep& step) {
    const double by = axis.dot(step.turn), of_begin = off_by(step.from);
    const geometry::exact::TwoTerms sum = geometry::exact::two_sum(turned_so_far.high, by);
    turned_so_far = {sum.high, turned_so_far.low + sum.low};
    angle = turned_so_far.high + turned_so_far.low;
    const double of_end = off_by(step.to);
    motion.turn_begin = std::min(motion.turn_begin, angle);
    motion.turn_end = std::max(motion.turn_end, angle);
    const double arm = (middle - step.body_centre).norm() + radius;
    const double lever = std::max(axis.cross(step.from.centre - on_axis).norm(),
                                  axis.cross(step.to.centre - on_axis).norm());
    const double bent =
        (step.turn - by * axis).norm() * (step.turn.norm() + std::abs(by)) * arm + by * by * lever;
    const double off = (std::max(of_begin, of_end) + 0.125 * bent) / (1 - 0.125 * by * by);
    motion.off = std::max(motion.off, off);
    // Also fails if a number has overflowed.
    if (!(std::abs(by) <= kMostSliceTurn && of_end <= most_off && off <= most_off)) bounded = false;
  });
  if (!bounded) return {};

  // No intermediate number of a profile's coordinates is larger than the sum of these, and no
  // formula has more operations than kFormulaError allows for. A height contains the advance times
  // angles, of up to half a turn of each body and all turns of the motion. At the end of a slice,
  // an angle is off by half an ulp.
  const double turns =
      std::abs(motion.turn_begin) + std::abs(motion.turn_end) + 4 * std::numbers::pi;
  largest += reach_of(a) + reach_of(b) + start.from.translation.norm() + on_axis.norm() +
             std::abs(motion.advance) * turns;
  motion.error = (slices.snapshot(slices[first], begin).error + motion.off +
                  (math::kFormulaError + math::kUnitRoundoff * turns) * largest) *
                 math::kRoundUp;
  if (!std::isfinite(motion.error) || !std::isfinite(motion.advance)) return {};
  return motion;
}

std::size_t slices_in_pieces(const TimeSlices& slices, std::size_t first) {
  std::size_t last = first;
  while (last + 1 < slices.size() && slices[last + 1].piece_a == slices[first].piece_a &&
         slices[last + 1].piece_b == slices[first].piece_b)
    ++last;
  return last + 1 - first;
}

std::size_t slices_on_helix(const Object& a, const Object& b, const TimeSlices& slices,
                            std::size_t first, double begin) {
  std::size_t tried = slices_in_pieces(slices, first), found = 0;
  // Double the number each time, so that all attempts together cost as much as two.
  while (helix_motion(a, b, slices, first, first + tried - 1, begin)) {
    found = tried;
    if (first + found == slices.size()) break;
    tried = std::min(2 * found, slices.size() - first);
  }
  return found;
}

}  // namespace touche::query
