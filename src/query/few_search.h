// SPDX-License-Identifier: Apache-2.0
// Searches for the case that one object has a few triangles and the other is a fine mesh: a wall, a
// floor, a box around everything. The triangles are transformed once to the mesh's local
// coordinates, and only its hierarchy is traversed, depth first, each node with the triangles that
// may reach it.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

#include "base/budget_meter.h"
#include "bvh/object_data.h"
#include "query/few_triangles.h"
#include "query/relative.h"

namespace touche::query {

/// Each leaf of the few triangles has eight lanes.
class PlacedFew {
 public:
  /// Whether an object has so few triangles, beside a mesh of many more, that this search is
  /// worthwhile.
  static bool suits(const bvh::Bvh& few, const bvh::Bvh& fine) {
    return few.leaf_count() <= FewTriangles::kMostLeaves &&
           fine.leaf_count() >= bvh::kWidth * few.leaf_count();
  }
  /// Whether it is worthwhile for a distance, too: the few triangles are not much smaller than the
  /// mesh.
  static bool suits_distance(const bvh::Bvh& few, const bvh::Bvh& fine) {
    return suits(few, fine) && are_large(few, fine);
  }

  /// `pose` is b's in a's coordinates; `fine_is_a` says which of both is the fine mesh.
  PlacedFew(const bvh::Bvh& a, const bvh::Bvh& b, const RelativePose& pose, bool fine_is_a);

  const FewTriangles& triangles() const { return triangles_; }
  std::uint32_t all() const { return all_; }  ///< a bit for each

  /// Calls visit(leaf) for each leaf that contains one of the triangles, until it returns false.
  template <class Visit>
  static bool for_leaves(std::uint32_t triangles, const Visit& visit) {
    for (bvh::NodeRef i = 0; triangles != 0; ++i, triangles >>= bvh::kWidth)
      if ((triangles & ((1u << bvh::kWidth) - 1)) != 0 && !visit(~i)) return false;
    return true;
  }

 private:
  static bool are_large(const bvh::Bvh& few, const bvh::Bvh& fine);

  FewTriangles triangles_;
  std::uint32_t all_ = 0;
};

/// The traversal of the fine mesh's hierarchy. `Found` is FewMeetings or FewNear.
template <class Found>
class FewDescent {
 public:
  FewDescent(const bvh::Bvh& fine, base::BudgetMeter& meter, QueryStats& stats)
      : fine_(fine), meter_(meter), stats_(stats) {}
  FewDescent(const FewDescent&) = delete;
  FewDescent& operator=(const FewDescent&) = delete;

  /// Calls look(node, triangles, found) for nodes, which fills in the results and returns the least
  /// key, and leaf(ref, triangles, found, child) for leaves, which returns whether to continue.
  /// Children are visited in the order of their keys, and only if wanted(found, child) still holds.
  /// Returns false if a leaf or the budget ended the traversal.
  template <class Look, class Wanted, class Leaf>
  bool run(std::uint32_t triangles, const Look& look, const Wanted& wanted, const Leaf& leaf) {
    bvh::NodeRef at = fine_.root();  // the mesh has more than one leaf
    for (;;) {
      std::int32_t key = bvh::PairKeys::kNone;
      if (!bvh::is_leaf(at)) {
        if (!meter_.spend()) return false;
        end_->node = &fine_.nodes()[static_cast<std::size_t>(at)];
        key = look(*end_->node, triangles, end_->found);
        ++stats_.node_pairs;
        stats_.volume_tests +=
            static_cast<std::uint64_t>(std::popcount(triangles) * end_->node->bounds.count());
        if (key != bvh::PairKeys::kNone) ++end_;
      }
      // Continue with the best child, or with the next one of the deepest node that has any left.
      while (key == bvh::PairKeys::kNone) {
        if (end_ == levels_) return true;
        key = next(end_[-1].found, end_[-1].last);
        if (key == bvh::PairKeys::kNone) --end_;
      }
      Level& from = end_[-1];
      from.last = key;
      const int child = bvh::PairKeys::pair(key);
      at = from.node->child[child];
      triangles = static_cast<std::uint32_t>(from.found.triangles[child]);
      if (!wanted(from.found, child))
        at = kDone;
      else if (bvh::is_leaf(at) && !leaf(at, triangles, from.found, child))
        return false;
    }
  }

 private:
  // A node on the current path, and the key of the child that was taken last.
  struct Level {
    const bvh::BvhNode* node;
    std::int32_t last;
    Found found;
  };
  static constexpr bvh::NodeRef kDone = ~0;  // like a leaf: nothing is below it

  static std::int32_t next(const Found& found, std::int32_t last) {
    std::int32_t least = bvh::PairKeys::kNone;
    for (const std::int32_t key : found.key)
      if (key > last) least = std::min(least, key);
    return least;
  }

 public:
  /// After the traversal was stopped early: calls visit(ref, found, child) for the children that
  /// were not traversed, and perhaps for some that were. Returns false if the root itself was never
  /// opened.
  template <class Visit>
  bool for_left(const Visit& visit) const {
    for (const Level* level = levels_; level != end_; ++level)
      for (int child = 0; child < level->node->bounds.count(); ++child)
        if (level->found.key[child] != bvh::PairKeys::kNone &&
            level->found.key[child] >= level->last)
          visit(level->node->child[child], level->found, child);
    return end_ != levels_;
  }

 private:
  const bvh::Bvh& fine_;
  base::BudgetMeter& meter_;
  QueryStats& stats_;
  Level levels_[bvh::kMostHeight + 1];
  Level* end_ = levels_;
};

/// A pair that intersects; empty if there is none or the budget ended.
std::optional<TriangleIds> any_intersecting_pair_of_few(const Object& a, const Object& b,
                                                        const RelativePose& pose, bool fine_is_a,
                                                        base::BudgetMeter& meter,
                                                        QueryStats& stats);

}  // namespace touche::query
