// SPDX-License-Identifier: Apache-2.0
// Proves two bodies apart for all of a motion on a helix (helix_motion.h), however far it turns.
//
// Points of the two bodies meet only if their radii are the same, and their heights but for the
// advance of whole turns, and only when the motion has turned by the difference of their angles. So
// pairs of triangles are apart for all time if a line parts them in the profile, for every number
// of whole turns at which their angles meet in the motion. A search by instants has to look at all
// triangles of a thread again and again; here a whole flank is parted from the other one at once.
#pragma once

#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "query/helix_tree.h"
#include "query/leaves_left.h"

namespace touche {

class HelixProof {
 public:
  /// Both objects must outlive it. It is given up after so many looks at pairs, or where it would
  /// take more by the pace so far.
  void begin(const Object& a, const Object& b, const HelixMotion& motion, std::uint64_t most_looks);

  enum class Status {
    stopped,   ///< the budget ended: go_on() goes on
    given_up,  ///< too many pairs are not proved apart
    done       ///< all pairs are proved apart but those of left()
  };
  /// Counts its work in the statistics.
  Status go_on(BudgetMeter& meter, QueryStats& stats);

  /// Pairs of leaves of the objects' hierarchies, of a and of b, each once.
  std::span<const NodePair> left() const { return left_.pairs(); }

 private:
  struct Pair {
    int moving, still;
    double share;  // of the proof: halves of a pair are worth half of it each
  };

  bool prepare(BudgetMeter& meter);
  bool takes_too_long() const;
  void look_at(const Pair& pair);

  HelixMotion motion_;
  HelixTree moving_, still_;
  int prepared_ = 0;  // trees
  std::uint64_t looks_ = 0, most_looks_ = 0;
  double done_ = 0;  // shares of pairs that were not divided
  std::vector<Pair> waiting_;
  LeavesLeft left_;
};

}  // namespace touche
