// SPDX-License-Identifier: Apache-2.0
// Keys of pairs, which order what waits.
#if defined(TOUCHE_BVH_KERNELS_KEYS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_KEYS_INL_H_
#undef TOUCHE_BVH_KERNELS_KEYS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_KEYS_INL_H_
#endif

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

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

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
