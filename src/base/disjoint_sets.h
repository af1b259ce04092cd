// SPDX-License-Identifier: Apache-2.0
// A union-find structure.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "touche/types.h"

namespace touche::base {

/// Partitions the numbers below `count`; each set is represented by its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index find(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Index i, Index j) {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<Index> parent_;
};

}  // namespace touche::base
