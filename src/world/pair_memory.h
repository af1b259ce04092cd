// SPDX-License-Identifier: Apache-2.0
// Remembers pairs of bodies from earlier steps. This makes the next query cheaper, and often
// unnecessary: bodies that were far apart and move little are still apart.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "world/pair_questions.h"

namespace touche::world {

struct PairState {
  Index a = kNone, b = kNone;                // nodes, a < b
  std::uint64_t became_a = 0, became_b = 0;  // the revisions in which the nodes became these bodies
  Pose pose_a, pose_b;
  double gap = 0;                   // the bodies are proved farther apart than this at these poses
  std::size_t stage = 0;            // in which the last query found the pair, see Stages
  std::uint64_t tests = 0;          // of the last query; 0 if the work of steps is limited
  unsigned failures = 0, wait = 2;  // failed measurements of gaps; steps to wait for the next

  bool is_same(const PairState& o) const {
    return became_a == o.became_a && became_b == o.became_b;
  }
  friend bool operator<(const PairState& x, const PairState& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  }
};

/// True if a pair is proved apart during its whole motion, which begins with the step, by what is
/// known of it. Updates the state, and adds the work to `stats`.
bool is_known_apart(const PairQuestion& question, PairState& state, QueryStats& stats,
                    Workspace& workspace);

/// As `ask_pair`, for motions from the start of a step. Updates the state.
PairAnswer ask_known_pair(const PairQuestion& question, PairState& state, Workspace& workspace);

/// The states of all pairs that may be queried again, in ascending order.
class PairMemory {
 public:
  // In each step: `begin`, `recall` the pairs of its queries in ascending order, `end`. Other pairs
  // are kept if `stays(state)`.
  void begin() {
    next_.clear();
    old_ = 0;
  }
  /// Returns the number of the pair's state, valid from `end` on. `pair` holds only nodes and
  /// revisions; it becomes the state if none is known.
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
  std::size_t old_ = 0;  // states before this one are in next_ or dropped
};

}  // namespace touche::world
