// SPDX-License-Identifier: Apache-2.0
// Proves two threads apart for the whole of a short motion whose axis hardly differs from their
// axes (thread_motion.h).
//
// A whole flank of a thread is one thin strip in the profile (helix_motion.h). Tilt and shift of
// the axes move the profile of one body relative to the other by an amount that depends on the
// angle around the axis, so strips are separated sector by sector, where a search by instants would
// test all of their triangles. The profiles belong to the objects and are reused for all motions.
#pragma once

#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "query/leaves_left.h"
#include "query/thread_motion.h"

namespace touche::query {

class ThreadProof {
 public:
  /// The proof is given up after `most_looks` tests of pairs.
  void begin(const ThreadMotion& motion, std::uint64_t most_looks);

  enum class Status {
    stopped,   ///< the budget ended: go_on() resumes
    given_up,  ///< too many pairs are not proved apart
    done       ///< all pairs except left() are proved apart
  };
  /// Counts its work in the statistics.
  Status go_on(base::BudgetMeter& meter, QueryStats& stats);

  /// Pairs of leaves of the hierarchies of a and b, without duplicates.
  std::span<const NodePair> left() const { return left_.pairs(); }

  std::size_t bytes() const { return base::held_bytes(waiting_) + left_.bytes(); }

 private:
  struct Pair {
    int moving, still;
  };

  bool stay_apart(const HelixTree::Node& moving, const HelixTree::Node& still) const;
  void look_at(const Pair& pair);
  void leave(const HelixTree::Node& moving, const HelixTree::Node& still);

  ThreadMotion motion_;
  double shift_ = 0, tilt_ = 0;  // the larger ones of both ends
  std::uint64_t looks_ = 0, most_looks_ = 0;
  std::vector<Pair> waiting_;
  LeavesLeft left_;
};

}  // namespace touche::query
