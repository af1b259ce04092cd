// SPDX-License-Identifier: Apache-2.0
// Computes when the gap between two moving bodies closes, and which of several gaps closes last.
#if defined(TOUCHE_BVH_KERNELS_CLOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_CLOSE_INL_H_
#undef TOUCHE_BVH_KERNELS_CLOSE_INL_H_
#else
#define TOUCHE_BVH_KERNELS_CLOSE_INL_H_
#endif

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// The validity of a time bound: from the instant of the test on, or equally long before and after
// it.
enum class Times { after, around };

// Returns the rate at which a gap closes, given the speed along an axis and the sign of the
// direction to the other body. Around an instant the absolute speed counts.
template <Times times>
HWY_INLINE V ClosingRate(V speed, V apart) {
  if constexpr (times == Times::around) return hn::Abs(speed);
  return hn::Xor(speed, hn::And(apart, hn::Set(D(), -0.0f)));
}

// Returns the least dt with gap = s dt + k dt² / 2, or 0 if the gap is not positive.
HWY_INLINE V TimeToClose(V gap, V s, V k) {
  const D d;
  const V two_gap = hn::Add(gap, gap);
  const V square = Fma(s, s, hn::Mul(k, two_gap));
  const V q = hn::Add(hn::Abs(s), hn::Sqrt(square));
  const auto receding = hn::Lt(s, hn::Zero(d));
  const V dt = hn::Div(hn::IfThenElse(receding, q, two_gap), hn::IfThenElse(receding, k, q));
  // A square that overflows, or is NaN because of that, proves nothing.
  const auto proved = hn::And(hn::Gt(gap, hn::Zero(d)), hn::Lt(square, hn::Set(d, 1e38f)));
  return hn::IfThenElseZero(proved, dt);
}

// A gap along some axis, negative if the boxes overlap there, and a positive bound of its mean rate
// of closing until the limit. A NaN rate stays NaN, and proves nothing.
struct ClosingGap {
  V gap, rate;

  HWY_INLINE ClosingGap(V gap_now, V mean_rate)
      : gap(gap_now), rate(AtLeast(mean_rate, hn::Set(D(), 1e-30f))) {}
};

// Returns the gap that would close last at its mean rate. Roots and divisions are expensive, so the
// time is computed for this one only. Whichever is chosen, the time until it closes is proved.
HWY_INLINE ClosingGap Last(const ClosingGap& x, const ClosingGap& y) {
  const auto later = hn::Lt(hn::Mul(y.rate, x.gap), hn::Mul(x.rate, y.gap));
  ClosingGap last = x;
  last.gap = hn::IfThenElse(later, y.gap, x.gap);
  last.rate = hn::IfThenElse(later, y.rate, x.rate);
  return last;
}

// True if the gap stays open until the limit, with a margin for rounding.
HWY_INLINE hn::Mask<D> OpenBeyond(const ClosingGap& x, float limit) {
  return hn::Gt(x.gap, hn::Mul(x.rate, hn::Set(D(), (1 + 1e-4f) * limit)));
}

// Returns a lower bound of the time until a gap closes that closes before the limit. Its rate
// includes `speed_gain`, the mean increase of the rate by the acceleration until the limit.
HWY_INLINE V TimeOf(const ClosingGap& x, V acceleration, V speed_gain) {
  const V rounding = hn::Mul(hn::Set(D(), 1e-6f), hn::Add(x.rate, speed_gain));
  return TimeToClose(x.gap, hn::Add(hn::Sub(x.rate, speed_gain), rounding), acceleration);
}

// The same for a constant rate.
HWY_INLINE V TimeOfSteady(const ClosingGap& x) {
  const D d;
  // A square that overflows, or is NaN because of that, proves nothing.
  const auto proved = hn::And(hn::Gt(x.gap, hn::Zero(d)), hn::Lt(x.rate, hn::Set(d, 1e19f)));
  return hn::IfThenElseZero(proved, hn::Div(x.gap, hn::Mul(hn::Set(d, 1.0f + 1e-6f), x.rate)));
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
