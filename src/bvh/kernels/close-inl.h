// SPDX-License-Identifier: Apache-2.0
// When a gap closes.
#if defined(TOUCHE_BVH_KERNELS_CLOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_CLOSE_INL_H_
#undef TOUCHE_BVH_KERNELS_CLOSE_INL_H_
#else
#define TOUCHE_BVH_KERNELS_CLOSE_INL_H_
#endif

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

// Least dt with gap = s dt + k dt² / 2; 0 where there is no gap.
template <class Tag>
HWY_INLINE hn::Vec<Tag> TimeToClose(Tag d, hn::Vec<Tag> gap, hn::Vec<Tag> s, hn::Vec<Tag> k) {
  using Vec = hn::Vec<Tag>;
  const Vec two_gap = hn::Add(gap, gap);
  const Vec square = hn::Add(hn::Mul(s, s), hn::Mul(k, two_gap));
  const Vec q = hn::Add(hn::Abs(s), hn::Sqrt(square));
  const auto receding = hn::Lt(s, hn::Zero(d));
  const Vec dt = hn::Div(hn::IfThenElse(receding, q, two_gap), hn::IfThenElse(receding, k, q));
  // What overflows, or is not a number because of that, proves nothing.
  const auto proved = hn::And(hn::Gt(gap, hn::Zero(d)), hn::Lt(square, hn::Set(d, 1e38f)));
  return hn::IfThenElseZero(proved, dt);
}

// A gap along some axis and the rate at which it will close in a while; 0 and 1 where there is
// none.
template <class Tag>
struct Closing {
  hn::Vec<Tag> gap, rate;

  HWY_INLINE Closing(hn::Vec<Tag> at, hn::Vec<Tag> later) {
    const Tag d;
    const auto open = hn::Gt(at, hn::Zero(d));
    gap = hn::IfThenElseZero(open, at);
    rate = hn::IfThenElse(open, later, hn::Set(d, 1.0f));
  }
};

// The one that would close last if rates stayed at that. Roots and divisions are dear: the time is
// computed for one axis only, and any axis proves what it proves.
template <class Tag>
HWY_INLINE Closing<Tag> Last(const Closing<Tag>& x, const Closing<Tag>& y) {
  const auto later = hn::Lt(hn::Mul(y.rate, x.gap), hn::Mul(x.rate, y.gap));
  Closing<Tag> last = x;
  last.gap = hn::IfThenElse(later, y.gap, x.gap);
  last.rate = hn::IfThenElse(later, y.rate, x.rate);
  return last;
}

// When it closes; `gained`: what its rate has been given for the while.
template <class Tag>
HWY_INLINE hn::Vec<Tag> TimeOf(const Closing<Tag>& x, hn::Vec<Tag> gain, hn::Vec<Tag> gained) {
  const Tag d;
  const auto rounding = hn::Mul(hn::Set(d, 3e-7f), hn::Add(hn::Abs(x.rate), gained));
  return TimeToClose(d, x.gap, hn::Add(hn::Sub(x.rate, gained), rounding), gain);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
