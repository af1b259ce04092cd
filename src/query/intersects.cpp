// SPDX-License-Identifier: Apache-2.0
// Finds any pair of triangles that intersects. The search opens one pair of nodes at a time: the
// waiting pair whose centres are nearest relative to its size, with a preference for small pairs.
// If that finds nothing soon, there is probably no intersection, and the rest is searched in
// batches.
#include <algorithm>
#include <array>
#include <functional>

#include "bvh/object_data.h"
#include "query/apart.h"
#include "query/batch_search.h"
#include "query/few_search.h"
#include "query/long_nodes.h"
#include "query/relative.h"
#include "touche/reference.h"

namespace touche::query {

namespace {

// Priority queue of the pairs of children of several pairs of nodes. While these are few, take()
// returns the best of all; otherwise the best of the newest, so that the capacity always suffices.
class Candidates {
 public:
  explicit Candidates(const bvh::Kernels& kernel) : kernel_(kernel) {}

  struct Next {
    NodePair nodes;
    int level;    // the number of pairs above it
    bool across;  // the pair above it was ranked along the cross product of its long axes, too
  };

  bool empty() const { return count_ == 0; }

  /// Space for the keys of a pair's children.
  WaitingPairs& room() { return waiting_[std::countr_one(used_)]; }

  /// Adds the children in room(), of a pair with `level` pairs above it, and takes the best of all.
  Next add_and_take(int level, bool across, const ChildPairs& children) {
    const int place = std::countr_one(used_);
    WaitingPairs& added = waiting_[place];
    const std::int32_t first = added.first;
    // This is usually true, so the branch is predicted and need not wait for scores.
    const bool at_once = count_ >= kCompared || score(first, level) < best_;
    if (at_once) [[likely]] {
      added.first = kernel_.next(added.keys, first);
      if (added.first == bvh::PairKeys::kNone)
        return {children[bvh::PairKeys::pair(first)], level + 1, across};
    }
    used_ |= used_ + 1;
    added.children = children;
    level_[place] = level;
    across_[place] = across;
    place_[count_] = place;
    rate(count_);
    const std::int32_t newest = score_[count_++];
    if (!at_once) return take();
    best_ = count_ > kCompared ? newest : std::min(best_, newest);
    return {children[bvh::PairKeys::pair(first)], level + 1, across};
  }

  // Inlining is forced: otherwise it would depend on the surrounding code.
  [[gnu::always_inline]] Next take() {
    const int i = bvh::PairKeys::pair(best_), place = place_[i];
    WaitingPairs& from = waiting_[place];
    const int pair = from.take(kernel_);
    if (from.first != bvh::PairKeys::kNone)
      rate(i);
    else
      remove(i);
    best_ = count_ > 0 ? score_[count_ - 1] : bvh::PairKeys::kNone;
    if (count_ <= kCompared)
      for (int k = 0; k < count_ - 1; ++k) best_ = std::min(best_, score_[k]);
    return {from.children[pair], level_[place] + 1, across_[place]};
  }

  /// Takes all: the children of one pair of nodes stay together, the best of them last.
  void take_all(std::vector<NodePair>& pairs) {
    std::sort(score_, score_ + count_, std::greater<>());
    for (int n = 0; n < count_; ++n) {
      WaitingPairs& from = waiting_[place_[bvh::PairKeys::pair(score_[n])]];
      const auto added = static_cast<std::ptrdiff_t>(pairs.size());
      while (from.first != bvh::PairKeys::kNone) pairs.push_back(from.children[from.take(kernel_)]);
      std::reverse(pairs.begin() + added, pairs.end());
    }
    count_ = 0;
  }

 private:
  static constexpr int kCompared = 32;
  static constexpr int kRoom = kCompared + kMostLevels + 1;
  static_assert(kRoom < 64, "a bit for each");

  // A pair one level lower is preferred unless its centres are more than half again as far apart.
  static std::int32_t score(std::int32_t first, int level) {
    static constexpr auto kPreference = [] {
      std::array<float, kMostLevels + 1> preference{};
      float p = 1;
      for (float& x : preference) {
        x = p;
        p /= 1.5f;
      }
      return preference;
    }();
    const float score = bvh::PairKeys::value(first) * kPreference[static_cast<std::size_t>(level)];
    return std::bit_cast<std::int32_t>(score) & ~bvh::PairKeys::kNumber;
  }
  void rate(int i) {
    const int place = place_[i];
    score_[i] = score(waiting_[place].first, level_[place]) | i;
  }

  // The last entry takes the number of the removed one.
  void remove(int i) {
    used_ ^= std::uint64_t{1} << place_[i];
    --count_;
    place_[i] = place_[count_];
    score_[i] = (score_[count_] & ~bvh::PairKeys::kNumber) | i;
  }

  const bvh::Kernels& kernel_;
  int count_ = 0;
  std::int32_t score_[kRoom];  // with their own index in the last six bits
  std::int32_t best_ = bvh::PairKeys::kNone;
  int place_[kRoom];
  std::uint64_t used_ = 0;  // a bit for each occupied entry of waiting_
  int level_[kRoom];
  bool across_[kRoom];
  WaitingPairs waiting_[kRoom];
};

// The search opens this many pairs of nodes one by one: an obvious hit takes five.
constexpr std::uint64_t kOneByOne = 32;

// Continues with all candidates; the best of them is opened first.
template <class Found>
[[gnu::noinline]] void search_in_batches(const Object& a, const Object& b, const RelativePose& pose,
                                         Candidates& candidates, base::BudgetMeter& meter,
                                         QueryStats& stats, Workspace* workspace,
                                         const Found& found) {
  const WorkspaceUse memory(workspace);
  std::vector<NodePair>& pairs = memory->pairs.nodes;
  pairs.clear();
  candidates.take_all(pairs);
  BatchSearch(a, b, pose, meter, stats, memory->pairs.waiting, found).run(pairs);
}

}  // namespace

std::optional<TriangleIds> any_intersecting_pair(const Object& a, const Object& b,
                                                 const RelativePose& pose, base::BudgetMeter& meter,
                                                 QueryStats& stats, Workspace* workspace) {
  const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
  const bool fine_is_a = PlacedFew::suits(bvh_b, bvh_a);
  if (fine_is_a || PlacedFew::suits(bvh_a, bvh_b))
    return any_intersecting_pair_of_few(a, b, pose, fine_is_a, meter, stats);
  const bvh::LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
  const bvh::Kernels& kernel = bvh::kernels();
  TriangleFilter filter(a, b, pose, stats);
  std::optional<TriangleIds> hit;
  const auto found = [&](Index ta, Index tb) {
    hit = TriangleIds{ta, tb};
    return false;
  };

  std::uint64_t opened = 0, tests = 0;  // kept in registers
  Candidates candidates(kernel);
  Candidates::Next next{{bvh_a.root(), bvh_b.root()}, 0, false};
  while (meter.spend()) {
    FramedPair framed;
    ++tests;
    const bvh::Bounds &bounds_a = bvh_a.bounds(next.nodes.a),
                      &bounds_b = bvh_b.bounds(next.nodes.b);
    // Long nodes are often apart along cross products of axes, unless the pair above them was
    // ranked along one; other nodes seldom are.
    const bool elongated = is_elongated(bounds_a.box) && is_elongated(bounds_b.box);
    if (!(framed.relate(kernel, bvh_a, bvh_b, next.nodes, map) > 0) &&
        !(elongated && !next.across && kernel.apart_across(bounds_a, bounds_b, framed.frame))) {
      ++opened;
      if (bvh::is_leaf(next.nodes.a) && bvh::is_leaf(next.nodes.b)) {
        const bvh::BvhLeaf &leaf_a = bvh_a.leaf(next.nodes.a), &leaf_b = bvh_b.leaf(next.nodes.b);
        tests += static_cast<std::uint64_t>(leaf_a.count() * leaf_b.count());
        kernel.add_triangles(leaf_a, leaf_b, framed.frame, filter.batch());
        if (!filter.flush(found)) break;
      } else {
        const OpenedPair pair(bvh_a, bvh_b, next.nodes, map.ratio);
        tests += static_cast<std::uint64_t>(pair.volume_tests());
        WaitingPairs& waiting = candidates.room();
        waiting.first =
            elongated
                ? kernel.rank_across(pair.contents_a(), long_axis(bounds_a.box), pair.contents_b(),
                                     long_axis(bounds_b.box), framed.frame, waiting.keys)
                : kernel.rank(pair.contents_a(), pair.contents_b(), framed.frame, waiting.keys);
        if (waiting.first != bvh::PairKeys::kNone) {
          next = candidates.add_and_take(next.level, elongated, pair.children());
          continue;
        }
      }
    }
    if (candidates.empty()) break;
    if (opened >= kOneByOne) {
      search_in_batches(a, b, pose, candidates, meter, stats, workspace, found);
      break;
    }
    next = candidates.take();
  }
  stats.node_pairs += opened;
  stats.volume_tests += tests;
  return hit;
}

}  // namespace touche::query

namespace touche {

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget, Workspace* workspace) {
  IntersectsResult result;
  result.complete = true;
  if (query::far_apart(a, pose_a, b, pose_b)) return result;
  const query::RelativePose pose(pose_a, pose_b);
  if (query::bounds_disjoint(a, b, pose)) return result;
  // All paths return the same variable, so that it is constructed in the caller and never copied.
  if (!bvh::LocalMap::representable(bvh::bvh_of(a), bvh::bvh_of(b))) {
    result = brute_force::intersects(a, pose_a, b, pose_b, budget);
    return result;
  }
  base::BudgetMeter meter(budget);
  if (const auto hit = query::any_intersecting_pair(a, b, pose, meter, result.stats, workspace)) {
    result.intersects = true;
    result.face_a = a.soup().face_of_triangle(hit->a);
    result.face_b = b.soup().face_of_triangle(hit->b);
  }
  result.complete = result.intersects || !meter.exhausted();
  return result;
}

}  // namespace touche
