// SPDX-License-Identifier: Apache-2.0
// Pairs of bodies in ascending order: there are many, and their numbers are small.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "touche/types.h"

namespace touche {

/// Sorts pairs of numbers below a count; keeps its memory for the next time. Where pairs are many
/// they are put in place by counting: for 12,000 that takes a tenth of the time of comparisons.
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
  // Keeps the order of those with the same number.
  template <class Number>
  void place(const std::vector<Pair>& from, std::vector<Pair>& to, Index count,
             const Number& number) {
    next_.assign(std::size_t{count} + 1, 0);
    for (const Pair& pair : from) ++next_[number(pair) + 1];
    for (Index i = 0; i < count; ++i) next_[i + 1] += next_[i];
    for (const Pair& pair : from) to[next_[number(pair)]++] = pair;
  }

  std::vector<Pair> sorted_;
  std::vector<Index> next_;  // of each number the place of the next pair with it
};

}  // namespace touche
