// SPDX-License-Identifier: Apache-2.0
#include "shape/pair_impact.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::shape {
namespace {

// A direction need not be exact to propose an axis: distances are bracketed up to this share of
// themselves, or of the tolerance if that is more.
constexpr double kRelativeError = 0.02, kShareOfTolerance = 0.125;
constexpr int kMostLooks = 8;

// Distances and supporting points have an error of at least this share of the numbers in their
// computation. They are computed in the frame of a body; the error of poses in the world is
// included in the pair's error.
constexpr double kRoundingOfShapes = 0x1p-40;

// A proof that covers this share of the time in which the closest points would meet is good enough.
constexpr double kEnoughOfRate = 0.5;

// Smaller steps may not change the time at all.
constexpr double kLeastStep = 0x1p-50;

convex::SeparationOptions looking_from(const Vec3& guess, double tolerance) {
  convex::SeparationOptions options;
  options.relative_error = kRelativeError;
  options.absolute_error = kShareOfTolerance * tolerance;
  options.guess = guess;
  return options;
}

}  // namespace

ToiLengths::ToiLengths(const ToiOptions& options)
    : tolerance(options.tolerance), clearance(options.clearance) {
  if (!(tolerance > 0) || !std::isfinite(tolerance))
    throw InvalidInput("time of impact: the tolerance must be a length > 0");
  if (!(clearance >= 0) || !std::isfinite(clearance))
    throw InvalidInput("time of impact: the clearance must be a length >= 0");
  if (!(options.t_start >= 0 && options.t_start < 1))
    throw InvalidInput("time of impact: `t_start` must lie in [0, 1)");
}

void ToiLengths::allow_for_rounding(const MovingPair& pair) {
  tolerance =
      std::max({tolerance, 8 * pair.error(), kRoundingOfShapes * (pair.own_reach() + clearance)});
}

void ToiLengths::allow_for_rounding(const Motion& motion_a, const Mover& a, const Motion& motion_b,
                                    const Mover& b) {
  PiecePairs pieces(motion_a, motion_b);
  do allow_for_rounding(MovingPair(a, pieces.a(), b, pieces.b()));
  while (pieces.next());
}

PairStep step_pair(const MovingPair& pair, const Instant& instant, const ToiLengths& lengths,
                   const Instant& limit, Vec3& guess) {
  PairStep step;
  convex::SeparationOptions looking = looking_from(guess, lengths.tolerance);
  for (int i = 0; i < kMostLooks; ++i) {
    step.separation = pair.separation(instant, looking);
    looking.guess = guess = step.separation.direction;
    const double above = step.separation.upper - lengths.clearance;
    if (above <= lengths.tolerance) {
      step.end = PairStep::End::touching;
      return step;
    }
    // Close above a clearance, an error relative to the distance may be too large.
    const double least = kShareOfTolerance * lengths.tolerance;
    if (step.separation.lower - lengths.clearance > 0.5 * above ||
        (looking.relative_error == 0 && looking.absolute_error <= least))
      break;
    looking.relative_error = 0;
    looking.absolute_error = std::max(least, 0.25 * above);
  }
  const Vec3 n = instant.a.rotation * step.separation.direction;
  // At the closest points the gap closes at this rate: no axis can prove much more.
  const Vec3 at_a = instant.a.to_world(step.separation.point_a),
             at_b = instant.a.to_world(step.separation.point_b);
  const double rate = n.dot(instant.a.velocity.velocity(at_a) - instant.b.velocity.velocity(at_b));
  const double enough =
      rate > 0 ? instant.t + kEnoughOfRate * (step.separation.lower - lengths.clearance) / rate
               : limit.t;
  step.until = pair.open_until_any(instant, n, lengths.clearance * (1 + 4 * math::kUnitRoundoff),
                                   limit, enough);
  if (step.until - instant.t > kLeastStep || step.until >= limit.t) step.end = PairStep::End::open;
  return step;
}

void report_contact(const Instant& instant, const convex::Separation& separation,
                    ToiResult& result) {
  const Mat3& rotation = instant.a.rotation;
  result.status = instant.t > 0 ? ToiStatus::contact : ToiStatus::initially_touching;
  result.time = {instant.t, instant.t};
  Contact contact;
  contact.point_a = instant.a.to_world(separation.point_a);
  contact.point_b = instant.a.to_world(separation.point_b);
  contact.normal = rotation * separation.direction;
  contact.distance = separation.lower > 0 ? separation.upper : 0;
  result.contact = contact;
}

// ---- bodies that touch and separate -------------------------------------------------------------

namespace {

/// Tries increasing times until the pair is apart at one, and proves along the axis found at that
/// time that it never overlapped much before.
class Parting {
 public:
  Parting(const Motion& motion_a, const Mover& a, const Motion& motion_b, const Mover& b,
          double begin, const ToiLengths& lengths)
      : motion_a_(motion_a), a_(a), motion_b_(motion_b), b_(b), begin_(begin), lengths_(lengths) {}

  double time() const {
    Vec3 guess = Vec3::Zero();
    for (double dt = first_try(); begin_ + dt < 1; dt *= 2)
      if (const double t = begin_ + dt; t > begin_ && is_apart(t, guess)) return t;
    return is_apart(1, guess) ? 1 : kInfinity;
  }

 private:
  // How often an interval is halved if the chord over it does not prove enough.
  static constexpr int kMostHalvings = 10;

  // Calls visit(pair, begin, end) for the pieces of both motions between two times, until it
  // returns false.
  template <class Visit>
  bool for_pieces(double begin, double end, const Visit& visit) const {
    PiecePairs pieces(motion_a_, motion_b_);
    do {
      const double from = std::max(begin, pieces.begin()), to = std::min(end, pieces.end());
      if (from < to && !visit(MovingPair(a_, pieces.a(), b_, pieces.b()), from, to)) return false;
    } while (pieces.next() && pieces.begin() < end);
    return true;
  }

  // The time that the pair takes to travel half the tolerance at its speed.
  double first_try() const {
    double dt = 1;
    for_pieces(begin_, 1, [&](const MovingPair& pair, double from, double to) {
      const double speed =
          pair.chord_deviation(Rest::world, pair.at(from), to - from) / (to - from);
      const Instant first = pair.at(from), last = pair.at(to);
      const double way =
          ((last.b.translation - first.b.translation) - (last.a.translation - first.a.translation))
              .norm();
      const double fast = way / (to - from) + (std::isfinite(speed) ? speed : 0);
      if (fast > 0) dt = std::min(to - from, 0.5 * lengths_.tolerance / fast);
      return false;
    });
    return std::max(dt, 0x1p-40);
  }

  bool is_apart(double t, Vec3& guess) const {
    bool apart = false;
    Vec3 n = Vec3::Zero();
    Rest rest = Rest::world;
    for_pieces(begin_, t, [&](const MovingPair& pair, double, double to) {
      if (to < t) return true;
      rest = pair.may_rest(Rest::world) ? Rest::world : pair.may_rest(Rest::a) ? Rest::a : Rest::b;
      const Instant at = pair.at(t);
      const convex::Separation s = pair.separation(at, looking_from(guess, lengths_.tolerance));
      guess = s.direction;
      n = MovingPair::from_world(rest, at.a.rotation * s.direction, at);
      apart = over(pair, rest, n, at) > lengths_.tolerance;
      return false;
    });
    return apart && for_pieces(begin_, t, [&](const MovingPair& pair, double from, double to) {
             const double first = over(pair, rest, n, pair.at(from)) + lengths_.tolerance,
                          last = over(pair, rest, n, pair.at(to)) + lengths_.tolerance;
             return stays_open(pair, rest, n, from, first, to, last, 0);
           });
  }

  double over(const MovingPair& pair, Rest rest, const Vec3& n, const Instant& at) const {
    return pair.gap(rest, n, at) - lengths_.clearance * (1 + 4 * math::kUnitRoundoff);
  }

  bool stays_open(const MovingPair& pair, Rest rest, const Vec3& n, double begin, double first,
                  double end, double last, int halvings) const {
    if (!(first > 0 && last > 0)) return false;
    const double deviation =
        pair.chord_deviation(rest, pair.at(begin), math::kRoundUp * (end - begin));
    if (share_open(first, last, deviation) == 1) return true;
    const double middle = begin + 0.5 * (end - begin);
    if (halvings == kMostHalvings || !(middle > begin && middle < end)) return false;
    const double open = over(pair, rest, n, pair.at(middle)) + lengths_.tolerance;
    return stays_open(pair, rest, n, begin, first, middle, open, halvings + 1) &&
           stays_open(pair, rest, n, middle, open, end, last, halvings + 1);
  }

  const Motion& motion_a_;
  const Mover& a_;
  const Motion& motion_b_;
  const Mover& b_;
  double begin_;
  const ToiLengths& lengths_;
};

}  // namespace

double time_to_separate(const Motion& motion_a, const Mover& a, const Motion& motion_b,
                        const Mover& b, double t, const ToiLengths& lengths) {
  return Parting(motion_a, a, motion_b, b, t, lengths).time();
}

}  // namespace touche::shape
