// SPDX-License-Identifier: Apache-2.0
// Any pair that intersects, where one object has a few large triangles and the other is a fine
// mesh: a wall, a floor, a box around everything. The triangles are placed once in the mesh's local
// coordinates, and only its hierarchy is gone through, depth first, with the triangles that reach
// into each node.
#pragma once

#include <optional>

#include "bvh/object_data.h"
#include "query/few_triangles.h"
#include "query/triangle_filter.h"

namespace touche {

class FewSearch {
 public:
  /// Whether an object has so few triangles, and these so large, that the search pays.
  static bool suits(const Bvh& few, const Bvh& fine) {
    return few.leaf_count() <= FewTriangles::kMostLeaves &&
           fine.leaf_count() >= kWidth * few.leaf_count() && are_large(few, fine);
  }

  /// One of the objects is the fine mesh.
  FewSearch(const Object& a, const Object& b, const RelativePose& pose, bool fine_is_a,
            BudgetMeter& meter, QueryStats& stats);

  /// The pair is found, or there is none, or the budget has ended.
  std::optional<TriangleIds> run();

 private:
  // A node on the way down, and which of its children comes next.
  struct Level {
    const BvhNode* node;
    std::int32_t last;  // key of the child that was taken
    FewMeetings meetings;
  };

  static bool are_large(const Bvh& few, const Bvh& fine);
  bool open_leaf(NodeRef leaf, std::uint32_t triangles);

  const bool fine_is_a_;
  const Bvh &a_, &b_, &fine_, &few_;
  const RelativePose& pose_;
  const Kernels& kernel_ = kernels();
  const FewKernels& few_kernel_ = few_kernels();
  BudgetMeter& meter_;
  QueryStats& stats_;
  TriangleFilter filter_;
  std::optional<LocalMap> map_;  // made when the first leaf is opened
  std::uint32_t all_ = 0;        // triangles
  FewTriangles triangles_;
  std::optional<TriangleIds> hit_;
  Level levels_[kMostHeight + 1];
};

}  // namespace touche
