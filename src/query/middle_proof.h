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

  // ---- parts of the interval: all others are proved apart in these, too ----------------------

  /// Keeps what is left, in place of what was kept until the same time, for later parts of the
  /// interval that was proved last, which ends at `end`.
  void keep(double end);
  /// Begins with pairs of leaves that another proof left until a time; nothing else is kept.
  void begin_with(const Object& a, const Object& b, std::span<const NodePair> pairs, double end);
  /// Forgets what was kept for intervals that end at t or before. False when nothing is kept.
  bool keeps_after(double t);
  /// Returns the end of what was kept last; its interval ends before those of all others.
  double kept_until() const { return kept_.back().end; }
  void forget() { (void)keeps_after(kInfinity); }
  /// Looks once more at the pairs that were kept last, for a part of their interval. Those that are
  /// not proved apart in it are left then. Returns how many were looked at.
  std::size_t look_again(const Snapshot& middle, double half, QueryStats& stats);
  /// Leaves them all, without a look.
  void leave_kept();

 private:
  void set_objects(const Object& a, const Object& b);
  std::span<const NodePair> kept_last() const {
    return std::span(kept_pairs_).subspan(kept_.back().first);
  }
  void set_instant(const Snapshot& middle, double half);
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
  struct Kept {
    double end;
    std::size_t first;  // of kept_pairs_
  };
  std::vector<Kept> kept_;
  std::vector<NodePair> kept_pairs_;
};

}  // namespace touche
