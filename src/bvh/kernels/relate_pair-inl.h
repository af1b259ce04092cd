// SPDX-License-Identifier: Apache-2.0
// The maps between the frames of two nodes, one pair at a time: lanes are coordinates.
#if defined(TOUCHE_BVH_KERNELS_RELATE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_RELATE_PAIR_INL_H_
#undef TOUCHE_BVH_KERNELS_RELATE_PAIR_INL_H_
#else
#define TOUCHE_BVH_KERNELS_RELATE_PAIR_INL_H_
#endif

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Returns x c0 + y c1 + z c2.
HWY_INLINE V4 Combine(float x, float y, float z, V4 c0, V4 c1, V4 c2) {
  const D4 d;
  return Sum3(c0, c1, c2, hn::Set(d, x), hn::Set(d, y), hn::Set(d, z));
}

// Computes the difference of the frames' origins along the axes of a's local coordinates; in double
// precision, because both may be far from the centre.
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

// Moves a box to the other's frame, enlarges it, and returns the gap between it and the other box.
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

// Returns rows l, l + 1, ... of a matrix of three columns, as columns.
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

// Like RelateEach, for one pair.
float Relate(const LocalMap& map, const Bounds& a, const Bounds& b, PairFrame& out) {
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
  out.reach = 1.0001f * out.reach + a.extent() + map.ratio * b.extent();
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

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
