// SPDX-License-Identifier: Apache-2.0
// Certified time of impact: best-first over (pair, time until which it is proved apart). The head
// of the queue is the pair whose proof ends first, so everything before its time is proved free.
// At that time it is opened (nodes: their children's pairs, 64 at once) or advanced (triangles).
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "query/node_impact.h"

namespace touche {
namespace {

// An opened pair of nodes: up to 64 pairs that wait, each until its own time. Only the earliest of
// a group stands in the queue, for most of them are never looked at.
struct Group {
  double t;  // when it was opened
  NodePair pair;
  bool opened_a, opened_b, leaves;
  std::uint64_t waiting;
  float dt[kWidth * kWidth];
};

// What the queue orders: a pair of triangles, or (b == kNone) the earliest of group a.
struct Pending {
  double t;
  std::uint32_t a, b;

  // std::push_heap keeps the largest on top; ties are ordered for determinism.
  friend bool operator<(const Pending& x, const Pending& y) {
    if (x.t != y.t) return x.t > y.t;
    return std::pair(x.a, x.b) > std::pair(y.a, y.b);
  }
};

class Search {
 public:
  Search(const Object& a, const Object& b, const ToiQuery& query, const ToiOptions& options,
         ToiResult& result)
      : a_(a), b_(b), query_(query), options_(options), result_(result) {
    queue_.reserve(256);
    groups_.reserve(256);
  }

  /// True when the slice is proved free.
  bool run(const TimeSlice& slice) {
    ++result_.stats.time_splits;
    slice_ = &slice;
    queue_.clear();
    groups_.clear();
    move_to(slice.begin);
    open({a_.bvh().root(), b_.bvh().root()});
    while (!queue_.empty()) {
      const Pending next = queue_.front();
      if (++work_ > options_.max_work) {
        result_.status = ToiStatus::budget_exhausted;
        result_.free_until = next.t;
        return false;
      }
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      move_to(next.t);
      const bool touched = next.b == kNone ? touching_in_group(next.a) : touching(next.a, next.b);
      if (touched) return false;
    }
    return true;
  }

 private:
  void move_to(double t) {
    if (t == snapshot_.t && local_slice_ == slice_) return;
    snapshot_ = query_.snapshot(*slice_, t);
    local_slice_ = slice_;
    local_.reset();
  }

  void push(const Pending& p) {
    queue_.push_back(p);
    std::push_heap(queue_.begin(), queue_.end());
  }

  void open(NodePair nodes) {
    if (!local_) local_.emplace(a_.bvh(), b_.bvh(), snapshot_);
    OpenedPair pair(a_.bvh(), b_.bvh(), nodes, local_->map);
    pair.open();
    ++result_.stats.node_pairs;
    result_.stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    Group& group = groups_.emplace_back();
    group.t = snapshot_.t;
    group.pair = nodes;
    group.opened_a = pair.opened_a();
    group.opened_b = pair.opened_b();
    group.leaves = pair.leaves();
    // Rounded up: what is proved apart for longer is proved apart until the slice ends.
    const float limit = std::nextafter(static_cast<float>(slice_->end - snapshot_.t), INFINITY);
    group.waiting = kernels().impact(pair.side_a(), pair.side_b(), pair.frame(),
                                     local_->in_frames(pair), limit, group.dt);
    if (group.waiting == 0)
      groups_.pop_back();
    else
      queue_group(static_cast<std::uint32_t>(groups_.size() - 1));
  }

  static int earliest(const Group& group) {
    std::uint64_t rest = group.waiting;
    int best = std::countr_zero(rest);
    for (rest &= rest - 1; rest != 0; rest &= rest - 1)
      if (group.dt[std::countr_zero(rest)] < group.dt[best]) best = std::countr_zero(rest);
    return best;
  }

  void queue_group(std::uint32_t index) {
    const Group& group = groups_[index];
    const double t = group.t + static_cast<double>(group.dt[earliest(group)]);
    if (t <= slice_->end) push({t, index, kNone});
  }

  // Takes the earliest pair out of its group and opens or advances it.
  bool touching_in_group(std::uint32_t index) {
    Group& group = groups_[index];
    const int n = earliest(group), row = n / kWidth, lane = n % kWidth;
    group.waiting &= ~(std::uint64_t{1} << n);
    const NodePair pair = group.pair;
    const bool leaves = group.leaves, opened_a = group.opened_a, opened_b = group.opened_b;
    if (group.waiting != 0) queue_group(index);
    if (leaves)
      return touching(a_.bvh().leaf(pair.a).triangle[row], b_.bvh().leaf(pair.b).triangle[lane]);
    open({opened_a ? a_.bvh().node(pair.a).child[row] : pair.a,
          opened_b ? b_.bvh().node(pair.b).child[lane] : pair.b});
    return false;
  }

  // A pair of triangles touches now, or waits until its proof ends.
  bool touching(Index ta, Index tb) {
    ++result_.stats.primitive_tests;
    const TriangleImpact impact = advance(a_, ta, b_, tb, snapshot_, query_.tolerance());
    if (impact.touching) {
      query_.report(*slice_, {snapshot_.t, ta, tb, true}, result_);
      return true;
    }
    const double t = snapshot_.t + impact.dt;
    if (t <= slice_->end) push({t, ta, tb});
    return false;
  }

  const Object& a_;
  const Object& b_;
  const ToiQuery& query_;
  const ToiOptions& options_;
  ToiResult& result_;
  const TimeSlice* slice_ = nullptr;
  const TimeSlice* local_slice_ = nullptr;
  Snapshot snapshot_;
  std::optional<LocalSnapshot> local_;  // of snapshot_, made when nodes are opened
  std::vector<Pending> queue_;
  std::vector<Group> groups_;
  std::uint64_t work_ = 0;
};

}  // namespace

std::string_view name(ToiStatus status) {
  switch (status) {
    case ToiStatus::free:
      return "free";
    case ToiStatus::contact:
      return "contact";
    case ToiStatus::initially_touching:
      return "initially_touching";
    case ToiStatus::budget_exhausted:
      return "budget_exhausted";
  }
  return "unknown";
}

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::time_of_impact(a, motion_a, b, motion_b, options);
  const ToiQuery query(a, motion_a, b, motion_b, options);
  ToiResult result;
  result.tolerance = query.tolerance();
  Search search(a, b, query, options, result);
  for (const TimeSlice& slice : query.slices())
    if (!search.run(slice)) return result;
  result.free_until = 1;
  return result;
}

}  // namespace touche
