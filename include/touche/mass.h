// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and inertia of solids that soups enclose: exact integrals over polyhedra
// (Mirtich, Fast and accurate computation of polyhedral mass properties, 1996; here by tetrahedra).
#pragma once

#include <span>

#include "touche/pose.h"
#include "touche/soup.h"

namespace touche {

/// Says what a rigid body is to forces. Units: mass is density times the cube of the model's unit
/// of length, inertia is mass times its square.
struct MassProperties {
  double mass = 0;
  Vec3 centre = Vec3::Zero();   ///< of mass, in the frame of the body
  Mat3 inertia = Mat3::Zero();  ///< about the centre, along the axes of the body's frame

  friend bool operator==(const MassProperties&, const MassProperties&) = default;
};

/// Weighs the solid that the soup's triangles enclose, filled evenly; `density`: mass/volume, > 0.
///
/// The surface may have several components, and edges with more than two faces, as long as as many
/// run one way as the other; vertices at the same position count as one. A component that winds the
/// other way inside of another is a cavity. A surface that winds inward as a whole is taken as the
/// solid it encloses, the same as when all faces are turned round. Where parts of the surface
/// overlap, what is in both counts twice.
///
/// The integrals are exact but for rounding, which grows with the size of the solid, not with its
/// distance from the origin: about 1e-15 for compact solids, relative to mass and inertia.
/// Throws InvalidInput when the surface is not closed or not consistently oriented, when it
/// encloses no volume or is no solid (as two components do of which one is turned inside out), when
/// `density` is not a positive number, and when a result is too large or too small for a double.
[[nodiscard]] MassProperties mass_properties(const PolygonSoup& soup, double density);

/// The same body as seen from a frame in which the body's own is at `pose`.
[[nodiscard]] MassProperties placed(const MassProperties& body, const Pose& pose);

/// Several bodies of one frame as one, for those that move together. Throws InvalidInput when
/// there are none, and as `validate`.
[[nodiscard]] MassProperties combined(std::span<const MassProperties> bodies);

/// Throws InvalidInput unless some body has these: mass positive, all finite, the inertia symmetric
/// with positive principal moments of which none is larger than the other two together, but for
/// rounding.
void validate(const MassProperties& body);

}  // namespace touche
