// SPDX-License-Identifier: Apache-2.0
// Contact points and normals of swept spheres, which are implicit shapes without faces (Kolb's
// lecture, chapter 11.3). Link target touche::methods.
#pragma once

#include "touche/types.h"

namespace touche {

/// All points within `radius` of a parallelogram: the points centre + x half_u + y half_v with |x|,
/// |y| <= 1. If half_v is 0, this is a line-swept sphere (capsule); if both are 0, a sphere.
struct SweptSphere {
  Vec3 centre = Vec3::Zero();
  Vec3 half_u = Vec3::Zero(), half_v = Vec3::Zero();
  double radius = 0;
};

struct SweptContact {
  Vec3 point_a = Vec3::Zero(),
       point_b = Vec3::Zero();  ///< on the surfaces; point_b − point_a is distance · normal
  Vec3 normal = Vec3::UnitX();  ///< unit length, from a to b
  /// Signed length. If they overlap it is negative: −distance is the length of the shortest shift
  /// of b, which is along the normal, after which they only touch.
  double distance = 0;
};

/// The points at which two swept spheres touch, are closest or overlap most. With parallel sides
/// there are several such points, and any of them may be returned. The error is below 1e-12 of the
/// sizes. Throws InvalidInput when a radius is negative or a number is not finite.
[[nodiscard]] SweptContact swept_contact(const SweptSphere& a, const SweptSphere& b);

}  // namespace touche
