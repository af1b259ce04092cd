// SPDX-License-Identifier: Apache-2.0
// Distance: a test for any intersection, then a first guess, then pairs of nodes and of triangles
// in batches, in no particular order. Bounds are in single precision, rounded down.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "query/distance_of_disjoint.h"
#include "query/distance_options.h"
#include "query/few_near.h"
#include "query/long_nodes.h"
#include "query/nearest_pairs.h"
#include "query/nearest_triangles.h"
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "touche/reference.h"

namespace touche::query {

namespace {

class DistanceSearch {
 public:
  DistanceSearch(const Object& a, const Object& b, const RelativePose& pose,
                 const DistanceOptions& options, DistanceMemory& memory, QueryStats& stats)
      : a_(a),
        b_(b),
        pose_(pose),
        options_(options),
        stats_(stats),
        map_(bvh::bvh_of(a), bvh::bvh_of(b), pose.rotation, pose.translation),
        nearest_(a, b, pose, options, memory, stats),
        meter_(options.budget),
        waiting_(memory.waiting) {
    waiting_.clear();
  }

  /// `apart`: the objects are known to be disjoint.
  void run(bool apart) {
    if (!apart) {
      if (const auto hit =
              any_intersecting_pair(a_, b_, pose_, meter_, stats_, options_.workspace)) {
        nearest_.touch(*hit);
        return;
      }
      if (meter_.exhausted()) return;
    }
    disjoint_ = true;
    const bool fine_is_a = PlacedFew::suits_distance(bvh_b_, bvh_a_);
    const bool few = fine_is_a || PlacedFew::suits_distance(bvh_a_, bvh_b_);
    if (few ? !go_down_fine(fine_is_a) : !go_down()) return;
    nearest_.decide_all();
    if (nearest_.settle()) (void)nearest_.measure_ties();
  }

  const NearestTriangles& nearest() const { return nearest_; }

  bool complete() const { return !meter_.exhausted(); }
  /// After a search that was stopped: a lower bound of the distance of everything that was neither
  /// measured nor skipped.
  double least_left() {
    if (!disjoint_) return 0;
    float squared = nearest_.least_waiting();
    for (const Waiting& pair : waiting_) squared = std::min(squared, pair.squared);
    // A target that is farther than this has been rounded up at most twice.
    squared = std::nextafter(std::nextafter(squared, 0.0f), 0.0f);
    return std::sqrt(static_cast<double>(squared)) * math::kRoundDown / bvh_a_.scale();
  }

 private:
  using Waiting = DistanceMemory::Waiting;
  static constexpr int kGuesses = 4;

  Waiting waiting(NodePair nodes, float squared) const {
    return {nodes, &bvh_a_.bounds(nodes.a), &bvh_b_.bounds(nodes.b), squared};
  }

  // Prefetches what relate_near() will read.
  static void fetch(const Waiting& pair) {
    bvh::Bvh::fetch(*pair.a);
    bvh::Bvh::fetch(*pair.b);
  }

  // Descends both hierarchies. Returns false if the answer is already good enough or the budget
  // ended.
  bool go_down() {
    const Waiting root = waiting({bvh_a_.root(), bvh_b_.root()}, 0);
    nearest_.look_along(across_long_axes(bvh_a_, bvh_b_, pose_));
    if (!guess(first_pairs(root))) {
      if (meter_.exhausted()) waiting_.push_back(root);  // all pairs may remain
      return false;
    }
    if (least_passed_over_ > nearest_.target().squared) return true;
    waiting_.reserve(512);
    waiting_.push_back(root);
    return open_waiting();
  }

  // Descends only one hierarchy, that of a fine mesh beside a few large triangles. Pairs of leaves
  // are collected and opened together. Returns false if the answer is good enough or the budget
  // ended.
  [[gnu::noinline]] bool go_down_fine(bool fine_is_a) {
    waiting_.reserve(2 * bvh::kBatch);
    FewNearSearch search(bvh_a_, bvh_b_, pose_, map_, fine_is_a, meter_, stats_);
    const auto add = [&](NodePair nodes, float squared) {
      waiting_.push_back(waiting(nodes, squared));
    };
    const bool done = search.run(
        [&] { return nearest_.target().squared; }, add,
        [&] { return (nearest_.found() && waiting_.size() < bvh::kBatch) || open_waiting(); });
    if (done) return open_waiting();
    search.for_left(add);
    return false;
  }

  bool open_waiting() {
    while (!waiting_.empty())
      if (!open_next()) return false;
    return true;
  }

  // Both roots, or their leaves if a root has just two.
  NearestPairs first_pairs(const Waiting& root) const {
    NearestPairs pairs;
    const PairEnd a(bvh_a_, root.nodes.a), b(bvh_b_, root.nodes.b);
    const std::span<const bvh::NodeRef> leaves_a = two_leaves(a), leaves_b = two_leaves(b);
    if (leaves_a.empty() || leaves_b.empty()) pairs.add(root);
    for (const bvh::NodeRef leaf_a : leaves_a)
      for (const bvh::NodeRef leaf_b : leaves_b) pairs.add(waiting({leaf_a, leaf_b}, 0));
    return pairs;
  }

  // Empty for all other roots.
  static std::span<const bvh::NodeRef> two_leaves(const PairEnd& root) {
    static constexpr bvh::NodeRef kBoth[] = {~0, ~1};
    if (root.root_of_two != nullptr) return kBoth;
    if (root.node == nullptr || root.node->bounds.count() != 2) return {};
    const std::span<const bvh::NodeRef> children(root.node->child, 2);
    return bvh::is_leaf(children[0]) && bvh::is_leaf(children[1]) ? children
                                                                  : std::span<const bvh::NodeRef>();
  }

  // Makes a first guess, the target of all later comparisons: descends to the triangles with the
  // few nearest pairs of each level. A few more pairs are measured in their own frames, which rank
  // them more accurately. Returns false if the answer is good enough or the budget ended.
  bool guess(NearestPairs beam) {
    while (!beam.pairs().empty()) {
      NearestPairs next;
      const auto add = [&](const Waiting& pair) { pass_over(next.add(pair)); };
      if (!open<kGuesses>(beam.pairs(), add)) return false;
      for (const Waiting& pair : next.pairs()) fetch(pair);
      beam = next;
    }
    return true;
  }

  void pass_over(float squared) { least_passed_over_ = std::min(least_passed_over_, squared); }

  // Opens the last waiting pairs. Returns false if the answer is good enough or the budget ended.
  bool open_next() {
    Waiting next[bvh::kBatch];
    std::size_t count = 0;
    for (; count < bvh::kBatch && !waiting_.empty(); waiting_.pop_back())
      if (waiting_.back().squared <= nearest_.target().squared) next[count++] = waiting_.back();
    const auto add = [&](const Waiting& pair) {
      fetch(pair);
      waiting_.push_back(pair);
    };
    if (open({next, count}, add)) return true;
    // Pairs that the budget left unopened are still waiting.
    if (meter_.exhausted()) waiting_.insert(waiting_.end(), next, next + count);
    return false;
  }

  // Calls add(pair) for near children of the pairs that are near in their own frames too, or of the
  // `most` nearest of these. Returns false if the answer is good enough or the budget ended.
  template <int most = bvh::kBatch, class Add>
  bool open(std::span<const Waiting> pairs, const Add& add) {
    if (pairs.empty()) return true;
    if (!meter_.spend(pairs.size())) return false;
    bvh::BoundsPairs bounds;
    for (const Waiting& pair : pairs) {
      bounds.a[bounds.count] = pair.a;
      bounds.b[bounds.count++] = pair.b;
    }
    bounds.fill_up();
    bvh::PairFrames frames;
    float squared[bvh::kBatch];
    stats_.volume_tests += pairs.size();
    std::uint32_t near = kernel_.relate_near(map_, bounds, nearest_.target(), frames, squared);
    if constexpr (most < bvh::kBatch) pass_over(keep_nearest(near, squared, most));
    for (std::uint32_t left = near; left != 0; left &= left - 1) {
      const NodePair& nodes = pairs[static_cast<std::size_t>(std::countr_zero(left))].nodes;
      bvh_a_.fetch_contents(nodes.a);
      bvh_b_.fetch_contents(nodes.b);
    }
    while (near != 0) {
      const int n = most < bvh::kBatch ? nearest_of(near, squared) : std::countr_zero(near);
      near ^= 1u << n;
      if (squared[n] > nearest_.target().squared)
        continue;  // the target has become nearer since they were measured
      const NodePair nodes = pairs[static_cast<std::size_t>(n)].nodes;
      if (!bvh::is_leaf(nodes.a) || !bvh::is_leaf(nodes.b))
        open_nodes(nodes, frames, n, add);
      else if (!open_leaves(nodes, frames, n))
        return false;
    }
    return true;
  }

  template <class Add>
  void open_nodes(NodePair nodes, const bvh::PairFrames& frames, int lane, const Add& add) {
    const OpenedPair pair(bvh_a_, bvh_b_, nodes, map_.ratio);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    float squared[bvh::kWidth * bvh::kWidth];
    for (std::uint64_t near = kernel_.near(pair.contents_a(), pair.contents_b(), frames, lane,
                                           nearest_.target().squared, squared);
         near != 0; near &= near - 1) {
      const int n = std::countr_zero(near);
      add(waiting(pair.children()[n], squared[n]));
    }
  }

  bool open_leaves(NodePair nodes, const bvh::PairFrames& frames, int lane) {
    const bvh::BvhLeaf &a = bvh_a_.leaf(nodes.a), &b = bvh_b_.leaf(nodes.b);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(a.count() * b.count());
    // The sooner there is a target, the fewer pairs need to be measured.
    if (nearest_.target().squared == INFINITY) {  // no target yet
      bvh::TriangleBatch& batch = nearest_.batch();
      const int n = kernel_.guess_nearest(a, b, frames, lane, batch);
      if (!nearest_.measure(batch.triangle_a[n], batch.triangle_b[n])) return false;
    }
    kernel_.add_near_triangles(a, b, frames, lane, nearest_.target(), nearest_.batch());
    nearest_.decide_many();
    if (!nearest_.found()) nearest_.decide_all();
    return nearest_.settle();
  }

  const Object& a_;
  const Object& b_;
  const bvh::Bvh& bvh_a_ = bvh::bvh_of(a_);
  const bvh::Bvh& bvh_b_ = bvh::bvh_of(b_);
  const RelativePose& pose_;
  const DistanceOptions& options_;
  QueryStats& stats_;
  bvh::LocalMap map_;
  const bvh::Kernels& kernel_ = bvh::kernels();
  NearestTriangles nearest_;
  base::BudgetMeter meter_;
  bool disjoint_ = false;               // known to be disjoint
  float least_passed_over_ = INFINITY;  // lower bound of the pairs that the guess skipped
  std::vector<Waiting>& waiting_;
};

DistanceResult find_distance(const Object& a, const Pose& pose_a, const Object& b,
                             const Pose& pose_b, const DistanceOptions& options, bool disjoint) {
  check(options);
  if (!bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b)))
    return brute_force::distance(a, pose_a, b, pose_b, options);
  const RelativePose pose(pose_a, pose_b);
  DistanceResult result;
  const WorkspaceUse memory(options.workspace);
  DistanceSearch search(a, b, pose, options, memory->distance, result.stats);
  search.run(disjoint || bounds_disjoint(a, b, pose));
  const NearestTriangles& nearest = search.nearest();
  if (nearest.found()) {
    result.distance.upper = nearest.best();
    result.closest = nearest.contact(pose_a);
  }
  result.complete = search.complete();
  result.distance.lower =
      proved_distance(a, b, options, result.distance.upper, nearest.least_measured());
  if (!result.complete)
    result.distance.lower = std::min(result.distance.lower, search.least_left());
  return result;
}

}  // namespace

}  // namespace touche::query

namespace touche {

DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  return query::find_distance(a, pose_a, b, pose_b, options, false);
}

}  // namespace touche

namespace touche::query {

DistanceResult distance_of_disjoint(const Object& a, const Pose& pose_a, const Object& b,
                                    const Pose& pose_b, const DistanceOptions& options) {
  return find_distance(a, pose_a, b, pose_b, options, true);
}

}  // namespace touche::query
