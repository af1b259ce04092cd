// SPDX-License-Identifier: Apache-2.0
#include "dynamics/impact.h"

#include <algorithm>
#include <cmath>

namespace touche {
namespace {

// A few places converge to rounding in about that many passes. More do not pay: what is left is a
// speed that the next impact takes.
constexpr int kMaxPasses = 200;
constexpr double kSmallChange = 1e-15;

double largest_speed(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts) {
  double speed = 0;
  for (const SolverContact& contact : contacts)
    speed = std::max(speed, relative_velocity(contact, bodies).norm());
  return speed;
}

// The share of the impulses of compression after which the energy has grown by `gain`, where it is
// E0 + 2 x linear + x² square for a share x.
double share_for(double gain, double linear, double square) {
  if (!(square > 0)) return 0;
  return (std::sqrt(linear * linear + square * gain) - linear) / square;
}

}  // namespace

double twice_kinetic_energy(std::span<const SolverBody> bodies, std::span<const Mat3> inertias) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].inverse_mass > 0)
      sum += bodies[i].linear.squaredNorm() / bodies[i].inverse_mass +
             bodies[i].angular.dot(inertias[i] * bodies[i].angular);
  return sum;
}

void solve_impact(std::span<SolverBody> bodies, std::span<const Mat3> inertias,
                  std::span<SolverContact> contacts, double restitution, ContactSolver& solver) {
  const double before = restitution > 0 ? twice_kinetic_energy(bodies, inertias) : 0;
  const double small = kSmallChange * largest_speed(bodies, contacts);
  solver.solve(bodies, contacts, kMaxPasses, small);
  if (!(restitution > 0)) return;

  // The energy is a quadratic function of the share that comes again: E0 + 2 x c1 + x² c2.
  const double compressed = twice_kinetic_energy(bodies, inertias);
  double linear = 0;
  for (const SolverContact& contact : contacts)
    linear +=
        contact.normal.impulse * speed_along(contact.normal, bodies[contact.a], bodies[contact.b]);
  for (SolverContact& contact : contacts)
    apply(bodies, contact, contact.normal, contact.normal.impulse);
  const double square = twice_kinetic_energy(bodies, inertias) - compressed - 2 * linear;
  const bool has_friction =
      std::any_of(contacts.begin(), contacts.end(),
                  [](const SolverContact& contact) { return contact.friction > 0; });
  const double lost = std::max(before - compressed, 0.0);
  // Without friction the energy tells the share even where the impulses are not exact.
  double share =
      has_friction ? restitution : share_for(restitution * restitution * lost, linear, square);
  if (2 * share * linear + share * share * square > lost)
    share = std::min(share, share_for(lost, linear, square));
  for (SolverContact& contact : contacts) {
    apply(bodies, contact, contact.normal, (share - 1) * contact.normal.impulse);
    contact.normal.impulse *= 1 + share;
  }
  if (!has_friction) return;
  for (int i = 0; i < kMaxPasses; ++i)
    if (pass(bodies, contacts, i % 2 == 0, Friction::only) <= small) return;
}

}  // namespace touche
