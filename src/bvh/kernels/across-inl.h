// SPDX-License-Identifier: Apache-2.0
// Tests along the cross product of the long axes of two nodes: hardly any other axis separates long
// thin nodes that pass each other.
#if defined(TOUCHE_BVH_KERNELS_ACROSS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_ACROSS_INL_H_
#undef TOUCHE_BVH_KERNELS_ACROSS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_ACROSS_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
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

  // Along the product, an error e of each coordinate moves a point by less than 1.5 e, and the
  // rounding of sums is far smaller.
  static HWY_INLINE float Slack(float error) { return 3 * error; }
};

// The children's boxes of two long nodes, projected on that axis.
class BoxesAcross {
 public:
  template <class Map>
  HWY_INLINE BoxesAcross(const Boxes8& a, const Boxes8& b, int long_a, int long_b, const Map& to_a,
                         float inverse_ratio, float error) {
    const D d;
    const AcrossAxis across(long_a, long_b, to_a, inverse_ratio);
    const auto along = [&](const auto& x) HWY_ATTR {
      return across.component[0] * x(across.axis[0]) + across.component[1] * x(across.axis[1]);
    };
    // The axis is orthogonal to b's long axis, too, so only b's other two axes contribute.
    const int axis_b[2] = {(long_b + 1) % 3, (long_b + 2) % 3};
    float of_b[2];
    for (int n = 0; n < 2; ++n)
      of_b[n] = along([&](int k) HWY_ATTR { return to_a.column(axis_b[n], k); });
    const float shift = along([&](int k) HWY_ATTR { return to_a.shift(k); });
    const auto project = [&](const Boxes8& boxes, const int(&axis)[2], const float(&of)[2],
                             float start, float more, float* centre, float* half) HWY_ATTR {
      const V u = hn::Set(d, of[0]), v = hn::Set(d, of[1]);
      for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
        const V c = Fma(u, hn::LoadU(d, boxes.centre[axis[0]] + l), hn::Set(d, start));
        hn::StoreU(Fma(v, hn::LoadU(d, boxes.centre[axis[1]] + l), c), d, centre + l);
        const V h = Fma(hn::Abs(u), hn::LoadU(d, boxes.half[axis[0]] + l), hn::Set(d, more));
        hn::StoreU(Fma(hn::Abs(v), hn::LoadU(d, boxes.half[axis[1]] + l), h), d, half + l);
      }
    };
    project(a, across.axis, across.component, 0, AcrossAxis::Slack(error), centre_a_, half_a_);
    project(b, axis_b, of_b, shift, 0, centre_b_, half_b_);
  }

  // The sum of the half widths of the box of row `row` of a and of b's lanes l, l + 1, ..., and
  // their overlap along the axis; negative if they are apart.
  HWY_INLINE V Size(int row, std::size_t l) const {
    return hn::Add(hn::Set(D(), half_a_[row]), hn::LoadU(D(), half_b_ + l));
  }
  HWY_INLINE V Shared(int row, std::size_t l, V size) const {
    const V apart = hn::Sub(hn::Set(D(), centre_a_[row]), hn::LoadU(D(), centre_b_ + l));
    return hn::Sub(size, hn::Abs(apart));
  }

 private:
  HWY_ALIGN float centre_a_[kWidth], half_a_[kWidth], centre_b_[kWidth], half_b_[kWidth];
};

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
