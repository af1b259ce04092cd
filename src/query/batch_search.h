// SPDX-License-Identifier: Apache-2.0
// The search for intersecting triangles: depth first, several pairs of nodes at a time. Candidate
// pairs of triangles are collected across leaves and decided in batches.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "base/budget_meter.h"
#include "bvh/object_data.h"
#include "query/triangle_filter.h"
#include "query/workspace.h"

namespace touche::query {

/// Calls visit(ta, tb) for every pair of triangles that intersects, until it returns false or the
/// budget ends.
template <class Visit>
class BatchSearch {
 public:
  BatchSearch(const Object& a, const Object& b, const RelativePose& pose, base::BudgetMeter& meter,
              QueryStats& stats, std::vector<WaitingNodes>& waiting, const Visit& visit)
      : a_(bvh::bvh_of(a)),
        b_(bvh::bvh_of(b)),
        map_(a_, b_, pose.rotation, pose.translation),
        meter_(meter),
        stats_(stats),
        filter_(a, b, pose, stats),
        waiting_(waiting),
        visit_(visit) {
    waiting_.clear();
  }

  void run() {
    const NodePair roots{a_.root(), b_.root()};
    run({&roots, 1});
  }

  /// Searches only below some pairs of nodes, the last of them first.
  void run(std::span<const NodePair> pairs) {
    for (const NodePair& pair : pairs) add(pair);
    while (!waiting_.empty())
      if (!open_next()) return;
    filter_.flush(visit_);
  }

 private:
  // Takes the last pairs of nodes, drops the pairs whose boxes do not overlap in the frames of the
  // nodes, and opens the others. Returns false if the search is to end.
  bool open_next() {
    NodePair next[bvh::kBatch];
    bvh::BoundsPairs bounds;
    for (; bounds.count < bvh::kBatch && !waiting_.empty(); ++bounds.count) {
      const WaitingNodes& pair = waiting_.back();
      next[bounds.count] = pair.nodes;
      bounds.a[bounds.count] = pair.a;
      bounds.b[bounds.count] = pair.b;
      waiting_.pop_back();
    }
    if (!meter_.spend(static_cast<std::uint64_t>(bounds.count))) return false;
    bounds.fill_up();
    bvh::PairFrames frames;
    stats_.volume_tests += static_cast<std::uint64_t>(bounds.count);
    const std::uint32_t near = kernel_.relate_pairs(map_, bounds, frames);
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

  bool open_leaves(const bvh::BvhLeaf& a, const bvh::BvhLeaf& b, const bvh::PairFrames& frames,
                   int lane) {
    stats_.volume_tests += static_cast<std::uint64_t>(a.count() * b.count());
    kernel_.add_triangles_in(a, b, frames, lane, filter_.batch());
    return filter_.decide(visit_);
  }

  void open_nodes(NodePair nodes, const bvh::PairFrames& frames, int lane) {
    if (waiting_.capacity() < kRoom) waiting_.reserve(kRoom);
    const OpenedPair pair(a_, b_, nodes, map_.ratio);
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    for (std::uint64_t overlapping =
             kernel_.overlap(pair.contents_a(), pair.contents_b(), frames, lane);
         overlapping != 0; overlapping &= overlapping - 1)
      add(pair.children()[std::countr_zero(overlapping)]);
  }

  void add(NodePair nodes) {
    const WaitingNodes pair{nodes, &a_.bounds(nodes.a), &b_.bounds(nodes.b)};
    bvh::Bvh::fetch(*pair.a);
    bvh::Bvh::fetch(*pair.b);
    waiting_.push_back(pair);
  }

  // Initial capacity of the list, which usually suffices. It is reserved when the first nodes are
  // opened, because a search of two leaves needs none.
  static constexpr std::size_t kRoom = 512;

  const bvh::Bvh &a_, &b_;
  const bvh::LocalMap map_;
  const bvh::Kernels& kernel_ = bvh::kernels();
  base::BudgetMeter& meter_;
  QueryStats& stats_;
  TriangleFilter filter_;
  std::vector<WaitingNodes>& waiting_;
  const Visit& visit_;
};

}  // namespace touche::query
