// SPDX-License-Identifier: Apache-2.0
// Distance: a test for any intersection, a first guess, then pairs of nodes and of triangles in
// batches, in no particular order. Bounds are single precision and rounded down; the few pairs of
// triangles that remain are measured in double precision. Each best pair is tried as the last: by
// the boxes around both objects on either side of the slab that it spans, and, where many pairs are
// equally near, by all vertices. Triangles beyond such a slab are not measured.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "bvh/object_data.h"
#include "geometry/triangle_distances.h"
#include "math/rounding.h"
#include "query/apart.h"
#include "query/distance_options.h"
#include "query/few_near.h"
#include "query/long_nodes.h"
#include "query/nearest_pairs.h"
#include "query/pair_traversal.h"
#include "query/parting_slab.h"
#include "query/relative.h"

namespace touche {
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
        map_(bvh_of(a), bvh_of(b), pose.rotation, pose.translation),
        meter_(options.budget),
        candidates_(memory.candidates),
        waiting_(memory.waiting) {
    candidates_.clear();
    waiting_.clear();
    set_target(options.max_distance);
  }

  /// `apart`: the objects are known to be disjoint.
  void run(bool apart) {
    if (!apart) {
      if (const auto hit =
              any_intersecting_pair(a_, b_, pose_, meter_, stats_, options_.workspace)) {
        touch(*hit);
        return;
      }
      if (meter_.exhausted()) return;
    }
    disjoint_ = true;
    candidates_.reserve(32);
    const bool fine_is_a = PlacedFew::suits_distance(bvh_b_, bvh_a_);
    const bool few = fine_is_a || PlacedFew::suits_distance(bvh_a_, bvh_b_);
    if (few ? !go_down_fine(fine_is_a) : !go_down()) return;
    decide_all();
    if (settle()) (void)measure_ties();
  }

  double best() const { return best_; }
  double least_measured() const { return least_measured_; }
  bool complete() const { return !meter_.exhausted(); }
  /// After a search that was stopped: what was neither measured nor skipped is at least this far
  /// apart.
  double least_left() {
    if (!disjoint_) return 0;
    decide_all();
    float squared = INFINITY;
    for (const Waiting& pair : waiting_) squared = std::min(squared, pair.squared);
    for (const Candidate& pair : candidates_) squared = std::min(squared, pair.squared);
    // A target that is farther than this is rounded up twice at most.
    squared = std::nextafter(std::nextafter(squared, 0.0f), 0.0f);
    return std::sqrt(static_cast<double>(squared)) * kRoundDown / bvh_a_.scale();
  }
  bool found() const { return triangle_a_ != kNone; }
  Contact contact(const Pose& pose_a) const {
    return make_contact(a_, triangle_a_, b_, triangle_b_, triangle_of(a_.soup(), triangle_a_),
                        triangle_of(b_.soup(), triangle_b_, pose_), closest_, pose_a);
  }

 private:
  using Candidate = DistanceMemory::Candidate;
  using Waiting = DistanceMemory::Waiting;
  static constexpr float kHardlyNearer = 0.999f;  // of squares
  static constexpr std::size_t kManyTies = 256;
  static constexpr int kGuesses = 4, kMostSlabs = 8;
  // Where boxes prove the best, so many ties are measured in vain for the sake of its last digit.
  static constexpr std::size_t kTiesOfBoxes = 16;

  Waiting waiting(NodePair nodes, float squared) const {
    return {nodes, &bvh_a_.bounds(nodes.a), &bvh_b_.bounds(nodes.b), squared};
  }

  // Goes down both hierarchies. False when the answer is good enough.
  bool go_down() {
    const Waiting root = waiting({bvh_a_.root(), bvh_b_.root()}, 0);
    look_along(across_long_axes(bvh_a_, bvh_b_, pose_), target_);
    if (!guess(first_pairs(root))) {
      waiting_.push_back(root);  // all of it may be left
      return false;
    }
    if (least_passed_over_ > target_.squared) return true;
    waiting_.reserve(512);
    waiting_.push_back(root);
    return open_waiting();
  }

  // Goes down one hierarchy only, that of a fine mesh beside a few large triangles. Pairs of leaves
  // wait for each other. False when the answer is good enough.
  [[gnu::noinline]] bool go_down_fine(bool fine_is_a) {
    waiting_.reserve(2 * kBatch);
    FewNearSearch search(bvh_a_, bvh_b_, pose_, map_, fine_is_a, meter_, stats_);
    const auto add = [&](NodePair nodes, float squared) {
      waiting_.push_back(waiting(nodes, squared));
    };
    const bool done =
        search.run([&] { return target_.squared; }, add,
                   [&] { return (found() && waiting_.size() < kBatch) || open_waiting(); });
    if (done) return open_waiting();
    search.for_left(add);
    return false;
  }

  bool open_waiting() {
    while (!waiting_.empty())
      if (!open_next()) return false;
    return true;
  }

  // Both roots, or their leaves where each has two.
  NearestPairs first_pairs(const Waiting& root) const {
    NearestPairs pairs;
    const PairEnd a(bvh_a_, root.nodes.a), b(bvh_b_, root.nodes.b);
    const std::span<const NodeRef> leaves_a = two_leaves(a), leaves_b = two_leaves(b);
    if (leaves_a.empty() || leaves_b.empty()) pairs.add(root);
    for (const NodeRef leaf_a : leaves_a)
      for (const NodeRef leaf_b : leaves_b) pairs.add(waiting({leaf_a, leaf_b}, 0));
    return pairs;
  }

  // Empty for roots that have anything else.
  static std::span<const NodeRef> two_leaves(const PairEnd& root) {
    static constexpr NodeRef kBoth[] = {~0, ~1};
    if (root.root_of_two != nullptr) return kBoth;
    if (root.node == nullptr || root.node->bounds.count() != 2) return {};
    const std::span<const NodeRef> children(root.node->child, 2);
    return is_leaf(children[0]) && is_leaf(children[1]) ? children : std::span<const NodeRef>();
  }

  // A first guess, which everything later is compared with: down to the triangles with the few
  // nearest pairs of each level. A few more are looked at in their own frames, which tell better
  // which are nearest. False when the answer is good enough.
  bool guess(NearestPairs beam) {
    while (!beam.pairs().empty()) {
      NearestPairs next;
      const auto add = [&](const Waiting& pair) { pass_over(next.add(pair)); };
      if (!open<kGuesses>(beam.pairs(), add)) return false;
      beam = next;
    }
    return true;
  }

  void pass_over(float squared) { least_passed_over_ = std::min(least_passed_over_, squared); }

  // Opens the last that wait. False when the answer is good enough.
  bool open_next() {
    Waiting next[kBatch];
    std::size_t count = 0;
    for (; count < kBatch && !waiting_.empty(); waiting_.pop_back())
      if (waiting_.back().squared <= target_.squared) next[count++] = waiting_.back();
    if (open({next, count}, [&](const Waiting& pair) { waiting_.push_back(pair); })) return true;
    // Pairs that the budget left out still wait.
    if (meter_.exhausted()) waiting_.insert(waiting_.end(), next, next + count);
    return false;
  }

  // Calls add(pair) for near children of the pairs that are near in their own frames too, or of the
  // `most` nearest of these. False when the answer is good enough.
  template <int most = kBatch, class Add>
  bool open(std::span<const Waiting> pairs, const Add& add) {
    if (pairs.empty()) return true;
    if (!meter_.spend(pairs.size())) return false;
    BoundsPairs bounds;
    for (const Waiting& pair : pairs) {
      bounds.a[bounds.count] = pair.a;
      bounds.b[bounds.count++] = pair.b;
    }
    bounds.fill_up();
    PairFrames frames;
    float squared[kBatch];
    stats_.volume_tests += pairs.size();
    std::uint32_t near = kernel_.relate_near(map_, bounds, target_, frames, squared);
    if constexpr (most < kBatch) pass_over(keep_nearest(near, squared, most));
    while (near != 0) {
      const int n = most < kBatch ? nearest_of(near, squared) : std::countr_zero(near);
      near ^= 1u << n;
      if (squared[n] > target_.squared) continue;  // which was farther when all were looked at
      const NodePair nodes = pairs[static_cast<std::size_t>(n)].nodes;
      if (!is_leaf(nodes.a) || !is_leaf(nodes.b))
        open_nodes(nodes, frames, n, add);
      else if (!open_leaves(nodes, frames, n))
        return false;
    }
    return true;
  }

  template <class Add>
  void open_nodes(NodePair nodes, const PairFrames& frames, int lane, const Add& add) {
    const OpenedPair pair(bvh_a_, bvh_b_, nodes, map_.ratio);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    float squared[kWidth * kWidth];
    for (std::uint64_t near = kernel_.near(pair.contents_a(), pair.contents_b(), frames, lane,
                                           target_.squared, squared);
         near != 0; near &= near - 1) {
      const int n = std::countr_zero(near);
      add(waiting(pair.children()[n], squared[n]));
    }
  }

  bool open_leaves(NodePair nodes, const PairFrames& frames, int lane) {
    const BvhLeaf &a = bvh_a_.leaf(nodes.a), &b = bvh_b_.leaf(nodes.b);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(a.count() * b.count());
    // The sooner there is a target, the fewer pairs need to be measured.
    if (target_.squared == INFINITY) {  // none yet
      const int n = kernel_.guess_nearest(a, b, frames, lane, batch_);
      if (!measure(batch_.triangle_a[n], batch_.triangle_b[n])) return false;
    }
    kernel_.add_near_triangles(a, b, frames, lane, target_, batch_);
    while (batch_.count >= kBatch) decide(kBatch);
    if (!found()) decide_all();
    return settle();
  }

  void decide_all() {
    while (batch_.count > 0) decide(std::min(batch_.count, kWidth));
  }

  // Takes the last triangles that wait; those that may be nearest become candidates.
  void decide(int count) {
    float squared[kBatch];
    std::uint32_t near = kernel_.measure(batch_, count, target_.squared, squared);
    for (; near != 0; near &= near - 1) {
      const int n = std::countr_zero(near), at = batch_.count + n;
      candidates_.push_back({squared[n], batch_.triangle_a[at], batch_.triangle_b[at]});
    }
  }

  // Measures the nearest candidates until one is no nearer than the best, or they are hardly nearer
  // than the target. The others can wait. False when the answer is good enough.
  bool settle() {
    if (boxes_parted_) return candidates_.size() < kTiesOfBoxes || measure_ties();
    const auto first = [&] { return candidates_.begin() + static_cast<std::ptrdiff_t>(settled_); };
    for (bool nearer = true; nearer && candidates_.size() > settled_;) {
      const auto nearest = std::min_element(first(), candidates_.end());
      const float hardly = found() ? kHardlyNearer : 1;
      if (nearest->squared > hardly * target_.squared) break;
      const Candidate next = *nearest;
      *nearest = candidates_.back();
      candidates_.pop_back();
      if (is_best(next)) continue;
      const double before = best_;
      if (!measure(next.a, next.b) || parted_by_slab()) return false;
      if (boxes_parted_) return settle();
      nearer = best_ < before;
    }
    const auto too_far = [&](const Candidate& c) { return c.squared > target_.squared; };
    candidates_.erase(std::remove_if(first(), candidates_.end(), too_far), candidates_.end());
    settled_ = candidates_.size();
    return !parted_by_slab();
  }

  // Measures all that are as near as the best. Where these are many, one direction rules out most.
  // False when the answer is good enough.
  bool measure_ties() {
    const bool many = found() && candidates_.size() > kManyTies;
    const std::size_t points = a_.soup().vertices().size() + b_.soup().vertices().size();
    while (!candidates_.empty()) {
      const auto wanted = [&](const Candidate& tie) {
        return !is_best(tie) && !(many && parted_along_offset(tie));
      };
      if (!measure_last(wanted)) return false;
      const bool worth_it = !tried_slab_ && candidates_.size() > points / 4;
      if (worth_it && parted_by_slab()) return false;
    }
    return true;
  }

  bool is_best(const Candidate& pair) const {
    return pair.a == triangle_a_ && pair.b == triangle_b_;
  }

  bool parted_along_offset(const Candidate& tie) {
    if (offset_of_ != best_) {
      offset_ = offset();
      offset_of_ = best_;
    }
    return slab_.parts(offset_, triangle_of(a_.soup(), tie.a), triangle_of(b_.soup(), tie.b),
                       best_);
  }

  // Looks for a slab between the objects when many pairs are as near as the best, for each best
  // once. To look costs less than to measure these pairs.
  bool parted_by_slab() {
    const auto &points_a = a_.soup().vertices(), &points_b = b_.soup().vertices();
    const std::size_t many = (kManyTies + (points_a.size() + points_b.size()) / 256) << slabs_;
    if (!found() || tried_slab_ || slabs_ > kMostSlabs || candidates_.size() + in_vain_ < many)
      return false;
    // In single precision all are equal. One of a few is as near as any, to the last digit.
    if (!measure_last([](const Candidate&) { return true; })) return true;
    tried_slab_ = true;
    ++slabs_;
    const Triangle at_a = triangle_of(a_.soup(), triangle_a_);
    const Triangle at_b = triangle_of(b_.soup(), triangle_b_, pose_);
    // The direction of a short offset is less certain than the normals of faces.
    for (const Vec3& n : {offset(), normal(at_a), normal(at_b)}) {
      const Vec3 across = n.dot(offset()) < 0 ? Vec3(-n) : n;
      if (slab_.parts_boxes(across, best_) || (slab_.parts_some(across, candidates_, best_) &&
                                               slab_.parts(across, points_a, points_b, best_)))
        return true;
    }
    return false;
  }

  Vec3 offset() const { return unit_or_zero(closest_.point_b - closest_.point_a); }
  static Vec3 normal(const Triangle& t) { return unit_or_zero((t[1] - t[0]).cross(t[2] - t[0])); }

  void touch(const TriangleIds& pair) {
    ++stats_.primitive_tests;
    best_ = least_measured_ = 0;
    triangle_a_ = pair.a, triangle_b_ = pair.b;
    closest_ = closest_points_touching(triangle_of(a_.soup(), pair.a),
                                       triangle_of(b_.soup(), pair.b, pose_));
  }

  // Takes up to eight of the last candidates, and measures those at once that are wanted and not
  // farther than the target. False when the answer is good enough.
  template <class Wanted>
  bool measure_last(const Wanted& wanted) {
    TrianglePairs pairs;
    TriangleIds ids[TrianglePairs::kMost];
    int count = 0;
    for (; count < TrianglePairs::kMost && !candidates_.empty(); candidates_.pop_back()) {
      const Candidate& next = candidates_.back();
      if (next.squared > target_.squared || !wanted(next)) continue;
      ids[count] = {next.a, next.b};
      pairs.put(count++, triangle_of(a_.soup(), next.a), triangle_of(b_.soup(), next.b, pose_));
    }
    settled_ = std::min(settled_, candidates_.size());
    return count == 0 || measure_together(pairs, ids, count);
  }

  bool measure_together(TrianglePairs& pairs, const TriangleIds* ids, int count) {
    pairs.fill_up(count);
    double distance[TrianglePairs::kMost];
    for (std::uint32_t left = triangle_distances_(pairs, count, distance); left != 0;
         left &= left - 1) {
      const int n = std::countr_zero(left);
      distance[n] = closest_points_apart(pairs.triangle_a(n), pairs.triangle_b(n)).distance;
    }
    const auto least = std::min_element(distance, distance + count);
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    in_vain_ += static_cast<std::size_t>(count);
    least_measured_ = std::min(least_measured_, *least);
    if (*least < best_ || !found()) {
      const auto n = static_cast<int>(least - distance);
      take(ids[n], closest_points_apart(pairs.triangle_a(n), pairs.triangle_b(n)));
    }
    return !is_good_enough();
  }

  // False when the answer is good enough.
  bool measure(Index ta, Index tb) {
    ++stats_.primitive_tests;
    ++in_vain_;
    take({ta, tb},
         closest_points_apart(triangle_of(a_.soup(), ta), triangle_of(b_.soup(), tb, pose_)));
    return !is_good_enough();
  }

  // It may be the best.
  void take(const TriangleIds& pair, const ClosestPoints& closest) {
    least_measured_ = std::min(least_measured_, closest.distance);
    if (closest.distance > options_.max_distance || !(closest.distance < best_ || !found())) return;
    best_ = closest.distance;
    closest_ = closest;
    triangle_a_ = pair.a;
    triangle_b_ = pair.b;
    tried_slab_ = false;
    in_vain_ = 0;
    set_target(worth_finding(options_, best_));
    look_along(offset(), target_);
    boxes_parted_ = slab_.parts_boxes(offset(), best_);
  }

  bool is_good_enough() const {
    return (boxes_parted_ && in_vain_ >= kTiesOfBoxes) || (found() && best_ <= options_.stop_below);
  }

  // Pairs farther apart than this are of no interest. Squares near the end of single precision may
  // have overflowed: they tell nothing.
  void set_target(double distance) {
    const double local = distance * bvh_a_.scale(), squared = local * local;
    target_.squared =
        squared < 1e37 ? std::nextafter(static_cast<float>(squared), INFINITY) : INFINITY;
  }

  const Object& a_;
  const Object& b_;
  const Bvh& bvh_a_ = bvh_of(a_);
  const Bvh& bvh_b_ = bvh_of(b_);
  const RelativePose& pose_;
  const DistanceOptions& options_;
  QueryStats& stats_;
  LocalMap map_;
  const PartingSlab slab_{a_, b_, pose_};
  const Kernels& kernel_ = kernels();
  const TriangleDistances triangle_distances_ = triangle_distances();
  NearTarget target_{INFINITY, {}};
  double best_ = kInfinity;            // within the limit
  double least_measured_ = kInfinity;  // within the limit or beyond
  ClosestPoints closest_;
  Index triangle_a_ = kNone, triangle_b_ = kNone;
  TriangleBatch batch_;
  BudgetMeter meter_;
  std::vector<Candidate>& candidates_;
  bool disjoint_ = false;               // known to be
  std::size_t in_vain_ = 0;             // pairs measured since the best was found
  bool tried_slab_ = false;             // since the best was found
  bool boxes_parted_ = false;           // nothing is nearer than the best but for rounding
  float least_passed_over_ = INFINITY;  // lower bound of what the guess has not looked at
  int slabs_ = 0;                       // looked for, each for twice as many pairs as the last
  Vec3 offset_;                         // of the best, when it was
  double offset_of_ = -1;               // so far away
  std::size_t settled_ = 0;             // of these are hardly nearer than the target
  std::vector<Waiting>& waiting_;
};

}  // namespace

DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  check(options);
  if (!LocalMap::representable(bvh_of(a), bvh_of(b)))
    return brute_force::distance(a, pose_a, b, pose_b, options);
  const RelativePose pose(pose_a, pose_b);
  DistanceResult result;
  const WorkspacePartUse memory(options.workspace, &Workspace::Memory::distance);
  DistanceSearch search(a, b, pose, options, *memory, result.stats);
  search.run(bounds_disjoint(a, b, pose));
  if (search.found()) {
    result.distance.upper = search.best();
    result.closest = search.contact(pose_a);
  }
  result.complete = search.complete();
  result.distance.lower =
      proved_distance(a, b, options, result.distance.upper, search.least_measured());
  if (!result.complete)
    result.distance.lower = std::min(result.distance.lower, search.least_left());
  return result;
}

}  // namespace touche
