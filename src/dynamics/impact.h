// SPDX-License-Identifier: Apache-2.0
// The law of impacts: the velocities of two bodies after they meet at some contacts.
#pragma once

#include <span>

#include "dynamics/contact_solver.h"

namespace touche::dynamics {

/// True if the impulses of contacts gave bodies more energy than moving obstacles and gaps that may
/// close account for, by more than a share of the energy that the impulses took and gave.
bool gained_energy(std::span<const SolverBody> before, std::span<const SolverBody> after,
                   std::span<const SolverContact> contacts, double share);

/// Solves an impact at all these contacts at once: changes the velocities of the bodies, and leaves
/// the impulses in the contacts.
///
/// Compression: the impulses after which no contact approaches, with friction. Restitution: the
/// share e of the normal impulses of compression is applied again (Poisson). With friction that
/// could give more energy than there was before the impact, as seen from a body that follows a
/// motion if there is one; then e is reduced for this impact. Last, friction is solved again with
/// the larger normal impulses as its limit, which only takes energy.
///
/// Without friction, and with e = 1, the velocity is reflected in the metric of mass: energy is
/// kept except for rounding, however many contacts there are. Each contact has its own restitution.
/// Where these differ, all are reduced by the same factor if they would add energy.
void solve_impact(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                  std::span<const double> restitutions, ContactSolver& solver);
/// The same with one restitution for all contacts.
void solve_impact(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                  double restitution, ContactSolver& solver);

}  // namespace touche::dynamics
