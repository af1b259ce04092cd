// SPDX-License-Identifier: Apache-2.0
// Two polytopes in exact arithmetic, for the few pairs that rounding leaves open: whether they have
// a point in common, where they touch or nearly do, and how far they are apart, where faces are so
// thin or so nearly in one plane that their normals mean nothing.
#pragma once

#include "convex/gjk.h"

namespace touche::convex {

/// Whether the hulls of both bodies' corners meet, b's where `b_in_a` puts them in double
/// precision; balls and round parts do not count. Starts at the vertices of `simplex`. Coordinates
/// of magnitudes 0 or in [1e-90, 1e91]; smaller ones count as 0, larger ones throw InvalidInput.
/// Takes some ten microseconds; allocates.
bool exactly_meet(const Body& a, const Body& b, const RigidTransform& b_in_a,
                  const Simplex& simplex);

/// The nearest points of the hulls of both bodies' corners, in a's frame.
struct ExactNearest {
  Vec3 point_a, point_b;  ///< rounded: off by less than 16 u of their sizes
  double distance;        ///< rounded: off by less than 2^-48 of itself
  Vec3 towards;           ///< unit length up to rounding, from a to b; zero where they meet
};
/// Takes up to some 200 microseconds; allocates. Says of the same two hulls how far they are apart.
/// Sets the simplex, whose numbers are scaled by `scale`, to the vertices that the points are made
/// of.
ExactNearest exactly_nearest(const Pair& pair, double scale, Simplex& simplex);

}  // namespace touche::convex
