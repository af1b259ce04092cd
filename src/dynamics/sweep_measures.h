// SPDX-License-Identifier: Apache-2.0
// Measures whether further solver iterations pay.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"

namespace touche::dynamics {

/// The size of the changes in one iteration, squared: `energy` in the metric of kinetic energy, so
/// that heavy and light bodies count alike, and `square` as the mean square of the velocity
/// changes.
struct SweepChange {
  double energy = 0, square = 0;
};

/// The mean square of the speeds of movable bodies, and the speed that a quarter of them exceeds.
struct SweepSpeeds {
  double square = 0, quarter = 0;
};
SweepSpeeds speeds_of(std::span<const SolverBody> bodies, std::vector<double>& squares);

}  // namespace touche::dynamics
