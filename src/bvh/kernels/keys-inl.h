// SPDX-License-Identifier: Apache-2.0
// Keys of pairs, which order the waiting pairs.
#if defined(TOUCHE_BVH_KERNELS_KEYS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_KEYS_INL_H_
#undef TOUCHE_BVH_KERNELS_KEYS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_KEYS_INL_H_
#endif

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

HWY_INLINE void ClearKeys(PairKeys& keys) {
  const DI d;
  for (std::size_t n = 0; n < kWidth * kWidth; n += hn::Lanes(d))
    hn::Store(hn::Set(d, PairKeys::kNone), d, keys.key + n);
}

// Sets the keys of a row in lanes l, l + 1, ...: made of `value` >= 0 for the pairs that stay, and
// kNone for the others. Returns them.
HWY_INLINE VI SetKeys(V value, hn::Mask<D> stays, int row, std::size_t l, PairKeys& keys) {
  const DI d;
  const VI number = hn::Or(hn::Load(d, kLanes + l), hn::Set(d, kWidth * row));
  const VI none = hn::Set(d, PairKeys::kNone);
  const VI bits = hn::And(hn::BitCast(d, value), hn::Set(d, ~PairKeys::kNumber));
  const VI key = hn::IfThenElse(hn::RebindMask(d, stays), hn::Or(bits, number), none);
  hn::Store(key, d, keys.key + kWidth * row + l);
  return key;
}

HWY_INLINE std::int32_t LeastOf(VI keys) {
  const DI d;
  return hn::GetLane(hn::MinOfLanes(d, keys));
}

std::int32_t Next(const PairKeys& keys, std::int32_t last) {
  // Take the least of key − (last + 1) as unsigned numbers: for keys up to `last` the difference is
  // negative, so it wraps to the largest numbers.
  const hn::RebindToUnsigned<D> d;
  const std::uint32_t first = static_cast<std::uint32_t>(last) + 1;
  const auto down = hn::Set(d, 0u - first);
  const auto* key = reinterpret_cast<const std::uint32_t*>(keys.key);
  auto least = hn::Set(d, static_cast<std::uint32_t>(PairKeys::kNone) - first);
  for (std::size_t n = 0; n < kWidth * kWidth; n += hn::Lanes(d))
    least = hn::Min(least, hn::Add(down, hn::Load(d, key + n)));
  return static_cast<std::int32_t>(first + hn::GetLane(hn::MinOfLanes(d, least)));
}

// Eight keys in each lane, to be sorted.
struct Eights {
  VI k0, k1, k2, k3, k4, k5, k6, k7;

  HWY_INLINE explicit Eights(const std::int32_t* from) {
    const DI d;
    k0 = hn::Load(d, from), k1 = hn::Load(d, from + 8), k2 = hn::Load(d, from + 16);
    k3 = hn::Load(d, from + 24), k4 = hn::Load(d, from + 32), k5 = hn::Load(d, from + 40);
    k6 = hn::Load(d, from + 48), k7 = hn::Load(d, from + 56);
  }

  static HWY_INLINE void InOrder(VI& x, VI& y) {
    const VI less = hn::Min(x, y);
    y = hn::Max(x, y);
    x = less;
  }

  // Sorts the eight keys of each lane, by a sorting network of 19 exchanges.
  HWY_INLINE void Sort() {
    InOrder(k0, k2), InOrder(k1, k3), InOrder(k4, k6), InOrder(k5, k7);
    InOrder(k0, k4), InOrder(k1, k5), InOrder(k2, k6), InOrder(k3, k7);
    InOrder(k0, k1), InOrder(k2, k3), InOrder(k4, k5), InOrder(k6, k7);
    InOrder(k2, k4), InOrder(k3, k5), InOrder(k1, k4), InOrder(k3, k6);
    InOrder(k1, k2), InOrder(k3, k4), InOrder(k5, k6);
  }

  // Keeps the least eight of these keys and of others, both in ascending order. These are the
  // minima of key i here and key 7 − i there, for each i. They form a bitonic sequence, so three
  // rounds of exchanges sort them.
  template <class Other>
  HWY_INLINE void Merge(const Eights& x, const Other& other) {
    const VI m0 = hn::Min(k0, other(x.k7)), m1 = hn::Min(k1, other(x.k6));
    const VI m2 = hn::Min(k2, other(x.k5)), m3 = hn::Min(k3, other(x.k4));
    const VI m4 = hn::Min(k4, other(x.k3)), m5 = hn::Min(k5, other(x.k2));
    const VI m6 = hn::Min(k6, other(x.k1)), m7 = hn::Min(k7, other(x.k0));
    k0 = m0, k1 = m1, k2 = m2, k3 = m3, k4 = m4, k5 = m5, k6 = m6, k7 = m7;
    InOrder(k0, k4), InOrder(k1, k5), InOrder(k2, k6), InOrder(k3, k7);
    InOrder(k0, k2), InOrder(k1, k3), InOrder(k4, k6), InOrder(k5, k7);
    InOrder(k0, k1), InOrder(k2, k3), InOrder(k4, k5), InOrder(k6, k7);
  }
};

void FirstKeys(const PairKeys& keys, std::int32_t* out) {
  const DI d;
  Eights first(keys.key);
  first.Sort();
  for (std::size_t l = hn::Lanes(d); l < kWidth; l += hn::Lanes(d)) {
    Eights more(keys.key + l);
    more.Sort();
    first.Merge(more, [](VI k) HWY_ATTR { return k; });
  }
  // Merge lanes with one another, until each holds the least eight of all.
  if constexpr (hn::MaxLanes(DI()) >= 2)
    first.Merge(first, [](VI k) HWY_ATTR { return hn::Reverse2(DI(), k); });
  if constexpr (hn::MaxLanes(DI()) >= 4)
    first.Merge(first, [](VI k) HWY_ATTR { return hn::Reverse4(DI(), k); });
  if constexpr (hn::MaxLanes(DI()) >= 8)
    first.Merge(first, [](VI k) HWY_ATTR { return hn::Reverse8(DI(), k); });
  out[0] = hn::GetLane(first.k0), out[1] = hn::GetLane(first.k1);
  out[2] = hn::GetLane(first.k2), out[3] = hn::GetLane(first.k3);
  out[4] = hn::GetLane(first.k4), out[5] = hn::GetLane(first.k5);
  out[6] = hn::GetLane(first.k6), out[7] = hn::GetLane(first.k7);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
