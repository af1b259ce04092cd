// SPDX-License-Identifier: Apache-2.0
// Pictures of the bodies at a few times.
#pragma once

#include <string>

#include "touche/simulation.h"

namespace touche::simulation {

std::string picture_section(const SimulationResult& result);

}  // namespace touche::simulation
