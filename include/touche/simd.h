// SPDX-License-Identifier: Apache-2.0
// The SIMD instruction set that queries use. The best one is chosen automatically; these functions
// are for tests and measurements.
#pragma once

#include <string>
#include <vector>

namespace touche {

/// Names of the instruction sets that this build can use on this machine, the current one first.
[[nodiscard]] std::vector<std::string> simd_targets();

/// Selects an instruction set for all threads; results are the same bit for bit. Must not be called
/// while queries run. Throws InvalidInput for a name that is not in simd_targets().
void set_simd_target(const std::string& name);

}  // namespace touche
