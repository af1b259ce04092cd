// SPDX-License-Identifier: Apache-2.0
// The inner loops in Highway's portable vectors; included once per instruction set.
// Every sum is written in a fixed order, so that every lane of every width does the same rounding;
// multiply-add is fused on all targets, in software where the hardware cannot.
#if defined(TOUCHE_BVH_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_INL_H_
#undef TOUCHE_BVH_KERNELS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "bvh/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kWidth>;
using V = hn::Vec<D>;
using W = hn::CappedTag<float, kBatch>;  // a lane per pair of nodes or of triangles
using VW = hn::Vec<W>;

// a b + c, rounded once.
template <class Vec>
HWY_INLINE Vec Fma(Vec a, Vec b, Vec c) {
#if HWY_TARGET == HWY_SCALAR
  return Vec(std::fma(a.raw, b.raw, c.raw));
#else
  return hn::MulAdd(a, b, c);
#endif
}
// a b − c d.
template <class Vec>
HWY_INLINE Vec Det2(Vec a, Vec b, Vec c, Vec d) {
  return Fma(a, b, hn::Neg(hn::Mul(c, d)));
}
template <class Vec>
HWY_INLINE Vec Sum3(Vec x, Vec y, Vec z, Vec ax, Vec ay, Vec az) {  // ax x + ay y + az z
  return Fma(az, z, Fma(ay, y, hn::Mul(ax, x)));
}
template <class Vec>
HWY_INLINE Vec Sum4(Vec x, Vec y, Vec z, Vec ax, Vec ay, Vec az, Vec shift) {
  return Fma(az, z, Fma(ay, y, Fma(ax, x, shift)));
}

// A matrix product, its conversions and the frames' small lack of orthonormality cost less than
// 24 half-ulps of single precision per coordinate; sums of centres and half widths a few more.
constexpr float kFrameError = 4e-6f;

// A square that overflows must stay a lower bound, also when it is scaled down later.
constexpr float kMostSquared = 1e38f;

using D4 = hn::CappedTag<float, 4>;
using V4 = hn::Vec<D4>;

HWY_INLINE V4 Load4(const float* from, std::size_t l) { return hn::LoadU(D4(), from + l); }

// x c0 + y c1 + z c2.
HWY_INLINE V4 Combine(float x, float y, float z, V4 c0, V4 c1, V4 c2) {
  const D4 d;
  return Sum3(c0, c1, c2, hn::Set(d, x), hn::Set(d, y), hn::Set(d, z));
}

// The difference of the origins, along a's axes; in double precision, for both may be far from
// the centre.
HWY_INLINE void OriginsApart(const LocalMap& map, const Frame& a, const Frame& b, float* delta) {
  const hn::CappedTag<double, 4> d;
  const hn::Rebind<float, decltype(d)> d_float;
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
    auto sum = hn::Sub(hn::LoadU(d, map.translation + l),
                       hn::PromoteTo(d, hn::LoadU(d_float, a.origin + l)));
    for (int j = 0; j < 3; ++j)
      sum =
          Fma(hn::LoadU(d, map.columns[j] + l), hn::Set(d, static_cast<double>(b.origin[j])), sum);
    hn::StoreU(hn::DemoteTo(d_float, sum), d_float, delta + l);
  }
}

// Moves a box to the other's frame, enlarges it, and returns the gap to the other's own.
HWY_INLINE V4 MoveBox(const Box& in, const FrameMap& m, float error, const Box& other,
                      std::size_t l, Box& out) {
  const D4 d;
  const V4 c0 = Load4(m.columns[0], l), c1 = Load4(m.columns[1], l), c2 = Load4(m.columns[2], l);
  const V4 centre =
      hn::Add(Load4(m.shift, l), Combine(in.centre[0], in.centre[1], in.centre[2], c0, c1, c2));
  const V4 half = hn::Add(hn::Set(d, error), Combine(in.half[0], in.half[1], in.half[2],
                                                     hn::Abs(c0), hn::Abs(c1), hn::Abs(c2)));
  hn::StoreU(centre, d, out.centre + l);
  hn::StoreU(half, d, out.half + l);
  return hn::Max(hn::Zero(d), hn::Sub(hn::Abs(hn::Sub(centre, Load4(other.centre, l))),
                                      hn::Add(half, Load4(other.half, l))));
}

// Rows l, l + 1, ... of a matrix of three columns, as columns.
HWY_INLINE void Transpose(const float (&columns)[3][4], std::size_t l, V4 (&out)[3]) {
#if HWY_TARGET == HWY_SCALAR
  for (int j = 0; j < 3; ++j) out[j] = hn::Set(D4(), l < 3 ? columns[l][j] : 0.0f);
#else
  const D4 d;
  const V4 c0 = Load4(columns[0], l), c1 = Load4(columns[1], l), c2 = Load4(columns[2], l);
  const V4 zero = hn::Zero(d);
  const V4 even = hn::InterleaveLower(d, c0, c2), odd = hn::InterleaveLower(d, c1, zero);
  out[0] = hn::InterleaveLower(d, even, odd);
  out[1] = hn::InterleaveUpper(d, even, odd);
  out[2] = hn::InterleaveLower(d, hn::InterleaveUpper(d, c0, c2), hn::InterleaveUpper(d, c1, zero));
#endif
}

float Place(const LocalMap& map, const Bounds& a, const Bounds& b, PairFrame& out) {
  const D4 d;
  const float inverse = map.inverse_ratio, inverse_square = inverse * inverse;
  HWY_ALIGN float delta[4];
  OriginsApart(map, a.frame, b.frame, delta);
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
    V4 axes[3], turned[3];
    for (int j = 0; j < 3; ++j) axes[j] = Load4(a.frame.columns[j], l);
    for (int j = 0; j < 3; ++j)
      turned[j] =
          Combine(map.rows[0][j], map.rows[1][j], map.rows[2][j], axes[0], axes[1], axes[2]);
    for (int j = 0; j < 3; ++j)
      hn::StoreU(Combine(b.frame.axis(j, 0), b.frame.axis(j, 1), b.frame.axis(j, 2), turned[0],
                         turned[1], turned[2]),
                 d, out.to_a.columns[j] + l);
    hn::StoreU(Combine(delta[0], delta[1], delta[2], axes[0], axes[1], axes[2]), d,
               out.to_a.shift + l);
  }
  const float* shift = out.to_a.shift;
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
    V4 back[3];
    Transpose(out.to_a.columns, l, back);
    for (int j = 0; j < 3; ++j) {
      back[j] = hn::Mul(hn::Set(d, inverse_square), back[j]);
      hn::StoreU(back[j], d, out.to_b.columns[j] + l);
    }
    hn::StoreU(hn::Neg(Combine(shift[0], shift[1], shift[2], back[0], back[1], back[2])), d,
               out.to_b.shift + l);
  }
  out.ratio = map.ratio;
  out.inverse_ratio = inverse;
  out.reach = std::abs(delta[0]) + std::abs(delta[1]) + std::abs(delta[2]);
  out.reach = 1.0001f * out.reach + a.extent + map.ratio * b.extent;
  out.error_a = kFrameError * out.reach + map.error;
  out.error_b = 1.0001f * (out.error_a * inverse);
  HWY_ALIGN float in_a[4], in_b[4];
  HWY_ALIGN Box a_in_b;
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
    const V4 gap_a = MoveBox(b.box, out.to_a, out.error_a, a.box, l, out.b_in_a);
    const V4 gap_b = MoveBox(a.box, out.to_b, out.error_b, b.box, l, a_in_b);
    hn::StoreU(hn::Mul(gap_a, gap_a), d, in_a + l);
    hn::StoreU(hn::Mul(gap_b, gap_b), d, in_b + l);
  }
  const float squared_a = in_a[0] + in_a[1] + in_a[2], squared_b = in_b[0] + in_b[1] + in_b[2];
  const auto at_most = [](float x) { return x < kMostSquared ? x : kMostSquared; };
  const float in_units_of_a = map.ratio * map.ratio * at_most(squared_b);
  return (1.0f - 2e-6f) * at_most(squared_a > in_units_of_a ? squared_a : in_units_of_a);
}

// A bit per lane.
template <class Tag>
HWY_INLINE std::uint32_t Bits(Tag d, hn::Mask<Tag> mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return hn::MaxLanes(d) > 8 ? bits[0] | std::uint32_t{bits[1]} << 8 : bits[0];
}
HWY_INLINE std::uint64_t Bits(hn::Mask<D> mask, int row, std::size_t lane) {
  return static_cast<std::uint64_t>(Bits(D(), mask))
         << (static_cast<std::size_t>(kWidth * row) + lane);
}

// Values of lanes of eight, picked by number.
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

  // Of pairs l, l + 1, ...: their rows, and their lanes.
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

#if HWY_TARGET != HWY_SCALAR
// Four numbers in a row of each fourth structure, from number n on.
template <class Tag>
HWY_INLINE hn::Vec<Tag> LoadFours(Tag d, const float* const* from, std::size_t n) {
  if constexpr (hn::MaxLanes(Tag()) <= 4) {
    return hn::LoadU(d, from[n]);
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(d, LoadFours(half, from, n + hn::MaxLanes(half)), LoadFours(half, from, n));
  }
}
#endif

// Three numbers in a row of several structures, each number in a vector of its own. A fourth must
// follow in memory.
HWY_INLINE void LoadRows(const float* const* from, VW (&out)[3]) {
  const W d;
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < 3; ++k) out[k] = hn::LoadU(d, from[0] + k);
#else
  const VW r0 = LoadFours(d, from, 0), r1 = LoadFours(d, from, 1);
  const VW r2 = LoadFours(d, from, 2), r3 = LoadFours(d, from, 3);
  const VW even = hn::InterleaveLower(d, r0, r2), odd = hn::InterleaveLower(d, r1, r3);
  out[0] = hn::InterleaveLower(d, even, odd);
  out[1] = hn::InterleaveUpper(d, even, odd);
  out[2] = hn::InterleaveLower(d, hn::InterleaveUpper(d, r0, r2), hn::InterleaveUpper(d, r1, r3));
#endif
}

// Of bounds l, l + 1, ...: the three numbers that `part` points to.
template <class Part>
HWY_INLINE void LoadParts(const Bounds* const (&bounds)[kBatch], std::size_t l, const Part& part,
                          VW (&out)[3]) {
  const float* from[hn::MaxLanes(W())];
  for (std::size_t n = 0; n < hn::MaxLanes(W()); ++n) from[n] = part(*bounds[l + n]);
  LoadRows(from, out);
}

// The largest absolute coordinate of a box's corners.
HWY_INLINE VW Extent(const VW (&centre)[3], const VW (&half)[3]) {
  VW extent = hn::Add(hn::Abs(centre[0]), half[0]);
  for (int k = 1; k < 3; ++k) extent = hn::Max(extent, hn::Add(hn::Abs(centre[k]), half[k]));
  return hn::Mul(extent, hn::Set(W(), 1.000001f));
}

std::uint32_t PlacePairs(const LocalMap& map, const BoundsPairs& pairs, PairFrames& out) {
  const W d;
  const auto origin = [](const Bounds& x) { return x.frame.origin; };
  const auto centre_of = [](const Bounds& x) { return x.box.centre; };
  const auto half_of = [](const Bounds& x) { return x.box.half; };
  // The difference of the origins in double precision: both may be far from the centre.
  HWY_ALIGN float delta[3][kBatch];
  HWY_ALIGN float origin_a[3][kBatch];
  HWY_ALIGN float origin_b[3][kBatch];
  for (std::size_t l = 0; l < kBatch; l += hn::Lanes(d)) {
    VW of_a[3], of_b[3];
    LoadParts(pairs.a, l, origin, of_a);
    LoadParts(pairs.b, l, origin, of_b);
    for (int k = 0; k < 3; ++k) {
      hn::StoreU(of_a[k], d, origin_a[k] + l);
      hn::StoreU(of_b[k], d, origin_b[k] + l);
    }
  }
  const hn::CappedTag<double, kBatch> dd;
  const hn::Rebind<float, decltype(dd)> d_float;
  for (std::size_t l = 0; l < kBatch; l += hn::Lanes(dd))
    for (int k = 0; k < 3; ++k) {
      auto sum = hn::Sub(hn::Set(dd, map.translation[k]),
                         hn::PromoteTo(dd, hn::LoadU(d_float, origin_a[k] + l)));
      for (int j = 0; j < 3; ++j)
        sum = Fma(hn::Set(dd, map.columns[j][k]),
                  hn::PromoteTo(dd, hn::LoadU(d_float, origin_b[j] + l)), sum);
      hn::StoreU(hn::DemoteTo(d_float, sum), d_float, delta[k] + l);
    }

  const VW inverse_square = hn::Set(d, map.inverse_ratio * map.inverse_ratio);
  std::uint32_t near = 0;
  for (std::size_t l = 0; l < kBatch; l += hn::Lanes(d)) {
    VW apart[3], shift_a[3], a_axes[3][3], turned[3][3], r[3][3], back[3][3];
    for (int k = 0; k < 3; ++k) {
      apart[k] = hn::LoadU(d, delta[k] + l);
      LoadParts(
          pairs.a, l, [k](const Bounds& x) { return x.frame.columns[k]; }, a_axes[k]);
    }
    for (int i = 0; i < 3; ++i) {
      const VW x = a_axes[0][i], y = a_axes[1][i], z = a_axes[2][i];
      for (int j = 0; j < 3; ++j)
        turned[i][j] = Sum3(x, y, z, hn::Set(d, map.rows[0][j]), hn::Set(d, map.rows[1][j]),
                            hn::Set(d, map.rows[2][j]));
      shift_a[i] = Sum3(x, y, z, apart[0], apart[1], apart[2]);
      hn::StoreU(shift_a[i], d, out.to_a[3][i] + l);
    }
    VW b_axes[3][3];
    for (int k = 0; k < 3; ++k)
      LoadParts(
          pairs.b, l, [k](const Bounds& x) { return x.frame.columns[k]; }, b_axes[k]);
    for (int j = 0; j < 3; ++j) {
      const VW x = b_axes[0][j], y = b_axes[1][j], z = b_axes[2][j];
      for (int i = 0; i < 3; ++i) {
        r[i][j] = Sum3(x, y, z, turned[i][0], turned[i][1], turned[i][2]);
        back[i][j] = hn::Mul(inverse_square, r[i][j]);
        hn::StoreU(r[i][j], d, out.to_a[j][i] + l);
        hn::StoreU(back[i][j], d, out.to_b[i][j] + l);
      }
    }
    VW centre_a[3], half_a[3], centre_b[3], half_b[3];
    LoadParts(pairs.a, l, centre_of, centre_a);
    LoadParts(pairs.a, l, half_of, half_a);
    LoadParts(pairs.b, l, centre_of, centre_b);
    LoadParts(pairs.b, l, half_of, half_b);
    const VW ratio = hn::Set(d, map.ratio);
    VW reach = hn::Add(hn::Add(hn::Abs(apart[0]), hn::Abs(apart[1])), hn::Abs(apart[2]));
    reach = hn::Add(hn::Mul(hn::Set(d, 1.0001f), reach),
                    hn::Add(Extent(centre_a, half_a), hn::Mul(ratio, Extent(centre_b, half_b))));
    const VW error_a = hn::Add(hn::Mul(hn::Set(d, kFrameError), reach), hn::Set(d, map.error));
    const VW error_b =
        hn::Mul(hn::Set(d, 1.0001f), hn::Mul(error_a, hn::Set(d, map.inverse_ratio)));
    hn::StoreU(error_a, d, out.error_a + l);
    hn::StoreU(error_b, d, out.error_b + l);

    VW gap = hn::Set(d, -INFINITY);
    VW apart_a[3], size[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) size[i][j] = hn::Abs(r[i][j]);
      const VW centre =
          Sum4(r[i][0], r[i][1], r[i][2], centre_b[0], centre_b[1], centre_b[2], shift_a[i]);
      const VW half =
          Sum4(size[i][0], size[i][1], size[i][2], half_b[0], half_b[1], half_b[2], error_a);
      hn::StoreU(centre, d, out.b_in_a[0][i] + l);
      hn::StoreU(half, d, out.b_in_a[1][i] + l);
      apart_a[i] = hn::Sub(centre, centre_a[i]);
      gap = hn::Max(gap, hn::Sub(hn::Abs(apart_a[i]), hn::Add(half, half_a[i])));
    }
    for (int j = 0; j < 3; ++j) {
      const VW shift =
          hn::Neg(Sum3(back[0][j], back[1][j], back[2][j], shift_a[0], shift_a[1], shift_a[2]));
      hn::StoreU(shift, d, out.to_b[3][j] + l);
      const VW centre =
          Sum4(back[0][j], back[1][j], back[2][j], centre_a[0], centre_a[1], centre_a[2], shift);
      const VW half = Sum4(hn::Abs(back[0][j]), hn::Abs(back[1][j]), hn::Abs(back[2][j]), half_a[0],
                           half_a[1], half_a[2], error_b);
      gap = hn::Max(gap, hn::Sub(hn::Abs(hn::Sub(centre, centre_b[j])), hn::Add(half, half_b[j])));
    }
    // Along the cross products of an edge each. Their lengths are at most `ratio`; twice the error
    // of a difference of two coordinates covers three of them in an oblique direction.
    VW scaled_b[3];
    for (int j = 0; j < 3; ++j) scaled_b[j] = hn::Mul(ratio, half_b[j]);
    const VW slack = hn::Mul(hn::Mul(hn::Set(d, 4.0f), ratio), error_a);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int m = (i + 1) % 3, n = (i + 2) % 3, o = (j + 1) % 3, q = (j + 2) % 3;
        const VW between = hn::Abs(Det2(apart_a[n], r[m][j], apart_a[m], r[n][j]));
        const VW reach_a = Fma(half_a[m], size[n][j], Fma(half_a[n], size[m][j], slack));
        const VW reach_b = Fma(scaled_b[o], size[i][q], Fma(scaled_b[q], size[i][o], reach_a));
        gap = hn::Max(gap, hn::Sub(between, reach_b));
      }
    near |= Bits(d, hn::Le(gap, hn::Zero(d))) << l;
  }
  return near & ((1u << pairs.count) - 1);
}

// One frame of several, with the same members by name as PairFrame has.
struct LaneMap {
  const float (*columns_)[3][kBatch];
  int lane;
  HWY_INLINE float column(int j, int k) const { return columns_[j][k][lane]; }
  HWY_INLINE float shift(int k) const { return columns_[3][k][lane]; }
};
struct WholeMap {
  const FrameMap& map;
  HWY_INLINE float column(int j, int k) const { return map.columns[j][k]; }
  HWY_INLINE float shift(int k) const { return map.shift[k]; }
};

HWY_INLINE V Dot3(const V (&a)[3], const V (&b)[3]) {
  return Sum3(b[0], b[1], b[2], a[0], a[1], a[2]);
}

// Boxes of moved boxes: centres are moved, half widths go through the absolute matrix. Calls
// put(axis, centre, half): GCC copies arrays of vectors through memory, in the widest it has, at
// which the processor slows down.
template <class Map, class Put>
HWY_INLINE void MoveLanes(const Map& m, const Boxes8& in, std::size_t l, const Put& put) {
  const D d;
  const V cx = hn::LoadU(d, in.centre[0] + l), cy = hn::LoadU(d, in.centre[1] + l),
          cz = hn::LoadU(d, in.centre[2] + l);
  const V hx = hn::LoadU(d, in.half[0] + l), hy = hn::LoadU(d, in.half[1] + l),
          hz = hn::LoadU(d, in.half[2] + l);
  for (int k = 0; k < 3; ++k) {
    const V x = hn::Set(d, m.column(0, k)), y = hn::Set(d, m.column(1, k)),
            z = hn::Set(d, m.column(2, k));
    put(k, Sum4(cx, cy, cz, x, y, z, hn::Set(d, m.shift(k))),
        Sum3(hx, hy, hz, hn::Abs(x), hn::Abs(y), hn::Abs(z)));
  }
}

// Enlarged by the error.
template <class Map>
HWY_INLINE void MoveBoxes(const Map& m, const Boxes8& in, float error, Boxes8& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    MoveLanes(m, in, l, [&](int k, V centre, V half) HWY_ATTR {
      hn::StoreU(centre, d, out.centre[k] + l);
      hn::StoreU(hn::Add(half, hn::Set(d, error)), d, out.half[k] + l);
    });
}

template <class Map>
HWY_INLINE void MoveCorners(const Map& m, const float (*in)[3][kWidth], float (*out)[3][kWidth]) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V ax = hn::Set(d, m.column(0, k)), ay = hn::Set(d, m.column(1, k)),
              az = hn::Set(d, m.column(2, k)), shift = hn::Set(d, m.shift(k));
      for (int v = 0; v < 3; ++v)
        hn::StoreU(Sum4(hn::LoadU(d, in[v][0] + l), hn::LoadU(d, in[v][1] + l),
                        hn::LoadU(d, in[v][2] + l), ax, ay, az, shift),
                   d, out[v][k] + l);
    }
}

HWY_INLINE void BoxCorners(const float (*corner)[3][kWidth], int count, Boxes8& out) {
  const D d;
  const V half = hn::Set(d, 0.5f);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V a = hn::LoadU(d, corner[0][k] + l), b = hn::LoadU(d, corner[1][k] + l),
              c = hn::LoadU(d, corner[2][k] + l);
      const V lo = hn::Min(hn::Min(a, b), c), hi = hn::Max(hn::Max(a, b), c);
      const V centre = hn::Mul(half, hn::Add(lo, hi));
      hn::StoreU(centre, d, out.centre[k] + l);
      hn::StoreU(hn::Max(hn::Sub(hi, centre), hn::Sub(centre, lo)), d, out.half[k] + l);
    }
  for (int lane = count; lane < kWidth; ++lane)
    for (int k = 0; k < 3; ++k) {
      out.centre[k][lane] = 0;
      out.half[k][lane] = kUnusedHalf;
    }
}

// A side's boxes in its own frame; `storage` is used for leaves.
HWY_INLINE const Boxes8& Own(const Side& side, Boxes8& storage) {
  if (side.corner == nullptr) return *side.boxes;
  BoxCorners(side.corner, side.count, storage);
  return storage;
}

// A side's boxes in the other frame, and for leaves its corners.
HWY_INLINE void Moved(const Side& side, const WholeMap& m, Boxes8& out,
                      float (*corner)[3][kWidth]) {
  if (side.corner == nullptr) return MoveBoxes(m, *side.boxes, 0, out);
  MoveCorners(m, side.corner, corner);
  BoxCorners(corner, side.count, out);
}

// Eight boxes as intervals, for tests of whether and how far they are apart.
struct Intervals {
  float lo[3][kWidth], hi[3][kWidth];
};

HWY_INLINE void ToIntervals(const Boxes8& boxes, Intervals& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V centre = hn::LoadU(d, boxes.centre[k] + l), half = hn::LoadU(d, boxes.half[k] + l);
      hn::StoreU(hn::Sub(centre, half), d, out.lo[k] + l);
      hn::StoreU(hn::Add(centre, half), d, out.hi[k] + l);
    }
}

HWY_INLINE void CornerIntervals(const float (*corner)[3][kWidth], float error, Intervals& out) {
  const D d;
  const V more = hn::Set(d, error);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V a = hn::LoadU(d, corner[0][k] + l), b = hn::LoadU(d, corner[1][k] + l),
              c = hn::LoadU(d, corner[2][k] + l);
      hn::StoreU(hn::Sub(hn::Min(hn::Min(a, b), c), more), d, out.lo[k] + l);
      hn::StoreU(hn::Add(hn::Max(hn::Max(a, b), c), more), d, out.hi[k] + l);
    }
}

HWY_INLINE void OwnIntervals(const Side& side, Intervals& out) {
  if (side.corner == nullptr)
    ToIntervals(*side.boxes, out);
  else
    CornerIntervals(side.corner, 0, out);
}

template <class Map>
HWY_INLINE void MovedIntervals(const Boxes8& boxes, const Map& m, float error, Intervals& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    MoveLanes(m, boxes, l, [&](int k, V centre, V half) HWY_ATTR {
      const V more = hn::Add(half, hn::Set(d, error));
      hn::StoreU(hn::Sub(centre, more), d, out.lo[k] + l);
      hn::StoreU(hn::Add(centre, more), d, out.hi[k] + l);
    });
}

// A side's intervals in the other frame, enlarged by the error, and for leaves its corners.
HWY_INLINE void MovedIntervals(const Side& side, const WholeMap& m, float error, Intervals& out,
                               float (*corner)[3][kWidth]) {
  if (side.corner == nullptr) {
    MovedIntervals(*side.boxes, m, error, out);
  } else {
    MoveCorners(m, side.corner, corner);
    CornerIntervals(corner, error, out);
  }
}

// Numbers of one row, the same in all lanes; or of the lanes from l on.
struct AtRow {
  int row;
  HWY_INLINE V operator()(const float* values) const { return hn::Set(D(), values[row]); }
};
struct AtLanes {
  std::size_t l;
  HWY_INLINE V operator()(const float* values) const { return hn::LoadU(D(), values + l); }
};

// How intervals lie to one another: lo and hi of some, at their rows or lanes, against others'.
template <class At>
HWY_INLINE hn::Mask<D> Meet(const Intervals& in, const At& at, const V (&lo)[3], const V (&hi)[3]) {
  const auto axis = [&](int k) HWY_ATTR {
    return hn::And(hn::Le(at(in.lo[k]), hi[k]), hn::Ge(at(in.hi[k]), lo[k]));
  };
  return hn::And(hn::And(axis(0), axis(1)), axis(2));
}
template <class At>
HWY_INLINE V SquaredDistance(const Intervals& in, const At& at, const V (&lo)[3],
                             const V (&hi)[3]) {
  const V zero = hn::Zero(D());
  V squared = zero;
  for (int k = 0; k < 3; ++k) {
    const V gap =
        hn::Max(zero, hn::Max(hn::Sub(at(in.lo[k]), hi[k]), hn::Sub(lo[k], at(in.hi[k]))));
    squared = Fma(gap, gap, squared);
  }
  return hn::Min(squared, hn::Set(D(), kMostSquared));
}
HWY_INLINE void LoadIntervals(const Intervals& in, std::size_t l, V (&lo)[3], V (&hi)[3]) {
  for (int k = 0; k < 3; ++k) {
    lo[k] = hn::LoadU(D(), in.lo[k] + l);
    hi[k] = hn::LoadU(D(), in.hi[k] + l);
  }
}
HWY_INLINE void SetIntervals(const float* centre, const float* half, std::size_t stride, V (&lo)[3],
                             V (&hi)[3]) {
  for (std::size_t k = 0; k < 3; ++k) {
    lo[k] = hn::Set(D(), centre[stride * k] - half[stride * k]);
    hi[k] = hn::Set(D(), centre[stride * k] + half[stride * k]);
  }
}

// For each row of which a bit is set in `rows`.
template <class Visit>
HWY_INLINE void ForRows(std::uint32_t rows, Visit&& visit) {
  for (; rows != 0; rows &= rows - 1) visit(std::countr_zero(rows));
}

// For each row with pairs left.
template <class Visit>
HWY_INLINE void ForRowsOf(std::uint64_t mask, Visit&& visit) {
  while (mask != 0) {
    const int row = std::countr_zero(mask) / kWidth;
    visit(row);
    mask &= ~(std::uint64_t{0xff} << (kWidth * row));
  }
}

// All pairs whose lane is below `count`.
HWY_INLINE std::uint64_t UsedLanes(int count) {
  return 0x0101010101010101u * ((std::uint64_t{1} << count) - 1);
}

// Eight triangles' normals as axes, and where the triangles lie along their own.
struct Normals {
  float normal[3][kWidth];
  float place_min[kWidth], place_max[kWidth];
};

HWY_INLINE void MakeNormals(const float (*corner)[3][kWidth], Normals& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V c[3][3], e[3], f[3], n[3];
    for (int v = 0; v < 3; ++v)
      for (int k = 0; k < 3; ++k) c[v][k] = hn::LoadU(d, corner[v][k] + l);
    for (int k = 0; k < 3; ++k) {
      e[k] = hn::Sub(c[1][k], c[0][k]);
      f[k] = hn::Sub(c[2][k], c[0][k]);
    }
    V length2 = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, o = (k + 2) % 3;
      n[k] = hn::Sub(hn::Mul(e[m], f[o]), hn::Mul(e[o], f[m]));
      length2 = hn::Add(length2, hn::Mul(n[k], n[k]));
    }
    // A triangle too small or thin to have a normal gets no axis: a normal of zero proves nothing.
    const V inverse = hn::IfThenElseZero(hn::Gt(length2, hn::Set(d, 1e-30f)),
                                         hn::Div(hn::Set(d, 1.0f), hn::Sqrt(length2)));
    for (int k = 0; k < 3; ++k) {
      n[k] = hn::Mul(n[k], inverse);
      hn::StoreU(n[k], d, out.normal[k] + l);
    }
    const V p = Dot3(n, c[0]), q = Dot3(n, c[1]), r = Dot3(n, c[2]);
    hn::StoreU(hn::Min(hn::Min(p, q), r), d, out.place_min + l);
    hn::StoreU(hn::Max(hn::Max(p, q), r), d, out.place_max + l);
  }
}

template <class At>
HWY_INLINE void LoadCorners(const float (*corner)[3][kWidth], const At& at, V (&c)[3][3]) {
  for (int v = 0; v < 3; ++v)
    for (int k = 0; k < 3; ++k) c[v][k] = at(corner[v][k]);
}

// Gap along the normals between a triangle with corners c and those the normals belong to.
struct NormalGap {
  V gap;
  hn::Mask<D> is_above;

  template <class At>
  HWY_INLINE NormalGap(const Normals& normals, const At& at, const V (&c)[3][3]) {
    V n[3];
    for (int k = 0; k < 3; ++k) n[k] = at(normals.normal[k]);
    const V p = Dot3(n, c[0]), q = Dot3(n, c[1]), r = Dot3(n, c[2]);
    const V above = hn::Sub(hn::Min(hn::Min(p, q), r), at(normals.place_max));
    const V below = hn::Sub(at(normals.place_min), hn::Max(hn::Max(p, q), r));
    is_above = hn::Gt(above, below);
    gap = hn::Max(above, below);
  }
};

// Which rows may meet something, given in the rows' frame.
HWY_INLINE std::uint32_t RowsMeeting(const Intervals& rows, int count, const V (&lo)[3],
                                     const V (&hi)[3]) {
  const D d;
  std::uint64_t meeting = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    meeting |= Bits(Meet(rows, AtLanes{l}, lo, hi), 0, l);
  return static_cast<std::uint32_t>(meeting) & ((1u << count) - 1);
}

std::uint64_t Overlap(const Side& a, const Side& b, const PairFrames& f, int lane) {
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

// Of pairs of triangles whose boxes overlap along a's axes, the corners in a's frame. Looking along
// b's too would cost what it saves later.
template <class Map>
HWY_INLINE void AddTriangles(const BvhLeaf& a, const BvhLeaf& b, const Map& to_a,
                             const V (&whole_lo)[3], const V (&whole_hi)[3], float error,
                             TriangleBatch& batch) {
  const D d;
  HWY_ALIGN Intervals a_own, b_moved;
  CornerIntervals(a.corner, 0, a_own);
  const std::uint32_t rows = RowsMeeting(a_own, a.count, whole_lo, whole_hi);
  if (rows == 0) return;
  HWY_ALIGN float b_corner[3][3][kWidth];
  MoveCorners(to_a, b.corner, b_corner);
  CornerIntervals(b_corner, error, b_moved);
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V lo[3], hi[3];
    LoadIntervals(b_moved, l, lo, hi);
    ForRows(rows, [&](int i) HWY_ATTR { mask |= Bits(Meet(a_own, AtRow{i}, lo, hi), i, l); });
  }
  mask &= UsedLanes(b.count);
  while (mask != 0) {
    const PairNumbers next(mask);
    const auto at = static_cast<std::size_t>(batch.count);
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      const Pick pick_a = Pick::Rows(next, l), pick_b = Pick::Lanes(next, l);
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
    batch.count += next.count;
  }
}

void AddTrianglesOf(const BvhLeaf& a, const BvhLeaf& b, const PairFrame& f, TriangleBatch& batch) {
  V lo[3], hi[3];
  SetIntervals(f.b_in_a.centre, f.b_in_a.half, 1, lo, hi);
  AddTriangles(a, b, WholeMap{f.to_a}, lo, hi, f.error_a, batch);
}

void AddTrianglesIn(const BvhLeaf& a, const BvhLeaf& b, const PairFrames& f, int lane,
                    TriangleBatch& batch) {
  V lo[3], hi[3];
  SetIntervals(f.b_in_a[0][0] + lane, f.b_in_a[1][0] + lane, kBatch, lo, hi);
  AddTriangles(a, b, LaneMap{f.to_a, lane}, lo, hi, f.error_a[lane], batch);
}

using DI = hn::RebindToSigned<D>;
using VI = hn::Vec<DI>;

HWY_INLINE void ClearKeys(PairKeys& keys) {
  const DI d;
  for (std::size_t n = 0; n < kWidth * kWidth; n += hn::Lanes(d))
    hn::Store(hn::Set(d, PairKeys::kNone), d, keys.key + n);
}

// hn::Iota goes through memory, number by number.
alignas(64) constexpr std::int32_t kLanes[kWidth] = {0, 1, 2, 3, 4, 5, 6, 7};

// Sets the keys of a row's pairs in lanes from l on: of those that stay, by `value` >= 0. Returns
// them.
HWY_INLINE VI SetKeys(V value, hn::Mask<D> stays, int row, std::size_t l, PairKeys& keys) {
  const DI d;
  const VI number = hn::Or(hn::Load(d, kLanes + l), hn::Set(d, kWidth * row));
  const VI none = hn::Set(d, PairKeys::kNone);
  const VI bits = hn::And(hn::BitCast(d, value), hn::Set(d, ~PairKeys::kNumber));
  const VI key = hn::IfThenElse(hn::RebindMask(d, stays), hn::Or(bits, number), none);
  hn::Store(key, d, keys.key + kWidth * row + l);
  return key;
}

// Lanes below `count`, from l on.
HWY_INLINE hn::Mask<D> LanesBelow(int count, std::size_t l) {
  const DI d;
  return hn::RebindMask(D(), hn::Lt(hn::Load(d, kLanes + l), hn::Set(d, count)));
}

HWY_INLINE std::int32_t LeastOf(VI keys) {
  const DI d;
  return hn::GetLane(hn::MinOfLanes(d, keys));
}

std::int32_t Next(const PairKeys& keys, std::int32_t last) {
  // By what they are more than last + 1, as numbers without a sign: what is less is very much more.
  const hn::RebindToUnsigned<D> d;
  const std::uint32_t first = static_cast<std::uint32_t>(last) + 1;
  const auto down = hn::Set(d, 0u - first);
  const auto* key = reinterpret_cast<const std::uint32_t*>(keys.key);
  auto least = hn::Set(d, static_cast<std::uint32_t>(PairKeys::kNone) - first);
  for (std::size_t n = 0; n < kWidth * kWidth; n += hn::Lanes(d))
    least = hn::Min(least, hn::Add(down, hn::Load(d, key + n)));
  return static_cast<std::int32_t>(first + hn::GetLane(hn::MinOfLanes(d, least)));
}

// Along an axis, by how much two boxes overlap whose half widths add up to `sizes`; < 0: not at
// all.
HWY_INLINE V Common(V centre_a, V centre_b, V sizes) {
  return hn::Sub(sizes, hn::Abs(hn::Sub(centre_a, centre_b)));
}

std::int32_t Rank(const Side& a, const Side& b, const PairFrame& f, PairKeys& keys) {
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

std::int32_t Distance(const Side& a, const Side& b, const PairFrame& f, float target,
                      PairKeys& keys) {
  const D d;
  const V limit = hn::Set(d, target), down = hn::Set(d, 1.0f - 2e-6f);
  HWY_ALIGN Intervals a_own, b_own, b_moved, a_moved;
  HWY_ALIGN float b_corner[3][3][kWidth];
  // Which of a's may be near b as a whole.
  OwnIntervals(a, a_own);
  V lo[3], hi[3];
  SetIntervals(f.b_in_a.centre, f.b_in_a.half, 1, lo, hi);
  std::uint32_t rows = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const V s = hn::Mul(down, SquaredDistance(a_own, AtLanes{l}, lo, hi));
    rows |= static_cast<std::uint32_t>(Bits(hn::Le(s, limit), 0, l));
  }
  rows &= (1u << a.count) - 1;
  if (rows == 0) return PairKeys::kNone;
  // Along a's axes.
  MovedIntervals(b, WholeMap{f.to_a}, f.error_a, b_moved, b_corner);
  HWY_ALIGN float squared[kWidth][kWidth];
  std::uint64_t near = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    LoadIntervals(b_moved, l, lo, hi);
    ForRows(rows, [&](int i) HWY_ATTR {
      const V s = hn::Mul(down, SquaredDistance(a_own, AtRow{i}, lo, hi));
      hn::StoreU(s, d, squared[i] + l);
      near |= Bits(hn::Le(s, limit), i, l);
    });
  }
  near &= UsedLanes(b.count);
  if (near == 0) return PairKeys::kNone;

  // What is left, along b's, and along the triangles' normals.
  HWY_ALIGN float a_corner[3][3][kWidth];
  OwnIntervals(b, b_own);
  MovedIntervals(a, WholeMap{f.to_b}, f.error_b, a_moved, a_corner);
  const bool triangles = a.corner != nullptr && b.corner != nullptr;
  HWY_ALIGN Normals normals_a, normals_b;
  if (triangles) {
    MakeNormals(a.corner, normals_a);
    MakeNormals(b.corner, normals_b);
  }
  const V error_a = hn::Set(d, f.error_a), error_b = hn::Set(d, f.error_b);
  const V ratio = hn::Set(d, f.ratio), most = hn::Set(d, kMostSquared), zero = hn::Zero(d);
  const V two = hn::Set(d, 2.0f);
  ClearKeys(keys);
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    LoadIntervals(b_own, l, lo, hi);
    const auto used = LanesBelow(b.count, l);
    ForRowsOf(near, [&](int i) HWY_ATTR {
      const V along_axes = hn::Mul(down, SquaredDistance(a_moved, AtRow{i}, lo, hi));
      V best = hn::Max(hn::LoadU(d, squared[i] + l), hn::Mul(ratio, hn::Mul(ratio, along_axes)));
      if (triangles && !hn::AllTrue(d, hn::Gt(best, limit))) {
        // Along an oblique axis the errors of three coordinates add up to less than twice one.
        V c[3][3];
        LoadCorners(b_corner, AtLanes{l}, c);
        const V along_a = hn::Sub(NormalGap(normals_a, AtRow{i}, c).gap, hn::Mul(two, error_a));
        LoadCorners(a_corner, AtRow{i}, c);
        const V along_b = hn::Sub(NormalGap(normals_b, AtLanes{l}, c).gap, hn::Mul(two, error_b));
        const V gap = hn::Max(zero, hn::Max(along_a, hn::Mul(ratio, along_b)));
        best = hn::Max(best, hn::Mul(down, hn::Mul(gap, gap)));
      }
      best = hn::Min(best, most);
      least = hn::Min(least, SetKeys(best, hn::And(used, hn::Le(best, limit)), i, l, keys));
    });
  }
  return LeastOf(least);
}

// Per box and axis: the velocity at the centre and how much it varies over the box; and what does
// not depend on the axis: the free speed and the bound of the acceleration.
struct BoxRates {
  float speed[3][kWidth], spread[3][kWidth];
  float free[kWidth], acceleration[kWidth];
};

HWY_INLINE void Rates(const FrameField& f, const Boxes8& boxes, BoxRates& out) {
  const D d;
  if (f.still) {
    // One by one: see MoveLanes.
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      for (int k = 0; k < 3; ++k) {
        hn::StoreU(hn::Zero(d), d, out.speed[k] + l);
        hn::StoreU(hn::Zero(d), d, out.spread[k] + l);
      }
      hn::StoreU(hn::Zero(d), d, out.free + l);
      hn::StoreU(hn::Zero(d), d, out.acceleration + l);
    }
    return;
  }
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V c[3], h[3], o[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = hn::LoadU(d, boxes.centre[k] + l);
      h[k] = hn::Max(hn::Zero(d), hn::LoadU(d, boxes.half[k] + l));
      o[k] = hn::Sub(c[k], hn::Set(d, f.centre[k]));
    }
    V cross2 = hn::Zero(d), offset2 = hn::Zero(d), radius2 = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, n = (k + 2) % 3;
      const V wm = hn::Set(d, f.angular[m]), wn = hn::Set(d, f.angular[n]);
      hn::StoreU(hn::Add(hn::Set(d, f.linear[k]), hn::Sub(hn::Mul(wm, c[n]), hn::Mul(wn, c[m]))), d,
                 out.speed[k] + l);
      hn::StoreU(hn::Add(hn::Mul(hn::Abs(wm), h[n]), hn::Mul(hn::Abs(wn), h[m])), d,
                 out.spread[k] + l);
      const V x =
          hn::Sub(hn::Mul(hn::Set(d, f.axis[m]), o[n]), hn::Mul(hn::Set(d, f.axis[n]), o[m]));
      cross2 = hn::Add(cross2, hn::Mul(x, x));
      offset2 = hn::Add(offset2, hn::Mul(o[k], o[k]));
      radius2 = hn::Add(radius2, hn::Mul(h[k], h[k]));
    }
    const V radius = hn::Sqrt(radius2);
    hn::StoreU(hn::Add(hn::Set(d, f.free_speed),
                       hn::Mul(hn::Set(d, f.free_angular), hn::Add(hn::Sqrt(offset2), radius))),
               d, out.free + l);
    hn::StoreU(hn::Mul(hn::Set(d, f.curvature), hn::Add(hn::Sqrt(cross2), radius)), d,
               out.acceleration + l);
  }
}

// Least dt with gap = s dt + k dt² / 2; 0 where there is no gap.
HWY_INLINE V TimeToClose(V gap, V s, V k) {
  const D d;
  const V two_gap = hn::Add(gap, gap);
  const V square = hn::Add(hn::Mul(s, s), hn::Mul(k, two_gap));
  const V q = hn::Add(hn::Abs(s), hn::Sqrt(square));
  const auto receding = hn::Lt(s, hn::Zero(d));
  const V dt = hn::Div(hn::IfThenElse(receding, q, two_gap), hn::IfThenElse(receding, k, q));
  // What overflows, or is not a number because of that, proves nothing.
  const auto proved = hn::And(hn::Gt(gap, hn::Zero(d)), hn::Lt(square, hn::Set(d, 1e38f)));
  return hn::IfThenElseZero(proved, dt);
}

// The largest time to close over the three axes of one frame, for row i.
HWY_INLINE V FrameTime(const Boxes8& rows, const BoxRates& row_rates, const Boxes8& lanes,
                       const BoxRates& lane_rates, int i, std::size_t l, V error, V rate_error,
                       V acceleration) {
  const D d;
  const V free = hn::Add(hn::Add(hn::LoadU(d, lane_rates.free + l), hn::Set(d, row_rates.free[i])),
                         rate_error);
  V best = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const V delta = hn::Sub(hn::LoadU(d, lanes.centre[k] + l), hn::Set(d, rows.centre[k][i]));
    const V reach = hn::Add(hn::LoadU(d, lanes.half[k] + l), hn::Set(d, rows.half[k][i]));
    const V gap = hn::Sub(hn::Abs(delta), hn::Add(reach, error));
    // Approach: the row moves towards the lane, the lane towards the row.
    const V towards =
        hn::Sub(hn::Set(d, row_rates.speed[k][i]), hn::LoadU(d, lane_rates.speed[k] + l));
    const V s = hn::Add(
        hn::Xor(towards, hn::And(delta, hn::Set(d, -0.0f))),
        hn::Add(hn::Add(hn::LoadU(d, lane_rates.spread[k] + l), hn::Set(d, row_rates.spread[k][i])),
                free));
    best = hn::Max(best, TimeToClose(gap, s, acceleration));
  }
  return best;
}

// What moves along the normals: how fast the triangles' own corners do, and the other body's
// velocity, offset + slope · y.
struct NormalRates {
  float slope[3][kWidth], offset[kWidth];
  float own_min[kWidth], own_max[kWidth];
};

// Velocity along n at y: n · (linear + angular × y) = n · linear + (n × angular) · y.
HWY_INLINE V VelocityAlong(const V (&n)[3], const FrameField& field, V (&slope)[3]) {
  const D d;
  V offset = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const int m = (k + 1) % 3, o = (k + 2) % 3;
    slope[k] = hn::Sub(hn::Mul(n[m], hn::Set(d, field.still ? 0 : field.angular[o])),
                       hn::Mul(n[o], hn::Set(d, field.still ? 0 : field.angular[m])));
    offset = hn::Add(offset, hn::Mul(n[k], hn::Set(d, field.still ? 0 : field.linear[k])));
  }
  return offset;
}

HWY_INLINE void MakeNormalRates(const Normals& normals, const float (*corner)[3][kWidth],
                                const FrameField& own, const FrameField& other, NormalRates& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V n[3], slope[3];
    for (int k = 0; k < 3; ++k) n[k] = hn::LoadU(d, normals.normal[k] + l);
    const V own_offset = VelocityAlong(n, own, slope);
    V own_min = hn::Set(d, INFINITY), own_max = hn::Set(d, -INFINITY);
    for (int v = 0; v < 3; ++v) {
      V c[3];
      for (int k = 0; k < 3; ++k) c[k] = hn::LoadU(d, corner[v][k] + l);
      const V rate = hn::Add(own_offset, Dot3(slope, c));
      own_min = hn::Min(own_min, rate);
      own_max = hn::Max(own_max, rate);
    }
    hn::StoreU(own_min, d, out.own_min + l);
    hn::StoreU(own_max, d, out.own_max + l);
    hn::StoreU(VelocityAlong(n, other, slope), d, out.offset + l);
    for (int k = 0; k < 3; ++k) hn::StoreU(slope[k], d, out.slope[k] + l);
  }
}

// Time to close along the normals, of one triangle against those the normals belong to.
template <class At>
HWY_INLINE V NormalTime(const Normals& normals, const NormalRates& rates, At&& at,
                        const V (&c)[3][3], V error, V free, V acceleration) {
  const NormalGap g(normals, at, c);
  V slope[3], rate[3];
  for (int k = 0; k < 3; ++k) slope[k] = at(rates.slope[k]);
  for (int v = 0; v < 3; ++v) rate[v] = hn::Add(at(rates.offset), Dot3(slope, c[v]));
  const V slowest = hn::Min(hn::Min(rate[0], rate[1]), rate[2]);
  const V fastest = hn::Max(hn::Max(rate[0], rate[1]), rate[2]);
  const V approach = hn::IfThenElse(g.is_above, hn::Sub(at(rates.own_max), slowest),
                                    hn::Sub(fastest, at(rates.own_min)));
  return TimeToClose(hn::Sub(g.gap, error), hn::Add(approach, free), acceleration);
}

std::int32_t Impact(const Side& a, const Side& b, const PairFrame& f, const PairField& field,
                    float limit, PairKeys& keys) {
  HWY_ALIGN Boxes8 storage_a, storage_b, b_moved, a_moved;
  HWY_ALIGN float b_corner[3][3][kWidth];
  HWY_ALIGN float a_corner[3][3][kWidth];
  const Boxes8 &a_own = Own(a, storage_a), &b_own = Own(b, storage_b);
  Moved(b, WholeMap{f.to_a}, b_moved, b_corner);
  Moved(a, WholeMap{f.to_b}, a_moved, a_corner);
  HWY_ALIGN BoxRates a_in_a, b_in_a, a_in_b, b_in_b;
  Rates(field.a_in_a, a_own, a_in_a);
  Rates(field.b_in_a, b_moved, b_in_a);
  Rates(field.a_in_b, a_moved, a_in_b);
  Rates(field.b_in_b, b_own, b_in_b);
  const bool triangles = a.corner != nullptr && b.corner != nullptr;
  HWY_ALIGN Normals normals_a, normals_b;
  HWY_ALIGN NormalRates rates_a, rates_b;
  if (triangles) {
    MakeNormals(a.corner, normals_a);
    MakeNormals(b.corner, normals_b);
    MakeNormalRates(normals_a, a.corner, field.a_in_a, field.b_in_a, rates_a);
    MakeNormalRates(normals_b, b.corner, field.b_in_b, field.a_in_b, rates_b);
  }

  const D d;
  const V error_a = hn::Set(d, f.error_a), error_b = hn::Set(d, f.error_b);
  const V rate_error_a = hn::Set(d, field.rate_error_a),
          rate_error_b = hn::Set(d, field.rate_error_b);
  const V up = hn::Set(d, 1.0f + 1e-5f), down = hn::Set(d, 1.0f - 1e-5f);
  const V ratio = hn::Set(d, f.ratio), inverse_ratio = hn::Set(d, f.inverse_ratio);
  const V until = hn::Set(d, limit);
  ClearKeys(keys);
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (int i = 0; i < a.count; ++i)
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      // Each body's acceleration is smallest in its own frame, where its boxes are tight.
      const V acceleration =
          hn::Mul(up, hn::Add(hn::Set(d, a_in_a.acceleration[i]),
                              hn::Mul(ratio, hn::LoadU(d, b_in_b.acceleration + l))));
      V best = hn::Mul(down, FrameTime(a_own, a_in_a, b_moved, b_in_a, i, l, error_a, rate_error_a,
                                       acceleration));
      if (hn::AllTrue(d, hn::Gt(best, until))) continue;
      const V acceleration_b = hn::Mul(inverse_ratio, acceleration);
      best = hn::Max(best, hn::Mul(down, FrameTime(a_moved, a_in_b, b_own, b_in_b, i, l, error_b,
                                                   rate_error_b, acceleration_b)));
      if (triangles && !hn::AllTrue(d, hn::Gt(best, until))) {
        // Along an oblique axis the errors of three coordinates add up to less than twice one.
        const V two = hn::Set(d, 2.0f);
        const V free_a = hn::Add(hn::Add(hn::Set(d, a_in_a.free[i]), hn::LoadU(d, b_in_a.free + l)),
                                 hn::Mul(two, rate_error_a));
        const V free_b = hn::Add(hn::Add(hn::Set(d, a_in_b.free[i]), hn::LoadU(d, b_in_b.free + l)),
                                 hn::Mul(two, rate_error_b));
        V c[3][3];
        LoadCorners(b_corner, AtLanes{l}, c);
        const V along_a = NormalTime(normals_a, rates_a, AtRow{i}, c, hn::Mul(two, error_a), free_a,
                                     acceleration);
        LoadCorners(a_corner, AtRow{i}, c);
        const V along_b = NormalTime(normals_b, rates_b, AtLanes{l}, c, hn::Mul(two, error_b),
                                     free_b, acceleration_b);
        best = hn::Max(best, hn::Mul(down, hn::Max(along_a, along_b)));
      }
      const auto soon = hn::And(LanesBelow(b.count, l), hn::Le(best, until));
      least = hn::Min(least, SetKeys(best, soon, i, l, keys));
    }
  return LeastOf(least);
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

// Fifteen signs decide: six corners against the other plane, nine pairs of edges. An edge pierces
// the other triangle exactly when its ends lie on different sides and it passes all three edges on
// the same side.
//
// With a's first corner as origin two of its edges have no moment: the nine products of edges (as
// lines by direction and moment) become dot products with the three moments of b's edges.
//
// Errors: let all differences of corners be at most L, u = 2^-24. Differences are off by 2 e + 3 u
// L of what they should be, which changes a determinant of three by less than 26 times that times
// L²; the longest sum of products rounds by less than 132 u L³.
template <class Tag>
HWY_INLINE void ClassifyLanes(Tag d, const TriangleBatch& batch, std::size_t at, Verdicts& verdicts,
                              std::size_t bit) {
  using Vec = hn::Vec<Tag>;
  const auto corner = [&](const float(*from)[3][TriangleBatch::kRoom], int v) HWY_ATTR {
    return Point<Vec>{hn::LoadU(d, from[v][0] + at), hn::LoadU(d, from[v][1] + at),
                      hn::LoadU(d, from[v][2] + at)};
  };
  const Point<Vec> origin = corner(batch.a, 0);
  const Point<Vec> a1 = Minus(corner(batch.a, 1), origin), a2 = Minus(corner(batch.a, 2), origin);
  const Point<Vec> b0 = Minus(corner(batch.b, 0), origin), b1 = Minus(corner(batch.b, 1), origin),
                   b2 = Minus(corner(batch.b, 2), origin);
  const Vec zero = hn::Zero(d);
  const auto spread = [&](Vec p, Vec q, Vec r, Vec s, Vec t) HWY_ATTR {
    const Vec lo = hn::Min(hn::Min(hn::Min(p, q), hn::Min(r, s)), hn::Min(t, zero));
    const Vec hi = hn::Max(hn::Max(hn::Max(p, q), hn::Max(r, s)), hn::Max(t, zero));
    return hn::Sub(hi, lo);
  };
  const Vec size =
      hn::Max(hn::Max(spread(a1.x, a2.x, b0.x, b1.x, b2.x), spread(a1.y, a2.y, b0.y, b1.y, b2.y)),
              spread(a1.z, a2.z, b0.z, b1.z, b2.z));
  const Vec slack =
      hn::Add(hn::Mul(hn::Mul(size, size),
                      hn::Add(hn::Mul(hn::Set(d, 53.0f), hn::LoadU(d, batch.error + at)),
                              hn::Mul(hn::Set(d, 1.3e-5f), size))),
              hn::Set(d, 1e-37f));
  const Vec minus = hn::Neg(slack);

  const Point<Vec> normal_a = Cross(a1, a2), normal_b = Cross(Minus(b1, b0), Minus(b2, b1));
  const Vec of_b = Dot(normal_b, b0);
  const Vec da[3] = {hn::Neg(of_b), hn::Sub(Dot(normal_b, a1), of_b),
                     hn::Sub(Dot(normal_b, a2), of_b)};
  const Vec db[3] = {Dot(normal_a, b0), Dot(normal_a, b1), Dot(normal_a, b2)};
  // The sides of edges: s[v][w] of edge v of a past edge w of b.
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

Verdicts Classify(TriangleBatch& batch, int count) {
  batch.count -= count;
  const auto at = static_cast<std::size_t>(batch.count);
  Verdicts verdicts;
  if (count > kWidth) {
    const W d;
    for (std::size_t l = 0; l < kBatch; l += hn::Lanes(d))
      ClassifyLanes(d, batch, at + l, verdicts, l);
  } else {  // beyond what vectors of eight have written there is nothing
    const D d;
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
      ClassifyLanes(d, batch, at + l, verdicts, l);
  }
  const std::uint32_t used = (1u << count) - 1;
  return {verdicts.hit & used, verdicts.miss & used};
}

void ProjectBounds(const Frame& frame, const float* HWY_RESTRICT x, const float* HWY_RESTRICT y,
                   const float* HWY_RESTRICT z, std::size_t count, float (&lo)[3], float (&hi)[3]) {
  const D d;
  V least[3], most[3];
  for (int k = 0; k < 3; ++k) {
    least[k] = hn::Set(d, INFINITY);
    most[k] = hn::Set(d, -INFINITY);
  }
  const V ox = hn::Set(d, frame.origin[0]), oy = hn::Set(d, frame.origin[1]),
          oz = hn::Set(d, frame.origin[2]);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const V px = hn::Sub(hn::LoadU(d, x + i), ox), py = hn::Sub(hn::LoadU(d, y + i), oy),
            pz = hn::Sub(hn::LoadU(d, z + i), oz);
    for (int k = 0; k < 3; ++k) {
      const V p = Sum3(px, py, pz, hn::Set(d, frame.axis(k, 0)), hn::Set(d, frame.axis(k, 1)),
                       hn::Set(d, frame.axis(k, 2)));
      least[k] = hn::Min(least[k], p);
      most[k] = hn::Max(most[k], p);
    }
  }
  for (int k = 0; k < 3; ++k) {
    lo[k] = hn::GetLane(hn::MinOfLanes(d, least[k]));
    hi[k] = hn::GetLane(hn::MaxOfLanes(d, most[k]));
  }
}

// Cosines and sines of the eighths of a right angle.
constexpr float kCosine[kWidth] = {1.0f,         0.980785280f, 0.923879533f, 0.831469612f,
                                   0.707106781f, 0.555570233f, 0.382683432f, 0.195090322f};
constexpr float kSine[kWidth] = {0.0f,         0.195090322f, 0.382683432f, 0.555570233f,
                                 0.707106781f, 0.831469612f, 0.923879533f, 0.980785280f};

void TurnToLeastArea(const float* HWY_RESTRICT x, const float* HWY_RESTRICT y,
                     const float* HWY_RESTRICT z, std::size_t count, Frame& frame) {
  const D d;
  HWY_ALIGN float area[kWidth];
  for (std::size_t turn = 0; turn < kWidth; turn += hn::Lanes(d)) {  // lanes are angles
    const V cosine = hn::LoadU(d, kCosine + turn), sine = hn::LoadU(d, kSine + turn);
    V lo[2], hi[2];
    for (int k = 0; k < 2; ++k) {
      lo[k] = hn::Set(d, INFINITY);
      hi[k] = hn::Set(d, -INFINITY);
    }
    for (std::size_t i = 0; i < count; i += kWidth) {
      HWY_ALIGN float p[2][kWidth];
      for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
        for (int k = 0; k < 2; ++k)
          hn::StoreU(Sum3(hn::LoadU(d, x + i + l), hn::LoadU(d, y + i + l), hn::LoadU(d, z + i + l),
                          hn::Set(d, frame.axis(k + 1, 0)), hn::Set(d, frame.axis(k + 1, 1)),
                          hn::Set(d, frame.axis(k + 1, 2))),
                     d, p[k] + l);
      for (int n = 0; n < kWidth; ++n) {
        const V u = hn::Set(d, p[0][n]), v = hn::Set(d, p[1][n]);
        const V turned[2] = {Fma(sine, v, hn::Mul(cosine, u)), Det2(cosine, v, sine, u)};
        for (int k = 0; k < 2; ++k) {
          lo[k] = hn::Min(lo[k], turned[k]);
          hi[k] = hn::Max(hi[k], turned[k]);
        }
      }
    }
    hn::StoreU(hn::Mul(hn::Sub(hi[0], lo[0]), hn::Sub(hi[1], lo[1])), d, area + turn);
  }
  int best = 0;
  for (int i = 1; i < kWidth; ++i) best = area[i] < area[best] ? i : best;
  // In vectors: from a sum beside a difference GCC 12 makes a fused instruction, whatever
  // -ffp-contract says.
  const D4 d4;
  HWY_ALIGN float axes[2][4];
  for (int k = 0; k < 2; ++k)
    for (int n = 0; n < 3; ++n) axes[k][n] = frame.axis(k + 1, n);
  axes[0][3] = axes[1][3] = 0;
  const V4 cosine = hn::Set(d4, kCosine[best]), sine = hn::Set(d4, kSine[best]);
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d4)) {
    const V4 u = Load4(axes[0], l), v = Load4(axes[1], l);
    hn::StoreU(Fma(sine, v, hn::Mul(cosine, u)), d4, axes[0] + l);
    hn::StoreU(Det2(cosine, v, sine, u), d4, axes[1] + l);
  }
  for (int k = 0; k < 2; ++k)
    for (int n = 0; n < 3; ++n) frame.columns[n][k + 1] = axes[k][n];
}

inline Kernels Table(const char* name) {
  return {name, Place,    PlacePairs, Overlap, AddTrianglesOf,  AddTrianglesIn, Classify,
          Rank, Distance, Impact,     Next,    TurnToLeastArea, ProjectBounds};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
