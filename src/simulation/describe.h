// SPDX-License-Identifier: Apache-2.0
// Texts for people about what is in a result.
#pragma once

#include <string>

#include "touche/simulation.h"

namespace touche::simulation {

std::string bodies_text(std::size_t n);  ///< "1 body", "1,234 bodies"
std::string pair_text(const SimulationResult& result, std::size_t a, std::size_t b);
std::size_t moving_bodies(const Simulation& scene);
/// The convex shape of a body; null if it is a mesh.
const Shape* convex_shape(const SimulationResult& result, std::size_t body);
/// The number of faces that are tested: 0 for a convex shape.
std::size_t triangles_of(const SimulationResult& result, std::size_t body);
bool rests(const SimulationResult& result);  ///< whether any bodies lay on each other

/// How overlapping bodies come apart: "the ball comes out of the plate by 301 mm along (0, 0, 1)";
/// or how near they were, or that it is not known.
std::string way_out_text(const SimulationResult& result, const StuckPair& pair);

/// "bodies that come to lie on each other are to keep a gap of one to two tolerances, 0.01 mm to
/// 0.02 mm, which was not measured"
std::string gap_kept(const SimulationResult& result);

}  // namespace touche::simulation
