// SPDX-License-Identifier: Apache-2.0
// Overlapping bodies: how deep, and how they come apart.
#pragma once

#include "touche/simulation.h"

namespace touche::simulation {

/// Adds to each stuck pair of a result its separation, where there is an answer.
void measure_stuck_pairs(const Simulation& scene, const SimulationParts& parts,
                         const SimulationOptions& options, SimulationResult& result);

/// Shifts bodies of the scene that start in each other apart, see SimulationOptions::resolve.
/// Returns by how much each was shifted.
std::vector<ResolvedStart> resolve_starts(Simulation& scene, const SimulationParts& parts,
                                          const SimulationOptions& options);

}  // namespace touche::simulation
