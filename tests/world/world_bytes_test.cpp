// SPDX-License-Identifier: Apache-2.0
// Worlds against their model, call by call, as random bytes say: the same as fuzz/fuzz_world.cpp,
// without libFuzzer.
#include "world_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "hit_share.h"
#include "source_folder.h"
#include "test_scale.h"

namespace touche::world_bytes_test {
namespace {

TEST(WorldBytes, AgreeWithTheirModel) {
  base::Random random(1);
  int calls = 0, refused = 0, questions = 0, found = 0;
  const int rounds = test::scaled(1000, 100);
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint8_t> bytes(100 + random.below(700));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const test::ByteWorld world = test::replay_world(bytes);
    ASSERT_EQ(world.wrong, "") << "round " << round;
    calls += world.calls;
    refused += world.refused;
    questions += world.questions;
    found += world.found;
  }
  EXPECT_GT(calls, 20 * rounds);
  EXPECT_GT(refused, calls / 20);
  EXPECT_LT(refused, calls / 2);
  test::expect_about_half(found, questions);
}

// Replays what fuzz_world has found, and seeds of it.
TEST(WorldBytes, AgreeOnTheCorpus) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(test::kSourceFolder) / "fuzz/corpus/world")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> read{std::istreambuf_iterator<char>(in), {}};
    const std::vector<std::uint8_t> bytes(read.begin(), read.end());
    EXPECT_EQ(test::replay_world(bytes).wrong, "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace touche::world_bytes_test
