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

  /// Adds pairs of triangles of two leaves, a bit each; `moved_b` are b's corners in a's frame,
  /// each coordinate off by at most `error`. Calls hit(triangle_a, triangle_b) for those found to
  /// intersect so far, until it returns false.
  template <class Hit>
  bool add(const OpenedPair& pair, std::uint64_t pairs, const float (*moved_b)[3][kWidth],
           float error, Hit&& hit) {
    while (pairs != 0) {
      const PairNumbers next(pairs);
      kernel_.append(pair.leaf_a().corner, moved_b, next, error, count_, batch_);
      for (int n = 0; n < next.count; ++n, ++count_) {
        triangle_a_[count_] = pair.triangle_a(row_of(next.number[n]));
        triangle_b_[count_] = pair.triangle_b(lane_of(next.number[n]));
      }
      if (count_ >= kWidth && !decide(kWidth, hit)) return false;
    }
    return true;
  }

  template <class Hit>
  bool flush(Hit&& hit) {
    return count_ == 0 || decide(count_, hit);
  }

 private:
  // Decides the first `count` pairs, at most eight.
  template <class Hit>
  bool decide(int count, Hit&& hit) {
    const Verdicts verdicts = kernel_.classify(batch_);
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    bool go_on = true;
    for (std::uint32_t left = ~verdicts.miss & ((1u << count) - 1); left != 0 && go_on;
         left &= left - 1) {
      const int n = std::countr_zero(left);
      if ((verdicts.hit >> n & 1) || exact(triangle_a_[n], triangle_b_[n]))
        go_on = hit(triangle_a_[n], triangle_b_[n]);
    }
    count_ -= count;
    for (int n = 0; n < kWidth; ++n) {
      triangle_a_[n] = triangle_a_[n + kWidth];
      triangle_b_[n] = triangle_b_[n + kWidth];
    }
    return go_on;
  }

  bool exact(Index ta, Index tb) {
    return triangles_intersect(triangle_of(a_.soup(), ta), triangle_of(b_.soup(), tb, pose_),
                               &stats_.exact_tests);
  }

  const Object& a_;
  const Object& b_;
  const RelativePose& pose_;
  QueryStats& stats_;
  const Kernels& kernel_ = kernels();
  TriangleBatch batch_;
  Index triangle_a_[TriangleBatch::kRoom], triangle_b_[TriangleBatch::kRoom];
  int count_ = 0;
};

}  // namespace touche
