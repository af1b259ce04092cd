// SPDX-License-Identifier: Apache-2.0
// Finds the overlapping pairs by the simplest method.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driver.h"

namespace touche::bench {

/// All pairs of boxes that overlap, the smaller number in the upper half, sorted. Sorts the boxes
/// along x and compares each with the boxes that begin before it ends.
std::vector<std::uint64_t> all_pairs(std::span<const Box> boxes);

/// Describes what is wrong with a list of pairs; empty if it is correct.
std::string difference(std::span<const Pair> found, std::span<const std::uint64_t> truth);

}  // namespace touche::bench
