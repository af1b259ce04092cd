// SPDX-License-Identifier: Apache-2.0
// How much of a motion is proved free when a search is stopped early.
#pragma once

#include <filesystem>

namespace touche::bench {

/// Prints and writes, for budgets of 1, 2, 4, ... tested pairs: the mean time and the mean share of
/// the complete search's proof.
void measure_anytime(const std::filesystem::path& csv);

}  // namespace touche::bench
