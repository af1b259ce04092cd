// SPDX-License-Identifier: Apache-2.0
// Responses to contacts of moving bodies: they stop, slide or are reflected (Kolb's lecture,
// section on responses). Link target touche::dynamics.
#pragma once

#include <span>

#include "touche/step.h"
#include "touche/types.h"

namespace touche {

/// The part of a motion or velocity that does not lead into a surface: `motion` itself if it leads
/// away from the surface, else its component parallel to it. The normal has unit length and points
/// away from the surface.
[[nodiscard]] Vec3 slide(const Vec3& motion, const Vec3& normal);

/// The same for several surfaces at once, as in corners and grooves: of all motions that lead into
/// none of them, the one nearest to `motion`; 0 in a corner that blocks all directions. It is exact
/// except for rounding: it leads into each surface by at most 1e-12 of the motion's length. The
/// time is at most cubic in the number of different normals. Throws InvalidInput for normals that
/// are not of unit length and for a motion that is not finite.
[[nodiscard]] Vec3 slide(const Vec3& motion, std::span<const Vec3> normals);

/// The velocity after an impact on an immovable surface: the component that leads into the surface
/// is reversed and multiplied by `restitution` in [0, 1]; a velocity that leads away is not
/// changed. Throws InvalidInput for another restitution.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, const Vec3& normal, double restitution);

/// The same for several surfaces that are met at once (Moreau's law of impact): the component that
/// slide() removes is reversed and multiplied by `restitution`. In an acute corner the result may
/// lead into a surface; then this is the next impact, and so on. After 64 impacts the velocity
/// slides. The result does not depend on the order of the surfaces, and it is never faster than
/// `velocity`. Throws as slide() does.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, std::span<const Vec3> normals, double restitution);

// ---- responses of bodies in a world ------------------------------------------------------------
// For StepOptions::respond. The step proves every motion, so a response that misses a contact leads
// to another contact, never to penetration. A response has a state that is copied with it: use one
// for each stepper.

/// A body that meets another one stops, as with StepPolicy::each.
[[nodiscard]] StepResponse stop_response();

/// A body that meets another one slides along it. The rest of its motion gets an additional
/// translation that grows linearly with time: the shortest one with which no contact comes nearer.
/// The contacts are the new one, and all earlier ones of this step, with bodies that stand still,
/// that are still within `reach`, a length >= 0; clearance + 2 · tolerance of the step is suitable.
/// So bodies follow grooves and stop in corners. Rotation is not changed. If two moving groups
/// meet, each removes half of their approach. The world must outlive the response.
///
///     const StepOptions options = {.tolerance = 1e-4, .policy = StepPolicy::respond,
///                                  .respond = slide_response(world, 2e-4)};
[[nodiscard]] StepResponse slide_response(const World& world, double reach);

/// A body that meets another one is reflected: the approach velocity at the contact is reversed and
/// multiplied by `restitution` in [0, 1]. This changes the translation of the group, not its
/// rotation. Two moving groups exchange velocity like bodies of equal mass; for masses see
/// touche/dynamics.h. Throws InvalidInput for another restitution.
[[nodiscard]] StepResponse reflect_response(double restitution);

}  // namespace touche
