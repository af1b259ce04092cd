// SPDX-License-Identifier: Apache-2.0
// Proves two bodies apart for all of a motion on a helix (helix_motion.h), however far it turns.
//
// Points of the two bodies meet only if their radii are equal and their heights are equal up to the
// advance of whole turns, and only when the motion has turned by the difference of their angles. So
// a pair of triangles is apart for all time if a line separates them in the profile, for every
// number of whole turns at which their angles meet in the motion. A search by instants has to test
// all triangles of a thread again and again; here a whole flank is separated from the other one at
// once.
#pragma once

#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "query/helix_tree.h"
#include "query/leaves_left.h"

namespace touche::query {

class HelixProof {
 public:
  /// Both objects must outlive it. The proof is given up after `most_looks` tests of pairs, or if
  /// by its progress so far it would take more.
  void begin(const Object& a, const Object& b, const HelixMotion& motion, std::uint64_t most_looks);

  enum class Status {
    stopped,   ///< the budget ended: go_on() resumes
    given_up,  ///< too many pairs are not proved apart
    done       ///< all pairs except left() are proved apart
  };
  /// Counts its work in the statistics.
  Status go_on(base::BudgetMeter& meter, QueryStats& stats);

  /// Pairs of leaves of the hierarchies of a and b, without duplicates.
  std::span<const NodePair> left() const { return left_.pairs(); }

  std::size_t bytes() const {
    return moving_.bytes() + still_.bytes() + base::held_bytes(waiting_) + left_.bytes();
  }

 private:
  struct Pair {
    int moving, still;
    double share;  // of the proof: each half of a divided pair has half of it
  };

  bool prepare(base::BudgetMeter& meter);
  bool takes_too_long() const;
  void look_at(const Pair& pair);

  HelixMotion motion_;
  HelixTree moving_, still_;
  int prepared_ = 0;  // number of trees that are prepared
  std::uint64_t looks_ = 0, most_looks_ = 0;
  double done_ = 0;  // sum of the shares of pairs that were not divided
  std::vector<Pair> waiting_;
  LeavesLeft left_;
};

}  // namespace touche::query
