// SPDX-License-Identifier: Apache-2.0
// The cross product of the long axes of two nodes: what is long and thin and passes the other is
// apart along hardly any other axis.
#if defined(TOUCHE_BVH_KERNELS_ACROSS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_ACROSS_INL_H_
#undef TOUCHE_BVH_KERNELS_ACROSS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_ACROSS_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

HWY_INLINE int LongestAxis(const Box& box) {
  const float x = box.half[0], y = box.half[1], z = box.half[2];
  return x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
}

// The cross product in a's frame, no longer than one. It has no component along a's long axis.
struct AcrossAxis {
  int axis[2];  // of a
  float component[2];

  // `inverse_ratio`: one local unit of a in units of b.
  template <class Map>
  HWY_INLINE AcrossAxis(int long_a, int long_b, const Map& to_a, float inverse_ratio) {
    for (int n = 0; n < 2; ++n) {
      axis[n] = (long_a + 1 + n) % 3;
      const float other = inverse_ratio * to_a.column(long_b, (long_a + 2 - n) % 3);
      component[n] = n == 0 ? -other : other;
    }
  }

  // Along the product, an error e of each coordinate moves a point by less than 1.5 e, and sums
  // round it by far less.
  static HWY_INLINE float Slack(float error) { return 3 * error; }
};

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
