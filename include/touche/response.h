// SPDX-License-Identifier: Apache-2.0
// What becomes of a motion that meets something: it stops, slides along, or is reflected (Kolb's
// lecture, section on responses). Link target touche::dynamics.
#pragma once

#include <span>

#include "touche/types.h"

namespace touche {

/// The part of a motion, or of a velocity, that does not lead into a surface with the given normal:
/// `motion` itself where it leads away from it. The normal has unit length and points away from the
/// surface.
[[nodiscard]] Vec3 slide(const Vec3& motion, const Vec3& normal);

/// The same for several surfaces at once, in corners and grooves: of all motions that lead into
/// none of them the one nearest to `motion`. It is found exactly, but for rounding: it leads into
/// each by at most 1e-12 of the motion's length. In a corner where all ways are barred it is 0.
/// Time grows with the number of surfaces that differ; at most with its cube. Throws InvalidInput
/// for normals that are not of unit length and for a motion that is not finite.
[[nodiscard]] Vec3 slide(const Vec3& motion, std::span<const Vec3> normals);

/// A velocity after an impact on a surface that stays: what led into it leads out of it, times
/// `restitution` in [0, 1]; `velocity` itself where it leads away. Throws InvalidInput for another
/// restitution.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, const Vec3& normal, double restitution);

/// The same for several surfaces that are met at once (Moreau's law of impact): what slide() takes
/// from the velocity leads back, times `restitution`. In an acute corner that may lead into a
/// surface; then that is the next impact, and so on. After 64 of them it slides. No order of the
/// surfaces is preferred, and it never becomes faster. Throws as slide() does.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, std::span<const Vec3> normals, double restitution);

}  // namespace touche
