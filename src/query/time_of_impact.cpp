// SPDX-License-Identifier: Apache-2.0
// Certified time of impact: best-first over (pair, time until which it is proved apart). The head
// of the queue is the pair whose proof ends first, so everything before its time is proved free.
// At that time it is opened (nodes: their children's pairs, 64 at once) or advanced (triangles).
#include <algorithm>
#include <cmath>
#include <vector>

#include "query/node_impact.h"

namespace touche {
namespace {

// Key, and the pair: of nodes, or of triangles.
struct Pending {
  double t;
  std::uint32_t a, b;
  bool triangles;

  // std::push_heap keeps the largest on top; ties are ordered for determinism, triangles first.
  friend bool operator<(const Pending& x, const Pending& y) {
    if (x.t != y.t) return x.t > y.t;
    if (x.triangles != y.triangles) return y.triangles;
    return std::pair(x.a, x.b) > std::pair(y.a, y.b);
  }
};

class Search {
 public:
  Search(const Object& a, const Object& b, const ToiQuery& query, const ToiOptions& options,
         ToiResult& result)
      : a_(a), b_(b), query_(query), options_(options), result_(result) {
    queue_.reserve(1024);
  }

  /// True when the slice is proved free.
  bool run(const TimeSlice& slice) {
    ++result_.stats.time_splits;
    slice_ = &slice;
    queue_.clear();
    push({slice.begin, to_word(a_.bvh().root()), to_word(b_.bvh().root()), false});
    LocalSnapshot at(a_.bvh(), b_.bvh(), query_.snapshot(slice, slice.begin));
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end());
      const Pending next = queue_.back();
      queue_.pop_back();
      if (work_++ >= options_.max_work) {
        result_.status = ToiStatus::budget_exhausted;
        result_.free_until = next.t;
        return false;
      }
      if (next.t != at.snapshot.t)
        at = LocalSnapshot(a_.bvh(), b_.bvh(), query_.snapshot(slice, next.t));
      if (!next.triangles) {
        open(next, at);
      } else if (touching(next, at.snapshot)) {
        query_.report(slice, {next.t, next.a, next.b, true}, result_);
        return false;
      }
    }
    return true;
  }

 private:
  static std::uint32_t to_word(NodeRef ref) { return static_cast<std::uint32_t>(ref); }

  void push(const Pending& p) {
    queue_.push_back(p);
    std::push_heap(queue_.begin(), queue_.end());
  }

  void open(const Pending& next, const LocalSnapshot& at) {
    const OpenedPair pair(a_.bvh(), b_.bvh(),
                          {static_cast<NodeRef>(next.a), static_cast<NodeRef>(next.b)}, at.map);
    float dt[kWidth * kWidth];
    // Rounded up: what is proved apart for longer is proved apart until the slice ends.
    const double left = slice_->end - next.t;
    const float limit = std::nextafter(static_cast<float>(left), INFINITY);
    std::uint64_t soon =
        kernels().impact(pair.side_a(), pair.side_b(), pair.frame(), at.in_frames(pair), limit, dt);
    ++result_.stats.node_pairs;
    result_.stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    for (; soon != 0; soon &= soon - 1) {
      const int n = std::countr_zero(soon), row = n / kWidth, lane = n % kWidth;
      const double t = next.t + static_cast<double>(dt[n]);
      if (t > slice_->end) continue;
      if (pair.leaves()) {
        push({t, pair.triangle_a(row), pair.triangle_b(lane), true});
      } else {
        const NodePair child = pair.child(row, lane);
        push({t, to_word(child.a), to_word(child.b), false});
      }
    }
  }

  // Advances a pair of triangles as long as it stays ahead of the queue.
  bool touching(Pending next, const Snapshot& snapshot) {
    ++result_.stats.primitive_tests;
    const TriangleImpact impact = advance(a_, next.a, b_, next.b, snapshot, query_.tolerance());
    if (impact.touching) return true;
    next.t += impact.dt;
    if (next.t <= slice_->end) push(next);
    return false;
  }

  const Object& a_;
  const Object& b_;
  const ToiQuery& query_;
  const ToiOptions& options_;
  ToiResult& result_;
  const TimeSlice* slice_ = nullptr;
  std::vector<Pending> queue_;
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
