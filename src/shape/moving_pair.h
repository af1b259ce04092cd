// SPDX-License-Identifier: Apache-2.0
// Two moving convex bodies, within an interval of time in which each motion is one smooth piece:
// for how long is a gap between them proved to stay open.
//
// The chord. Along an axis n that rests in some frame, the gap of two points x of a and y of b is
// g(t) = n · (y(t) − x(t)). Over an interval of length dt, g leaves the straight line between its
// two ends by at most A dt² s (1 − s) / 2 at the share s of it, where A bounds |g''|; where only a
// speed S of g is known, by at most 2 S dt s (1 − s). Both add up to deviation · s (1 − s). The gap
// of the bodies is the least g of all pairs of points, at either end no more than theirs, so
//
//   gap(s) >= (1 − s) gap(0) + s gap(1) − deviation · s (1 − s).
//
// Gaps at both ends are exact, but for rounding, by two supporting points. So a proof needs no
// bound of velocities, bodies that only glide are proved at once for as long as the axis parts
// them, and what a turn costs is a quarter of its acceleration times dt² / 2.
#pragma once

#include "convex/gjk.h"
#include "math/motion_data.h"
#include "shape/shape_data.h"

namespace touche {

/// The share of an interval for which a gap of `first` > 0 at its beginning and `last` at its end
/// is proved open: 1 for all of it, end included. Rounded down.
double share_open(double first, double last, double deviation);

/// A convex shape as continuous tests see it: a body or a half space, which must outlive it.
class Mover {
 public:
  explicit Mover(const convex::Body& body) : body_(&body) {}
  explicit Mover(const HalfSpace& half_space) : half_space_(&half_space) {}
  explicit Mover(const Shape& shape)
      : body_(shape.kind() == ShapeKind::half_space ? nullptr : &body_of(shape)),
        half_space_(body_ == nullptr ? &data_of(shape).half_space : nullptr) {}

  const HalfSpace* half_space() const { return half_space_; }
  const convex::Body& body() const { return *body_; }

  /// No point of the shape is farther along a direction of about unit length in its frame. For a
  /// half space that is along its normal.
  double farthest(const Vec3& n) const;
  /// No point that counts is farther from the origin; of a half space: the nearest of its plane.
  double reach() const;

 private:
  const convex::Body* body_ = nullptr;
  const HalfSpace* half_space_ = nullptr;
};

/// Both bodies at an instant.
struct Instant {
  double t = -1;
  detail::MovingBody a, b;

  /// b as a sees it, and a as b does.
  convex::RigidTransform b_in_a() const;
  convex::RigidTransform a_in_b() const;
};

/// Where the axis of a proof rests.
enum class Rest : std::uint8_t { world, a, b };

/// How one body moves: bounds that hold in all of its piece.
struct BodyMotion {
  bool function = false;  ///< then only `speed` and `spin` are known
  bool steady = true;     ///< `angular` does not change
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), axis = Vec3::UnitX();
  double speed = 0;        ///< of the piece's centre, at most
  double spin = 0;         ///< angular speed, at most
  double spin_growth = 0;  ///< angular acceleration, at most
  // How far the body's core reaches from the piece's centre and from the axis through it. The ball
  // around the core does not turn.
  double from_centre = 0, from_axis = 0;

  BodyMotion(const detail::Piece& piece, const Mover& mover);
};

/// The movers and pieces must outlive it.
class MovingPair {
 public:
  MovingPair(const Mover& a, const detail::Piece& piece_a, const Mover& b,
             const detail::Piece& piece_b);

  Instant at(double t) const;

  /// The same with a part of b's shape in its place. It must outlive the pair.
  MovingPair with_part_of_b(const Mover& part) const {
    MovingPair pair = *this;
    pair.b_ = &part;
    return pair;
  }

  /// By how much rounding of coordinates and times may put a gap off.
  double error() const { return error_; }
  /// No number on the way to a gap in the world is larger.
  double reach() const { return reach_; }
  /// Nor are those in the frame of either body while the two touch, wherever that is in the world;
  /// but for half spaces, which other bodies may be far along.
  double own_reach() const;

  /// The axis must rest in a half space, if there is one.
  bool may_rest(Rest rest) const;

  /// The world's direction of an axis that rests in a frame, and back.
  static Vec3 to_world(Rest rest, const Vec3& n, const Instant& i);
  static Vec3 from_world(Rest rest, const Vec3& n, const Instant& i);

  /// No two points of the bodies are nearer along the axis n, of about unit length in the frame in
  /// which it rests; negative where they overlap.
  double gap(Rest rest, const Vec3& n, const Instant& i) const;

  /// Gaps may leave the chord by this, see above, between an instant and dt later.
  double chord_deviation(Rest rest, const Instant& begin, double dt) const;

  /// The time until which a gap of more than `clearance` is proved along an axis that rests in a
  /// frame; at most that of `end`, and `begin.t` where nothing is. `n` is its direction in the
  /// world at `begin`. How long a step may be is tried up to so many times.
  double open_until(Rest rest, const Instant& begin, const Vec3& n, double clearance,
                    const Instant& end, int tries) const;
  /// The longest of all frames' times, or the first that is at least `enough`.
  double open_until_any(const Instant& begin, const Vec3& n, double clearance, const Instant& end,
                        double enough) const;

  /// How far apart both are; bounds include the error. `guess` in a's frame, from a to b.
  convex::Separation separation(const Instant& i, const convex::SeparationOptions& options) const;

 private:
  const Mover *a_, *b_;
  const detail::Piece *piece_a_, *piece_b_;
  BodyMotion motion_a_, motion_b_;
  double reach_ = 0, error_ = 0;
};

/// The intervals in which both of two motions are one smooth piece, in order.
class PiecePairs {
 public:
  PiecePairs(const Motion& a, const Motion& b) : a_(pieces_of(a)), b_(pieces_of(b)) { set_end(); }

  double begin() const { return begin_; }
  double end() const { return end_; }
  const detail::Piece& a() const { return a_[i_]; }
  const detail::Piece& b() const { return b_[j_]; }
  /// False at the end of both motions.
  bool next();

 private:
  void set_end();

  std::span<const detail::Piece> a_, b_;
  std::size_t i_ = 0, j_ = 0;
  double begin_ = 0, end_ = 1;
};

}  // namespace touche
