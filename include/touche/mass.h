// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and inertia of solids bounded by polygon soups, by exact integrals over
// polyhedra (Mirtich, Fast and accurate computation of polyhedral mass properties, 1996; here by
// tetrahedra).
#pragma once

#include <span>

#include "touche/pose.h"
#include "touche/soup.h"

namespace touche {

/// The mass properties of a rigid body. The unit of mass is that of the density times the cube of
/// the model's unit of length; inertia is mass times length squared.
struct MassProperties {
  double mass = 0;
  Vec3 centre = Vec3::Zero();   ///< centre of mass, in the body's frame
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, along the axes of the body's frame

  friend bool operator==(const MassProperties&, const MassProperties&) = default;
};

/// Mass properties of the solid that the soup's triangles enclose, with uniform `density` (mass per
/// volume, > 0).
///
/// The surface may have several components. An edge may have more than two faces if as many of them
/// run along it in one direction as in the other. Vertices at the same position count as one. A
/// component with opposite orientation inside another one is a cavity. If the whole surface is
/// oriented inwards, the result is the same as with all faces reversed. Where parts of the surface
/// overlap, the common volume counts twice.
///
/// The integrals are exact except for rounding, which grows with the size of the solid, not with
/// its distance from the origin: about 1e-15 for compact solids, relative to mass and inertia.
/// Throws InvalidInput when the surface is not closed or not consistently oriented, when it
/// encloses no volume or is no solid (such as two separate components with opposite orientation),
/// when `density` is not a positive number, and when a result overflows or underflows a double.
///
///     const MassProperties steel = mass_properties(object.soup(), 7800);
[[nodiscard]] MassProperties mass_properties(const PolygonSoup& soup, double density);

/// The same body in another frame, in which the body's own frame is at `pose`.
[[nodiscard]] MassProperties placed(const MassProperties& body, const Pose& pose);

/// The mass properties of several bodies that move together as one; all are in the same frame.
/// Throws InvalidInput for an empty list, and as `validate` does.
[[nodiscard]] MassProperties combined(std::span<const MassProperties> bodies);

/// Throws InvalidInput unless the properties are physically possible: all numbers finite, the mass
/// positive, and the inertia symmetric with positive principal moments, none of which is larger
/// than the sum of the other two, up to rounding.
void validate(const MassProperties& body);

}  // namespace touche
