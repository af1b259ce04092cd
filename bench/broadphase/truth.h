// SPDX-License-Identifier: Apache-2.0
// Which pairs there are, found in the plainest way there is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driver.h"

namespace touche::bench {

/// All pairs of boxes that overlap, the smaller number in the upper half, sorted. By sorting the
/// boxes along x and comparing each with those that begin before it ends.
std::vector<std::uint64_t> all_pairs(std::span<const Box> boxes);

/// Tells what is wrong with a list of pairs; empty when nothing is.
std::string difference(std::span<const Pair> found, std::span<const std::uint64_t> truth);

}  // namespace touche::bench
