// SPDX-License-Identifier: Apache-2.0
// Which instructions the queries use. They choose the best there are by themselves; this is for
// tests and measurements.
#pragma once

#include <string>
#include <vector>

namespace touche {

/// Names of the instruction sets this build can use on this machine, the one in use first.
[[nodiscard]] std::vector<std::string> simd_targets();

/// Use the named instruction set from now on, in all threads; results are the same bit for bit.
/// Not to be called while queries run. Throws InvalidInput for a name not in simd_targets().
void set_simd_target(const std::string& name);

}  // namespace touche
