// SPDX-License-Identifier: Apache-2.0
// An array that grows by blocks: entries stay where they are.
#include "broadphase/growing_array.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace touche {
namespace {

struct Entry {
  std::uint32_t number;
  float value;
};

TEST(GrowingArray, EntriesStayWhereTheyAreWhileItGrows) {
  broadphase::GrowingArray<Entry> array;
  EXPECT_EQ(array.size(), 0u);
  std::vector<const Entry*> places;
  for (const Index more : {1u, 4096u, 4097u, 10000u, 1u}) {
    const Index before = array.size();
    array.add(more);
    ASSERT_GE(array.size(), before + more);
    for (Index i = before; i < array.size(); ++i) {
      *array.at(i) = {i, 0.5f * static_cast<float>(i)};
      places.push_back(array.at(i));
    }
  }
  for (Index i = 0; i < array.size(); ++i) {
    ASSERT_EQ(array.at(i), places[i]);
    ASSERT_EQ(array.at(i)->number, i);
    ASSERT_EQ(array.at(i)->value, 0.5f * static_cast<float>(i));
  }
  EXPECT_GE(array.bytes(), array.size() * sizeof(Entry));
}

// Lists that lie in one block are read as a whole.
TEST(GrowingArray, ABlockLiesInOnePiece) {
  broadphase::GrowingArray<Entry> array;
  array.add(100);
  for (const Index count : {5000u, 20000u}) {
    const Index begin = array.size();
    array.add(count);
    for (Index i = 0; i < count; ++i) ASSERT_EQ(array.at(begin + i), array.at(begin) + i);
  }
}

TEST(GrowingArray, BeginsAnew) {
  broadphase::GrowingArray<Entry> array;
  array.add(5000);
  array.clear();
  EXPECT_EQ(array.size(), 0u);
  array.add(1);
  EXPECT_GT(array.size(), 0u);
  EXPECT_LT(array.size(), 5000u);
}

}  // namespace
}  // namespace touche
