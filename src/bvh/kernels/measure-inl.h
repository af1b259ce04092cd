// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the distances of pairs of triangles that are known to be disjoint.
#if defined(TOUCHE_BVH_KERNELS_MEASURE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_MEASURE_INL_H_
#undef TOUCHE_BVH_KERNELS_MEASURE_INL_H_
#else
#define TOUCHE_BVH_KERNELS_MEASURE_INL_H_
#endif

#include "bvh/kernels/keys-inl.h"
#include "bvh/kernels/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

template <class Tag, class Vec = hn::Vec<Tag>>
HWY_INLINE Vec Clamp01(Tag d, Vec x) {
  return hn::Min(hn::Max(x, hn::Zero(d)), hn::Set(d, 1.0f));
}

template <class Vec>
HWY_INLINE Vec Least(Vec x, Vec y, Vec z) {
  return hn::Min(hn::Min(x, y), z);
}
template <class Vec>
HWY_INLINE Vec Greatest(Vec x, Vec y, Vec z) {
  return hn::Max(hn::Max(x, y), z);
}

// Returns the squared gap between two triangles along a direction n of any length, or `longest`,
// the greatest square so far, whichever is larger.
template <class Tag, class Vec = hn::Vec<Tag>>
HWY_INLINE Vec LongestGap(Tag d, const Point<Vec>& n, const Point<Vec> (&a)[3],
                          const Point<Vec> (&b)[3], Vec longest) {
  const Vec a0 = Dot(n, a[0]), a1 = Dot(n, a[1]), a2 = Dot(n, a[2]);
  const Vec b0 = Dot(n, b[0]), b1 = Dot(n, b[1]), b2 = Dot(n, b[2]);
  const Vec gap = hn::Max(hn::Sub(Least(b0, b1, b2), Greatest(a0, a1, a2)),
                          hn::Sub(Least(a0, a1, a2), Greatest(b0, b1, b2)));
  const Vec length2 = Dot(n, n);
  // A direction too short or too long for single precision proves nothing.
  const auto tells = hn::And(hn::Gt(gap, hn::Zero(d)), hn::And(hn::Gt(length2, hn::Set(d, 1e-30f)),
                                                               hn::Lt(length2, hn::Set(d, 1e16f))));
  // Divide first: the squared gap along a short direction would lose digits or underflow.
  const Vec squared = hn::Mul(hn::Div(gap, length2), gap);
  return hn::IfThenElse(hn::And(tells, hn::Gt(squared, longest)), squared, longest);
}

// Pairs of triangles relative to a's first corner, and the offsets of their nearest edges.
//
// Errors: let all differences of corners be at most L, u = 2^-24. They are off by 2 e + 3 u L,
// along a unit direction by less than 3.5 e + 6 u L; a projection adds rounding of less than 6 u L,
// and an offset of less than 11 u L. A gap is the difference of two of these.
template <class Tag>
struct PairsFromFirst {
  using Vec = hn::Vec<Tag>;
  Point<Vec> a[3], b[3], edge_a[3], edge_b[3], offset;
  Vec offset2;        // squared length of the offset
  Vec error;          // of a gap or of an offset's length
  hn::Mask<Tag> fit;  // larger coordinates prove nothing

  HWY_INLINE PairsFromFirst(Tag d, const TriangleBatch& batch, std::size_t at) {
    const auto corner = [&](const float(*from)[3][TriangleBatch::kRoom], int v) HWY_ATTR {
      return Point<Vec>{hn::LoadU(d, from[v][0] + at), hn::LoadU(d, from[v][1] + at),
                        hn::LoadU(d, from[v][2] + at)};
    };
    const Vec zero = hn::Zero(d);
    const Point<Vec> origin = corner(batch.a, 0);
    a[0] = {zero, zero, zero};
    for (int k = 1; k < 3; ++k) a[k] = Minus(corner(batch.a, k), origin);
    for (int k = 0; k < 3; ++k) b[k] = Minus(corner(batch.b, k), origin);
    edge_a[0] = a[1];
    edge_a[1] = Minus(a[2], a[1]);
    edge_a[2] = Minus(a[0], a[2]);
    for (int k = 0; k < 3; ++k) edge_b[k] = Minus(b[(k + 1) % 3], b[k]);
    FindOffset(d);
    const auto spread = [&](Vec a1, Vec a2, Vec b0, Vec b1, Vec b2) HWY_ATTR {
      return hn::Sub(hn::Max(Greatest(b0, b1, b2), Greatest(a1, a2, zero)),
                     hn::Min(Least(b0, b1, b2), Least(a1, a2, zero)));
    };
    const Vec size = Greatest(spread(a[1].x, a[2].x, b[0].x, b[1].x, b[2].x),
                              spread(a[1].y, a[2].y, b[0].y, b[1].y, b[2].y),
                              spread(a[1].z, a[2].z, b[0].z, b[1].z, b[2].z));
    error = Fma(hn::Set(d, 8.0f), hn::LoadU(d, batch.error + at), hn::Mul(hn::Set(d, 2e-6f), size));
    fit = hn::Lt(size, hn::Set(d, 1e8f));
  }

 private:
  HWY_INLINE void FindOffset(Tag d) {
    const Vec zero = hn::Zero(d), tiny = hn::Set(d, 1e-30f), one = hn::Set(d, 1.0f);
    Vec length2_b[3], per_length2_b[3];
    for (int j = 0; j < 3; ++j) {
      length2_b[j] = hn::Max(Dot(edge_b[j], edge_b[j]), tiny);
      per_length2_b[j] = hn::Div(one, length2_b[j]);
    }
    offset2 = hn::Set(d, INFINITY);
    offset = {zero, zero, zero};
    for (int i = 0; i < 3; ++i) {
      const Point<Vec>& u = edge_a[i];
      const Vec length2_a = hn::Max(Dot(u, u), tiny), per_length2_a = hn::Div(one, length2_a);
      for (int j = 0; j < 3; ++j) {
        const Point<Vec>& v = edge_b[j];
        const Point<Vec> w = Minus(b[j], a[i]);
        const Vec uv = Dot(u, v), uw = Dot(u, w), vw = Dot(v, w);
        const Vec determinant = hn::Max(Det2(length2_a, length2_b[j], uv, uv), tiny);
        Vec s = Clamp01(d, hn::Div(Det2(uw, length2_b[j], uv, vw), determinant));
        const Vec t = Clamp01(d, hn::Mul(Fma(s, uv, hn::Neg(vw)), per_length2_b[j]));
        s = Clamp01(d, hn::Mul(Fma(t, uv, uw), per_length2_a));
        const Vec back = hn::Neg(s);
        const Point<Vec> between{Fma(back, u.x, Fma(t, v.x, w.x)), Fma(back, u.y, Fma(t, v.y, w.y)),
                                 Fma(back, u.z, Fma(t, v.z, w.z))};
        const Vec squared = Dot(between, between);
        const auto nearer = hn::Lt(squared, offset2);
        offset2 = hn::IfThenElse(nearer, squared, offset2);
        offset.x = hn::IfThenElse(nearer, between.x, offset.x);
        offset.y = hn::IfThenElse(nearer, between.y, offset.y);
        offset.z = hn::IfThenElse(nearer, between.z, offset.z);
      }
    }
  }
};

// Two disjoint triangles are closest at a pair of edges, ends included, or at a corner and a face.
// So their gap along the offset of the nearest pair of edges, or along a normal, is their distance.
// However inaccurate the direction, the gap along it is a lower bound.
template <class Tag>
HWY_INLINE hn::Vec<Tag> MeasureLanes(Tag d, const TriangleBatch& batch, std::size_t at) {
  using Vec = hn::Vec<Tag>;
  const Vec zero = hn::Zero(d);
  const PairsFromFirst<Tag> p(d, batch, at);
  Vec squared = LongestGap(d, p.offset, p.a, p.b, zero);
  squared = LongestGap(d, Cross(p.a[1], p.a[2]), p.a, p.b, squared);
  squared = LongestGap(d, Cross(p.edge_b[0], p.edge_b[1]), p.a, p.b, squared);
  const Vec gap = hn::Max(zero, hn::Sub(hn::Sqrt(squared), p.error));
  return hn::IfThenElseZero(p.fit, hn::Mul(hn::Set(d, 1.0f - 2e-6f), hn::Mul(gap, gap)));
}

std::uint32_t Measure(TriangleBatch& batch, int count, float target, float* squared) {
  batch.count -= count;
  const auto at = static_cast<std::size_t>(batch.count);
  std::uint32_t near = 0;
  const auto measure = [&](auto d, std::size_t lanes) HWY_ATTR {
    for (std::size_t l = 0; l < lanes; l += hn::Lanes(d)) {
      const auto lower = MeasureLanes(d, batch, at + l);
      hn::StoreU(lower, d, squared + l);
      near |= Bits(d, hn::Le(lower, hn::Set(d, target))) << l;
    }
  };
  if (count > kWidth)
    measure(W(), kBatch);
  else  // pairs were written in vectors of eight: a wider one may reach beyond them
    measure(D(), kWidth);
  return near & ((1u << count) - 1);
}

constexpr float kShareOfCentres = 1.0f / 64;  // of the square of twice their distance

// Bounds are compared for eight pairs: the ones whose boxes along a's axes are nearest, with a
// small weight for the distance of their centres. A square that underflows may count as zero.
int GuessNearest(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& f, int lane,
                 TriangleBatch& batch) {
  const D d;
  HWY_ALIGN Intervals a_own, b_moved;
  HWY_ALIGN float b_corner[3][3][kWidth];
  CornerIntervals(a.corner, 0, a_own);
  MoveCorners(LaneMap{f.to_a, lane}, b.corner, b_corner);
  CornerIntervals(b_corner, 0, b_moved);
  PairKeys keys;
  ClearKeys(keys);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V lo[3], hi[3];
    LoadIntervals(b_moved, l, lo, hi);
    const auto used = LanesBelow(b.count(), l);
    for (int i = 0; i < a.count(); ++i) {
      const AtRow row{i};
      V value = SquaredDistance(a_own, row, lo, hi);
      for (int k = 0; k < 3; ++k) {
        const V apart = hn::Sub(hn::Add(row(a_own.lo[k]), row(a_own.hi[k])), hn::Add(lo[k], hi[k]));
        value = Fma(hn::Mul(hn::Set(d, kShareOfCentres), apart), apart, value);
      }
      SetKeys(value, used, i, l, keys);
    }
  }
  HWY_ALIGN std::int32_t first[kWidth];
  FirstKeys(keys, first);
  PairNumbers nearest;
  for (const std::int32_t key : first)
    if (key != PairKeys::kNone) nearest.add(PairKeys::pair(key));
  AddPairs(a, b, b_corner, f.error_a[lane], nearest, batch);
  batch.count -= nearest.count;
  HWY_ALIGN float squared[kWidth];
  const auto at = static_cast<std::size_t>(batch.count);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    hn::StoreU(MeasureLanes(d, batch, at + l), d, squared + l);
  return batch.count +
         static_cast<int>(std::min_element(squared, squared + nearest.count) - squared);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
