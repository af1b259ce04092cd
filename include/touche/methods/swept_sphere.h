// SPDX-License-Identifier: Apache-2.0
// Swept spheres: contact points and normal of implicit shapes, which need no faces (Kolb's lecture,
// chapter 11.3). Link target touche::methods.
#pragma once

#include "touche/types.h"

namespace touche {

/// All points within `radius` of a parallelogram, the points centre + x half_u + y half_v with |x|
/// and |y| at most 1. With half_v of no length it is a line-swept sphere, a capsule; with neither a
/// sphere.
struct SweptSphere {
  Vec3 centre = Vec3::Zero();
  Vec3 half_u = Vec3::Zero(), half_v = Vec3::Zero();
  double radius = 0;
};

struct SweptContact {
  Vec3 point_a = Vec3::Zero(),
       point_b = Vec3::Zero();  ///< on the surfaces, distance * normal apart
  Vec3 normal = Vec3::UnitX();  ///< unit length, from a to b
  /// Where they overlap it is negative: −distance is the least by which b, along the normal, must
  /// be shifted until they only touch.
  double distance = 0;
};

/// Where two swept spheres touch, are closest or overlap most. With parallel sides there are
/// several such places, and any of them may be given. The error is below 1e-12 of the sizes
/// involved. Throws InvalidInput when a radius is negative or something is not finite.
[[nodiscard]] SweptContact swept_contact(const SweptSphere& a, const SweptSphere& b);

}  // namespace touche
