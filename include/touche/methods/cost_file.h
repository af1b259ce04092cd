// SPDX-License-Identifier: Apache-2.0
// Test costs as a JSON file: {"unit": "ns", "cost": {"aabb obb": 31.5, ...}, "triangles": 82}.
#pragma once

#include <filesystem>
#include <string>

#include "touche/methods/volume_tree.h"

namespace touche {

[[nodiscard]] std::string costs_json(const CostMatrix& costs);

/// Reads costs; missing pairs cost 1, as in CostMatrix. Throws LoadError, naming the file and the
/// JSON path, for invalid JSON, unknown keys, pairs with unknown volumes or not in alphabetical
/// order, and costs that are not positive numbers.
[[nodiscard]] CostMatrix load_costs(const std::filesystem::path& file);

}  // namespace touche
