// SPDX-License-Identifier: Apache-2.0
// Tests of all pairs of children of two nodes: which overlap, how deeply, which are near.
#if defined(TOUCHE_BVH_KERNELS_SEARCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_SEARCH_INL_H_
#undef TOUCHE_BVH_KERNELS_SEARCH_INL_H_
#else
#define TOUCHE_BVH_KERNELS_SEARCH_INL_H_
#endif

#include <type_traits>

#include "bvh/kernels/across-inl.h"
#include "bvh/kernels/boxes-inl.h"
#include "bvh/kernels/closed-inl.h"
#include "bvh/kernels/keys-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// For a leaf on one side, which stays closed, and a node on the other: returns visit(closed leaf,
// whether it is a's).
template <class Map, class Visit>
HWY_INLINE auto WithClosedLeaf(const NodeContents& a, const NodeContents& b, const Map& to_a,
                               float error_a, const Map& to_b, float error_b, const Visit& visit) {
  if (a.corner != nullptr) {
    HWY_ALIGN const ClosedLeaf<Map> leaf(a, *b.boxes, to_a, error_a, to_b, error_b);
    return visit(leaf, true);
  }
  HWY_ALIGN const ClosedLeaf<Map> leaf(b, *a.boxes, to_b, error_b, to_a, error_a);
  return visit(leaf, false);
}

// For nodes on both sides. rows_of(a's boxes, lo, hi) selects the children of a that are tested
// further, by a test against the whole of b, which lies in [lo, hi]. Then test(row, lane, a's
// boxes, lo, hi, a's moved boxes, own_lo, own_hi) decides about one of these and b's children from
// `lane` on: the children's boxes are [lo, hi] in a's frame, as are a's boxes, and [own_lo, own_hi]
// in their own frame, as are a's moved boxes.
template <class RowsOf, class Test>
HWY_INLINE std::uint64_t TestBoxes(const NodeContents& a, const NodeContents& b,
                                   const PairFrames& f, int lane, const RowsOf& rows_of,
                                   const Test& test) {
  const D d;
  HWY_ALIGN Intervals a_own, b_own, b_moved, a_moved;
  ToIntervals(*a.boxes, a_own);
  V lo[3], hi[3];
  SetIntervals(f.b_in_a[0][0] + lane, f.b_in_a[1][0] + lane, kBatch, lo, hi);
  const std::uint32_t rows = rows_of(a_own, lo, hi);
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
      mask |= Bits(test(i, l, a_own, lo, hi, a_moved, own_lo, own_hi), i, l);
    });
  }
  return mask & UsedLanes(b.count);
}

HWY_NOINLINE std::uint64_t OverlapLeaf(const NodeContents& a, const NodeContents& b,
                                       const PairFrames& f, int lane) {
  return WithClosedLeaf(a, b, LaneMap{f.to_a, lane}, f.error_a[lane], LaneMap{f.to_b, lane},
                        f.error_b[lane], [&](const ClosedLeaf<LaneMap>& leaf, bool is_a) HWY_ATTR {
                          const std::uint64_t lanes = OverlapClosed(leaf);
                          return is_a ? lanes & UsedLanes(b.count)
                                      : AsRows(lanes & UsedLanes(a.count));
                        });
}

std::uint64_t Overlap(const NodeContents& a, const NodeContents& b, const PairFrames& f, int lane) {
  if (a.corner != nullptr || b.corner != nullptr) [[unlikely]]
    return OverlapLeaf(a, b, f, lane);
  return TestBoxes(
      a, b, f, lane,
      [&](const Intervals& own, const V(&lo)[3], const V(&hi)[3])
          HWY_ATTR { return RowsMeeting(own, a.count, lo, hi); },
      [&](int i, std::size_t, const Intervals& own, const V(&lo)[3], const V(&hi)[3],
          const Intervals& moved, const V(&own_lo)[3], const V(&own_hi)[3]) HWY_ATTR {
        return hn::And(Meet(own, AtRow{i}, lo, hi), Meet(moved, AtRow{i}, own_lo, own_hi));
      });
}

// Returns the length by which two boxes overlap along an axis, given the sum of their half widths;
// negative if they do not.
HWY_INLINE V Common(V centre_a, V centre_b, V sizes) {
  return hn::Sub(sizes, hn::Abs(hn::Sub(centre_a, centre_b)));
}

HWY_NOINLINE std::int32_t RankLeaf(const NodeContents& a, const NodeContents& b, const PairFrame& f,
                                   PairKeys& keys) {
  ClearKeys(keys);
  return WithClosedLeaf(a, b, WholeMap{f.to_a}, f.error_a, WholeMap{f.to_b}, f.error_b,
                        [&](const ClosedLeaf<WholeMap>& leaf, bool is_a) HWY_ATTR {
                          const std::int32_t first = LeastOf(RankClosed(leaf, keys));
                          if (is_a) return first;
                          TurnKeys(keys);
                          return first == PairKeys::kNone ? first
                                                          : (first & ~PairKeys::kNumber) |
                                                                kWidth * PairKeys::pair(first);
                        });
}

// `across` is an additional axis, or null.
template <class Across>
HWY_INLINE std::int32_t RankBoxes(const Boxes8& a_own, int count_a, const Boxes8& b_own,
                                  const PairFrame& f, const Across* across, PairKeys& keys) {
  const D d;
  const V zero = hn::Zero(d);
  // Find the children of a that may meet b as a whole.
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
  rows &= (1u << count_a) - 1;
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
      // The ratio of overlaps to sizes: one if the centres coincide, zero at the margin.
      V common = hn::Set(d, 1.0f), sizes = hn::Set(d, 1.0f);
      V least_common = hn::Set(d, INFINITY);
      const auto count = [&](V size, V shared) HWY_ATTR {
        least_common = hn::Min(least_common, shared);
        common = hn::Mul(common, shared);
        sizes = hn::Mul(sizes, size);
      };
      for (int k = 0; k < 3; ++k) {
        const V size = hn::Add(row(a_own.half[k]), lanes(b_moved.half[k]));
        count(size, Common(row(a_own.centre[k]), lanes(b_moved.centre[k]), size));
      }
      if constexpr (!std::is_same_v<Across, std::nullptr_t>) {
        const V size = across->Size(i, l);
        count(size, across->Shared(i, l, size));
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

std::int32_t Rank(const NodeContents& a, const NodeContents& b, const PairFrame& f,
                  PairKeys& keys) {
  if (a.corner != nullptr || b.corner != nullptr) [[unlikely]]
    return RankLeaf(a, b, f, keys);
  return RankBoxes<std::nullptr_t>(*a.boxes, a.count, *b.boxes, f, nullptr, keys);
}

std::int32_t RankAcross(const NodeContents& a, int long_a, const NodeContents& b, int long_b,
                        const PairFrame& f, PairKeys& keys) {
  if (a.corner != nullptr || b.corner != nullptr) return RankLeaf(a, b, f, keys);
  HWY_ALIGN const BoxesAcross across(*a.boxes, *b.boxes, long_a, long_b, WholeMap{f.to_a},
                                     f.inverse_ratio, f.error_a);
  return RankBoxes(*a.boxes, a.count, *b.boxes, f, &across, keys);
}

HWY_NOINLINE std::uint64_t NearLeaf(const NodeContents& a, const NodeContents& b,
                                    const PairFrames& f, int lane, float target,
                                    float (&squared)[kWidth * kWidth]) {
  const float unit_b = f.ratio * f.ratio;
  return WithClosedLeaf(a, b, LaneMap{f.to_a, lane}, f.error_a[lane], LaneMap{f.to_b, lane},
                        f.error_b[lane], [&](const ClosedLeaf<LaneMap>& leaf, bool is_a) HWY_ATTR {
                          HWY_ALIGN float least[kWidth];
                          const std::uint64_t near = NearClosed(leaf, is_a ? 1 : unit_b,
                                                                is_a ? unit_b : 1, target, least) &
                                                     UsedLanes(is_a ? b.count : a.count) & 0xff;
                          for (int i = 0; i < kWidth; ++i)
                            squared[is_a ? i : kWidth * i] = least[i];
                          return is_a ? near : AsRows(near);
                        });
}

std::uint64_t Near(const NodeContents& a, const NodeContents& b, const PairFrames& f, int lane,
                   float target, float (&squared)[kWidth * kWidth]) {
  if (a.corner != nullptr || b.corner != nullptr) [[unlikely]]
    return NearLeaf(a, b, f, lane, target, squared);
  const D d;
  const V limit = hn::Set(d, target), down = hn::Set(d, 1.0f - 2e-6f);
  const V ratio_square = hn::Mul(down, hn::Set(d, f.ratio * f.ratio));
  const V most = hn::Set(d, kMostSquared);
  return TestBoxes(
      a, b, f, lane,
      [&](const Intervals& own, const V(&lo)[3], const V(&hi)[3])
          HWY_ATTR { return RowsNear(own, a.count, lo, hi, target); },
      [&](int i, std::size_t l, const Intervals& own, const V(&lo)[3], const V(&hi)[3],
          const Intervals& moved, const V(&own_lo)[3], const V(&own_hi)[3]) HWY_ATTR {
        const V in_a = hn::Mul(down, SquaredDistance(own, AtRow{i}, lo, hi));
        const V in_b = hn::Mul(ratio_square, SquaredDistance(moved, AtRow{i}, own_lo, own_hi));
        const V best = hn::Min(hn::Max(in_a, in_b), most);
        hn::StoreU(best, d, squared + static_cast<std::size_t>(kWidth * i) + l);
        return hn::Le(best, limit);
      });
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
