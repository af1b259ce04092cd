// SPDX-License-Identifier: Apache-2.0
// Two moving convex bodies, in an interval of time in which each motion is one smooth piece: proves
// for how long a gap between them stays open.
//
// The chord. Along an axis n that rests in some frame, the gap between a point x of a and a point y
// of b is g(t) = n · (y(t) − x(t)). Over an interval of length dt, at its share s, g differs from
// the straight line between its values at the ends by at most A dt² s (1 − s) / 2, where A bounds
// |g''|; if only a bound S of |g'| is known, by at most 2 S dt s (1 − s). Both bounds add up to
// deviation · s (1 − s). The gap of the bodies is the least g of all pairs of points; at either end
// it is at most the g of each pair, so
//
//   gap(s) >= (1 − s) gap(0) + s gap(1) − deviation · s (1 − s).
//
// The gaps at both ends are exact, except for rounding, by two supporting points each. So the proof
// needs no bound of velocities; for bodies that only translate, the whole time for which the axis
// separates them is proved at once, and a rotation costs a quarter of the product of its
// acceleration and dt² / 2.
#pragma once

#include "convex/gjk.h"
#include "math/motion_data.h"
#include "shape/shape_data.h"

namespace touche::shape {

/// The share of an interval for which a gap of `first` > 0 at its beginning and `last` at its end
/// is proved open: 1 for all of it, end included. Rounded down.
double share_open(double first, double last, double deviation);

/// A convex shape in a continuous test: a body or a half space, which must outlive it.
class Mover {
 public:
  explicit Mover(const convex::Body& body) : body_(&body) {}
  explicit Mover(const HalfSpace& half_space) : half_space_(&half_space) {}
  explicit Mover(const Shape& shape)
      : body_(shape.kind() == ShapeKind::half_space ? nullptr : &body_of(shape)),
        half_space_(body_ == nullptr ? &base::data_of(shape).half_space : nullptr) {}

  const HalfSpace* half_space() const { return half_space_; }
  const convex::Body& body() const { return *body_; }

  /// Upper bound of the shape's extent along a direction of about unit length in its frame. For a
  /// half space the direction must be its normal.
  double farthest(const Vec3& n) const;
  /// Upper bound of the distance of relevant points from the origin; for a half space, the distance
  /// of its plane.
  double reach() const;

 private:
  const convex::Body* body_ = nullptr;
  const HalfSpace* half_space_ = nullptr;
};

/// Both bodies at one instant.
struct Instant {
  double t = -1;
  detail::MovingBody a, b;

  /// Pose of b in a's frame, and of a in b's frame.
  convex::RigidTransform b_in_a() const;
  convex::RigidTransform a_in_b() const;
};

/// The frame in which the axis of a proof is at rest.
enum class Rest : std::uint8_t { world, a, b };

/// The motion of one body: bounds that hold in all of its piece.
struct BodyMotion {
  bool function = false;  ///< the motion is a function: only `speed` and `spin` are known
  bool steady = true;     ///< `angular` is constant
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), axis = Vec3::UnitX();
  double speed = 0;        ///< upper bound of the speed of the piece's centre
  double spin = 0;         ///< upper bound of the angular speed
  double spin_growth = 0;  ///< upper bound of the angular acceleration
  // Extent of the body's core from the piece's centre and from the axis through it. The ball around
  // the core is not affected by rotation.
  double from_centre = 0, from_axis = 0;

  BodyMotion(const detail::Piece& piece, const Mover& mover);
};

/// The movers and pieces must outlive it.
class MovingPair {
 public:
  MovingPair(const Mover& a, const detail::Piece& piece_a, const Mover& b,
             const detail::Piece& piece_b);

  Instant at(double t) const;

  /// The same pair with a part of b's shape in place of b. The part must outlive the pair.
  MovingPair with_part_of_b(const Mover& part) const {
    MovingPair pair = *this;
    pair.b_ = &part;
    return pair;
  }

  /// Bound of the error of a gap due to rounding of coordinates and times.
  double error() const { return error_; }
  /// Upper bound of all numbers in the computation of a gap in the world frame.
  double reach() const { return reach_; }
  /// Upper bound of the numbers in the frame of either body while the two touch, wherever that is
  /// in the world. Half spaces are an exception: another body may touch them far from the origin.
  double own_reach() const;

  /// Whether an axis may rest in this frame. If one shape is a half space, the axis must rest in
  /// it.
  bool may_rest(Rest rest) const;

  /// The world direction of an axis that rests in a frame, and the inverse.
  static Vec3 to_world(Rest rest, const Vec3& n, const Instant& i);
  static Vec3 from_world(Rest rest, const Vec3& n, const Instant& i);

  /// Lower bound of the gap of the bodies along the axis n, of about unit length in the frame in
  /// which it rests; negative if they overlap.
  double gap(Rest rest, const Vec3& n, const Instant& i) const;

  /// How much gaps may deviate from the chord between an instant and dt later; see above.
  double chord_deviation(Rest rest, const Instant& begin, double dt) const;

  /// The time until which a gap of more than `clearance` is proved along an axis that rests in a
  /// frame; at most the time of `end`, and `begin.t` if nothing is proved. `n` is the axis in the
  /// world at `begin`. Up to `tries` lengths of the step are tried.
  double open_until(Rest rest, const Instant& begin, const Vec3& n, double clearance,
                    const Instant& end, int tries) const;
  /// The latest time proved with any frame, or the first that is at least `enough`.
  double open_until_any(const Instant& begin, const Vec3& n, double clearance, const Instant& end,
                        double enough) const;

  /// The distance of the bodies; the bounds include the error. The options' `guess` is in a's
  /// frame, from a to b.
  convex::Separation separation(const Instant& i, const convex::SeparationOptions& options) const;

 private:
  const Mover *a_, *b_;
  const detail::Piece *piece_a_, *piece_b_;
  BodyMotion motion_a_, motion_b_;
  double reach_ = 0, error_ = 0;
};

/// The intervals in which both motions are one smooth piece, in order.
class PiecePairs {
 public:
  PiecePairs(const Motion& a, const Motion& b) : a_(math::pieces_of(a)), b_(math::pieces_of(b)) {
    set_end();
  }

  double begin() const { return begin_; }
  double end() const { return end_; }
  const detail::Piece& a() const { return a_[i_]; }
  const detail::Piece& b() const { return b_[j_]; }
  /// Returns false at the end of both motions.
  bool next();

 private:
  void set_end();

  std::span<const detail::Piece> a_, b_;
  std::size_t i_ = 0, j_ = 0;
  double begin_ = 0, end_ = 1;
};

}  // namespace touche::shape
