// SPDX-License-Identifier: Apache-2.0
// What becomes of a motion that meets something: it stops, slides along, or is reflected (Kolb's
// lecture, section on responses). Link target touche::dynamics.
#pragma once

#include "touche/types.h"

namespace touche {

/// The part of a motion, or of a velocity, that does not lead into a surface with the given normal:
/// `motion` itself where it leads away from it. The normal has unit length and points away from the
/// surface.
[[nodiscard]] Vec3 slide(const Vec3& motion, const Vec3& normal);

/// A velocity after an impact on a surface that stays: what led into it leads out of it, times
/// `restitution` in [0, 1]; `velocity` itself where it leads away. Throws InvalidInput for another
/// restitution.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, const Vec3& normal, double restitution);

}  // namespace touche
