// SPDX-License-Identifier: Apache-2.0
// When do two moving shapes first touch. Options, results, tolerances and motions are those of
// objects, see touche/query.h.
#pragma once

#include "touche/shape.h"

namespace touche {

/// Certified for every pair of shapes but two half spaces, for which it throws InvalidInput, as it
/// does for the options. For all t in [0, time.lower) the shapes are proved disjoint, and farther
/// apart than the clearance; at time.upper they are at most clearance + tolerance apart.
///
/// Convex shapes are solid: one that begins inside of another touches it, and a soup that begins
/// inside of a convex shape touches that. A soup is a surface: a convex shape that moves inside of
/// a closed one is free. The tolerance is raised to 2^-40 of all coordinates of shapes and motions
/// added up, at least; `tolerance` of the result says to what. Where rounding leaves a
/// pair that cannot be decided beyond a time, the result is `undecided`, free until `time.lower`.
///
/// The contact's faces are those of soups, and kNone of convex shapes; its features are not set.
/// The budget counts steps of pairs of convex bodies, and nodes that are opened. If a motion has
/// many pieces, soups are searched piece by piece.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

namespace brute_force {
/// The same answered by following every face of a soup by itself. For two convex shapes, and for
/// two soups, it is the same.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

}  // namespace touche
