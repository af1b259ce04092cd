// SPDX-License-Identifier: Apache-2.0
// The vector types of all kernels, and basic operations. Every sum is written in a fixed order, so
// that every lane of every width does the same rounding; multiply-add is fused on all targets, in
// software if the hardware cannot.
#if defined(TOUCHE_BVH_KERNELS_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_VECTORS_INL_H_
#undef TOUCHE_BVH_KERNELS_VECTORS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kWidth>;
using V = hn::Vec<D>;
using W = hn::CappedTag<float, kBatch>;  // a lane per pair of nodes or of triangles
using VW = hn::Vec<W>;

// Returns a b + c, rounded once.
template <class Vec>
HWY_INLINE Vec Fma(Vec a, Vec b, Vec c) {
#if HWY_TARGET == HWY_SCALAR
  return Vec(std::fma(a.raw, b.raw, c.raw));
#else
  return hn::MulAdd(a, b, c);
#endif
}
// Returns a b − c d; the second product is rounded separately.
template <class Vec>
HWY_INLINE Vec Det2(Vec a, Vec b, Vec c, Vec d) {
#if HWY_TARGET == HWY_SCALAR
  return Vec(std::fma(a.raw, b.raw, -(c.raw * d.raw)));
#else
  return hn::MulSub(a, b, hn::Mul(c, d));
#endif
}
template <class Vec>
HWY_INLINE Vec Sum3(Vec x, Vec y, Vec z, Vec ax, Vec ay, Vec az) {  // ax x + ay y + az z
  return Fma(az, z, Fma(ay, y, hn::Mul(ax, x)));
}
template <class Vec>
HWY_INLINE Vec Sum4(Vec x, Vec y, Vec z, Vec ax, Vec ay, Vec az, Vec shift) {
  return Fma(az, z, Fma(ay, y, Fma(ax, x, shift)));
}

// Bounds the rounding of a coordinate that is moved to another frame, as a share of `reach`: the
// matrix product, the conversions and the frames' small deviation from orthonormality cost less
// than 24 half-ulps of single precision, and the sums of centres and half widths a few more.
constexpr float kFrameError = 4e-6f;

// A square that overflows must remain a lower bound, also if it is scaled down later.
constexpr float kMostSquared = 1e38f;

using D4 = hn::CappedTag<float, 4>;
using V4 = hn::Vec<D4>;

HWY_INLINE V4 Load4(const float* from, std::size_t l) { return hn::LoadU(D4(), from + l); }

// Returns a mask as a number, one bit for each lane.
template <class Tag>
HWY_INLINE std::uint32_t Bits(Tag d, hn::Mask<Tag> mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return hn::MaxLanes(d) > 8 ? bits[0] | std::uint32_t{bits[1]} << 8 : bits[0];
}
// Returns the mask with each bit at the number of its pair in this row; the vector's first lane is
// number `lane`.
HWY_INLINE std::uint64_t Bits(hn::Mask<D> mask, int row, std::size_t lane) {
  return static_cast<std::uint64_t>(Bits(D(), mask))
         << (static_cast<std::size_t>(kWidth * row) + lane);
}

HWY_INLINE V Dot3(const V (&a)[3], const V (&b)[3]) {
  return Sum3(b[0], b[1], b[2], a[0], a[1], a[2]);
}

// Returns the larger of both, and x if x is NaN.
HWY_INLINE V AtLeast(V x, V least) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return hn::Max(least, x);  // one instruction, which returns the second operand if one is NaN
#else
  return hn::IfThenElse(hn::Lt(x, least), least, x);
#endif
}
HWY_INLINE V Length3(V x, V y, V z) { return hn::Sqrt(Sum3(x, y, z, x, y, z)); }

using DI = hn::RebindToSigned<D>;
using VI = hn::Vec<DI>;

// hn::Iota goes through memory, number by number.
alignas(64) constexpr std::int32_t kLanes[kWidth] = {0, 1, 2, 3, 4, 5, 6, 7};

// For a vector that holds lanes l, l + 1, ... of eight: which of them have a number below `count`.
HWY_INLINE hn::Mask<D> LanesBelow(int count, std::size_t l) {
  const DI d;
  return hn::RebindMask(D(), hn::Lt(hn::Load(d, kLanes + l), hn::Set(d, count)));
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
