// SPDX-License-Identifier: Apache-2.0
// For the builder: bounds of points along axes, and the axes with the least bounds.
#if defined(TOUCHE_BVH_KERNELS_BUILD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_BUILD_INL_H_
#undef TOUCHE_BVH_KERNELS_BUILD_INL_H_
#else
#define TOUCHE_BVH_KERNELS_BUILD_INL_H_
#endif

#include <algorithm>

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

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

// Cosines and sines of multiples of an eighth of a right angle.
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
  // Rotate the axes with vector operations. In plain code, which has a sum beside a difference
  // here, GCC 12 makes a fused instruction despite -ffp-contract.
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

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
