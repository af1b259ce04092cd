// SPDX-License-Identifier: Apache-2.0
// Measures whether passes over contacts still pay.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"

namespace touche {

/// The size of what a pass changed, squared: in the metric of energy, so that heavy and light
/// bodies count alike, and the mean square of the changes of velocity.
struct SweepChange {
  double energy = 0, square = 0;
};

/// Holds the mean square of the speeds of bodies that can move, and the speed that a quarter of
/// them exceeds.
struct SweepSpeeds {
  double square = 0, quarter = 0;
};
SweepSpeeds speeds_of(std::span<const SolverBody> bodies, std::vector<double>& squares);

}  // namespace touche
