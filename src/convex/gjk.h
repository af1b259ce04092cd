// SPDX-License-Identifier: Apache-2.0
// The distance of two convex bodies: the algorithm of Gilbert, Johnson and Keerthi (1988), with
// every answer a bracket that holds in floating point.
#pragma once

#include "convex/simplex.h"

namespace touche::convex {

/// Bounds that differ by at most this share of the sum of both reaches and the distance of the
/// frames agree up to rounding. Round bodies with straight lines in their surface (cones) produce
/// triangles that are nearly segments, whose normals have errors far larger than their corners; if
/// polytopes do that, the search continues in exact arithmetic.
inline constexpr double kSeparationError = 0x1p-34, kPolytopeSeparationError = 0x1p-42;

enum class Goal : std::uint8_t {
  distance,  ///< of the bodies: an upper bound of 0 is enough if they overlap
  cores,     ///< the distance of the cores, also if the balls overlap
  /// only whether there is a common point; the errors are ignored, and no points are returned if
  /// there is none
  decide,
};

struct SeparationOptions {
  Goal goal = Goal::distance;
  /// Stop as soon as the bodies are proved to be farther apart than this, balls included. With
  /// `decide` it is 0.
  double stop_above = kInfinity;
  /// Stop when lower >= upper / (1 + relative_error) or lower >= upper - absolute_error.
  double relative_error = 0, absolute_error = 0;
  /// The first search direction, from a to b in a's frame, e.g. of an earlier result; zero for
  /// none.
  Vec3 guess = Vec3::Zero();
};

/// All in a's frame, of the bodies with their balls.
struct Separation {
  /// Proved lower bound of the distance, by the plane perpendicular to `direction`. Negative or 0
  /// if nothing is proved.
  double lower = -kInfinity;
  /// Upper bound of the distance: the distance of the two points, plus their error. 0 or negative
  /// if a common point is proved; then b must be shifted by at least -upper to separate the bodies.
  double upper = kInfinity;
  Vec3 direction = Vec3::UnitX();  ///< unit length up to rounding, from a to b
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Vec3 core_a = Vec3::Zero(),
       core_b = Vec3::Zero();  ///< nearest points of the bodies without balls
  bool converged = false;      ///< the bounds agree as the options demand, or up to rounding
  int supports = 0;            ///< pairs of supporting points computed
};

/// Two bodies, and the pose of b in a's frame.
struct Pair {
  const Body& a;
  const Body& b;
  const RigidTransform& b_in_a;
  /// Error of the positions of b's supporting points: placed_error, or corners_error if they are
  /// exact by definition.
  double error_b;
  /// Whether b's corners are already in a's frame: then the transform is the identity.
  bool in_place = false;

  /// Returns the error of differences of two supporting points, and of their extents along a unit
  /// direction.
  [[nodiscard]] double error() const { return supporting_error(a) + error_b; }
};

/// Error bound if the corners of b are, by definition, exact after rounding. The rotated direction
/// contributes 6 u R, comparing 6 u R, placing the corners twice 6 u R + 2 u |t|, and rounding the
/// difference to a point of a u (R + |t|). If the corners are placed first and compared along the
/// direction itself, products have an error of 3 u (R + |t|), and the difference and its bound one
/// of 3 u (R + |t|), which is less.
inline double corners_error(const Body& b, const RigidTransform& b_in_a) {
  return kSupportError * b.reach + 8 * math::kUnitRoundoff * b_in_a.shift();
}

/// Whether the balls inside both bodies, including their own balls, prove that the bodies have a
/// common point.
bool inner_balls_meet(const Pair& pair);

/// The point of b minus a that is farthest along a direction, scaled.
struct Farthest {
  math::Three w;
  double most;  ///< upper bound of the extent along the direction, except for rounding
};

/// A point of each body, scaled.
struct Ends {
  math::Three a, b;
};

/// Allocates nothing, except if rounding ends the search of two polytopes before the bounds agree:
/// then it continues in exact arithmetic, which takes up to about 200 microseconds.
Separation separation(const Pair& pair, const SeparationOptions& options = {});
/// Also returns the last simplex, scaled by a power of two, for callers that continue from it.
Separation separation(const Pair& pair, const SeparationOptions& options, Simplex& simplex);

/// A power of two that scales all numbers of a query so that products of six do not overflow or
/// underflow.
double scale_of(const Pair& pair);
/// Sets `vertex` to the point of b minus a that is farthest along `direction`, in a's frame,
/// scaled.
void find_vertex(const Pair& pair, const Vec3& direction, double scale, Vertex& vertex);

}  // namespace touche::convex
