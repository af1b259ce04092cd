// SPDX-License-Identifier: Apache-2.0
// Two polytopes in exact arithmetic, for the few pairs that rounding leaves undecided: whether they
// have a common point if they touch or nearly do, and how far they are apart if faces are so thin
// or so nearly coplanar that their normals are meaningless.
#pragma once

#include "convex/gjk.h"

namespace touche::convex {

/// Whether the hulls of both bodies' corners meet, where b's corners are placed by `b_in_a` in
/// double precision; balls and round parts are ignored. Starts at the vertices of `simplex`.
/// Coordinates must have magnitudes of 0 or in [1e-90, 1e91]; smaller ones count as 0, larger ones
/// throw InvalidInput. Takes about ten microseconds; allocates.
bool exactly_meet(const Body& a, const Body& b, const RigidTransform& b_in_a,
                  const Simplex& simplex);

/// The nearest points of the hulls of both bodies' corners, in a's frame.
struct ExactNearest {
  Vec3 point_a, point_b;  ///< rounded, with an error below 16 u of their sizes
  double distance;        ///< rounded, with a relative error below 2^-48
  Vec3 towards;           ///< unit length up to rounding, from a to b; zero if they meet
};
/// Computes the distance of the same two hulls. Takes up to about 200 microseconds; allocates. Sets
/// the simplex, whose numbers are scaled by `scale`, to the vertices that determine the points.
ExactNearest exactly_nearest(const Pair& pair, double scale, Simplex& simplex);

}  // namespace touche::convex
