// SPDX-License-Identifier: Apache-2.0
// Whatever bytes say: calls of a world, one after the other, each made of its model, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace touche::test {

struct ByteWorld {
  std::string wrong;  ///< the call whose answers differed; empty when there was none
  int calls = 0, refused = 0;
  int questions = 0,
      found = 0;  ///< queries that return a list, and the non-empty lists among these
};

/// All bytes mean something; what is missing is taken as 0.
ByteWorld replay_world(std::span<const std::uint8_t> bytes);

}  // namespace touche::test
