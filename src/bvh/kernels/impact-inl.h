// SPDX-License-Identifier: Apache-2.0
// When pairs of children of two moving nodes may touch.
#if defined(TOUCHE_BVH_KERNELS_IMPACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#undef TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#else
#define TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#endif

#include <algorithm>
#include <utility>

#include "bvh/kernels/gliding-inl.h"
#include "bvh/kernels/keys-inl.h"
#include "bvh/kernels/turning-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

// Of pairs of a closed leaf's triangles and a node's children: for each child the least key counts,
// as that of row or lane 0.
HWY_NOINLINE std::int32_t KeysOfClosed(bool rows_are_triangles, PairKeys& keys) {
  std::int32_t first = PairKeys::kNone;
  for (int child = 0; child < kWidth; ++child) {
    std::int32_t least = PairKeys::kNone;
    for (int i = 0; i < kWidth; ++i) {
      std::int32_t& key = keys.key[rows_are_triangles ? kWidth * i + child : kWidth * child + i];
      least = std::min(least, std::exchange(key, PairKeys::kNone));
    }
    if (least == PairKeys::kNone) continue;
    const int pair = rows_are_triangles ? child : kWidth * child;
    keys.key[pair] = (least & ~PairKeys::kNumber) | pair;
    first = std::min(first, keys.key[pair]);
  }
  return first;
}

template <class Rates, bool triangles>
HWY_NOINLINE std::int32_t ImpactOf(const Side& a, const Side& b, const Frame& frame_a,
                                   const Frame& frame_b, const PairFrame& f,
                                   const PairVelocityBounds& velocities, float limit,
                                   PairKeys& keys) {
  HWY_ALIGN Boxes8 storage_a, storage_b, b_moved, a_moved;
  HWY_ALIGN TriangleSides t;
  const PairBoxes boxes{Own(a, storage_a), Own(b, storage_b), b_moved, a_moved};
  Moved(b, WholeMap{f.to_a}, b_moved, t.b_in_a);
  Moved(a, WholeMap{f.to_b}, a_moved, t.a_in_b);
  if constexpr (triangles) {
    t.a_own = a.corner;
    t.b_own = b.corner;
    MakeNormals(a.corner, t.normals_a);
    MakeNormals(b.corner, t.normals_b);
    t.error_a = 2 * f.error_a - velocities.clearance_a;
    t.error_b = 2 * f.error_b - velocities.clearance_b;
  }
  HWY_ALIGN const Rates rates(boxes, triangles ? &t : nullptr, frame_a, frame_b, f, velocities,
                              limit);

  const D d;
  const V down = hn::Set(d, 1.0f - 1e-5f), until = hn::Set(d, limit);
  ClearKeys(keys);
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (int i = 0; i < a.count; ++i)
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      ClosingGap last = rates.OfBoxes(i, l);
      auto wanted = hn::AndNot(OpenBeyond(last, limit), LanesBelow(b.count, l));
      if constexpr (triangles) {
        if (hn::AllFalse(d, wanted)) continue;
        last = Last(last, rates.OfNormals(t, i, l));
        wanted = hn::AndNot(OpenBeyond(last, limit), wanted);
      }
      const V best = hn::Mul(down, rates.Until(last, i, l));
      const auto soon = hn::And(wanted, hn::Le(best, until));
      least = hn::Min(least, SetKeys(best, soon, i, l, keys));
    }
  if constexpr (!triangles)
    if (a.corner != nullptr || b.corner != nullptr) return KeysOfClosed(a.corner != nullptr, keys);
  return LeastOf(least);
}

std::int32_t Impact(const Side& a, const Side& b, const Frame& frame_a, const Frame& frame_b,
                    const PairFrame& f, const PairVelocityBounds& velocities, float limit,
                    PairKeys& keys) {
  const bool triangles = a.corner != nullptr && b.corner != nullptr;
  const auto of =
      velocities.in_a.gliding
          ? (triangles ? ImpactOf<GlidingChildren, true> : ImpactOf<GlidingChildren, false>)
          : (triangles ? ImpactOf<TurningChildren, true> : ImpactOf<TurningChildren, false>);
  return of(a, b, frame_a, frame_b, f, velocities, limit, keys);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
