// SPDX-License-Identifier: Apache-2.0
// Bodies for tests of dynamics.
#pragma once

#include "shapes.h"
#include "touche/dynamics.h"

namespace touche::test {

inline constexpr double kGravity = 9.81;

/// Around the origin.
inline Object box(const Vec3& size) { return Object(scenes::box(-0.5 * size, 0.5 * size)); }
inline Object ball(double radius, Index triangles = 512) {
  return Object(scenes::sphere(radius, triangles));
}
/// Its top is at height 0.
inline NodeId add_ground(World& world, double size = 50) {
  return world.add(Object(scenes::box({-size, -size, -1}, {size, size, 0})), {}, {.fixed = true});
}
inline Pose at(const Vec3& place) { return Pose::from_translation(place); }

inline double energy(const Dynamics& dynamics) {
  return dynamics.kinetic_energy() + dynamics.potential_energy();
}

}  // namespace touche::test
