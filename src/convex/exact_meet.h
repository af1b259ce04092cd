// SPDX-License-Identifier: Apache-2.0
// Whether two polytopes have a point in common, exactly: for the few pairs that touch or nearly do.
#pragma once

#include "convex/gjk.h"

namespace touche::convex {

/// Whether the hulls of both bodies' corners meet, b's where `b_in_a` puts them in double
/// precision; balls and round parts do not count. Starts at the vertices of `simplex`. Coordinates
/// of magnitudes 0 or in [1e-90, 1e91]; smaller ones count as 0, larger ones throw InvalidInput.
/// Takes some ten microseconds; allocates.
bool exactly_meet(const Body& a, const Body& b, const RigidTransform& b_in_a,
                  const Simplex& simplex);

}  // namespace touche::convex
