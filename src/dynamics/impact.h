// SPDX-License-Identifier: Apache-2.0
// The law of impacts tells what becomes of the velocities of two bodies that meet at some places.
#pragma once

#include <span>

#include "dynamics/contact_solver.h"

namespace touche {

/// Whether the impulses of contacts gave bodies more energy, by more than a share of what they took
/// and gave, than a moving obstacle or a gap that may close accounts for.
bool gained_energy(std::span<const SolverBody> before, std::span<const SolverBody> after,
                   std::span<const SolverContact> contacts, double share);

/// Changes the velocities of bodies that meet at all these contacts at once, and leaves the
/// impulses in the contacts.
///
/// Compression: the impulses after which no contact gets nearer, with friction. Restitution: the
/// share e of the normal impulses of compression comes again (Poisson). With friction that could
/// give more energy than there was before the impact, as seen from what follows a motion, if
/// anything does; then e is made smaller for this one. Last,
/// friction again with the larger normal impulses as its limit, which takes energy only.
///
/// Without friction, the velocity in the metric of mass is reflected where e = 1: then energy is
/// kept but for rounding, however many contacts there are. Each contact has a restitution of its
/// own; where these differ, all are made smaller by the same share where that would give energy.
void solve_impact(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                  std::span<const double> restitutions, ContactSolver& solver);
/// The same with one restitution for all contacts.
void solve_impact(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                  double restitution, ContactSolver& solver);

}  // namespace touche
