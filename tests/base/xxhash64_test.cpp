// SPDX-License-Identifier: Apache-2.0
#include "base/xxhash64.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

namespace touche {
namespace {

std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0) {
  return base::xxhash64(std::as_bytes(std::span(text)), seed);
}

// The published values.
TEST(XxHash64, IsXxh64) {
  EXPECT_EQ(hash_of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(hash_of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(hash_of("abc"), 0x44bc2cf5ad770999u);
  // This one is long enough for all four lanes.
  EXPECT_EQ(hash_of("The quick brown fox jumps over the lazy dog"), 0x0b242d361fda71bcu);
}

// Every bit and the length change the hash, whatever piece of the input they are in.
TEST(XxHash64, TellsEveryBitAndLengthApart) {
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  for (std::size_t size = 0; size <= 80; ++size) {
    std::vector<std::byte> bytes(size);
    seen.insert(base::xxhash64(bytes));
    seen.insert(base::xxhash64(bytes, 1));
    count += 2;
    for (std::size_t bit = 0; bit < 8 * size; ++bit, ++count) {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      seen.insert(base::xxhash64(bytes));
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  }
  EXPECT_EQ(seen.size(), count);
}

}  // namespace
}  // namespace touche
