// SPDX-License-Identifier: Apache-2.0
// Sorting of body pairs: there are many, and their numbers are small.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "touche/types.h"

namespace touche::world {

/// Sorts pairs of numbers below a count; keeps its memory for the next call. Many pairs are sorted
/// by counting: for 12,000 pairs that takes a tenth of the time of comparisons.
class PairSort {
 public:
  using Pair = std::pair<Index, Index>;

  void operator()(std::vector<Pair>& pairs, Index count) {
    if (pairs.size() < count / 4) {
      std::sort(pairs.begin(), pairs.end());
      return;
    }
    sorted_.resize(pairs.size());
    place(pairs, sorted_, count, [](const Pair& pair) { return pair.second; });
    place(sorted_, pairs, count, [](const Pair& pair) { return pair.first; });
  }

 private:
  // A stable counting sort by `number(pair)`.
  template <class Number>
  void place(const std::vector<Pair>& from, std::vector<Pair>& to, Index count,
             const Number& number) {
    next_.assign(std::size_t{count} + 1, 0);
    for (const Pair& pair : from) ++next_[number(pair) + 1];
    for (Index i = 0; i < count; ++i) next_[i + 1] += next_[i];
    for (const Pair& pair : from) to[next_[number(pair)]++] = pair;
  }

  std::vector<Pair> sorted_;
  std::vector<Index> next_;  // for each number the output index of its next pair
};

}  // namespace touche::world
