// SPDX-License-Identifier: Apache-2.0
// Whatever bytes say: two soups, where they are and how they move. Every query is asked of them and
// compared with its brute-force twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace touche::test {

struct ByteAnswers {
  std::string wrong;  ///< empty when all queries agree with their twins
  bool intersecting = false, impact = false;
};

/// All bytes mean something; what is missing is taken as 0.
ByteAnswers ask_queries(std::span<const std::uint8_t> bytes);

}  // namespace touche::test
