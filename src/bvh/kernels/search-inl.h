// SPDX-License-Identifier: Apache-2.0
// All pairs of children of two nodes: which overlap, how deeply, which are near.
#if defined(TOUCHE_BVH_KERNELS_SEARCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_SEARCH_INL_H_
#undef TOUCHE_BVH_KERNELS_SEARCH_INL_H_
#else
#define TOUCHE_BVH_KERNELS_SEARCH_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"
#include "bvh/kernels/closed-inl.h"
#include "bvh/kernels/keys-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

// For a leaf on one side: calls with_leaf(closed leaf), and gives bits of rows or lanes.
HWY_NOINLINE std::uint64_t OverlapLeaf(const Side& a, const Side& b, const PairFrames& f,
                                       int lane) {
  const LaneMap to_a{f.to_a, lane}, to_b{f.to_b, lane};
  if (a.corner != nullptr) {
    HWY_ALIGN const ClosedLeaf<LaneMap> leaf(a, *b.boxes, to_a, f.error_a[lane], to_b,
                                             f.error_b[lane]);
    return OverlapClosed(leaf) & UsedLanes(b.count);
  }
  HWY_ALIGN const ClosedLeaf<LaneMap> leaf(b, *a.boxes, to_b, f.error_b[lane], to_a,
                                           f.error_a[lane]);
  return AsRows(OverlapClosed(leaf) & UsedLanes(a.count));
}

std::uint64_t Overlap(const Side& a, const Side& b, const PairFrames& f, int lane) {
  if (a.corner != nullptr || b.corner != nullptr) [[unlikely]]
    return OverlapLeaf(a, b, f, lane);
  const D d;
  HWY_ALIGN Intervals a_own, b_own, b_moved, a_moved;
  ToIntervals(*a.boxes, a_own);
  V lo[3], hi[3];
  SetIntervals(f.b_in_a[0][0] + lane, f.b_in_a[1][0] + lane, kBatch, lo, hi);
  const std::uint32_t rows = RowsMeeting(a_own, a.count, lo, hi);
  if (rows == 0) return 0;
  MovedIntervals(*b.boxes, LaneMap{f.to_a, lane}, f.error_a[lane], b_moved);
  MovedIntervals(*a.boxes, LaneMap{f.to_b, lane}, f.error_b[lane], a_moved);
  ToIntervals(*b.boxes, b_own);
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V own_lo[3], own_hi[3];
    LoadIntervals(b_moved, l, lo, hi);
    LoadIntervals(b_own, l, own_lo, own_hi);
    ForRows(rows, [&](int i) HWY_ATTR {
      const auto meet =
          hn::And(Meet(a_own, AtRow{i}, lo, hi), Meet(a_moved, AtRow{i}, own_lo, own_hi));
      mask |= Bits(meet, i, l);
    });
  }
  return mask & UsedLanes(b.count);
}

// Along an axis, by how much two boxes overlap whose half widths add up to `sizes`; < 0: not at
// all.
HWY_INLINE V Common(V centre_a, V centre_b, V sizes) {
  return hn::Sub(sizes, hn::Abs(hn::Sub(centre_a, centre_b)));
}

HWY_NOINLINE std::int32_t RankLeaf(const Side& a, const Side& b, const PairFrame& f,
                                   PairKeys& keys) {
  const WholeMap to_a{f.to_a}, to_b{f.to_b};
  ClearKeys(keys);
  if (a.corner != nullptr) {
    HWY_ALIGN const ClosedLeaf<WholeMap> leaf(a, *b.boxes, to_a, f.error_a, to_b, f.error_b);
    return LeastOf(RankClosed(leaf, keys));
  }
  HWY_ALIGN const ClosedLeaf<WholeMap> leaf(b, *a.boxes, to_b, f.error_b, to_a, f.error_a);
  const std::int32_t first = LeastOf(RankClosed(leaf, keys));
  TurnKeys(keys);
  return first == PairKeys::kNone ? first
                                  : (first & ~PairKeys::kNumber) | kWidth * PairKeys::pair(first);
}

std::int32_t Rank(const Side& a, const Side& b, const PairFrame& f, PairKeys& keys) {
  if (a.corner != nullptr || b.corner != nullptr) [[unlikely]]
    return RankLeaf(a, b, f, keys);
  const D d;
  const V zero = hn::Zero(d);
  const Boxes8 &a_own = *a.boxes, &b_own = *b.boxes;
  // Which of a's may meet b as a whole.
  std::uint32_t rows = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const AtLanes lanes{l};
    V least_common = hn::Set(d, INFINITY);
    for (int k = 0; k < 3; ++k)
      least_common = hn::Min(least_common,
                             Common(lanes(a_own.centre[k]), hn::Set(d, f.b_in_a.centre[k]),
                                    hn::Add(lanes(a_own.half[k]), hn::Set(d, f.b_in_a.half[k]))));
    rows |= static_cast<std::uint32_t>(Bits(hn::Ge(least_common, zero), 0, l));
  }
  rows &= (1u << a.count) - 1;
  if (rows == 0) return PairKeys::kNone;
  HWY_ALIGN Boxes8 b_moved, a_moved;
  MoveBoxes(WholeMap{f.to_a}, b_own, f.error_a, b_moved);
  MoveBoxes(WholeMap{f.to_b}, a_own, f.error_b, a_moved);
  ClearKeys(keys);
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const AtLanes lanes{l};
    ForRows(rows, [&](int i) HWY_ATTR {
      const AtRow row{i};
      // Common lengths against sizes: one where the centres coincide, nothing at the margin.
      V common = hn::Set(d, 1.0f), sizes = hn::Set(d, 1.0f);
      V least_common = hn::Set(d, INFINITY);
      for (int k = 0; k < 3; ++k) {
        const V size = hn::Add(row(a_own.half[k]), lanes(b_moved.half[k]));
        const V shared = Common(row(a_own.centre[k]), lanes(b_moved.centre[k]), size);
        least_common = hn::Min(least_common, shared);
        common = hn::Mul(common, shared);
        sizes = hn::Mul(sizes, size);
      }
      for (int k = 0; k < 3; ++k)
        least_common =
            hn::Min(least_common, Common(row(a_moved.centre[k]), lanes(b_own.centre[k]),
                                         hn::Add(row(a_moved.half[k]), lanes(b_own.half[k]))));
      const auto meet = hn::Ge(least_common, zero);  // unused lanes meet nothing
      const V apart = hn::Div(sizes, hn::Max(common, hn::Set(d, 1e-37f)));
      least = hn::Min(least, SetKeys(apart, meet, i, l, keys));
    });
  }
  return LeastOf(least);
}

HWY_NOINLINE std::uint64_t NearLeaf(const Side& a, const Side& b, const PairFrames& f, int lane,
                                    float target, float (&squared)[kWidth * kWidth]) {
  const LaneMap to_a{f.to_a, lane}, to_b{f.to_b, lane};
  HWY_ALIGN float least[kWidth];
  if (a.corner != nullptr) {
    HWY_ALIGN const ClosedLeaf<LaneMap> leaf(a, *b.boxes, to_a, f.error_a[lane], to_b,
                                             f.error_b[lane]);
    const std::uint64_t near =
        NearClosed(leaf, 1, f.ratio * f.ratio, target, least) & UsedLanes(b.count);
    for (int i = 0; i < kWidth; ++i) squared[i] = least[i];
    return near & 0xff;
  }
  HWY_ALIGN const ClosedLeaf<LaneMap> leaf(b, *a.boxes, to_b, f.error_b[lane], to_a,
                                           f.error_a[lane]);
  const std::uint64_t near =
      NearClosed(leaf, f.ratio * f.ratio, 1, target, least) & UsedLanes(a.count);
  for (int i = 0; i < kWidth; ++i) squared[kWidth * i] = least[i];
  return AsRows(near & 0xff);
}

std::uint64_t Near(const Side& a, const Side& b, const PairFrames& f, int lane, float target,
                   float (&squared)[kWidth * kWidth]) {
  if (a.corner != nullptr || b.corner != nullptr) [[unlikely]]
    return NearLeaf(a, b, f, lane, target, squared);
  const D d;
  const V limit = hn::Set(d, target), down = hn::Set(d, 1.0f - 2e-6f);
  HWY_ALIGN Intervals a_own, b_own, b_moved, a_moved;
  ToIntervals(*a.boxes, a_own);
  V lo[3], hi[3];
  SetIntervals(f.b_in_a[0][0] + lane, f.b_in_a[1][0] + lane, kBatch, lo, hi);
  const std::uint32_t rows = RowsNear(a_own, a.count, lo, hi, target);
  if (rows == 0) return 0;
  MovedIntervals(*b.boxes, LaneMap{f.to_a, lane}, f.error_a[lane], b_moved);
  MovedIntervals(*a.boxes, LaneMap{f.to_b, lane}, f.error_b[lane], a_moved);
  ToIntervals(*b.boxes, b_own);
  const V ratio_square = hn::Mul(down, hn::Set(d, f.ratio * f.ratio));
  const V most = hn::Set(d, kMostSquared);
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V own_lo[3], own_hi[3];
    LoadIntervals(b_moved, l, lo, hi);
    LoadIntervals(b_own, l, own_lo, own_hi);
    ForRows(rows, [&](int i) HWY_ATTR {
      const V in_a = hn::Mul(down, SquaredDistance(a_own, AtRow{i}, lo, hi));
      const V in_b = hn::Mul(ratio_square, SquaredDistance(a_moved, AtRow{i}, own_lo, own_hi));
      const V best = hn::Min(hn::Max(in_a, in_b), most);
      hn::StoreU(best, d, squared + static_cast<std::size_t>(kWidth * i) + l);
      mask |= Bits(hn::Le(best, limit), i, l);
    });
  }
  return mask & UsedLanes(b.count);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
