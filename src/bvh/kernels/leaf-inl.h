// SPDX-License-Identifier: Apache-2.0
// For the builder, eight triangles at a time: their sorting points, their moments, and their
// corners in the frame of a leaf.
#if defined(TOUCHE_BVH_KERNELS_LEAF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_LEAF_INL_H_
#undef TOUCHE_BVH_KERNELS_LEAF_INL_H_
#else
#define TOUCHE_BVH_KERNELS_LEAF_INL_H_
#endif

#include <algorithm>
#include <bit>

#include "bvh/kernels/vectors-inl.h"
#include "bvh/triangle_item.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

using Doubles = hn::CappedTag<double, kWidth>;
using VDoubles = hn::Vec<Doubles>;

// Corners of as many triangles as there are lanes, in local coordinates.
struct LocalCorners {
  VDoubles at[3][3];  // [corner][axis]

  HWY_INLINE LocalCorners(const LeafCorners& corners, const Normalization& normalization,
                          std::size_t l) {
    const Doubles d;
    const VDoubles scale = hn::Set(d, normalization.scale);
    for (int k = 0; k < 3; ++k) {
      const VDoubles centre = hn::Set(d, normalization.centre[k]);
      for (int v = 0; v < 3; ++v)
        at[v][k] = hn::Mul(hn::Sub(hn::LoadU(d, corners.corner[v][k] + l), centre), scale);
    }
  }
};

// Makes items, with the same results as sorting_point() and grid_box().
void MakeItems(const LeafCorners& corners, const Normalization& normalization, Index first,
               int count, TriangleItem* items) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  const hn::Rebind<std::int32_t, Doubles> di;
  HWY_ALIGN float points[3][kWidth];
  HWY_ALIGN std::int32_t below[3][kWidth], above[3][kWidth];
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const LocalCorners c(corners, normalization, l);
    const VDoubles(&p)[3][3] = c.at;
    const auto length2 = [&](int i, int j) HWY_ATTR {
      const VDoubles x = hn::Sub(p[j][0], p[i][0]), y = hn::Sub(p[j][1], p[i][1]),
                     z = hn::Sub(p[j][2], p[i][2]);
      return hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z));
    };
    const VDoubles ab = length2(0, 1), bc = length2(1, 2), ca = length2(2, 0);
    const auto is_ab = hn::And(hn::Ge(ab, bc), hn::Ge(ab, ca)), is_bc = hn::Ge(bc, ca);
    const VDoubles grid = hn::Set(d, 32767.0);
    for (int k = 0; k < 3; ++k) {
      const VDoubles middle = hn::IfThenElse(
          is_ab, hn::Add(p[0][k], p[1][k]),
          hn::IfThenElse(is_bc, hn::Add(p[1][k], p[2][k]), hn::Add(p[2][k], p[0][k])));
      hn::StoreU(hn::DemoteTo(df, middle), df, points[k] + l);
      const VDoubles lo = hn::Min(hn::Min(p[0][k], p[1][k]), p[2][k]),
                     hi = hn::Max(hn::Max(p[0][k], p[1][k]), p[2][k]);
      hn::StoreU(hn::DemoteTo(di, hn::Mul(grid, hn::Neg(lo))), di, below[k] + l);
      hn::StoreU(hn::DemoteTo(di, hn::Mul(grid, hi)), di, above[k] + l);
    }
  }
  for (int lane = 0; lane < count; ++lane) {
    TriangleItem& item = items[lane];
    int widest = 0;
    for (int k = 0; k < 3; ++k) {
      item.point[k] = points[k][lane];
      item.box.bound[k] = static_cast<std::int16_t>(below[k][lane]);
      item.box.bound[k + 4] = static_cast<std::int16_t>(above[k][lane]);
      widest = std::max(widest, below[k][lane] + above[k][lane]);
    }
    item.triangle = first + static_cast<Index>(lane);
    const int size = std::bit_width(static_cast<unsigned>(widest));
    item.box.bound[kLargest] = static_cast<std::int16_t>(size);
    item.box.bound[kSmallest] = static_cast<std::int16_t>(-size);
  }
}

// Moments of a triangle's area: Gottschalk, Lin, Manocha 1996, with the erratum's factor 1/12.
void MeasureLeaf(const LeafCorners& corners, const Normalization& normalization, int count,
                 float* x, float* y, float* z, double (&sums)[kMoments]) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  float* const rounded[3] = {x, y, z};
  HWY_ALIGN double moments[kMoments][kWidth];
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const LocalCorners c(corners, normalization, l);
    const VDoubles(&a)[3] = c.at[0], (&b)[3] = c.at[1], (&g)[3] = c.at[2];
    VDoubles e[3], f[3], sum[3];
    for (int k = 0; k < 3; ++k) {
      e[k] = hn::Sub(b[k], a[k]);
      f[k] = hn::Sub(g[k], a[k]);
      sum[k] = hn::Add(hn::Add(a[k], b[k]), g[k]);
      for (int v = 0; v < 3; ++v)
        hn::StoreU(hn::DemoteTo(df, c.at[v][k]), df, rounded[k] + kWidth * v + l);
    }
    const auto cross = [&](int i, int j)
                           HWY_ATTR { return hn::Sub(hn::Mul(e[i], f[j]), hn::Mul(e[j], f[i])); };
    const VDoubles nx = cross(1, 2), ny = cross(2, 0), nz = cross(0, 1);
    const VDoubles squares = hn::Add(hn::Add(hn::Mul(nx, nx), hn::Mul(ny, ny)), hn::Mul(nz, nz));
    const VDoubles areas = hn::Mul(hn::Set(d, 0.5), hn::Sqrt(squares));
    const VDoubles third = hn::Div(areas, hn::Set(d, 3.0)),
                   twelfth = hn::Div(areas, hn::Set(d, 12.0));
    hn::StoreU(areas, d, moments[0] + l);
    int n = 4;
    for (int i = 0; i < 3; ++i) {
      hn::StoreU(hn::Mul(third, sum[i]), d, moments[1 + i] + l);
      for (int j = i; j < 3; ++j) {
        const VDoubles products = hn::Add(
            hn::Add(hn::Add(hn::Mul(sum[i], sum[j]), hn::Mul(a[i], a[j])), hn::Mul(b[i], b[j])),
            hn::Mul(g[i], g[j]));
        hn::StoreU(hn::Mul(twelfth, products), d, moments[n++] + l);
      }
    }
  }
  // Sum them one after the other, whatever the number of lanes.
  for (int m = 0; m < kMoments; ++m) {
    double all = 0;
    for (int lane = 0; lane < count; ++lane) all += moments[m][lane];
    sums[m] = all;
  }
}

void PlaceCorners(const LeafCorners& corners, const Normalization& normalization,
                  const Frame& frame, float (*out)[3][kWidth], float (&lo)[3], float (&hi)[3]) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  using VFloats = hn::Vec<decltype(df)>;
  VFloats least[3], most[3];
  for (int k = 0; k < 3; ++k) {
    least[k] = hn::Set(df, 1e30f);
    most[k] = hn::Set(df, -1e30f);
  }
  const VFloats share = hn::Set(df, 2e-7f), tiny = hn::Set(df, 1e-30f);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const LocalCorners c(corners, normalization, l);
    for (int v = 0; v < 3; ++v) {
      VDoubles p[3];
      for (int k = 0; k < 3; ++k)
        p[k] = hn::Sub(c.at[v][k], hn::Set(d, static_cast<double>(frame.origin[k])));
      for (int k = 0; k < 3; ++k) {
        const auto along = [&](int j) HWY_ATTR {
          return hn::Mul(hn::Set(d, static_cast<double>(frame.axis(k, j))), p[j]);
        };
        const VDoubles exact = hn::Add(hn::Add(along(0), along(1)), along(2));
        const VFloats rounded = hn::DemoteTo(df, exact);
        hn::StoreU(rounded, df, out[v][k] + l);
        const VFloats slack = hn::Add(hn::Mul(share, hn::Abs(rounded)), tiny);
        least[k] = hn::Min(least[k], hn::Sub(rounded, slack));
        most[k] = hn::Max(most[k], hn::Add(rounded, slack));
      }
    }
  }
  for (int k = 0; k < 3; ++k) {
    lo[k] = hn::GetLane(hn::MinOfLanes(df, least[k]));
    hi[k] = hn::GetLane(hn::MaxOfLanes(df, most[k]));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
