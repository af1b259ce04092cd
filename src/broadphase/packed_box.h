// SPDX-License-Identifier: Apache-2.0
// Boxes in the order that vectors want.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "touche/broadphase.h"

namespace touche {

/// A box as eight numbers, lower ends and negated upper ends, so that two boxes overlap when each
/// of the eight of one is at most the negated one of the other's other end: a single comparison.
struct alignas(32) PackedBox {
  std::array<float, 8> ends{};  // x y z 0, −x −y −z 0

  PackedBox() = default;
  explicit PackedBox(const RoundedBox& box) {
    // Whole vectors in and out: the processor would wait for single numbers to be written before
    // it reads them together.
    static_assert(sizeof box == 6 * sizeof(float));
    const Four none{}, first = four(&box, 0), last = four(&box, 2);
    set(0, __builtin_shufflevector(first, none, 0, 1, 2, 4));
    set(4, __builtin_shufflevector(-last, none, 1, 2, 3, 4));
  }
  RoundedBox unpacked() const {
    RoundedBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = ends[k];
      box.hi[k] = -ends[4 + k];
    }
    return box;
  }
  float mean_edge() const {
    float sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += -ends[4 + k] - ends[k];
    return sum / 3;
  }
  bool overlaps(const PackedBox& other) const {
    return all_true((lower() <= -other.upper()) & (other.lower() <= -upper()));
  }
  bool contains(const PackedBox& other) const {
    return all_true((lower() <= other.lower()) & (upper() <= other.upper()));
  }
  /// Whether it is not empty and no coordinate is larger, or not a number.
  bool is_valid(float most) const {
    return all_true((lower() >= -most) & (upper() >= -most) & (lower() <= -upper()));
  }

 private:
  // Four at a time on any machine, by GCC's and Clang's vectors.
  using Four = float __attribute__((vector_size(16)));
  using FourBits = std::int32_t __attribute__((vector_size(16)));
  Four lower() const { return four(this, 0); }
  Four upper() const { return four(this, 4); }  // negated
  static Four four(const void* numbers, std::size_t first) {
    Four result;
    std::memcpy(&result, static_cast<const float*>(numbers) + first, sizeof result);
    return result;
  }
  void set(std::size_t first, Four four) { std::memcpy(ends.data() + first, &four, sizeof four); }
  static bool all_true(FourBits bits) {
    using TwoBits = std::int64_t __attribute__((vector_size(16)));
    const auto halves = std::bit_cast<TwoBits>(bits);
    return (halves[0] & halves[1]) == -1;
  }
};

/// A box and a fat one around it, in one line of the cache.
struct alignas(64) FatBox {
  PackedBox box, fat;
};

}  // namespace touche
