// SPDX-License-Identifier: Apache-2.0
// Candidate pairs of triangles, gathered across leaves and decided several at a time: first in
// single precision with a bound of the error, what remains exactly.
#pragma once

#include <algorithm>
#include <utility>

#include "query/pair_traversal.h"
#include "query/relative.h"

namespace touche {

class TriangleFilter {
 public:
  TriangleFilter(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats)
      : a_(a), b_(b), pose_(pose), stats_(stats) {}

  /// Where leaves add their pairs; decide() before the next leaves do.
  TriangleBatch& batch() { return batch_; }

  /// Decides whole batches; what needs exact tests may wait. Calls hit(triangle_a, triangle_b) for
  /// those that intersect, until it returns false.
  template <class Hit>
  bool decide(Hit&& hit) {
    const auto wait = [&](Index ta, Index tb) {
      __builtin_prefetch(&a_.soup().triangle(ta));
      __builtin_prefetch(&b_.soup().triangle(tb));
      undecided_[undecided_count_++] = {ta, tb};
      return true;
    };
    while (batch_.count >= kBatch) {
      if (undecided_count_ > kMostUndecided - kBatch && !settle(hit)) return false;
      if (!decide_last(kBatch, hit, wait)) return false;
    }
    return true;
  }

  /// Decides all that wait.
  template <class Hit>
  bool flush(Hit&& hit) {
    const auto test = [&](Index ta, Index tb) { return !exact(ta, tb) || hit(ta, tb); };
    while (batch_.count > 0)
      if (!decide_last(std::min(batch_.count, kWidth), hit, test)) return false;
    return settle(hit);
  }

 private:
  template <class Hit, class Undecided>
  bool decide_last(int count, Hit&& hit, const Undecided& undecided) {
    const Verdicts verdicts = kernel_.classify(batch_, count);
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    for (std::uint32_t left = ~verdicts.miss & ((1u << count) - 1); left != 0; left &= left - 1) {
      const int n = std::countr_zero(left), at = batch_.count + n;
      const Index ta = batch_.triangle_a[at], tb = batch_.triangle_b[at];
      if (!((verdicts.hit >> n & 1) ? hit(ta, tb) : undecided(ta, tb))) return false;
    }
    return true;
  }

  // Several exact tests one after the other: meanwhile the corners of the next are loaded.
  template <class Hit>
  bool settle(Hit&& hit) {
    for (int i = 0; i < undecided_count_; ++i) {
      fetch(a_.soup(), undecided_[i].a);
      fetch(b_.soup(), undecided_[i].b);
    }
    const int count = std::exchange(undecided_count_, 0);
    for (int i = 0; i < count; ++i) {
      const auto& [ta, tb] = undecided_[i];
      if (exact(ta, tb) && !hit(ta, tb)) return false;
    }
    return true;
  }

  static void fetch(const PolygonSoup& soup, Index triangle) {
    for (const Index v : soup.triangle(triangle)) __builtin_prefetch(&soup.vertex(v));
  }

  bool exact(Index ta, Index tb) {
    return triangles_intersect(triangle_of(a_.soup(), ta), triangle_of(b_.soup(), tb, pose_),
                               &stats_.exact_tests);
  }

  static constexpr int kMostUndecided = 2 * kBatch;

  const Object& a_;
  const Object& b_;
  const RelativePose& pose_;
  QueryStats& stats_;
  const Kernels& kernel_ = kernels();
  TriangleBatch batch_;
  TriangleIds undecided_[kMostUndecided];
  int undecided_count_ = 0;
};

}  // namespace touche
