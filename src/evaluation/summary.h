// SPDX-License-Identifier: Apache-2.0
// Describes the figures of an evaluation in words.
#pragma once

#include <string>
#include <vector>

#include "touche/methods/evaluation.h"

namespace touche::evaluation {

/// By mean cost, counted. `trials` is not empty.
const Trial& cheapest_of(const std::vector<Trial>& trials);

/// "obb, α 0.75"
std::string setting_text(const TreeOptions& tree);

std::string summary_section(const Evaluation& evaluation);

}  // namespace touche::evaluation
