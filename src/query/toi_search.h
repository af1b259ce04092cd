// SPDX-License-Identifier: Apache-2.0
// The search for the first contact in one span of time. It is a best-first search over pairs, keyed
// by the time until which each pair is proved apart. The pair whose proof ends first is the head of
// the queue, so all times before its key are proved free.
#pragma once

#include <optional>

#include "base/budget_meter.h"
#include "query/node_impact.h"
#include "query/pair_queue.h"
#include "query/time_slices.h"

namespace touche::query {

/// Spans are searched one after the other; the length of a part of a span adapts during the search.
class ToiSearch {
 public:
  /// Adds its work to result.stats. Of the queue only the memory is used.
  ToiSearch(const Object& a, const Object& b, const TimeSlices& slices, const ToiOptions& options,
            PairQueue& queue, ToiResult& result);

  void begin(const TimeSpan& span);
  /// Returns true if the span is proved free. Otherwise the result says why not; if the budget
  /// ended, a later call resumes where this one stopped.
  bool go_on(base::BudgetMeter& meter);

  /// After the budget ended: a few of the pairs that would be tested next. They include the very
  /// next one, which is proved apart until `t`.
  struct Heads {
    double t = 0;
    NodePair nodes[bvh::kWidth] = {};
    TriangleIds triangles[bvh::kWidth] = {};
    int node_count = 0, triangle_count = 0;
  };
  Heads heads() const;
  /// The part of a span that is being searched, and when it ends.
  const TimeSpan& part() const { return in_part_ ? part_ : span_; }
  double end() const { return in_part_ ? end_ : span_.end; }

 private:
  bool pass_boxes(base::BudgetMeter& meter);
  bool begin_part(base::BudgetMeter& meter);
  bool prove_along_helix(base::BudgetMeter& meter);
  void find_helix(std::size_t first);
  void leave_helix();
  double spent_before_helix() const;
  std::uint64_t looks_along_helix(double spent) const;
  bool search_part(base::BudgetMeter& meter);
  bool may_prove_from_middle() const;
  bool prove_from_middle(base::BudgetMeter& meter);
  bool prove_threads(base::BudgetMeter& meter, double proved);
  bool threads_pay();
  void start_with_kept(base::BudgetMeter& meter);
  void open_left(double from);
  bool stopped();
  bool step();
  void look_at_nodes(WaitingGroup& group);
  void look_at_triangles(WaitingGroup& group, bool tilting);
  void open_again(WaitingGroup& group);
  TriangleImpact look_at(const TriangleIds& pair);
  void open(NodePair nodes, double proved_until);
  bool are_long(NodePair nodes) const;
  float time_across(const bvh::Bounds& a, const bvh::Bounds& b) const;
  bool touched(const TriangleIds& pair);

  void move_to(double t);
  const LocalSnapshot& local();
  float limit() const;
  std::uint64_t triangle_work() const;
  bool may_separate_now() const;

  const bvh::Kernels& kernel_ = bvh::kernels();
  const Object& a_;
  const Object& b_;
  const bvh::Bvh &bvh_a_, &bvh_b_;
  const TimeSlices& slices_;
  const bool may_separate_;
  ToiResult& result_;
  PairQueue& queue_;
  std::optional<bool> threads_pay_;
  int threads_given_up_ = 0;  // consecutive thread proofs given up
  TimeSpan span_{}, part_{};  // being searched
  bool in_part_ = false;      // whether the queue holds what is left of a part
  // The time until which the boxes around both bodies are proved apart, and the pieces where they
  // overlap.
  double apart_until_ = 0;
  const detail::Piece *overlap_a_ = nullptr, *overlap_b_ = nullptr;
  double begin_ = 0;  // of the part
  double end_ = 0;    // of the part, at most part_.end
  // State of the proof of the rest of the part from its middle.
  enum class Middle { untried, begun, tried } middle_ = Middle::untried;
  // State of the proof by the threads of both bodies, which is tried before that.
  enum class Threads { untried, begun, tried } threads_ = Threads::untried;
  // State of the proof for all slices on one helix; `found`: a helix that may not be worth a proof.
  enum class Helix { untried, found, begun, tried } helix_ = Helix::untried;
  double helix_begin_ = 0, helix_end_ = 0;  // where these slices begin and end
  std::size_t helix_last_ = 0;              // the last of these slices
  std::uint64_t nodes_before_helix_ = 0;    // work until they begin
  bool helix_left_ = false;                 // whether any such proof was given up
  double share_ = 1;                        // length of a part, as a share of its span
  double shared_time_ = 0;  // how much earlier than their keys nodes are evaluated together
  double fresh_ = 0;        // for how long an evaluation of nodes counts as fresh
  // An evaluation that proves less time than this may not advance the time at all.
  static constexpr double kLeastStep = 0x1p-50;
  Snapshot snapshot_;
  std::optional<LocalSnapshot> local_;  // of the part being searched, made when kernels need it
  double local_t_ = 0;                  // the instant of local_
  std::uint64_t together_ = 0;          // pairs of triangles tested in groups
  std::uint64_t triangles_before_ = 0, nodes_before_ = 0;  // work before the part began
  std::uint64_t patience_ = 0;                             // triangle tests for this part
};

}  // namespace touche::query
