// SPDX-License-Identifier: Apache-2.0
// Boxes around bodies in the world.
#pragma once

#include "touche/simulation.h"

namespace touche::simulation {

/// Infinite for half spaces.
Aabb box_at_start(const Simulation& scene, const SimulationParts& parts, std::size_t body);

}  // namespace touche::simulation
