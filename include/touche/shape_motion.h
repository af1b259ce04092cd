// SPDX-License-Identifier: Apache-2.0
// Time of impact of two moving shapes. Options, results, tolerances and motions are as in
// touche/query.h.
#pragma once

#include "touche/shape.h"

namespace touche {

/// The certified time of impact of two shapes. For all t in [0, time.lower) the shapes are proved
/// disjoint and farther apart than the clearance; at time.upper they are at most clearance +
/// tolerance apart. Throws InvalidInput for two half spaces and for invalid options.
///
/// Convex shapes are solid: a shape that starts inside another one touches it, and so does a soup
/// that starts inside a convex shape. A soup is a surface: a convex shape that moves inside a
/// closed soup is free. The tolerance is raised to at least 2^-40 of the sum of all coordinates of
/// shapes and motions; the result's `tolerance` is the one used. Where rounding prevents a decision
/// beyond some time, the result is `undecided`, and free until `time.lower`.
///
/// The faces of the contact are set for soups and kNone for convex shapes; its features are not
/// set. The budget counts steps of pairs of convex bodies and opened nodes. If a motion has many
/// pieces, soups are searched piece by piece.
///
///     const Shape ball = Shape::sphere(1), mesh = Shape::soup(object);
///     const ToiResult r = time_of_impact(ball, motion, mesh, Motion::at({}), {.tolerance = 1e-3});
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

namespace brute_force {
/// Reference implementation that searches every face of a soup separately. For two convex shapes
/// and for two soups it is the function above.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

}  // namespace touche
