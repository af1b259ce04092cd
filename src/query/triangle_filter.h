// SPDX-License-Identifier: Apache-2.0
// Collects candidate pairs of triangles across leaves and decides several at a time: first in
// single precision, then in double precision, both with error bounds, and the remaining pairs
// exactly.
#pragma once

#include <algorithm>
#include <utility>

#include "query/pair_traversal.h"
#include "query/relative.h"

namespace touche::query {

class TriangleFilter {
 public:
  TriangleFilter(const Object& a, const Object& b, const RelativePose& pose, QueryStats& stats)
      : a_(a), b_(b), pose_(pose), stats_(stats) {}

  /// Leaves add their pairs here. Call decide() before adding pairs of the next leaves.
  bvh::TriangleBatch& batch() { return batch_; }

  /// Decides whole batches; pairs that single precision leaves open may wait. Calls hit(triangle_a,
  /// triangle_b) for the pairs that intersect, until it returns false.
  template <class Hit>
  bool decide(Hit&& hit) {
    while (batch_.count >= bvh::kBatch)
      if (!decide_last(bvh::kBatch, hit)) return false;
    return true;
  }

  /// Decides all waiting pairs.
  template <class Hit>
  bool flush(Hit&& hit) {
    while (batch_.count > 0) {
      if (!decide_last(std::min(batch_.count, bvh::kWidth), hit)) return false;
      if (undecided_count_ >= bvh::kWidth && !settle(hit)) return false;
    }
    return settle(hit);
  }

 private:
  template <class Hit>
  bool decide_last(int count, Hit&& hit) {
    if (undecided_count_ > kMostUndecided - count && !settle(hit)) return false;
    const bvh::Verdicts verdicts = kernel_.classify(batch_, count);
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    for (std::uint32_t left = ~verdicts.miss & ((1u << count) - 1); left != 0; left &= left - 1) {
      const int n = std::countr_zero(left), at = batch_.count + n;
      const Index ta = batch_.triangle_a[at], tb = batch_.triangle_b[at];
      if (!(verdicts.hit >> n & 1))
        wait(ta, tb);
      else if (!hit(ta, tb))
        return false;
    }
    return true;
  }

  void wait(Index ta, Index tb) {
    __builtin_prefetch(&a_.soup().triangle(ta));
    __builtin_prefetch(&b_.soup().triangle(tb));
    undecided_[undecided_count_++] = {ta, tb};
  }

  // Decides the pairs that single precision left open, eight at a time.
  template <class Hit>
  bool settle(Hit&& hit) {
    for (int i = 0; i < undecided_count_; ++i) {
      fetch(a_.soup(), undecided_[i].a);
      fetch(b_.soup(), undecided_[i].b);
    }
    const int count = std::exchange(undecided_count_, 0);
    for (int first = 0; first < count; first += bvh::kWidth)
      if (!settle(undecided_ + first, std::min(bvh::kWidth, count - first), hit)) return false;
    return true;
  }

  template <class Hit>
  bool settle(const TriangleIds* pairs, int count, Hit&& hit) {
    Triangle at_a[bvh::kWidth], at_b[bvh::kWidth];
    for (int n = 0; n < count; ++n) {
      at_a[n] = triangle_of(a_.soup(), pairs[n].a);
      at_b[n] = triangle_of(b_.soup(), pairs[n].b, pose_);
    }
    bvh::Verdicts verdicts;
    if (count > 1) {  // for a single one this costs as much as it may save
      bvh::PrecisePairs precise;
      for (int lane = 0; lane < bvh::kWidth; ++lane)
        for (std::size_t v = 0; v < 3; ++v)
          for (int k = 0; k < 3; ++k) {
            precise.a[v][k][lane] = at_a[lane < count ? lane : 0][v][k];
            precise.b[v][k][lane] = at_b[lane < count ? lane : 0][v][k];
          }
      verdicts = kernel_.classify_precisely(precise, count);
    }
    for (std::uint32_t left = ~verdicts.miss & ((1u << count) - 1); left != 0; left &= left - 1) {
      const int n = std::countr_zero(left);
      const bool hits = (verdicts.hit >> n & 1) != 0 ||
                        geometry::triangles_intersect(at_a[n], at_b[n], &stats_.exact_tests);
      if (hits && !hit(pairs[n].a, pairs[n].b)) return false;
    }
    return true;
  }

  static void fetch(const PolygonSoup& soup, Index triangle) {
    for (const Index v : soup.triangle(triangle)) __builtin_prefetch(&soup.vertex(v));
  }

  static constexpr int kMostUndecided = 2 * bvh::kBatch;

  const Object& a_;
  const Object& b_;
  const RelativePose& pose_;
  QueryStats& stats_;
  const bvh::Kernels& kernel_ = bvh::kernels();
  bvh::TriangleBatch batch_;
  TriangleIds undecided_[kMostUndecided];
  int undecided_count_ = 0;
};

}  // namespace touche::query
