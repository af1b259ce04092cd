// SPDX-License-Identifier: Apache-2.0
// A motion that meets something gets a response: it stops, slides along, or is reflected (Kolb's
// lecture, section on responses). Link target touche::dynamics.
#pragma once

#include <span>

#include "touche/step.h"
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

// ---- responses of the bodies of a world --------------------------------------------------------
// For StepOptions::respond. The step proves every motion, so whatever a response does not foresee
// ends in another contact, never in one another. They are copied with their memory: give each
// stepper its own.

/// Whoever meets something stops: as StepPolicy::each.
[[nodiscard]] StepResponse stop_response();

/// Whoever meets something slides along it. To the rest of its motion is added the shortest shift,
/// growing evenly, with which no contact comes nearer: the one that was met now, and all with
/// bodies that stand still which were met before in this step and are still as near as `reach`.
/// That is a length >= 0; clearance + 2 tolerance of the step fits. So it follows grooves and stops
/// in corners. It turns as it would have done. Where two groups move, each bears half of what
/// brings them nearer. The world must outlive this.
///
///     const StepOptions options = {.tolerance = 1e-4, .policy = StepPolicy::respond,
///                                  .respond = slide_response(world, 2e-4)};
[[nodiscard]] StepResponse slide_response(const World& world, double reach);

/// Whoever meets something is reflected: what the contact came nearer by goes the other way, times
/// `restitution` in [0, 1], shifting the group and leaving its turning as it is. Two groups that
/// move exchange it as bodies of equal mass do; touche/dynamics.h has masses. Throws InvalidInput
/// for another restitution.
[[nodiscard]] StepResponse reflect_response(double restitution);

}  // namespace touche
