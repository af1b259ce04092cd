// SPDX-License-Identifier: Apache-2.0
// Costs of tests as a JSON file: {"unit": "ns", "cost": {"aabb obb": 31.5, ...}, "triangles": 82}.
#pragma once

#include <filesystem>
#include <string>

#include "touche/methods/volume_tree.h"

namespace touche {

[[nodiscard]] std::string costs_json(const CostMatrix& costs);

/// Pairs that are missing cost 1, as in CostMatrix. Throws LoadError naming the file and the JSON
/// path: what is no JSON, unknown keys, pairs of no known volumes or not in alphabetical order, and
/// costs that are not positive numbers.
[[nodiscard]] CostMatrix load_costs(const std::filesystem::path& file);

}  // namespace touche
