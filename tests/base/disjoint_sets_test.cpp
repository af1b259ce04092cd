// SPDX-License-Identifier: Apache-2.0
#include "base/disjoint_sets.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace touche {
namespace {

// The reference implementation stores the smallest member of its set for each number.
TEST(DisjointSets, AreKnownByTheirSmallestMember) {
  base::Random random(1);
  int joined = 0, apart = 0;
  for (int round = 0; round < 50; ++round) {
    constexpr Index kCount = 60;
    base::DisjointSets sets(kCount);
    std::vector<Index> smallest(kCount);
    std::iota(smallest.begin(), smallest.end(), Index{0});
    for (int k = 0; k < 40; ++k) {
      const Index i = random.below(kCount), j = random.below(kCount);
      sets.join(i, j);
      const Index kept = std::min(smallest[i], smallest[j]);
      const Index gone = std::max(smallest[i], smallest[j]);
      std::replace(smallest.begin(), smallest.end(), gone, kept);
      const Index asked = random.below(kCount), other = random.below(kCount);
      ASSERT_EQ(sets.find(asked), smallest[asked]);
      (sets.find(asked) == sets.find(other) ? joined : apart) += 1;
    }
    for (Index i = 0; i < kCount; ++i) ASSERT_EQ(sets.find(i), smallest[i]);
  }
  EXPECT_GT(joined, 100);
  EXPECT_GT(apart, 100);
}

}  // namespace
}  // namespace touche
