// SPDX-License-Identifier: Apache-2.0
// Proves two bodies apart for a whole interval of time from its middle.
//
// A test at an instant allows for the speeds at that instant, and for what accelerations add, which
// grows with the square of the time. From the middle, both ends are half as far away. So a body
// that slides along another one and turns, as a nut on its bolt, is usually proved apart by one
// test, where tests from the start would have to be repeated. The search is depth-first and keeps
// no times: it finds the pairs of leaves that one test does not prove apart.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "base/held_bytes.h"
#include "query/node_impact.h"
#include "query/pair_traversal.h"

namespace touche::query {

class MiddleProof {
 public:
  /// Begins a proof for the interval from `half` before the instant to `half` after it. In this
  /// interval both motions must be smooth and must not both be glides. Both objects must outlive
  /// it.
  void begin(const Object& a, const Object& b, const Snapshot& middle, double half,
             double tolerance);

  enum class Status {
    stopped,   ///< the budget ended: go_on() resumes
    given_up,  ///< the bodies touch at the instant, or too many pairs are not proved apart
    done       ///< all pairs except left() are proved apart
  };
  /// Counts its work in the statistics.
  Status go_on(base::BudgetMeter& meter, QueryStats& stats);

  /// Pairs of leaves that are not proved apart.
  std::span<const NodePair> left() const { return left_; }

  std::size_t bytes() const { return base::held_bytes(waiting_, left_, kept_, kept_pairs_); }

  // ---- parts of the interval: all other pairs are proved apart in these, too -------------------

  /// Keeps the pairs in left(), for later parts of the interval that was proved last, which ends at
  /// `end`. They replace what was kept for the same end.
  void keep(double end);
  /// Begins with pairs of leaves that another proof left, valid until `end`; nothing else is kept.
  void begin_with(const Object& a, const Object& b, std::span<const NodePair> pairs, double end);
  /// Drops what was kept for intervals that end at t or before. Returns false if nothing is kept.
  bool keeps_after(double t);
  /// The end of the interval that was kept last; it ends before all other kept intervals.
  double kept_until() const { return kept_.back().end; }
  void forget() { (void)keeps_after(kInfinity); }
  /// Tests the pairs that were kept last again, for a part of their interval. left() then holds the
  /// pairs that are not proved apart in it. Returns the number of pairs tested.
  std::size_t look_again(const Snapshot& middle, double half, QueryStats& stats);
  /// Moves all pairs that were kept last to left(), without a test.
  void leave_kept();

 private:
  void set_objects(const Object& a, const Object& b);
  std::span<const NodePair> kept_last() const {
    return std::span(kept_pairs_).subspan(kept_.back().first);
  }
  void set_instant(const Snapshot& middle, double half);
  void open(NodePair nodes, QueryStats& stats);
  bool touch(const OpenedPair& leaves, const bvh::PairKeys& keys, QueryStats& stats) const;
  void look_at_children(const ChildPairs& children, const bvh::PairKeys& keys, QueryStats& stats);

  const bvh::Kernels* kernel_ = nullptr;
  const Object *a_ = nullptr, *b_ = nullptr;
  const bvh::Bvh *bvh_a_ = nullptr, *bvh_b_ = nullptr;
  Snapshot snapshot_;
  std::optional<LocalSnapshot> middle_;
  double tolerance_ = 0;
  float half_ = 0;
  bool touching_ = false;
  std::vector<NodePair> waiting_, left_;
  struct Kept {
    double end;
    std::size_t first;  // index in kept_pairs_
  };
  std::vector<Kept> kept_;
  std::vector<NodePair> kept_pairs_;
};

}  // namespace touche::query
