// SPDX-License-Identifier: Apache-2.0
// Proves two bodies apart for a whole interval of time from its middle.
//
// A look at an instant allows for the speeds of that instant, and for what accelerations add, which
// grows with the square of the time. From the middle both ends are half as far away. So what slides
// along something else and turns, as a nut on its bolt, is mostly proved apart by one look, where
// looks that begin at the start have to be repeated. The search is depth-first and knows no times:
// it finds the pairs of leaves that one look does not prove apart.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "query/node_impact.h"
#include "query/pair_traversal.h"

namespace touche {

class MiddleProof {
 public:
  /// Begins a proof from `half` before the instant until as long after it, in which both motions
  /// are smooth, and not both are glides. Both objects must outlive it.
  void begin(const Object& a, const Object& b, const Snapshot& middle, double half,
             double tolerance);

  enum class Status {
    stopped,   ///< the budget ended: go_on() goes on
    given_up,  ///< the bodies touch at the instant, or too many pairs are not proved apart
    done       ///< all pairs are proved apart but those of left()
  };
  /// Counts its work in the statistics.
  Status go_on(BudgetMeter& meter, QueryStats& stats);

  /// Pairs of leaves.
  std::span<const NodePair> left() const { return left_; }

 private:
  void open(NodePair nodes, QueryStats& stats);
  bool touch(const OpenedPair& leaves, const PairKeys& keys, QueryStats& stats) const;
  void look_at_children(const ChildPairs& children, const PairKeys& keys, QueryStats& stats);

  const Kernels* kernel_ = nullptr;
  const Object *a_ = nullptr, *b_ = nullptr;
  const Bvh *bvh_a_ = nullptr, *bvh_b_ = nullptr;
  Snapshot snapshot_;
  std::optional<LocalSnapshot> middle_;
  double tolerance_ = 0;
  float half_ = 0;
  bool touching_ = false;
  std::vector<NodePair> waiting_, left_;
};

}  // namespace touche
