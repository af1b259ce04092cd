// SPDX-License-Identifier: Apache-2.0
// The search for pairs of triangles within a margin. It works like BatchSearch, with bounds of
// distances in place of overlaps.
#pragma once

#include <bit>
#include <cmath>
#include <type_traits>
#include <vector>

#include "base/budget_meter.h"
#include "bvh/object_data.h"
#include "query/pair_traversal.h"
#include "query/workspace.h"

namespace touche::query {

/// Selects the test for pairs of triangles: whether they may be within the margin, or which of
/// their features may count (Kernels::near_features), with edges that lean by at most `lean`.
struct NearTriangles {};
struct NearFeaturesOf {
  double lean;
};

/// Calls visit(ta, tb, features) for every pair of triangles that may be no farther apart than the
/// margin, or may have features that count, until it returns false or the budget ends.
template <class Asked, class Visit>
class NearSearch {
 public:
  NearSearch(const Object& a, const Object& b, const RelativePose& pose, double margin,
             const Asked& asked, base::BudgetMeter& meter, QueryStats& stats,
             std::vector<DistanceMemory::Waiting>& waiting, const Visit& visit)
      : a_(bvh::bvh_of(a)),
        b_(bvh::bvh_of(b)),
        map_(a_, b_, pose.rotation, pose.translation),
        meter_(meter),
        stats_(stats),
        waiting_(waiting),
        visit_(visit) {
    waiting_.clear();
    // The margin is enlarged by far more than the errors of distances in double precision.
    const double local = margin * a_.scale() * (1 + 1e-6);
    target_ = {std::nextafter(static_cast<float>(std::min(local * local, 1e38)), INFINITY), {}};
    margin_ = std::nextafter(static_cast<float>(std::min(local, 1e19)), INFINITY);
    if constexpr (kFeatures) lean_ = static_cast<float>(asked.lean * (1 + 1e-3) + 1e-6);
  }

  void run() {
    add({a_.root(), b_.root()});
    while (!waiting_.empty())
      if (!open_next()) return;
    while (batch_.count > 0)
      if (!decide(std::min(batch_.count, bvh::kWidth))) return;
  }

 private:
  static constexpr bool kFeatures = std::is_same_v<Asked, NearFeaturesOf>;

  // Returns false if the search is to end.
  bool open_next() {
    NodePair next[bvh::kBatch];
    bvh::BoundsPairs bounds;
    for (; bounds.count < bvh::kBatch && !waiting_.empty(); ++bounds.count) {
      const DistanceMemory::Waiting& pair = waiting_.back();
      next[bounds.count] = pair.nodes;
      bounds.a[bounds.count] = pair.a;
      bounds.b[bounds.count] = pair.b;
      waiting_.pop_back();
    }
    if (!meter_.spend(static_cast<std::uint64_t>(bounds.count))) return false;
    stats_.volume_tests += static_cast<std::uint64_t>(bounds.count);
    bounds.fill_up();
    bvh::PairFrames frames;
    float squared[bvh::kBatch];
    const std::uint32_t near = kernel_.relate_near(map_, bounds, target_, frames, squared);
    for (std::uint32_t left = near; left != 0; left &= left - 1) {
      const NodePair& nodes = next[std::countr_zero(left)];
      a_.fetch_contents(nodes.a);
      b_.fetch_contents(nodes.b);
    }
    for (std::uint32_t left = near; left != 0; left &= left - 1) {
      const int n = std::countr_zero(left);
      ++stats_.node_pairs;
      if (!bvh::is_leaf(next[n].a) || !bvh::is_leaf(next[n].b))
        open_nodes(next[n], frames, n);
      else if (!open_leaves(a_.leaf(next[n].a), b_.leaf(next[n].b), frames, n))
        return false;
    }
    return true;
  }

  void open_nodes(NodePair nodes, const bvh::PairFrames& frames, int lane) {
    const OpenedPair pair(a_, b_, nodes, map_.ratio);
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    float squared[bvh::kWidth * bvh::kWidth];
    for (std::uint64_t near = kernel_.near(pair.contents_a(), pair.contents_b(), frames, lane,
                                           target_.squared, squared);
         near != 0; near &= near - 1)
      add(pair.children()[std::countr_zero(near)]);
  }

  bool open_leaves(const bvh::BvhLeaf& a, const bvh::BvhLeaf& b, const bvh::PairFrames& frames,
                   int lane) {
    stats_.volume_tests += static_cast<std::uint64_t>(a.count() * b.count());
    kernel_.add_near_triangles(a, b, frames, lane, target_, batch_);
    while (batch_.count >= bvh::kBatch)
      if (!decide(bvh::kBatch)) return false;
    return true;
  }

  // Decides the last waiting pairs of triangles.
  bool decide(int count) {
    float squared[bvh::kBatch];
    std::int32_t features[bvh::kBatch] = {};
    std::uint32_t near;
    if constexpr (kFeatures)
      near = kernel_.near_features(batch_, count, margin_, lean_, features);
    else
      near = kernel_.measure(batch_, count, target_.squared, squared);
    for (; near != 0; near &= near - 1) {
      const int n = std::countr_zero(near), at = batch_.count + n;
      ++stats_.primitive_tests;
      if (!visit_(batch_.triangle_a[at], batch_.triangle_b[at], features[n])) return false;
    }
    return true;
  }

  void add(NodePair nodes) {
    const DistanceMemory::Waiting pair{nodes, &a_.bounds(nodes.a), &b_.bounds(nodes.b), 0};
    bvh::Bvh::fetch(*pair.a);
    bvh::Bvh::fetch(*pair.b);
    waiting_.push_back(pair);
  }

  const bvh::Bvh &a_, &b_;
  const bvh::LocalMap map_;
  const bvh::Kernels& kernel_ = bvh::kernels();
  base::BudgetMeter& meter_;
  QueryStats& stats_;
  bvh::NearTarget target_;
  float margin_, lean_ = 0;  // units of a; a sine
  bvh::TriangleBatch batch_;
  std::vector<DistanceMemory::Waiting>& waiting_;
  const Visit& visit_;
};

}  // namespace touche::query
