// SPDX-License-Identifier: Apache-2.0
// Candidate pairs of triangles, gathered across leaves and decided eight at a time: first in
// single precision with a bound of the error, what remains exactly.
#pragma once

#include "query/pair_traversal.h"
#include "query/relative.h"

namespace touche {

class TriangleFilter {
 public:
  TriangleFilter(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats)
      : a_(a), b_(b), pose_(pose), stats_(stats) {}

  /// Adds the pair (row, lane) of two leaves; `moved_b` are b's corners in a's frame. Calls
  /// hit(triangle_a, triangle_b) for those found to intersect so far, until it returns false.
  template <class Hit>
  bool add(const OpenedPair& pair, int row, int lane, const float (*moved_b)[3][kWidth],
           Hit&& hit) {
    const int n = count_++;
    const BvhLeaf& leaf = pair.leaf_a();
    for (int v = 0; v < 3; ++v)
      for (int k = 0; k < 3; ++k) {
        batch_.a[v][k][n] = leaf.corner[v][k][row];
        batch_.b[v][k][n] = moved_b[v][k][lane];
      }
    batch_.error[n] = pair.frame().error_a;
    triangle_a_[n] = pair.triangle_a(row);
    triangle_b_[n] = pair.triangle_b(lane);
    return count_ < kWidth || flush(hit);
  }

  template <class Hit>
  bool flush(Hit&& hit) {
    if (count_ == 0) return true;
    const Verdicts verdicts = kernels().classify(batch_);
    const int count = count_;
    count_ = 0;
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    for (int n = 0; n < count; ++n) {
      const std::uint32_t bit = 1u << n;
      if (verdicts.miss & bit) continue;
      if (!(verdicts.hit & bit) && !exact(triangle_a_[n], triangle_b_[n])) continue;
      if (!hit(triangle_a_[n], triangle_b_[n])) return false;
    }
    return true;
  }

 private:
  bool exact(Index ta, Index tb) {
    return triangles_intersect(triangle_of(a_.soup(), ta), triangle_of(b_.soup(), tb, pose_),
                               &stats_.exact_tests);
  }

  const Object& a_;
  const Object& b_;
  const RelativePose& pose_;
  QueryStats& stats_;
  TriangleBatch batch_ = {};
  Index triangle_a_[kWidth], triangle_b_[kWidth];
  int count_ = 0;
};

}  // namespace touche
