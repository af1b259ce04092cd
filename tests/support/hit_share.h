// SPDX-License-Identifier: Apache-2.0
// A property test says little when nearly all of its random cases hit, or nearly none.
#pragma once

#include <gtest/gtest.h>

namespace touche::test {

/// Expects that between 30 and 70 % of the cases hit. Few cases, as in runs that are scaled down,
/// are not judged: chance alone could decide otherwise.
inline void expect_about_half(int hits, int total) {
  constexpr int kEnough = 60;
  if (total < kEnough) return;
  EXPECT_GE(hits, 0.3 * total);
  EXPECT_LE(hits, 0.7 * total);
}

}  // namespace touche::test
