// SPDX-License-Identifier: Apache-2.0
// First hit: depth first, of the children's pairs the one whose centres lie nearest for their size.
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "query/triangle_filter.h"

namespace touche {

std::optional<TriangleIds> first_hit(const Object& a, const Object& b, const RelativePose& pose,
                                     QueryStats& stats) {
  const Bvh &bvh_a = a.bvh(), &bvh_b = b.bvh();
  const LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
  const Kernels& kernel = kernels();
  TriangleFilter filter(a, b, pose, stats);
  std::optional<TriangleIds> hit;
  const auto found = [&](Index ta, Index tb) {
    hit = TriangleIds{ta, tb};
    return false;
  };

  WaitingPairs levels[kMostLevels];
  int top = -1;
  NodePair next{bvh_a.root(), bvh_b.root()};
  while (true) {
    FramedPair framed;
    ++stats.volume_tests;
    if (!(framed.place(bvh_a, bvh_b, next, map) > 0)) {
      const OpenedPair pair(bvh_a, bvh_b, next, map.ratio);
      WaitingPairs& children = levels[top + 1];
      float moved[3][3][kWidth];
      std::uint64_t overlapping = kernel.overlap(pair.side_a(), pair.side_b(), framed.frame,
                                                 pair.leaves() ? nullptr : &children.order,
                                                 pair.leaves() ? moved : nullptr);
      ++stats.node_pairs;
      stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
      if (pair.leaves()) {
        if (!filter.add(pair, overlapping, moved, framed.frame.error_a, found)) return hit;
        if (!filter.flush(found)) return hit;
      } else if (overlapping != 0) {
        children.wait(next, pair, overlapping);
        ++top;
        children.take(children.order.first);
        next = children.child(bvh_a, bvh_b, children.order.first);
        continue;
      }
    }
    while (top >= 0 && levels[top].left == 0) --top;
    if (top < 0) return std::nullopt;
    const int n = levels[top].least();
    levels[top].take(n);
    next = levels[top].child(bvh_a, bvh_b, n);
  }
}

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b) {
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::intersects(a, pose_a, b, pose_b);
  const RelativePose pose(pose_a, pose_b);
  IntersectsResult result;
  if (const auto hit = first_hit(a, b, pose, result.stats)) {
    result.intersects = true;
    result.face_a = a.soup().face_of_triangle(hit->a);
    result.face_b = b.soup().face_of_triangle(hit->b);
  }
  return result;
}

}  // namespace touche
