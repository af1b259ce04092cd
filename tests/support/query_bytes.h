// SPDX-License-Identifier: Apache-2.0
// Decodes any bytes into two soups with poses and motions. Runs every query on them and compares it
// with its brute-force reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace touche::test {

struct ByteAnswers {
  std::string wrong;  ///< empty if all queries agree with their references
  bool intersecting = false, impact = false;
};

/// All bytes mean something; what is missing is taken as 0.
ByteAnswers ask_queries(std::span<const std::uint8_t> bytes);

}  // namespace touche::test
