// SPDX-License-Identifier: Apache-2.0
// All queries against their brute-force reference implementations on soups, poses and motions made
// of random bytes: the same as fuzz/fuzz_query.cpp, without libFuzzer.
#include "query_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "hit_share.h"
#include "source_folder.h"
#include "test_scale.h"

namespace touche::query_bytes_test {
namespace {

TEST(QueryBytes, AgreeWithTheirTwins) {
  base::Random random(1);
  const int rounds = test::scaled(3000);
  int intersecting = 0, impacts = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint8_t> bytes(160 + random.below(80));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const test::ByteAnswers answers = test::ask_queries(bytes);
    ASSERT_EQ(answers.wrong, "") << "round " << round;
    intersecting += answers.intersecting;
    impacts += !answers.intersecting && answers.impact;
  }
  test::expect_about_half(intersecting, rounds);
  test::expect_about_half(impacts, rounds - intersecting);
}

// Replays what fuzz_query has found.
TEST(QueryBytes, AgreeOnWhatFuzzingFound) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(test::kSourceFolder) / "fuzz/corpus/query")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> read{std::istreambuf_iterator<char>(in), {}};
    const std::vector<std::uint8_t> bytes(read.begin(), read.end());
    EXPECT_EQ(test::ask_queries(bytes).wrong, "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace touche::query_bytes_test
