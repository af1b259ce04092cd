// SPDX-License-Identifier: Apache-2.0
// The search for the first contact in one span of time. It goes best-first through pairs, each with
// the time until which it is proved apart. The head of the queue is the pair whose proof ends
// first, so everything before its time is proved free.
#pragma once

#include <optional>

#include "base/budget_meter.h"
#include "query/node_impact.h"
#include "query/pair_queue.h"
#include "query/time_slices.h"

namespace touche {

/// Spans are searched one after the other: how long a part of a span may be is learnt on the way.
class ToiSearch {
 public:
  /// Counts its work in result.stats. The queue is memory only.
  ToiSearch(const Object& a, const Object& b, const TimeSlices& slices, const ToiOptions& options,
            PairQueue& queue, ToiResult& result);

  void begin(const TimeSpan& span);
  /// True when the span is proved free. Otherwise the result tells why not; if the budget ended, a
  /// later call goes on where this one stopped.
  bool go_on(BudgetMeter& meter);

  /// After the budget ended: a few pairs of those that would be looked at next, the very next among
  /// them, which is proved apart until `t`.
  struct Heads {
    double t = 0;
    NodePair nodes[kWidth] = {};
    TriangleIds triangles[kWidth] = {};
    int node_count = 0, triangle_count = 0;
  };
  Heads heads() const;
  /// The part of a span that is being searched, and until when.
  const TimeSpan& part() const { return in_part_ ? part_ : span_; }
  double end() const { return in_part_ ? end_ : span_.end; }

 private:
  bool pass_boxes(BudgetMeter& meter);
  bool begin_part(BudgetMeter& meter);
  bool prove_along_helix(BudgetMeter& meter);
  void find_helix(std::size_t first);
  void leave_helix();
  double spent_before_helix() const;
  std::uint64_t looks_along_helix(double spent) const;
  bool search_part(BudgetMeter& meter);
  bool may_prove_from_middle() const;
  bool prove_from_middle(BudgetMeter& meter);
  bool prove_threads(BudgetMeter& meter, double proved);
  bool threads_pay();
  void start_with_kept(BudgetMeter& meter);
  void open_left(double from);
  bool stopped();
  bool step();
  void look_at_nodes(WaitingGroup& group);
  void look_at_triangles(WaitingGroup& group, bool tilting);
  void open_again(WaitingGroup& group);
  TriangleImpact look_at(const TriangleIds& pair);
  void open(NodePair nodes, double proved_until);
  bool are_long(NodePair nodes) const;
  float time_across(const Bounds& a, const Bounds& b) const;
  bool touched(const TriangleIds& pair);

  void move_to(double t);
  const LocalSnapshot& local();
  float limit() const;
  std::uint64_t triangle_work() const;
  bool may_separate_now() const;

  const Kernels& kernel_ = kernels();
  const Object& a_;
  const Object& b_;
  const Bvh &bvh_a_, &bvh_b_;
  const TimeSlices& slices_;
  const bool may_separate_;
  ToiResult& result_;
  PairQueue& queue_;
  std::optional<bool> threads_pay_;
  int threads_given_up_ = 0;  // in a row
  TimeSpan span_{}, part_{};  // being searched
  bool in_part_ = false;      // whether the queue holds what is left of a part
  // Until when the boxes around both bodies are proved apart, and where that proved nothing.
  double apart_until_ = 0;
  const detail::Piece *overlap_a_ = nullptr, *overlap_b_ = nullptr;
  double begin_ = 0;  // of the part
  double end_ = 0;    // of the part, at most part_.end
  // Whether the rest of the part is proved from its middle: not yet, just now, or that was tried.
  enum class Middle { untried, begun, tried } middle_ = Middle::untried;
  // The same before that, by the threads of both bodies.
  enum class Threads { untried, begun, tried } threads_ = Threads::untried;
  // The same for all slices that go on one helix; found is one that may not be worth a proof.
  enum class Helix { untried, found, begun, tried } helix_ = Helix::untried;
  double helix_begin_ = 0, helix_end_ = 0;  // where these slices begin and end
  std::size_t helix_last_ = 0;              // of these slices
  std::uint64_t nodes_before_helix_ = 0;    // work until they begin
  bool helix_left_ = false;                 // whether any such proof was given up
  double share_ = 1;                        // length of a part, as a share of its span
  double shared_time_ = 0;  // how much earlier than their time nodes are looked at together
  double fresh_ = 0;        // for how long a look at nodes counts as fresh
  // Looks that prove less than this may not move the time at all.
  static constexpr double kLeastStep = 0x1p-50;
  Snapshot snapshot_;
  std::optional<LocalSnapshot> local_;  // of the part being searched, made when kernels need it
  double local_t_ = 0;                  // the instant it is at
  std::uint64_t together_ = 0;          // pairs of triangles looked at together
  std::uint64_t triangles_before_ = 0, nodes_before_ = 0;  // the part: work until then
  std::uint64_t patience_ = 0;                             // what the part may take
};

}  // namespace touche
