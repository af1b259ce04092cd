// SPDX-License-Identifier: Apache-2.0
// Certified time of impact: best-first over (pair, time until which it is proved apart). The head
// of the queue is the pair whose proof ends first, so everything before its time is proved free.
// At that time a pair is looked at again, eight of one parent together: nodes in their own frames,
// triangles along more axes. When that proof ends too, nodes are opened (their children's pairs, 64
// at once), or looked at again if time gains more than space; triangles are followed one by one in
// double precision.
#include <cmath>
#include <optional>

#include "query/node_impact.h"
#include "query/pair_queue.h"
#include "query/toi_query.h"
#include "query/workspace.h"

namespace touche {
namespace {

// Share of a slice within which nodes are looked at together.
constexpr double kSharedTime = 1.0 / 32;

// Surfaces that slide along each other bring ever new pairs of triangles together: the longer the
// slice, the more pairs wait side by side, none of which a node's bounds can rule out. When a slice
// takes more tests of triangles than this, beside half a test per pair of nodes, it is halved. A
// test of several together counts a quarter.
constexpr std::uint64_t kPatience = 500;
constexpr double kLeastShare = 1.0 / 1024;

// Space or time: a pair of nodes whose proof ends is opened, unless the bodies have turned by more
// than this (radians) since it was looked at. Then its bound, which allows for accelerations in any
// direction, gains more by another look.
constexpr double kFreshAngle = 0.05;

// Looks that prove less than this may not move the time at all.
constexpr double kLeastStep = 0x1p-50;

class Search {
 public:
  Search(const Object& a, const Object& b, const ToiQuery& query, const ToiOptions& options,
         PairQueue& queue, ToiResult& result)
      : a_(a),
        b_(b),
        bvh_a_(a.bvh()),
        bvh_b_(b.bvh()),
        query_(query),
        result_(result),
        queue_(queue),
        meter_(options.budget) {}

  /// True when no contact was found and nothing is left to be done.
  bool run() {
    for (std::size_t slice = 0; slice < query_.slices().size(); slice = whole_.last + 1) {
      whole_ = query_.span(slice);
      if (!run_span()) return false;
    }
    return true;
  }

 private:
  // True when the span is proved free. It is gone through in parts, restarting from the roots; how
  // long a part may be is learnt on the way.
  bool run_span() {
    for (double from = whole_.begin; from < whole_.end; from = end_)
      if (!run_part(from)) return false;
    return true;
  }

  // From `from` to end_, which moves nearer when the part turns out too long.
  bool run_part(double from) {
    ++result_.stats.time_splits;
    const double length = share_ * (whole_.end - whole_.begin);
    end_ = from + 1.5 * length < whole_.end ? from + length : whole_.end;
    if (!(end_ > from)) end_ = whole_.end;  // too short to be cut
    part_ = query_.part(whole_, from, end_);
    shared_time_ = kSharedTime * (end_ - from);
    fresh_ = std::max(
        {kFreshAngle * (whole_.end - whole_.begin) / whole_.angle, 2 * shared_time_, kLeastStep});
    std::uint64_t patience = kPatience;
    const std::uint64_t triangles = triangle_work(), nodes = result_.stats.node_pairs;
    const auto excess = [&] {
      return triangle_work() - triangles > patience + (result_.stats.node_pairs - nodes) / 2;
    };
    snapshot_.t = -1;
    local_.reset();
    queue_.clear();
    move_to(from);
    open({bvh_a_.root(), bvh_b_.root()}, from);
    while (!queue_.empty() && queue_.least_key() <= end_) {
      // Not while it is found out what separates, for which all of the part was promised.
      if (excess() && share_ > kLeastShare && !query_.may_separate_at(snapshot_.t)) {
        share_ *= 0.5;
        patience *= 2;
        const double middle = from + 0.5 * (end_ - from);
        if (middle > from)
          end_ = std::max({queue_.least_key(), middle, std::min(end_, result_.separated_at)});
      }
      if (!meter_.spend()) {
        result_.status = ToiStatus::undecided;
        result_.time.lower = queue_.least_key();
        return false;
      }
      if (!step()) return false;
    }
    const bool easy = 16 * (triangle_work() - triangles) <= result_.stats.node_pairs - nodes;
    if (easy) share_ = std::min(1.0, 1.25 * share_);
    return true;
  }

  std::uint64_t triangle_work() const { return result_.stats.primitive_tests + together_ / 4; }

  void move_to(double t) {
    if (t != snapshot_.t) snapshot_ = query_.snapshot(part_, t);
  }

  // Looks at the head of the queue. False when it touches.
  bool step() {
    const double key = queue_.least_key();
    if (!queue_.head_is_group()) {
      const TriangleIds pair = queue_.triangles();
      move_to(key);
      const TriangleImpact impact = look_at(pair);
      if (impact.touching) return touched(pair);
      const double t = snapshot_.t + impact.dt;
      if (t <= end_)
        queue_.delay(t);
      else
        queue_.pop();
      return true;
    }
    // What waits in groups may be looked at a little before its time: what is then proved to be
    // apart holds as well, and instants are shared.
    if (!(key - snapshot_.t < shared_time_)) move_to(key);
    WaitingGroup& group = queue_.group();
    group.set_least_key(key);
    if (!group.first_is_seen()) {
      if (group.triangles())
        look_at_triangles(group);
      else
        look_at_nodes(group);
      queue_.group_changed();
      return true;
    }
    const int pair = group.take(kernel_);
    const NodePair parents = group.nodes(), nodes = group[pair];
    const bool triangles = group.triangles();
    queue_.group_changed();
    if (!triangles) {
      open(nodes, key);
      return true;
    }
    const TriangleIds ids{bvh_a_.leaf(parents.a).triangle[row_of(pair)],
                          bvh_b_.leaf(parents.b).triangle[lane_of(pair)]};
    TriangleImpact impact = look_at(ids);
    if (impact.touching && snapshot_.t < key) {  // within the tolerance, but not yet in contact
      move_to(key);
      impact = look_at(ids);
    }
    if (impact.touching) return touched(ids);
    const double t = std::max(key, snapshot_.t + impact.dt);
    if (t <= end_) queue_.push_triangles(t, ids.a, ids.b);
    return true;
  }

  // Pairs of nodes that come first in their group: their own frames may prove them apart for longer
  // than their parents' did.
  void look_at_nodes(WaitingGroup& group) {
    const WaitingGroup::Firsts firsts = group.firsts(kernel_);
    BoundsPairs bounds;
    for (; bounds.count < firsts.count; ++bounds.count) {
      const NodePair nodes = group[firsts.pair(bounds.count)];
      bounds.a[bounds.count] = &bvh_a_.bounds(nodes.a);
      bounds.b[bounds.count] = &bvh_b_.bounds(nodes.b);
    }
    bounds.fill_up();
    float time[kBatch] = {};
    result_.stats.volume_tests += static_cast<std::uint64_t>(bounds.count);
    kernel_.place_moving(local().map, bounds, local().velocities.in_a, limit(), time);
    group.put_back(kernel_, firsts, time, snapshot_.t, end_, fresh_);
  }

  // Pairs of triangles that come first in their group: the cross products of their edges may prove
  // them apart for longer than their boxes and normals did.
  void look_at_triangles(WaitingGroup& group) {
    const WaitingGroup::Firsts firsts = group.firsts(kernel_);
    PairNumbers pairs;
    for (int n = 0; n < firsts.count; ++n) pairs.add(firsts.pair(n));
    const NodePair leaves = group.nodes();
    FramedPair framed;
    framed.place(kernel_, bvh_a_, bvh_b_, leaves, local().map);
    float time[kBatch] = {};
    together_ += static_cast<std::uint64_t>(pairs.count);
    kernel_.impact_triangles(bvh_a_.leaf(leaves.a), bvh_b_.leaf(leaves.b), pairs, framed.frame,
                             local_->velocities, limit(), time);
    group.put_back(kernel_, firsts, time, snapshot_.t, end_, fresh_);
  }

  const LocalSnapshot& local() {
    if (!local_)
      local_.emplace(bvh_a_, bvh_b_, snapshot_);
    else if (local_t_ != snapshot_.t)
      local_->move_to(bvh_a_, bvh_b_, snapshot_);
    local_t_ = snapshot_.t;
    return *local_;
  }

  // Until the part ends, rounded up: what is proved apart for longer is proved apart until then.
  float limit() const { return static_cast<float>(end_ - snapshot_.t) * (1 + 0x1p-22f) + 1e-30f; }

  // Opens a pair of nodes that is proved apart until `proved`, and so are its children.
  void open(NodePair nodes, double proved) {
    local();
    FramedPair framed;
    framed.place(kernel_, bvh_a_, bvh_b_, nodes, local_->map);
    const OpenedPair pair(bvh_a_, bvh_b_, nodes, framed.frame.ratio);
    ++result_.stats.node_pairs;
    result_.stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    WaitingGroup& group = queue_.room();
    const std::int32_t first = kernel_.impact(
        pair.side_a(), pair.side_b(), bvh_a_.bounds(nodes.a).frame, bvh_b_.bounds(nodes.b).frame,
        framed.frame, local_->velocities, limit(), group.keys());
    if (first == PairKeys::kNone) return;
    group.start(pair, first, snapshot_.t, proved);
    queue_.push_group();
  }

  TriangleImpact look_at(const TriangleIds& pair) {
    ++result_.stats.primitive_tests;
    const double t = snapshot_.t;
    TriangleImpact impact =
        conservative_advancement(a_, pair.a, b_, pair.b, snapshot_, query_.tolerance());
    if (impact.touching && query_.may_separate_at(t)) {
      const auto try_until = [&](const Snapshot& snapshot, double end) {
        impact.dt = time_to_separate(a_, pair.a, b_, pair.b, snapshot, query_.tolerance());
        impact.touching = !(t + impact.dt <= end);
      };
      // For the first slice velocities are known better than for the part.
      const TimeSlice& slice = query_.slices().front();
      if (!part_.is_slice()) try_until(query_.snapshot(slice, t), std::min(slice.end, part_.end));
      if (impact.touching) try_until(snapshot_, part_.end);
      if (!impact.touching) result_.separated_at = std::max(result_.separated_at, t + impact.dt);
    }
    return impact;
  }

  bool touched(const TriangleIds& pair) {
    query_.report(part_, {snapshot_.t, pair.a, pair.b, true}, result_);
    return false;
  }

  const Kernels& kernel_ = kernels();
  const Object& a_;
  const Object& b_;
  const Bvh &bvh_a_, &bvh_b_;
  const ToiQuery& query_;
  ToiResult& result_;
  PairQueue& queue_;
  BudgetMeter meter_;
  TimeSpan whole_{}, part_{};  // in work
  double end_ = 0;             // of the part, at most part_.end
  double share_ = 1;           // length of a part, as a share of its span
  double shared_time_ = 0;
  double fresh_ = 0;  // kFreshAngle as time, and more than looks may be early
  Snapshot snapshot_;
  std::optional<LocalSnapshot> local_;  // of the part in work, made when kernels need it
  double local_t_ = 0;                  // the instant it is at
  std::uint64_t together_ = 0;          // pairs of triangles looked at together
};

}  // namespace

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::time_of_impact(a, motion_a, b, motion_b, options);
  WorkspaceUse memory(options.workspace);
  const ToiQuery query(a, motion_a, b, motion_b, options, memory->slices);
  ToiResult result;
  result.tolerance = query.tolerance();
  Search search(a, b, query, options, memory->queue, result);
  if (search.run()) {
    result.status = ToiStatus::free;
    result.time.lower = 1;
  }
  return result;
}

}  // namespace touche
