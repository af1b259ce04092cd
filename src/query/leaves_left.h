// SPDX-License-Identifier: Apache-2.0
// Pairs of leaves that a proof leaves open. The same pair may be added several times, for several
// of its triangles; duplicates are removed in the end.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/held_bytes.h"
#include "query/pair_traversal.h"

namespace touche::query {

class LeavesLeft {
 public:
  void clear() { pairs_.clear(); }
  bool ends_with(const NodePair& leaves) const {
    return !pairs_.empty() && same(pairs_.back(), leaves);
  }
  void add(const NodePair& leaves) {
    if (!ends_with(leaves)) pairs_.push_back(leaves);
  }

  /// To be called now and then: whether the proof leaves too many pairs to be worthwhile.
  bool are_too_many() {
    if (pairs_.size() <= 2 * kMost) return false;
    name_once();
    return pairs_.size() > kMost;
  }
  /// To be called once at the end: removes duplicates and says whether too many pairs are left.
  bool are_too_many_in_the_end() {
    name_once();
    return pairs_.size() > kMost;
  }

  std::size_t size() const { return pairs_.size(); }
  std::size_t bytes() const { return base::held_bytes(pairs_); }
  std::span<const NodePair> pairs() const { return pairs_; }

 private:
  static constexpr std::size_t kMost = 4096;  // a proof that leaves more is given up

  static bool same(const NodePair& x, const NodePair& y) { return x.a == y.a && x.b == y.b; }
  void name_once() {
    std::sort(pairs_.begin(), pairs_.end(), [](const NodePair& x, const NodePair& y) {
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    });
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());
  }

  std::vector<NodePair> pairs_;
};

}  // namespace touche::query
