// SPDX-License-Identifier: Apache-2.0
// Eight triangles' normals as separating axes.
#if defined(TOUCHE_BVH_KERNELS_NORMALS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_NORMALS_INL_H_
#undef TOUCHE_BVH_KERNELS_NORMALS_INL_H_
#else
#define TOUCHE_BVH_KERNELS_NORMALS_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Eight triangles' normals as axes, and the extents of the triangles along their own normals.
struct Normals {
  float normal[3][kWidth];
  float offset_min[kWidth], offset_max[kWidth];
};

HWY_INLINE void MakeNormals(const float (*corner)[3][kWidth], Normals& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V c[3][3], e[3], f[3], n[3];
    for (int v = 0; v < 3; ++v)
      for (int k = 0; k < 3; ++k) c[v][k] = hn::LoadU(d, corner[v][k] + l);
    for (int k = 0; k < 3; ++k) {
      e[k] = hn::Sub(c[1][k], c[0][k]);
      f[k] = hn::Sub(c[2][k], c[0][k]);
    }
    V length2 = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, o = (k + 2) % 3;
      n[k] = hn::Sub(hn::Mul(e[m], f[o]), hn::Mul(e[o], f[m]));
      length2 = hn::Add(length2, hn::Mul(n[k], n[k]));
    }
    // A triangle too small or thin to have a normal gets no axis: a zero normal proves nothing.
    const V inverse = hn::IfThenElseZero(hn::Gt(length2, hn::Set(d, 1e-30f)),
                                         hn::Div(hn::Set(d, 1.0f), hn::Sqrt(length2)));
    for (int k = 0; k < 3; ++k) {
      n[k] = hn::Mul(n[k], inverse);
      hn::StoreU(n[k], d, out.normal[k] + l);
    }
    const V p = Dot3(n, c[0]), q = Dot3(n, c[1]), r = Dot3(n, c[2]);
    hn::StoreU(hn::Min(hn::Min(p, q), r), d, out.offset_min + l);
    hn::StoreU(hn::Max(hn::Max(p, q), r), d, out.offset_max + l);
  }
}

template <class At>
HWY_INLINE void LoadCorners(const float (*corner)[3][kWidth], const At& at, V (&c)[3][3]) {
  for (int v = 0; v < 3; ++v)
    for (int k = 0; k < 3; ++k) c[v][k] = at(corner[v][k]);
}

// The gap along a normal between a triangle with corners c and the normal's own triangle.
struct NormalGap {
  V gap;
  hn::Mask<D> is_above;

  template <class At>
  HWY_INLINE NormalGap(const Normals& normals, const At& at, const V (&c)[3][3]) {
    V n[3];
    for (int k = 0; k < 3; ++k) n[k] = at(normals.normal[k]);
    const V p = Dot3(n, c[0]), q = Dot3(n, c[1]), r = Dot3(n, c[2]);
    const V above = hn::Sub(hn::Min(hn::Min(p, q), r), at(normals.offset_max));
    const V below = hn::Sub(at(normals.offset_min), hn::Max(hn::Max(p, q), r));
    is_above = hn::Gt(above, below);
    gap = hn::Max(above, below);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
