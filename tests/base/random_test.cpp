// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace touche {
namespace {

// The numbers that the authors' own program prints for the seed 1234567.
TEST(Random, IsSplitMix64) {
  base::Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, IsSpreadEvenlyOverWhatIsAskedFor) {
  base::Random random(1);
  constexpr int kDraws = 100000, kBins = 10;
  std::vector<int> uniform(kBins), below(kBins);
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform(-2, 3);
    ASSERT_TRUE(x >= -2 && x < 3);
    ++uniform[static_cast<std::size_t>((x + 2) / 5 * kBins)];
    const Index n = random.below(kBins);
    ASSERT_LT(n, static_cast<Index>(kBins));
    ++below[n];
  }
  // Ten times the standard deviation of a bin, which is less than 100.
  for (const int count : uniform) EXPECT_NEAR(count, kDraws / kBins, 1000);
  for (const int count : below) EXPECT_NEAR(count, kDraws / kBins, 1000);
}

// Half of the sphere lies beyond half of its radius along an axis, a quarter on either side.
TEST(Random, DirectionsAreSpreadEvenlyOverTheSphere) {
  base::Random random(2);
  constexpr int kDraws = 40000;
  Vec3 sum = Vec3::Zero();
  int beyond[3] = {};
  for (int i = 0; i < kDraws; ++i) {
    const Vec3 d = random.direction();
    ASSERT_NEAR(d.norm(), 1, 1e-15);
    sum += d;
    for (int k = 0; k < 3; ++k) beyond[k] += d[k] > 0.5 ? 1 : 0;
  }
  EXPECT_LT(sum.norm() / kDraws, 0.03);
  for (const int count : beyond) EXPECT_NEAR(count, kDraws / 4, 900);
}

TEST(Random, ShufflesEveryItemToEveryPlace) {
  base::Random random(3);
  constexpr int kRounds = 6000, kItems = 6;
  std::vector<std::vector<int>> at(kItems, std::vector<int>(kItems));
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Index> items(kItems);
    std::iota(items.begin(), items.end(), Index{0});
    random.shuffle(items);
    for (std::size_t i = 0; i < kItems; ++i) ++at[items[i]][i];
    std::sort(items.begin(), items.end());
    for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(items[i], i);
  }
  for (const auto& places : at)
    for (const int count : places) EXPECT_NEAR(count, kRounds / kItems, 300);
}

}  // namespace
}  // namespace touche
