// SPDX-License-Identifier: Apache-2.0
// Steps of the search for the time of impact. When the proof of the pair at the head of the queue
// ends, its bound is evaluated again, together with up to seven other pairs of the same parents:
// nodes in their own frames, triangles along more axes. When that proof ends too, nodes are opened
// (all 64 pairs of their children at once), or evaluated once more if the bodies have moved much;
// triangles are advanced one pair at a time in double precision.
#include <cmath>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "query/long_boxes.h"
#include "query/toi_search.h"

namespace touche::query {
namespace {

// With tilting axes, the time bounds of long triangles are nearly exact, so evaluating them in
// groups gains more than following single pairs in double precision. For these, the intervals in
// which evaluations are shared and count as fresh shrink to this share.
constexpr double kTiltingShare = 0.1;

}  // namespace

// Processes the head of the queue. Returns false if it touches.
bool ToiSearch::step() {
  // Follow a single pair of triangles.
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

  // Evaluate the first pairs of a group together, possibly a little before their proofs end: a
  // proof from the earlier instant holds as well, and many pairs can share that instant.
  WaitingGroup& group = queue_.group();
  const bool tilting = group.triangles() && are_long(group.nodes());
  if (!(key - snapshot_.t < (tilting ? kTiltingShare : 1) * shared_time_)) move_to(key);
  group.set_least_key(key);
  if (!group.first_is_seen()) {
    if (group.triangles())
      look_at_triangles(group, tilting);
    else if (group.closed_leaf() && snapshot_.t - group.base() > fresh_)
      open_again(group);
    else
      look_at_nodes(group);
    queue_.group_changed();
    return true;
  }

  // Take the first pair out of its group: open nodes; follow triangles from now on.
  const int pair = group.take(kernel_);
  const NodePair parents = group.nodes(), nodes = group[pair];
  const bool triangles = group.triangles();
  queue_.group_changed();
  if (!triangles) {
    open(nodes, key);
    return true;
  }
  const TriangleIds ids{bvh_a_.leaf(parents.a).triangle[bvh::row_of(pair)],
                        bvh_b_.leaf(parents.b).triangle[bvh::lane_of(pair)]};
  TriangleImpact impact = look_at(ids);
  if (impact.touching && snapshot_.t < key) {  // within the tolerance, but proved apart until `key`
    move_to(key);
    impact = look_at(ids);
  }
  if (impact.touching) return touched(ids);
  const double t = std::max(key, snapshot_.t + impact.dt);
  if (t <= end_) queue_.push_triangles(t, ids.a, ids.b);
  return true;
}

// Evaluates the first pairs of nodes of a group: their own frames may prove them apart for longer
// than their parents' frames did.
void ToiSearch::look_at_nodes(WaitingGroup& group) {
  const WaitingGroup::Firsts firsts = group.firsts(kernel_);
  bvh::BoundsPairs bounds;
  for (; bounds.count < firsts.count; ++bounds.count) {
    const NodePair nodes = group[firsts.pair(bounds.count)];
    bounds.a[bounds.count] = &bvh_a_.bounds(nodes.a);
    bounds.b[bounds.count] = &bvh_b_.bounds(nodes.b);
  }
  bounds.fill_up();
  float time[bvh::kBatch] = {};
  result_.stats.volume_tests += static_cast<std::uint64_t>(bounds.count);
  const float most = limit();
  kernel_.impact_nodes(local().map, bounds, local().velocities.in_a, most, time);
  for (int n = 0; n < firsts.count; ++n)
    if (time[n] <= most && is_long(*bounds.a[n]) && is_long(*bounds.b[n])) [[unlikely]]
      time[n] = std::max(time[n], time_across(*bounds.a[n], *bounds.b[n]));
  group.put_back(kernel_, firsts, time, snapshot_.t, end_, fresh_);
}

bool ToiSearch::are_long(NodePair nodes) const {
  return is_long(bvh_a_.bounds(nodes.a)) && is_long(bvh_b_.bounds(nodes.b));
}

// Returns `time_apart_across` in single precision, rounded down.
float ToiSearch::time_across(const bvh::Bounds& a, const bvh::Bounds& b) const {
  const double time = time_apart_across(bvh_a_, a, bvh_b_, b, snapshot_);
  return math::kRoundDownFloat * static_cast<float>(std::min(time, 1e30));
}

// Tests a closed leaf's triangles once more against the children of a smaller node. The leaf's own
// frame would prove less than its triangles do, and all children are tested for the cost of one.
// Close to the instant of the last test this would prove nothing new.
void ToiSearch::open_again(WaitingGroup& group) {
  const NodePair nodes = group.nodes();
  FramedPair framed;
  framed.relate(kernel_, bvh_a_, bvh_b_, nodes, local().map);
  const OpenedPair pair(bvh_a_, bvh_b_, nodes, framed.frame.ratio);
  result_.stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
  bvh::PairKeys until;
  kernel_.impact(pair.contents_a(), pair.contents_b(), bvh_a_.bounds(nodes.a).frame,
                 bvh_b_.bounds(nodes.b).frame, framed.frame, local_->velocities, limit(), until);
  group.renew(until, snapshot_.t, fresh_);
}

// Evaluates the first pairs of triangles of a group: the cross products of their edges may prove
// them apart for longer than their boxes and normals did.
void ToiSearch::look_at_triangles(WaitingGroup& group, bool tilting) {
  const WaitingGroup::Firsts firsts = group.firsts(kernel_);
  bvh::PairNumbers pairs;
  for (int n = 0; n < firsts.count; ++n) pairs.add(firsts.pair(n));
  const NodePair leaves = group.nodes();
  FramedPair framed;
  framed.relate(kernel_, bvh_a_, bvh_b_, leaves, local().map);
  float time[bvh::kBatch] = {};
  together_ += static_cast<std::uint64_t>(pairs.count);
  kernel_.impact_triangles(bvh_a_.leaf(leaves.a), bvh_b_.leaf(leaves.b), pairs, framed.frame,
                           local_->velocities, tilting, limit(), time);
  const double fresh = tilting ? std::max(kTiltingShare * fresh_, kLeastStep) : fresh_;
  group.put_back(kernel_, firsts, time, snapshot_.t, end_, fresh);
}

// Evaluates a pair of triangles in double precision; a pair that touches at the start may separate.
TriangleImpact ToiSearch::look_at(const TriangleIds& pair) {
  ++result_.stats.primitive_tests;
  TriangleImpact impact =
      conservative_advancement(a_, pair.a, b_, pair.b, snapshot_, slices_.tolerance());
  if (!impact.touching || !may_separate_now()) return impact;
  const double t = snapshot_.t;
  const auto try_until = [&](const Snapshot& snapshot, double end) {
    impact.dt = time_to_separate(a_, pair.a, b_, pair.b, snapshot, slices_.tolerance());
    impact.touching = !(t + impact.dt <= end);
  };
  // Try only the first slice before the whole part: its velocity bounds are tighter.
  const TimeSlice& slice = slices_[0];
  if (!part_.is_slice()) try_until(slices_.snapshot(slice, t), std::min(slice.end, part_.end));
  if (impact.touching) try_until(snapshot_, part_.end);
  if (!impact.touching) result_.separated_at = std::max(result_.separated_at, t + impact.dt);
  return impact;
}

// Opens a pair of nodes. The pair, and so its children, are proved apart until `proved_until`.
void ToiSearch::open(NodePair nodes, double proved_until) {
  local();
  FramedPair framed;
  framed.relate(kernel_, bvh_a_, bvh_b_, nodes, local_->map);
  const OpenedPair pair(bvh_a_, bvh_b_, nodes, framed.frame.ratio);
  ++result_.stats.node_pairs;
  result_.stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
  WaitingGroup& group = queue_.room();
  const std::int32_t first = kernel_.impact(
      pair.contents_a(), pair.contents_b(), bvh_a_.bounds(nodes.a).frame,
      bvh_b_.bounds(nodes.b).frame, framed.frame, local_->velocities, limit(), group.keys());
  if (first == bvh::PairKeys::kNone) return;
  group.start(pair, first, snapshot_.t, proved_until);
  queue_.push_group();
}

}  // namespace touche::query
