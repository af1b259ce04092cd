// SPDX-License-Identifier: Apache-2.0
// How far two convex bodies are apart: the algorithm of Gilbert, Johnson and Keerthi (1988), whose
// every answer is a bracket that holds in floating point.
#pragma once

#include "convex/simplex.h"

namespace touche::convex {

/// Bounds that differ by no more than this share of the sum of both reaches and the distance of the
/// frames agree up to rounding. Round bodies with straight lines in their surface (cones) make
/// triangles that are nearly segments, with normals that are off by far more than their corners;
/// where those of polytopes do, the search goes on in exact arithmetic.
inline constexpr double kSeparationError = 0x1p-34, kPolytopeSeparationError = 0x1p-42;

enum class Goal : std::uint8_t {
  distance,  ///< of the bodies: 0 is as good as anything below it
  cores,     ///< the distance of the cores, also where the balls overlap
  decide,    ///< only whether there is a point in common; errors do not count, and no points are
             ///< told where there is none
};

struct SeparationOptions {
  Goal goal = Goal::distance;
  /// Stop as soon as the bodies are proved to be farther apart than this, balls included. With
  /// `decide` it is 0.
  double stop_above = kInfinity;
  /// Stop when lower >= upper / (1 + relative_error) or lower >= upper - absolute_error.
  double relative_error = 0, absolute_error = 0;
  /// The search looks there first, from a to b in a's frame: an earlier answer. None where zero.
  Vec3 guess = Vec3::Zero();
};

/// All in a's frame, of the bodies with their balls.
struct Separation {
  /// The bodies are at least this far apart, proved by the plane across `direction`. Negative or 0
  /// where nothing is proved.
  double lower = -kInfinity;
  /// They are at most this far apart: the distance of the two points, and what these are off by.
  /// 0 or negative where they are proved to have a point in common; then b must be shifted by at
  /// least -upper to part them.
  double upper = kInfinity;
  Vec3 direction = Vec3::UnitX();  ///< unit length up to rounding, from a to b
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Vec3 core_a = Vec3::Zero(),
       core_b = Vec3::Zero();  ///< nearest points of the bodies without balls
  bool converged = false;      ///< the bounds agree as the options ask, or up to rounding
  int supports = 0;            ///< pairs of supporting points that were looked at
};

/// Two bodies, and b where a sees it.
struct Pair {
  const Body& a;
  const Body& b;
  const RigidTransform& b_in_a;
  /// The places of b's supporting points are off by this: placed_error, unless they are exact by
  /// definition: `corners_error`.
  double error_b;
  /// Whether b's corners are in a's frame as they are: then the placement is the identity.
  bool in_place = false;

  /// Returns what differences of two supporting points are off by, and what one may be farther
  /// along a unit direction than was found.
  [[nodiscard]] double error() const { return supporting_error(a) + error_b; }
};

/// Bounds errors for corners of b that are, by definition, where rounding puts them, when one is
/// looked for. The turned direction adds 6 u R, comparing 6 u R, placing the corners twice 6 u
/// R + 2 u |t|; and the difference to a point of a is rounded: u (R + |t|). Where the corners are
/// placed first and then looked at along the direction itself, products are off by 3 u (R + |t|),
/// the difference and its bound by 3 u (R + |t|): less.
inline double corners_error(const Body& b, const RigidTransform& b_in_a) {
  return kSupportError * b.reach + 8 * kUnitRoundoff * b_in_a.shift();
}

/// Whether balls inside of both, their own included, prove that the bodies have a point in common.
bool inner_balls_meet(const Pair& pair);

/// A point of b minus a that is farthest along a direction, scaled.
struct Farthest {
  Three w;
  double most;  ///< bound of how far along the direction any is, but for rounding
};

/// A point of either body, scaled.
struct Ends {
  Three a, b;
};

/// Allocates nothing, but where rounding ends the search of two polytopes before the bounds agree:
/// then it goes on in exact arithmetic, which takes up to some 200 microseconds.
Separation separation(const Pair& pair, const SeparationOptions& options = {});
/// Also tells the last simplex, which is scaled by a power of two: for those who go on from there.
Separation separation(const Pair& pair, const SeparationOptions& options, Simplex& simplex);

/// A power of two that makes all numbers of a question small enough for products of six.
double scale_of(const Pair& pair);
/// Sets `vertex` to what is farthest along `direction` in b minus a, in a's frame, scaled.
void find_vertex(const Pair& pair, const Vec3& direction, double scale, Vertex& vertex);

}  // namespace touche::convex
