// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and inertia of convex shapes.
#pragma once

#include "touche/mass.h"
#include "touche/shape.h"

namespace touche {

/// Weighs a convex shape, filled evenly, in its own frame. `density`: mass per volume, > 0.
///
/// Closed forms for spheres, capsules, boxes and cylinders, rounded or not, cones and ellipsoids;
/// for hulls, zonotopes and sums of polytopes the integrals over their polyhedra, see
/// touche/mass.h. All are exact but for rounding. Throws InvalidInput for what has no volume, for a
/// density that is not a positive number, and for shapes without an answer, whose mass must be
/// given: half spaces, soups (ask their object), other rounded shapes, and sums with round ones.
///
///     dynamics.add(ball, mass_properties(Shape::sphere(0.1), 7800));
[[nodiscard]] MassProperties mass_properties(const Shape& shape, double density);

}  // namespace touche
