// SPDX-License-Identifier: Apache-2.0
// Boxes in the order that SIMD code needs.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "touche/broadphase.h"

namespace touche::broadphase {

/// A box as six numbers, its lower ends and negated upper ends. Two boxes overlap if each of the
/// six numbers of one is at most the negated opposite end of the other. An array of boxes has no
/// gaps; code that reads eight numbers at once needs one more box at the end of the array.
struct PackedBox {
  std::array<float, 6> ends{};  // x y z −x −y −z

  PackedBox() = default;
  explicit PackedBox(const RoundedBox& box) {
    // Read and written as whole vectors, because reading numbers as a vector just after they were
    // written one by one would stall the processor.
    const Four last = four_last(box);
    set(0, four_first(box));
    set(4, __builtin_shufflevector(last, last, 2, 3));
  }
  RoundedBox unpacked() const {
    RoundedBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = ends[k];
      box.hi[k] = -ends[3 + k];
    }
    return box;
  }
  float mean_edge() const {
    float sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += -ends[3 + k] - ends[k];
    return sum / 3;
  }
  bool overlaps(const PackedBox& other) const {
    // The opposite ends of the other box: −X −Y −Z x, and −Z x y z.
    const Four its_first = other.first(), its_last = other.last();
    return all_true((first() <= -__builtin_shufflevector(its_first, its_last, 5, 6, 7, 0)) &
                    (last() <= -__builtin_shufflevector(its_first, its_last, 7, 0, 1, 2)));
  }
  bool contains(const PackedBox& other) const {
    return all_true((first() <= other.first()) & (last() <= other.last()));
  }
  bool contains(const RoundedBox& other) const {
    return all_true((first() <= four_first(other)) & (last() <= four_last(other)));
  }
  /// Whether this box contains another one that is also not near its ends: on each side there is at
  /// least a tenth of the total room along that axis, or of the box's edge. If the rooms on both
  /// sides are negative, neither can be a ninth of the other, and differences of floating-point
  /// numbers have the right sign.
  bool contains_well(const RoundedBox& other) const {
    const Four a = four_first(other), b = four_last(other), rooms_a = a - first(),
               rooms_b = b - last();
    const auto is_room = [](Four room, Four opposite, Four edge) {
      return (9 * room >= opposite) | (10 * room >= edge);
    };
    return all_true(is_room(rooms_a, __builtin_shufflevector(rooms_a, rooms_b, 5, 6, 7, 0),
                            -a - __builtin_shufflevector(a, b, 5, 6, 7, 0)) &
                    is_room(rooms_b, __builtin_shufflevector(rooms_a, rooms_b, 7, 0, 1, 2),
                            -b - __builtin_shufflevector(a, b, 7, 0, 1, 2)));
  }
  /// Whether a box is not empty, and all its coordinates are numbers of magnitude at most `most`.
  static bool is_valid(const RoundedBox& box, float most) {
    const Four lower = four_first(box), last = four_last(box);
    const Four upper = -__builtin_shufflevector(last, -lower, 1, 2, 3, 7);
    return all_true((lower >= -most) & (last >= -most) & (lower <= upper));
  }

 private:
  // Four numbers at a time on any machine, by GCC's and Clang's vector types: the first four and
  // the last four.
  using Four = float __attribute__((vector_size(16)));
  using FourBits = std::int32_t __attribute__((vector_size(16)));
  Four first() const { return four(this, 0); }
  Four last() const { return four(this, 2); }
  static Four four(const void* numbers, std::size_t first) {
    Four result;
    std::memcpy(&result, static_cast<const float*>(numbers) + first, sizeof result);
    return result;
  }
  // The first and the last four numbers that a box has when packed.
  static Four four_first(const RoundedBox& box) {
    static_assert(sizeof box == 6 * sizeof(float));
    const Four as_given = four(&box, 0);
    return __builtin_shufflevector(as_given, -as_given, 0, 1, 2, 7);
  }
  static Four four_last(const RoundedBox& box) {
    const Four as_given = four(&box, 2);
    return __builtin_shufflevector(as_given, -as_given, 0, 5, 6, 7);
  }
  template <class Vector>
  void set(std::size_t first, Vector numbers) {
    std::memcpy(ends.data() + first, &numbers, sizeof numbers);
  }
  static bool all_true(FourBits bits) {
    using TwoBits = std::int64_t __attribute__((vector_size(16)));
    const auto halves = std::bit_cast<TwoBits>(bits);
    return (halves[0] & halves[1]) == -1;
  }
};

}  // namespace touche::broadphase
