// SPDX-License-Identifier: Apache-2.0
// Finds the pairs of leaves of a fine mesh and of a few large triangles that may be near each
// other.
#pragma once

#include <algorithm>

#include "query/few_search.h"
#include "query/pair_traversal.h"

namespace touche::query {

/// Bounds of distances are squared, in local units of a, and rounded down.
class FewNearSearch {
 public:
  FewNearSearch(const bvh::Bvh& a, const bvh::Bvh& b, const RelativePose& pose,
                const bvh::LocalMap& map, bool fine_is_a, base::BudgetMeter& meter,
                QueryStats& stats)
      : roots_{a.root(), b.root()},
        fine_is_a_(fine_is_a),
        in_a_(fine_is_a ? 1 : map.ratio * map.ratio),
        per_a_(fine_is_a ? 1 : map.inverse_ratio * map.inverse_ratio),
        few_(a, b, pose, fine_is_a),
        descent_(fine_is_a ? a : b, meter, stats) {}

  /// Calls add(nodes, bound) for the pairs of one leaf of the mesh whose bound is at most target(),
  /// then next(), which returns whether to continue. The nearest children of each node come first.
  /// Returns false if the search was ended by next() or by the budget.
  template <class Target, class Add, class Next>
  bool run(const Target& target, const Add& add, const Next& next) {
    return descent_.run(
        few_.all(),
        [&](const bvh::BvhNode& node, std::uint32_t triangles, FewNear& near) {
          const float in_units_of_mesh = std::max(per_a_ * target(), 1e-37f);
          return kernel_.near(node, few_.triangles(), triangles, in_units_of_mesh, near);
        },
        [&](const FewNear& near, int child) { return bound(near, child) <= target(); },
        [&](bvh::NodeRef leaf, std::uint32_t triangles, const FewNear& near, int child) {
          PlacedFew::for_leaves(triangles, [&](bvh::NodeRef other) {
            add(pair(leaf, other), bound(near, child));
            return true;
          });
          return next();
        });
  }

  /// After that: calls add(nodes, bound) for pairs of nodes that cover all remaining pairs, and
  /// perhaps others.
  template <class Add>
  void for_left(const Add& add) const {
    const bvh::NodeRef other = fine_is_a_ ? roots_.b : roots_.a;
    if (!descent_.for_left([&](bvh::NodeRef node, const FewNear& near, int child) {
          add(pair(node, other), bound(near, child));
        }))
      add(roots_, 0);
  }

 private:
  NodePair pair(bvh::NodeRef fine, bvh::NodeRef few) const {
    return fine_is_a_ ? NodePair{fine, few} : NodePair{few, fine};
  }
  float bound(const FewNear& near, int child) const {
    return std::min(in_a_ * near.squared[child], 1e38f);
  }

  const NodePair roots_;
  const bool fine_is_a_;
  const float in_a_, per_a_;  // the square of the mesh's unit of length, and its inverse
  const FewKernels& kernel_ = few_kernels();
  const PlacedFew few_;
  FewDescent<FewNear> descent_;
};

}  // namespace touche::query
