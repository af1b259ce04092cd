// SPDX-License-Identifier: Apache-2.0
// Certified time of impact: best-first over (pair, time until which it is proved apart). The head
// of the queue is the pair whose proof ends first, so everything before its time is proved free.
// At that time it is opened (nodes: their children's pairs, 64 at once) or advanced (triangles).
#include <cmath>
#include <optional>

#include "query/node_impact.h"
#include "query/pair_queue.h"

namespace touche {
namespace {

// Share of a slice within which nodes are looked at together.
constexpr double kSharedTime = 1.0 / 32;

class Search {
 public:
  Search(const Object& a, const Object& b, const ToiQuery& query, const ToiOptions& options,
         ToiResult& result)
      : a_(a), b_(b), query_(query), options_(options), result_(result), queue_(a.bvh(), b.bvh()) {}

  /// True when the slice is proved free.
  bool run(const TimeSlice& slice) {
    ++result_.stats.time_splits;
    slice_ = &slice;
    queue_.clear();
    move_to(slice.begin);
    shared_time_ = kSharedTime * (slice.end - slice.begin);
    open({a_.bvh().root(), b_.bvh().root()}, true, slice.begin);
    while (!queue_.empty() && queue_.least_key() <= slice.end) {
      if (++work_ > options_.max_work) {
        result_.status = ToiStatus::budget_exhausted;
        result_.free_until = queue_.least_key();
        return false;
      }
      const QueuedPair next = queue_.pop();
      // Nodes may be looked at a little before their time: what they are then proved to be apart
      // holds as well, and instants are shared.
      const bool nodes = next.kind != Queued::triangles;
      if (!nodes || !(next.key - snapshot_.t < shared_time_)) move_to(next.key);
      if (nodes)
        open(next.nodes(), next.kind == Queued::nodes, next.key);
      else if (touching(next.a, next.b))
        return false;
    }
    return true;
  }

 private:
  void move_to(double t) {
    if (t == snapshot_.t && snapshot_slice_ == slice_) return;
    snapshot_ = query_.snapshot(*slice_, t);
    snapshot_slice_ = slice_;
    local_.reset();
  }

  // Opens a pair of nodes. Seen for the first time, their own frames may prove them apart for
  // longer than the parents' did: then they go back into the queue. They are already proved apart
  // until `proved`, and so are their children.
  void open(NodePair nodes, bool seen, double proved) {
    if (!local_) local_.emplace(a_.bvh(), b_.bvh(), snapshot_);
    FramedPair framed;
    const float squared = framed.place(a_.bvh(), b_.bvh(), nodes, local_->map);
    const PairField field = local_->in_frames(framed.ends(a_.bvh(), b_.bvh()), framed.frame);
    // Rounded up: what is proved apart for longer is proved apart until the slice ends.
    const float limit = std::nextafter(static_cast<float>(slice_->end - snapshot_.t), INFINITY);
    if (!seen && squared > 0) {
      const OpenedPair whole(a_.bvh(), b_.bvh(), framed, OpenedPair::kWhole);
      ++result_.stats.volume_tests;
      float dt[kWidth * kWidth];
      if (kernels().impact(whole.side_a(), whole.side_b(), framed.frame, field, limit, dt) == 0)
        return;
      const double t = snapshot_.t + static_cast<double>(dt[0]);
      if (t > proved) return queue_.push_nodes(t, nodes);
    }
    const OpenedPair pair(a_.bvh(), b_.bvh(), framed);
    ++result_.stats.node_pairs;
    result_.stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    const std::uint64_t soon =
        kernels().impact(pair.side_a(), pair.side_b(), framed.frame, field, limit, queue_.values());
    queue_.push_children(nodes, pair, soon, snapshot_.t, proved);
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
    if (t <= slice_->end) queue_.push_triangles(t, ta, tb);
    return false;
  }

  const Object& a_;
  const Object& b_;
  const ToiQuery& query_;
  const ToiOptions& options_;
  ToiResult& result_;
  PairQueue queue_;
  const TimeSlice* slice_ = nullptr;
  const TimeSlice* snapshot_slice_ = nullptr;
  double shared_time_ = 0;
  Snapshot snapshot_;
  std::optional<LocalSnapshot> local_;  // of snapshot_, made when nodes are opened
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
