// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and inertia of convex shapes.
#pragma once

#include "touche/mass.h"
#include "touche/shape.h"

namespace touche {

/// Mass properties of a convex shape with uniform `density` (mass per volume, > 0), in the shape's
/// frame.
///
/// Spheres, capsules, boxes and cylinders, rounded or not, cones and ellipsoids have closed forms;
/// hulls, zonotopes and sums of polytopes are integrated as polyhedra, see touche/mass.h. All
/// results are exact except for rounding. Throws InvalidInput for shapes without volume, for a
/// density that is not a positive number, and for unsupported shapes, whose mass must be given by
/// the caller: half spaces, soups (use the mass_properties of their object's soup), other rounded
/// shapes, and sums with round shapes.
///
///     dynamics.add(ball, mass_properties(Shape::sphere(0.1), 7800));
[[nodiscard]] MassProperties mass_properties(const Shape& shape, double density);

}  // namespace touche
