// SPDX-License-Identifier: Apache-2.0
// Pairs of nodes that wait to be tested, in the requested order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "touche/methods/volume_tree.h"

namespace touche::tree {

struct WaitingPair {
  Index a, b;
  double quality;  ///< sum of both nodes'
};

class PairOrder {
  struct Numbered {
    WaitingPair pair;
    std::uint64_t number;  ///< of equal quality, the oldest comes first
  };

  bool by_quality() const {
    return order_ == QueueOrder::best_first || order_ == QueueOrder::worst_first;
  }
  auto after() const {
    return [best = order_ == QueueOrder::best_first](const Numbered& x, const Numbered& y) {
      if (x.pair.quality != y.pair.quality) return (x.pair.quality > y.pair.quality) == best;
      return x.number > y.number;
    };
  }

 public:
  explicit PairOrder(QueueOrder order) : order_(order) {}

  bool empty() const { return begin_ == pairs_.size(); }

  void push(const WaitingPair& pair) {
    pairs_.push_back({pair, next_++});
    if (by_quality()) std::push_heap(pairs_.begin(), pairs_.end(), after());
  }

  WaitingPair pop() {
    if (order_ == QueueOrder::first_in) return pop_front();
    if (by_quality()) std::pop_heap(pairs_.begin(), pairs_.end(), after());
    const WaitingPair pair = pairs_.back().pair;
    pairs_.pop_back();
    return pair;
  }

 private:
  WaitingPair pop_front() {
    const WaitingPair pair = pairs_[begin_++].pair;
    if (2 * begin_ > pairs_.size()) {  // erase the processed pairs before they outnumber the rest
      pairs_.erase(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
    return pair;
  }

  QueueOrder order_;
  std::vector<Numbered> pairs_;
  std::size_t begin_ = 0;  // first in: before it, all are taken
  std::uint64_t next_ = 0;
};

}  // namespace touche::tree
