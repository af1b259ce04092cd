// SPDX-License-Identifier: Apache-2.0
// Pairs of triangles: finding pairs with overlapping boxes, and the filter before the exact test.
#if defined(TOUCHE_BVH_KERNELS_TRIANGLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_TRIANGLES_INL_H_
#undef TOUCHE_BVH_KERNELS_TRIANGLES_INL_H_
#else
#define TOUCHE_BVH_KERNELS_TRIANGLES_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"
#include "bvh/kernels/wanted-inl.h"
#include "math/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Picks from eight values by stored indices, one for each lane.
class Pick {
 public:
  using Index = hn::RebindToSigned<D>;

  explicit Pick(hn::Vec<Index> index) : index_(index) {}
  template <class T>
  HWY_INLINE auto operator()(const T (&values)[kWidth]) const {
    const hn::Rebind<T, D> d;
    if constexpr (hn::MaxLanes(D()) == kWidth)
      return hn::TableLookupLanes(hn::LoadU(d, values), hn::IndicesFromVec(d, index_));
    else
      return hn::GatherIndex(d, values, index_);
  }

  // Picks the rows, or the lanes, of pairs l, l + 1, ...
  HWY_INLINE static Pick Rows(const PairNumbers& pairs, std::size_t l) {
    return Pick(hn::ShiftRight<3>(Numbers(pairs, l)));
  }
  HWY_INLINE static Pick Lanes(const PairNumbers& pairs, std::size_t l) {
    return Pick(hn::And(Numbers(pairs, l), hn::Set(Index(), kWidth - 1)));
  }

 private:
  HWY_INLINE static hn::Vec<Index> Numbers(const PairNumbers& pairs, std::size_t l) {
    const hn::Rebind<std::uint8_t, Index> bytes;
    const std::uint64_t from_l = pairs.packed >> (8 * l);
    return hn::PromoteTo(Index(), hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(&from_l)));
  }

  hn::Vec<Index> index_;
};

// Adds the pairs of triangles with these numbers; `b_corner` holds b's corners in a's frame.
HWY_INLINE void AddPairs(const BvhLeaf& a, const BvhLeaf& b, const float (*b_corner)[3][kWidth],
                         float error, const PairNumbers& pairs, TriangleBatch& batch) {
  const D d;
  const auto at = static_cast<std::size_t>(batch.count);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const Pick pick_a = Pick::Rows(pairs, l), pick_b = Pick::Lanes(pairs, l);
    for (int v = 0; v < 3; ++v)
      for (int k = 0; k < 3; ++k) {
        hn::StoreU(pick_a(a.corner[v][k]), d, batch.a[v][k] + at + l);
        hn::StoreU(pick_b(b_corner[v][k]), d, batch.b[v][k] + at + l);
      }
    hn::StoreU(hn::Set(d, error), d, batch.error + at + l);
    const hn::RebindToUnsigned<D> numbers;
    hn::StoreU(pick_a(a.triangle), numbers, batch.triangle_a + at + l);
    hn::StoreU(pick_b(b.triangle), numbers, batch.triangle_b + at + l);
  }
  batch.count += pairs.count;
}

// Adds the accepted pairs of triangles, in a's frame, judged by their boxes along a's axes. A test
// along b's axes would cost as much as it saves later.
template <class Map, class Wanted>
HWY_INLINE void AddTriangles(const BvhLeaf& a, const BvhLeaf& b, const Map& to_a,
                             const V (&whole_lo)[3], const V (&whole_hi)[3], float error,
                             Wanted wanted, TriangleBatch& batch) {
  const D d;
  HWY_ALIGN Intervals a_own, b_moved;
  CornerIntervals(a.corner, 0, a_own);
  const std::uint32_t rows = wanted.Rows(a_own, a.count(), whole_lo, whole_hi);
  if (rows == 0) return;
  HWY_ALIGN float b_corner[3][3][kWidth];
  MoveCorners(to_a, b.corner, b_corner);
  CornerIntervals(b_corner, error, b_moved);
  wanted.Project(a.corner, b_corner);
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V lo[3], hi[3];
    LoadIntervals(b_moved, l, lo, hi);
    ForRows(rows, [&](int i) HWY_ATTR { mask |= Bits(wanted(a_own, i, l, lo, hi), i, l); });
  }
  mask &= UsedLanes(b.count());
  while (mask != 0) AddPairs(a, b, b_corner, error, PairNumbers(mask), batch);
}

// Whether two boxes are apart along the cross product of an edge of each: usually no other axis
// separates the boxes of long thin triangles. This is CrossAxis for a single pair, with one lane
// for each edge of b instead of one for each pair; lengths and errors are explained there.
bool ApartAcross(const Bounds& a, const Bounds& b, const PairFrame& f) {
  const D4 d;
  const float square = f.ratio * f.ratio;
  // Compute the components of b's edges along a's axes. Their absolute values and b's half widths
  // are stored twice, so that the values of the next edge, and of the one after it, can be loaded
  // in all lanes. The fourth lane repeats the first.
  HWY_ALIGN float edges[3][4], sizes[3][8], half_b[8];
  for (int i = 0; i < 3; ++i) {
    for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
      const V4 edge = hn::Mul(hn::Set(d, square), Load4(f.to_b.columns[i], l));
      hn::StoreU(edge, d, edges[i] + l);
      hn::StoreU(hn::Abs(edge), d, sizes[i] + l);
    }
    edges[i][3] = edges[i][0];
    for (int j = 0; j < 3; ++j) sizes[i][j + 3] = sizes[i][j];
    half_b[i] = half_b[i + 3] = f.ratio * b.box.half[i];
  }
  float apart[3];
  for (int k = 0; k < 3; ++k) apart[k] = f.b_in_a.centre[k] - a.box.centre[k];
  const V4 slack = hn::Set(d, 4.0f * f.ratio * f.error_a);
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
    auto any = hn::Lt(slack, slack);
    for (int i = 0; i < 3; ++i) {
      const int m = (i + 1) % 3, n = (i + 2) % 3;
      const V4 along =
          Det2(hn::Set(d, apart[n]), Load4(edges[m], l), hn::Set(d, apart[m]), Load4(edges[n], l));
      const V4 reach_a = Fma(hn::Set(d, a.box.half[m]), Load4(sizes[n], l),
                             Fma(hn::Set(d, a.box.half[n]), Load4(sizes[m], l), slack));
      const V4 reach = Fma(Load4(half_b, l + 1), Load4(sizes[i], l + 2),
                           Fma(Load4(half_b, l + 2), Load4(sizes[i], l + 1), reach_a));
      any = hn::Or(any, hn::Gt(hn::Abs(along), reach));
    }
    if (!hn::AllFalse(d, any)) return true;
  }
  return false;
}

template <class Wanted>
HWY_INLINE void AddWhole(const BvhLeaf& a, const BvhLeaf& b, const PairFrame& f,
                         const Wanted& wanted, TriangleBatch& batch) {
  V lo[3], hi[3];
  SetIntervals(f.b_in_a.centre, f.b_in_a.half, 1, lo, hi);
  AddTriangles(a, b, WholeMap{f.to_a}, lo, hi, f.error_a, wanted, batch);
}

HWY_NOINLINE void AddLong(const BvhLeaf& a, const BvhLeaf& b, const PairFrame& f,
                          TriangleBatch& batch) {
  AddWhole(a, b, f,
           MeetingAcross(a.bounds.box, b.bounds.box, WholeMap{f.to_a}, f.inverse_ratio, f.error_a),
           batch);
}

void AddTrianglesOf(const BvhLeaf& a, const BvhLeaf& b, const PairFrame& f, TriangleBatch& batch) {
  if (ApartAcross(a.bounds, b.bounds, f)) return;
  if (AreLong(a.bounds.box, b.bounds.box)) [[unlikely]]
    return AddLong(a, b, f, batch);
  AddWhole(a, b, f, Meeting(), batch);
}

template <class Wanted>
HWY_INLINE void AddLane(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& f, int lane,
                        const Wanted& wanted, TriangleBatch& batch) {
  V lo[3], hi[3];
  SetIntervals(f.b_in_a[0][0] + lane, f.b_in_a[1][0] + lane, kBatch, lo, hi);
  AddTriangles(a, b, LaneMap{f.to_a, lane}, lo, hi, f.error_a[lane], wanted, batch);
}

HWY_NOINLINE void AddLongLane(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& f, int lane,
                              TriangleBatch& batch) {
  AddLane(a, b, f, lane,
          MeetingAcross(a.bounds.box, b.bounds.box, LaneMap{f.to_a, lane}, 1 / f.ratio,
                        f.error_a[lane]),
          batch);
}

void AddTrianglesIn(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& f, int lane,
                    TriangleBatch& batch) {
  if (AreLong(a.bounds.box, b.bounds.box)) [[unlikely]]
    return AddLongLane(a, b, f, lane, batch);
  AddLane(a, b, f, lane, Meeting(), batch);
}

void AddNearTriangles(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& f, int lane,
                      const NearTarget& target, TriangleBatch& batch) {
  AddLane(a, b, f, lane, WithinTarget(a.bounds.frame, f.error_a[lane], target), batch);
}

template <class Vec>
struct Point {
  Vec x, y, z;
};
template <class Vec>
HWY_INLINE Point<Vec> Minus(const Point<Vec>& a, const Point<Vec>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class Vec>
HWY_INLINE Point<Vec> Cross(const Point<Vec>& a, const Point<Vec>& b) {
  return {Det2(a.y, b.z, a.z, b.y), Det2(a.z, b.x, a.x, b.z), Det2(a.x, b.y, a.y, b.x)};
}
template <class Vec>
HWY_INLINE Vec Dot(const Point<Vec>& a, const Point<Vec>& b) {
  return Sum3(b.x, b.y, b.z, a.x, a.y, a.z);
}

// The corners of two triangles, relative to a's first corner.
template <class Tag>
struct CornersFromFirst {
  using Vec = hn::Vec<Tag>;
  Point<Vec> a1, a2, b0, b1, b2;
  Vec size;  // bound of all differences of two corners

  // corner(of_b, v): corner v of either triangle.
  template <class Corner>
  HWY_INLINE CornersFromFirst(Tag d, const Corner& corner) {
    const Point<Vec> origin = corner(false, 0);
    a1 = Minus(corner(false, 1), origin);
    a2 = Minus(corner(false, 2), origin);
    b0 = Minus(corner(true, 0), origin);
    b1 = Minus(corner(true, 1), origin);
    b2 = Minus(corner(true, 2), origin);
    const Vec zero = hn::Zero(d);
    const auto spread = [&](Vec p, Vec q, Vec r, Vec s, Vec t) HWY_ATTR {
      const Vec lo = hn::Min(hn::Min(hn::Min(p, q), hn::Min(r, s)), hn::Min(t, zero));
      const Vec hi = hn::Max(hn::Max(hn::Max(p, q), hn::Max(r, s)), hn::Max(t, zero));
      return hn::Sub(hi, lo);
    };
    size =
        hn::Max(hn::Max(spread(a1.x, a2.x, b0.x, b1.x, b2.x), spread(a1.y, a2.y, b0.y, b1.y, b2.y)),
                spread(a1.z, a2.z, b0.z, b1.z, b2.z));
  }
};

// Fifteen signs decide: six corners against the other plane, and nine pairs of edges. An edge
// pierces the other triangle exactly if its ends lie on different sides and it passes all three
// edges on the same side. A sign counts if its determinant is larger than `slack`.
//
// With a's first corner as origin, two of its edges have no moment: the nine products of edges (as
// lines with direction and moment) become dot products with the three moments of b's edges.
template <class Tag, class Vec = hn::Vec<Tag>>
HWY_INLINE void DecideLanes(Tag d, const CornersFromFirst<Tag>& corners, Vec slack,
                            Verdicts& verdicts, std::size_t bit) {
  const Point<Vec>&a1 = corners.a1, &a2 = corners.a2;
  const Point<Vec>&b0 = corners.b0, &b1 = corners.b1, &b2 = corners.b2;
  const Vec zero = hn::Zero(d), minus = hn::Neg(slack);

  const Point<Vec> normal_a = Cross(a1, a2), normal_b = Cross(Minus(b1, b0), Minus(b2, b1));
  const Vec of_b = Dot(normal_b, b0);
  const Vec da[3] = {hn::Neg(of_b), hn::Sub(Dot(normal_b, a1), of_b),
                     hn::Sub(Dot(normal_b, a2), of_b)};
  const Vec db[3] = {Dot(normal_a, b0), Dot(normal_a, b1), Dot(normal_a, b2)};
  // The orientations of pairs of edges: s[v][w] for edge v of a and edge w of b.
  Vec s[3][3];
  const auto sides = [&](int w, const Point<Vec>& moment, Vec along_a) HWY_ATTR {
    const Vec first = Dot(a1, moment), last = Dot(a2, moment);
    s[0][w] = first;
    s[1][w] = hn::Add(hn::Sub(last, first), along_a);
    s[2][w] = hn::Neg(last);
  };
  sides(0, Cross(b0, b1), hn::Sub(db[1], db[0]));
  sides(1, Cross(b1, b2), hn::Sub(db[2], db[1]));
  sides(2, Cross(b2, b0), hn::Sub(db[0], db[2]));

  auto any_hit = hn::MaskFromVec(zero);
  auto all_miss = hn::Not(any_hit);
  const auto edge = [&](Vec p, Vec q, Vec s0, Vec s1, Vec s2) HWY_ATTR {
    const Vec s_min = hn::Min(hn::Min(s0, s1), s2), s_max = hn::Max(hn::Max(s0, s1), s2);
    const Vec e_min = hn::Min(p, q), e_max = hn::Max(p, q);
    const auto inside = hn::Or(hn::Gt(s_min, slack), hn::Lt(s_max, minus));
    const auto crosses = hn::And(hn::Lt(e_min, minus), hn::Gt(e_max, slack));
    const auto outside = hn::And(hn::Lt(s_min, minus), hn::Gt(s_max, slack));
    const auto one_side = hn::Or(hn::Gt(e_min, slack), hn::Lt(e_max, minus));
    any_hit = hn::Or(any_hit, hn::And(inside, crosses));
    all_miss = hn::And(all_miss, hn::Or(outside, one_side));
  };
  edge(da[0], da[1], s[0][0], s[0][1], s[0][2]);
  edge(da[1], da[2], s[1][0], s[1][1], s[1][2]);
  edge(da[2], da[0], s[2][0], s[2][1], s[2][2]);
  edge(db[0], db[1], s[0][0], s[1][0], s[2][0]);
  edge(db[1], db[2], s[0][1], s[1][1], s[2][1]);
  edge(db[2], db[0], s[0][2], s[1][2], s[2][2]);
  verdicts.hit |= Bits(d, any_hit) << bit;
  verdicts.miss |= Bits(d, all_miss) << bit;
}

// Errors: let all differences of corners be at most L, u = 2^-24. If the error of a moved corner of
// b is e, that of a stored corner of a is less than e / 50: differences are off by 1.04 e + 3 u L,
// which changes a determinant of three by less than 26 times that times L²; the longest sum of
// products is rounded by less than 132 u L³.
template <class Tag>
HWY_INLINE void ClassifyLanes(Tag d, const TriangleBatch& batch, std::size_t at, Verdicts& verdicts,
                              std::size_t bit) {
  using Vec = hn::Vec<Tag>;
  const CornersFromFirst<Tag> corners(d, [&](bool of_b, int v) HWY_ATTR {
    const auto& from = of_b ? batch.b[v] : batch.a[v];
    return Point<Vec>{hn::LoadU(d, from[0] + at), hn::LoadU(d, from[1] + at),
                      hn::LoadU(d, from[2] + at)};
  });
  const Vec size = corners.size;
  const Vec slack =
      hn::Add(hn::Mul(hn::Mul(size, size),
                      hn::Add(hn::Mul(hn::Set(d, 28.0f), hn::LoadU(d, batch.error + at)),
                              hn::Mul(hn::Set(d, 1.3e-5f), size))),
              hn::Set(d, 1e-37f));
  DecideLanes(d, corners, slack, verdicts, bit);
}

Verdicts Classify(TriangleBatch& batch, int count) {
  batch.count -= count;
  const auto at = static_cast<std::size_t>(batch.count);
  Verdicts verdicts;
  if (count > kWidth) {
    const W d;
    for (std::size_t l = 0; l < kBatch; l += hn::Lanes(d))
      ClassifyLanes(d, batch, at + l, verdicts, l);
  } else {  // pairs were written in vectors of eight: a wider one may reach beyond them
    const D d;
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
      ClassifyLanes(d, batch, at + l, verdicts, l);
  }
  const std::uint32_t used = (1u << count) - 1;
  return {verdicts.hit & used, verdicts.miss & used};
}

// The same with exact coordinates: differences are off by u L, u = 2^-53.
Verdicts ClassifyPrecisely(const PrecisePairs& pairs, int count) {
  using Tag = hn::CappedTag<double, kWidth>;
  using Vec = hn::Vec<Tag>;
  const Tag d;
  Verdicts verdicts;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const CornersFromFirst<Tag> corners(d, [&](bool of_b, int v) HWY_ATTR {
      const auto& from = of_b ? pairs.b[v] : pairs.a[v];
      return Point<Vec>{hn::LoadU(d, from[0] + l), hn::LoadU(d, from[1] + l),
                        hn::LoadU(d, from[2] + l)};
    });
    const Vec size = corners.size;
    const Vec cube = hn::Mul(hn::Mul(size, size), size);
    const Vec slack = hn::Add(hn::Mul(hn::Set(d, 2.5e-14), cube), hn::Set(d, math::kUnderflow));
    DecideLanes(d, corners, slack, verdicts, l);
  }
  const std::uint32_t used = (1u << count) - 1;
  return {verdicts.hit & used, verdicts.miss & used};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
