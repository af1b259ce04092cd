// SPDX-License-Identifier: Apache-2.0
// Conservative advancement (Mirtich 1996), with the exact rotation in place of a speed bound and
// with second-order bounds, as Tang, Kim and Manocha (2009) use for meshes. The chord bound (see
// moving_pair.h) is new here.
#include "shape/moving_pair.h"

#include <algorithm>
#include <cmath>

#include "math/box_corner.h"
#include "math/rounding.h"

namespace touche::shape {
namespace {

// How often the length of a step is tried; with fewer tries the steps are too short.
constexpr int kMostTries = 6;
// Squares of numbers below this would lose digits.
constexpr double kLeastTerms = 1e-140;
// A step is long enough if this share of the tried time is proved.
constexpr double kEnough = 0.7;
// For bodies with more corners than this, the extents of the bounding box are used.
constexpr std::size_t kMostCorners = 256;

// Returns the longest of some lengths, given their squares. Four maxima are kept, so that they do
// not wait for each other; corners are repeated to fill whole blocks.
template <class Square>
double longest(const convex::Body& body, const Square& square) {
  if (body.corners <= kMostCorners) {
    static_assert(convex::kBlock % 4 == 0);
    double most[4] = {0, 0, 0, 0};
    for (std::size_t i = 0; i < body.corners; i += 4)
      for (std::size_t k = 0; k < 4; ++k) {
        const double here = square(body.corner(i + k));
        most[k] = here > most[k] ? here : most[k];
      }
    return std::sqrt(std::max(std::max(most[0], most[1]), std::max(most[2], most[3])));
  }
  double most = 0;
  Aabb box;
  for (std::size_t i = 0; i < body.corners; ++i) box.include(body.corner(i));
  for (int i = 0; i < 8; ++i) most = std::max(most, square(math::corner_of(box, i)));
  return std::sqrt(most);
}

}  // namespace

// The roots of (1 − s) first + s last − deviation s (1 − s) equal the roots of deviation s² − b s +
// first, with b = first + deviation − last. All rounding is directed towards an earlier root: the
// error of b is a few units of its terms, and that of the square root's argument a few units of b².
double share_open(double first, double last, double deviation) {
  if (!(first > 0) || !(deviation >= 0)) return 0;
  const double terms = first + deviation + std::abs(last);
  if (!(terms > kLeastTerms)) return 0;
  const double b = first + deviation - last + 4 * math::kUnitRoundoff * terms;
  if (!(b > 0)) return last > 0 ? 1 : 0;  // the second case: not a number
  const double square = b * b * (1 + 16 * math::kUnitRoundoff) - 4 * deviation * first;
  if (square < 0 && last > 0) return 1;
  const double share = 2 * first / (b + std::sqrt(std::max(square, 0.0))) * math::kRoundDown;
  if (!(share >= 0)) return 0;
  return share >= math::kRoundDown && last > 0 ? 1 : std::min(share, math::kRoundDown);
}

// ---- one body ----------------------------------------------------------------------------------

double Mover::farthest(const Vec3& n) const {
  if (half_space_ != nullptr) return half_space_->offset;
  const Vec3 point = convex::supporting(*body_, n).point;
  // The supporting point and the product have rounding errors.
  return n.dot(point) + body_->radius +
         (2 * convex::kSupportError + 8 * math::kUnitRoundoff) * (body_->reach + body_->radius);
}

double Mover::reach() const {
  return half_space_ != nullptr ? std::abs(half_space_->offset) : body_->reach + body_->radius;
}

BodyMotion::BodyMotion(const detail::Piece& piece, const Mover& mover) {
  const double rate = piece.rate();
  function = piece.kind == detail::PieceKind::function;
  if (function) {
    speed = math::kRoundUp * rate * piece.max_speed;
    spin = math::kRoundUp * rate * piece.max_angular_speed;
  } else {
    const detail::Angle angle = detail::angle_at(piece, 0);
    linear = rate * piece.travel;
    angular = (rate * angle.rate) * piece.axis;
    axis = piece.axis;
    speed = math::kRoundUp * linear.norm();
    spin = math::kRoundUp * rate * angle.max_rate;
    spin_growth = math::kRoundUp * rate * rate * angle.max_second;
    steady = piece.kind == detail::PieceKind::slerp;
  }
  if (mover.half_space() != nullptr) {  // nothing else is needed: the axis rests in the half space
    from_centre = mover.reach() + piece.centre.norm();
    return;
  }
  // Round parts are added to the hull of the corners.
  const convex::Body& body = mover.body();
  Vec3 round_centre = Vec3::Zero();
  double round = 0;
  for (const convex::Round& r : body.round) {
    round_centre += r.centre;
    round += r.size.norm();
  }
  const Vec3 offset = round_centre - piece.centre;
  const Vec3 own_axis = piece.rotation.transpose() * piece.axis;
  from_centre = math::kRoundUp *
                (round + longest(body, [&](const Vec3& x) { return (x + offset).squaredNorm(); }));
  from_axis = math::kRoundUp * (round + longest(body, [&](const Vec3& x) {
                                  return own_axis.cross(x + offset).squaredNorm();
                                }));
}

convex::RigidTransform Instant::b_in_a() const {
  convex::RigidTransform p;
  p.rotation = a.rotation.transpose() * b.rotation;
  p.translation = a.rotation.transpose() * (b.translation - a.translation);
  return p;
}

convex::RigidTransform Instant::a_in_b() const {
  convex::RigidTransform p;
  p.rotation = b.rotation.transpose() * a.rotation;
  p.translation = b.rotation.transpose() * (a.translation - b.translation);
  return p;
}

// ---- two bodies --------------------------------------------------------------------------------

// Poses are computed with a few roundings of numbers no larger than the reach of both bodies; the
// rounding of the angle is proportional to the angle. Times are rounded, too, by at most eight ulps
// (see query/time_slices.cpp); in that time both bodies move.
MovingPair::MovingPair(const Mover& a, const detail::Piece& piece_a, const Mover& b,
                       const detail::Piece& piece_b)
    : a_(&a),
      b_(&b),
      piece_a_(&piece_a),
      piece_b_(&piece_b),
      motion_a_(piece_a, a),
      motion_b_(piece_b, b) {
  const auto reach_of = [](const Mover& mover, const detail::Piece& piece, const BodyMotion& m) {
    double farthest_centre = piece.start.norm() + piece.travel.norm();
    if (m.function)
      farthest_centre = (*piece.function)(piece.u_begin).translation().norm() + piece.max_speed +
                        piece.centre.norm();
    return farthest_centre + 2 * piece.centre.norm() + 2 * m.from_centre + 2 * mover.reach();
  };
  reach_ = reach_of(a, piece_a, motion_a_) + reach_of(b, piece_b, motion_b_);
  // Of a plane, the points near the other body count, wherever that body is.
  const auto speed_of = [&](const Mover& mover, const BodyMotion& m) {
    return m.speed + m.spin * (mover.half_space() != nullptr ? reach_ : m.from_centre);
  };
  const double angle = std::max(std::abs(piece_a.angle), std::abs(piece_b.angle));
  error_ = math::kUnitRoundoff * ((128 + 8 * angle) * reach_ +
                                  8 * 2 * std::max(speed_of(a, motion_a_), speed_of(b, motion_b_)));
}

double MovingPair::own_reach() const {
  const bool plane = a_->half_space() != nullptr || b_->half_space() != nullptr;
  return plane ? reach_ : 2 * (a_->reach() + b_->reach());
}

Instant MovingPair::at(double t) const {
  return {t, detail::moving_body(*piece_a_, t), detail::moving_body(*piece_b_, t)};
}

bool MovingPair::may_rest(Rest rest) const {
  if (a_->half_space() != nullptr) return rest == Rest::a;
  if (b_->half_space() != nullptr) return rest == Rest::b;
  if (rest == Rest::world) return true;
  // In a body that does not rotate, an axis at rest is at rest in the world, too. For bodies that
  // move by a function nothing is gained.
  const bool function = motion_a_.function || motion_b_.function;
  return !function && (rest == Rest::a ? motion_a_ : motion_b_).spin > 0;
}

Vec3 MovingPair::to_world(Rest rest, const Vec3& n, const Instant& i) {
  return rest == Rest::world ? n
         : rest == Rest::a   ? Vec3(i.a.rotation * n)
                             : Vec3(i.b.rotation * n);
}

Vec3 MovingPair::from_world(Rest rest, const Vec3& n, const Instant& i) {
  return rest == Rest::world ? n
         : rest == Rest::a   ? Vec3(i.a.rotation.transpose() * n)
                             : Vec3(i.b.rotation.transpose() * n);
}

double MovingPair::gap(Rest rest, const Vec3& n, const Instant& i) const {
  const Vec3 world = to_world(rest, n, i);
  const Vec3 of_a = rest == Rest::a ? n : Vec3(i.a.rotation.transpose() * world);
  const Vec3 of_b = rest == Rest::b ? n : Vec3(i.b.rotation.transpose() * world);
  return world.dot(i.b.translation - i.a.translation) - a_->farthest(of_a) - b_->farthest(-of_b) -
         error_;
}

// Seen from a body that rotates with w about its centre, a point y of the other body is at R^T (c +
// N), with c from centre to centre and N from the other body's centre to y. Its acceleration is
//   R^T ([w]² c − [w'] c − 2 [w] c' + ([w]² − 2 [w][v] + [v]² + [v'] − [w']) N)
// where v is the angular velocity of the other body and N' = [v] N. The last bracket is [w][w − v]
// − [w − v][v] + [v'] − [w']: zero for bodies that rotate together.
double MovingPair::chord_deviation(Rest rest, const Instant& begin, double dt) const {
  double acceleration = 0, speed = 0;
  const auto add_own = [&](const BodyMotion& m) {
    if (m.function)
      speed += m.speed + m.spin * m.from_centre;
    else
      acceleration += (m.spin * m.spin + m.spin_growth) * m.from_axis;
  };
  const auto add_seen = [&](const BodyMotion& own, const Vec3& own_centre, const BodyMotion& other,
                            const Vec3& other_centre) {
    const Vec3 c = other_centre - own_centre;
    if (own.function || other.function) {
      const double apart = c.norm() + (own.speed + other.speed) * dt + other.from_centre;
      speed += own.speed + other.speed + other.spin * other.from_centre + own.spin * apart;
      return;
    }
    if (own.spin == 0) return add_own(other);
    const Vec3 rate = other.linear - own.linear;
    const Vec3 later = c + dt * rate;
    const double across = std::max(own.axis.cross(c).norm(), own.axis.cross(later).norm());
    const double spins =
        own.steady && other.steady ? (own.angular - other.angular).norm() : own.spin + other.spin;
    acceleration +=
        (own.spin * own.spin + own.spin_growth) * across +
        2 * own.spin * own.axis.cross(rate).norm() +
        (spins * (own.spin + other.spin) + own.spin_growth + other.spin_growth) * other.from_centre;
  };
  if (rest == Rest::world) {
    add_own(motion_a_);
    add_own(motion_b_);
  } else if (rest == Rest::a) {
    add_seen(motion_a_, begin.a.velocity.centre, motion_b_, begin.b.velocity.centre);
  } else {
    add_seen(motion_b_, begin.b.velocity.centre, motion_a_, begin.a.velocity.centre);
  }
  return math::kRoundUp * (0.5 * acceleration * dt + 2 * speed) * dt;
}

double MovingPair::open_until(Rest rest, const Instant& begin, const Vec3& world, double clearance,
                              const Instant& end, int tries) const {
  const Vec3 n = from_world(rest, world, begin);
  const double first = gap(rest, n, begin) - clearance;
  if (!(first > 0)) return begin.t;
  const double all = end.t - begin.t;
  double dt = all, proved = 0;
  // `closed`: the shortest time that was tried and was too long; `least`: the gap there
  double closed = 0, least = 0;
  for (int i = 0; i < tries && dt > 0; ++i) {
    const bool ends = !(dt < all);
    const double t = ends ? end.t : begin.t + dt;
    const double last = gap(rest, n, ends ? end : at(t)) - clearance;
    const double most = chord_deviation(rest, begin, math::kRoundUp * (t - begin.t));
    const double share = share_open(first, last, most);
    if (share == 1 && ends) return end.t;
    proved = std::max(proved, share * dt);
    if (share < kEnough) {
      // Too long: shorten the step so that the largest deviation from the chord, a quarter of
      // `most`, equals the current gap, or to where the chord reaches zero.
      closed = dt;
      least = last;
      double shorter = most > 4 * first ? 2 * std::sqrt(first / most) : kEnough;
      if (last < 0) shorter = std::min(shorter, first / (first - last));
      dt = std::max(dt * std::min(shorter, 0.9), 1.25 * proved);
      if (dt >= 0.95 * closed) break;
    } else {
      // Continue between this time and the one that was too long.
      if (closed == 0 || share < 1) break;
      const double further = least < 0 ? last / (last - least) : 0.5;
      const double next = dt + std::min(further, 0.5) * (closed - dt);
      if (!(next > 1.25 * dt)) break;
      dt = next;
    }
  }
  return std::min(begin.t + proved * math::kRoundDown, end.t);
}

double MovingPair::open_until_any(const Instant& begin, const Vec3& n, double clearance,
                                  const Instant& end, double enough) const {
  double until = begin.t;
  for (const Rest rest : {Rest::world, Rest::a, Rest::b}) {
    if (!may_rest(rest)) continue;
    until = std::max(until, open_until(rest, begin, n, clearance, end, kMostTries));
    if (until >= std::min(enough, end.t)) break;
  }
  return until;
}

convex::Separation MovingPair::separation(const Instant& i,
                                          const convex::SeparationOptions& options) const {
  const convex::RigidTransform placement = i.b_in_a();
  if (a_->half_space() == nullptr && b_->half_space() == nullptr)
    return convex::separation(
        {a_->body(), b_->body(), placement, convex::placed_error(b_->body(), placement)}, options);
  // A half space has only one direction.
  const bool first = a_->half_space() != nullptr;
  const Vec3 normal = (first ? a_ : b_)->half_space()->normal;
  convex::Separation s;
  s.direction = first ? normal : Vec3(placement.rotation * -normal);
  s.lower = gap(first ? Rest::a : Rest::b, first ? normal : Vec3(-normal), i);
  s.upper = std::max(s.lower, 0.0) + 4 * error_;
  const convex::Body& body = (first ? b_ : a_)->body();
  const Vec3 towards = first ? Vec3(placement.turned_back(-normal)) : s.direction;
  const Vec3 point = convex::supporting(body, towards).point + body.radius * towards;
  const double apart = std::max(s.lower, 0.0);
  if (first) {
    s.point_b = placement * point;
    s.point_a = s.point_b - apart * normal;
  } else {
    s.point_a = point;
    s.point_b = point + apart * s.direction;
  }
  s.converged = true;
  return s;
}

// ---- all of both motions -----------------------------------------------------------------------

void PiecePairs::set_end() { end_ = std::min({a_[i_].t_end, b_[j_].t_end, 1.0}); }

bool PiecePairs::next() {
  if (!(end_ < 1)) return false;
  const bool a_ends = a_[i_].t_end <= end_, b_ends = b_[j_].t_end <= end_;
  if (a_ends && i_ + 1 < a_.size()) ++i_;
  if (b_ends && j_ + 1 < b_.size()) ++j_;
  begin_ = end_;
  set_end();
  return true;
}

}  // namespace touche::shape
