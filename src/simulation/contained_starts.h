// SPDX-License-Identifier: Apache-2.0
// Bodies that start inside of others, whose surfaces they do not touch.
#pragma once

#include <vector>

#include "touche/simulation.h"

namespace touche::simulation {

/// By inner, then outer. Pairs of fixed bodies, and pairs that a joint allows to pass through each
/// other, are left out; so are bodies whose surfaces meet.
std::vector<ContainedStart> contained_starts(const Simulation& scene, const SimulationParts& parts,
                                             const SimulationOptions& options);

/// Returns false only if no body can ever reach into one that has openings or gaps: neither of a
/// pair has any, except for sheets in one plane. The same pairs are left out, and pairs of convex
/// shapes.
bool may_reach_in(const Simulation& scene, const SimulationParts& parts,
                  const SimulationOptions& options);

}  // namespace touche::simulation
