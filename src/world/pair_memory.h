// SPDX-License-Identifier: Apache-2.0
// Remembers pairs of bodies from the steps before. This makes the next question cheaper, and often
// needless: who was far apart and moves little is still apart.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "world/pair_questions.h"

namespace touche {

struct PairState {
  Index a = kNone, b = kNone;                // nodes, a < b
  std::uint64_t became_a = 0, became_b = 0;  // the revisions in which they became what they are
  Pose pose_a, pose_b;
  double gap = 0;                   // they are proved to be farther apart than this at these poses
  std::size_t stage = 0;            // in which they were found last, see Stages
  std::uint64_t tests = 0;          // of their last question; 0 where a step's work is limited
  unsigned failures = 0, wait = 2;  // of measuring gaps, and how many steps to wait until the next

  bool is_same(const PairState& o) const {
    return became_a == o.became_a && became_b == o.became_b;
  }
  friend bool operator<(const PairState& x, const PairState& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  }
};

/// Whether a pair is proved apart on all of its way, which begins with the step, by what is known
/// of it. Writes down in the state what it learns, and adds what that took to `stats`.
bool is_known_apart(const PairQuestion& question, PairState& state, QueryStats& stats,
                    Workspace& workspace);

/// Does as ask_pair, for motions from the start of a step. Writes down in the state what it learns.
PairAnswer ask_known_pair(const PairQuestion& question, PairState& state, Workspace& workspace);

/// The states of all pairs that may be asked about again, in ascending order.
class PairMemory {
 public:
  // For each step: begin, recall the pairs of its questions in ascending order, end. Other pairs
  // stay for which `stays(state)`.
  void begin() {
    next_.clear();
    old_ = 0;
  }
  /// The number of the pair's state from `end` on. `pair` has numbers only: it is what is not
  /// known.
  template <class Stays>
  std::size_t recall(const PairState& pair, const Stays& stays) {
    keep_until(&pair, stays);
    const bool known = old_ < known_.size() && !(pair < known_[old_]);
    next_.push_back(known && pair.is_same(known_[old_]) ? known_[old_] : pair);
    old_ += known;
    return next_.size() - 1;
  }
  template <class Stays>
  void end(const Stays& stays) {
    keep_until(nullptr, stays);
    known_.swap(next_);
  }
  PairState& operator[](std::size_t number) { return known_[number]; }
  void forget() { known_.clear(); }

 private:
  template <class Stays>
  void keep_until(const PairState* pair, const Stays& stays) {
    for (; old_ < known_.size() && (pair == nullptr || known_[old_] < *pair); ++old_)
      if (stays(known_[old_])) next_.push_back(known_[old_]);
  }

  std::vector<PairState> known_, next_;
  std::size_t old_ = 0;  // those before are in next_ or gone
};

}  // namespace touche
