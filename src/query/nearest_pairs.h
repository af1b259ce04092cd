// SPDX-License-Identifier: Apache-2.0
// The few nearest of many pairs of nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "query/workspace.h"

namespace touche::query {

/// Kept in order, nearest first.
class NearestPairs {
 public:
  static constexpr int kMost = 6;

  /// Returns the lower bound of the pair that was dropped for lack of room.
  float add(const DistanceMemory::Waiting& added) {
    if (count_ == kMost && !(added.squared < pair_[kMost - 1].squared)) return added.squared;
    const float passed_over = count_ < kMost ? INFINITY : pair_[kMost - 1].squared;
    int at = count_ < kMost ? count_++ : kMost - 1;
    for (; at > 0 && pair_[at - 1].squared > added.squared; --at) pair_[at] = pair_[at - 1];
    pair_[at] = added;
    return passed_over;
  }
  std::span<const DistanceMemory::Waiting> pairs() const {
    return {pair_, static_cast<std::size_t>(count_)};
  }

 private:
  DistanceMemory::Waiting pair_[kMost];
  int count_ = 0;
};

/// The nearest of the pairs whose bits are set.
inline int nearest_of(std::uint32_t pairs, const float* squared) {
  int nearest = std::countr_zero(pairs);
  for (std::uint32_t left = pairs & (pairs - 1); left != 0; left &= left - 1)
    if (squared[std::countr_zero(left)] < squared[nearest]) nearest = std::countr_zero(left);
  return nearest;
}

/// Keeps at most the `most` nearest of the pairs whose bits are set. Returns the least bound of the
/// dropped pairs.
inline float keep_nearest(std::uint32_t& pairs, const float* squared, int most) {
  float least_dropped = INFINITY;
  for (int count = std::popcount(pairs); count > most; --count) {
    int farthest = std::countr_zero(pairs);
    for (std::uint32_t left = pairs & (pairs - 1); left != 0; left &= left - 1)
      if (squared[std::countr_zero(left)] >= squared[farthest]) farthest = std::countr_zero(left);
    pairs ^= 1u << farthest;
    least_dropped = std::min(least_dropped, squared[farthest]);
  }
  return least_dropped;
}

}  // namespace touche::query
