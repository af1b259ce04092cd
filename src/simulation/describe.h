// SPDX-License-Identifier: Apache-2.0
// How what is in a result is said to people.
#pragma once

#include <string>

#include "touche/simulation.h"

namespace touche::simulation {

std::string bodies_text(std::size_t n);  ///< "1 body", "1,234 bodies"
std::string pair_text(const SimulationView& view, std::size_t a, std::size_t b);
std::size_t moving_bodies(const Simulation& scene);

}  // namespace touche::simulation
