// SPDX-License-Identifier: Apache-2.0
// Candidate pairs of triangles, gathered across leaves and decided several at a time: first in
// single precision with a bound of the error, what remains exactly.
#pragma once

#include <algorithm>

#include "query/pair_traversal.h"
#include "query/relative.h"

namespace touche {

class TriangleFilter {
 public:
  TriangleFilter(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats)
      : a_(a), b_(b), pose_(pose), stats_(stats) {}

  /// Where leaves add their pairs; decide() before the next leaves do.
  TriangleBatch& batch() { return batch_; }

  /// Decides whole batches. Calls hit(triangle_a, triangle_b) for those that intersect, until it
  /// returns false.
  template <class Hit>
  bool decide(Hit&& hit) {
    while (batch_.count >= kBatch)
      if (!decide_last(kBatch, hit)) return false;
    return true;
  }

  /// Decides all that wait.
  template <class Hit>
  bool flush(Hit&& hit) {
    while (batch_.count > 0)
      if (!decide_last(std::min(batch_.count, kWidth), hit)) return false;
    return true;
  }

 private:
  template <class Hit>
  bool decide_last(int count, Hit&& hit) {
    const Verdicts verdicts = kernel_.classify(batch_, count);
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    for (std::uint32_t left = ~verdicts.miss & ((1u << count) - 1); left != 0; left &= left - 1) {
      const int n = std::countr_zero(left), at = batch_.count + n;
      const Index ta = batch_.triangle_a[at], tb = batch_.triangle_b[at];
      if (((verdicts.hit >> n & 1) || exact(ta, tb)) && !hit(ta, tb)) return false;
    }
    return true;
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
};

}  // namespace touche
