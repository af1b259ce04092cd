// SPDX-License-Identifier: Apache-2.0
// First hit: depth first, of the children's pairs the one that overlaps deepest first.
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

  NodePair stack[kStackSize];
  int top = 0;
  stack[top++] = {bvh_a.root(), bvh_b.root()};
  while (top > 0) {
    FramedPair framed;
    ++stats.volume_tests;
    if (framed.place(bvh_a, bvh_b, stack[--top], map) > 0) continue;
    const OpenedPair pair(bvh_a, bvh_b, framed);
    float gap[kWidth * kWidth];
    float moved[3][3][kWidth];
    std::uint64_t overlapping = kernel.overlap(pair.side_a(), pair.side_b(), pair.frame(), gap,
                                               pair.leaves() ? moved : nullptr);
    ++stats.node_pairs;
    stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());

    int deepest = -1;
    float depth = 0;
    for (; overlapping != 0; overlapping &= overlapping - 1) {
      const int n = std::countr_zero(overlapping);
      const int row = n / kWidth, lane = n % kWidth;
      if (pair.leaves()) {
        if (!filter.add(pair, row, lane, moved, found)) return hit;
        continue;
      }
      stack[top] = pair.child(row, lane);
      if (deepest < 0 || gap[n] < depth) {
        deepest = top;
        depth = gap[n];
      }
      ++top;
    }
    if (deepest >= 0) std::swap(stack[deepest], stack[top - 1]);
    if (pair.leaves() && !filter.flush(found)) return hit;
  }
  return hit;
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
