// SPDX-License-Identifier: Apache-2.0
// A property test says little when nearly all of its random cases hit, or nearly none.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

namespace touche::test {

/// Between 30 and 70 % of the cases hit, give or take three standard deviations of chance: runs may
/// be scaled down, and compilers draw random arguments in different orders.
inline void expect_about_half(int hits, int total) {
  const double chance = 3 * std::sqrt(0.3 * 0.7 * total);
  EXPECT_GE(hits, 0.3 * total - chance);
  EXPECT_LE(hits, 0.7 * total + chance);
}

}  // namespace touche::test
