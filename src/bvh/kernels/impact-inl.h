// SPDX-License-Identifier: Apache-2.0
// Bounds of the times until children of two moving nodes may touch.
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
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Converts the keys of a closed leaf's triangles into keys of the leaf: for each child the least
// one counts, stored in row or lane 0.
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

// Selects what the kernel tests on either side: boxes or a leaf's triangles.
enum class Sides { boxes, closed_a, closed_b, triangles };

template <class Rates, Sides sides>
HWY_NOINLINE std::int32_t ImpactOf(const NodeContents& a, const NodeContents& b,
                                   const Frame& frame_a, const Frame& frame_b, const PairFrame& f,
                                   const PairVelocityBounds& velocities, float limit,
                                   PairKeys& keys) {
  HWY_ALIGN Boxes8 storage_a, storage_b, b_moved, a_moved;
  HWY_ALIGN TriangleSides t;
  const PairBoxes boxes{Own(a, storage_a), Own(b, storage_b), b_moved, a_moved};
  Moved(b, WholeMap{f.to_a}, b_moved, t.b_in_a);
  Moved(a, WholeMap{f.to_b}, a_moved, t.a_in_b);
  HWY_ALIGN Rates rates(boxes, frame_a, frame_b, f, velocities, limit);
  const auto judge = [&](const auto& also) HWY_ATTR {
    const D d;
    const V down = hn::Set(d, 1.0f - 1e-5f), until = hn::Set(d, limit);
    ClearKeys(keys);
    VI least = hn::Set(DI(), PairKeys::kNone);
    for (int i = 0; i < a.count; ++i)
      for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
        ClosingGap last = rates.OfBoxes(i, l);
        auto wanted = hn::AndNot(OpenBeyond(last, limit), LanesBelow(b.count, l));
        if constexpr (sides != Sides::boxes) {
          if (hn::AllFalse(d, wanted)) continue;
          last = Last(last, also(i, l));
          wanted = hn::AndNot(OpenBeyond(last, limit), wanted);
        }
        const V best = hn::Mul(down, rates.Until(last, i, l));
        const auto soon = hn::And(wanted, hn::Le(best, until));
        least = hn::Min(least, SetKeys(best, soon, i, l, keys));
      }
    return least;
  };
  if constexpr (sides == Sides::boxes) {
    return LeastOf(judge(0));
  } else if constexpr (sides == Sides::triangles) {
    t.a_own = a.corner;
    t.b_own = b.corner;
    MakeNormals(a.corner, t.normals_a);
    MakeNormals(b.corner, t.normals_b);
    t.error_a = 2 * f.error_a - velocities.clearance_a;
    t.error_b = 2 * f.error_b - velocities.clearance_b;
    rates.Add(t);
    return LeastOf(judge([&](int i, std::size_t l) HWY_ATTR { return rates.OfNormals(t, i, l); }));
  } else if constexpr (sides == Sides::closed_a) {
    HWY_ALIGN const LeafNormals leaf(a.corner, f.to_a, *b.boxes, b_moved, f.error_a,
                                     velocities.clearance_a);
    rates.AddClosedA(leaf);
    judge([&](int i, std::size_t l) HWY_ATTR { return rates.OfClosedA(leaf, i, l); });
    return KeysOfClosed(true, keys);
  } else {
    HWY_ALIGN const LeafNormals leaf(b.corner, f.to_b, *a.boxes, a_moved, f.error_b,
                                     velocities.clearance_b);
    rates.AddClosedB(leaf);
    judge([&](int i, std::size_t l) HWY_ATTR { return rates.OfClosedB(leaf, i, l); });
    return KeysOfClosed(false, keys);
  }
}

template <Sides sides>
std::int32_t ImpactBetween(const NodeContents& a, const NodeContents& b, const Frame& frame_a,
                           const Frame& frame_b, const PairFrame& f,
                           const PairVelocityBounds& velocities, float limit, PairKeys& keys) {
  const auto of = velocities.in_a.gliding ? ImpactOf<GlidingChildren, sides>
                                          : ImpactOf<TurningChildren<>, sides>;
  return of(a, b, frame_a, frame_b, f, velocities, limit, keys);
}

// Calls between<sides>() for the kinds of a and b.
template <class Between>
HWY_INLINE std::int32_t BySides(const NodeContents& a, const NodeContents& b,
                                const Between& between) {
  const bool leaf_a = a.corner != nullptr, leaf_b = b.corner != nullptr;
  if (leaf_a && leaf_b) return between.template operator()<Sides::triangles>();
  if (leaf_a) return between.template operator()<Sides::closed_a>();
  if (leaf_b) return between.template operator()<Sides::closed_b>();
  return between.template operator()<Sides::boxes>();
}

std::int32_t Impact(const NodeContents& a, const NodeContents& b, const Frame& frame_a,
                    const Frame& frame_b, const PairFrame& f, const PairVelocityBounds& velocities,
                    float limit, PairKeys& keys) {
  return BySides(a, b, [&]<Sides sides>() HWY_ATTR {
    return ImpactBetween<sides>(a, b, frame_a, frame_b, f, velocities, limit, keys);
  });
}

std::int32_t ImpactAround(const NodeContents& a, const NodeContents& b, const Frame& frame_a,
                          const Frame& frame_b, const PairFrame& f,
                          const PairVelocityBounds& velocities, float limit, PairKeys& keys) {
  return BySides(a, b, [&]<Sides sides>() HWY_ATTR {
    return ImpactOf<TurningChildren<Times::around>, sides>(a, b, frame_a, frame_b, f, velocities,
                                                           limit, keys);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
