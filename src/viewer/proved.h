// SPDX-License-Identifier: Apache-2.0
// Makes messages of the answers of studies and of simulations.
#pragma once

#include "touche/simulation.h"
#include "touche/study.h"
#include "viewer/opened.h"

namespace touche::viewer {

/// Parts of the study are numbered in the order of the opened inputs.
[[nodiscard]] protocol::Proved proved_message(const StudyResult& result, const Opened& opened);
[[nodiscard]] protocol::Proved proved_message(const SimulationResult& result, const Opened& opened);

/// The least clearance of all pairs that came near, as bands between all examined times; at most
/// `most` bands, each with the bounds of the bands that it merges.
[[nodiscard]] std::vector<protocol::Band> clearance_bands(const StudyResult& result,
                                                          std::size_t most);

}  // namespace touche::viewer
