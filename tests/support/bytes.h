// SPDX-License-Identifier: Apache-2.0
// A decoder that accepts any bytes, from a fuzzer or a random generator.
#pragma once

#include <cstdint>
#include <span>

#include "touche/types.h"

namespace touche::test {

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  /// 0 when none are left.
  std::uint8_t take() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  Index below(Index n) { return take() % n; }
  /// A multiple of 1/32 in [-4, 4): coincident, touching and parallel things are common.
  double number() { return (take() - 128) / 32.0; }
  Vec3 point() {
    const double x = number(), y = number();
    return {x, y, number()};
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace touche::test
