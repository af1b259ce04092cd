// SPDX-License-Identifier: Apache-2.0
// A property test says little when nearly all of its random cases hit, or nearly none.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "test_scale.h"

namespace touche::test {

/// Expects that between 30 and 70 % of the cases hit. Few cases, as in runs that are scaled down,
/// are not judged: chance alone could decide otherwise.
inline void expect_about_half(int hits, int total) {
  constexpr int kEnough = 60;
  if (total < kEnough) return;
  // With new seeds chance moves the number of hits by its standard deviation, at most 0.5
  // sqrt(total); four of them are exceeded once in 30,000 runs.
  const double chance = first_seed() == 0 ? 0 : 2 * std::sqrt(total);
  EXPECT_GE(hits, 0.3 * total - chance);
  EXPECT_LE(hits, 0.7 * total + chance);
}

}  // namespace touche::test
