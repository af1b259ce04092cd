// SPDX-License-Identifier: Apache-2.0
#include "world/pair_sort.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "counted_new.h"
#include "random.h"

namespace touche {
namespace {

TEST(PairSort, SortsAsComparisonsDo) {
  scenes::Random random(1);
  world::PairSort sort;
  for (const Index bodies : {1U, 2U, 7U, 100U, 5000U})
    for (const int count : {0, 1, 2, 20, 700, 9000}) {
      std::vector<world::PairSort::Pair> pairs;
      for (int i = 0; i < count; ++i)
        pairs.emplace_back(random.below(bodies), random.below(bodies));
      std::vector<world::PairSort::Pair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      std::vector<world::PairSort::Pair> again = pairs;
      sort(pairs, bodies);
      EXPECT_EQ(pairs, expected) << bodies << ' ' << count;
      const std::size_t before = test::allocations;
      sort(again, bodies);
      EXPECT_EQ(test::allocations, before);
      EXPECT_EQ(again, expected);
    }
}

}  // namespace
}  // namespace touche
