// SPDX-License-Identifier: Apache-2.0
// Finds features of two triangles that may be locally closest within a margin: a filter before
// FeaturePairs, which decides in double precision.
#if defined(TOUCHE_BVH_KERNELS_FEATURES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_FEATURES_INL_H_
#undef TOUCHE_BVH_KERNELS_FEATURES_INL_H_
#else
#define TOUCHE_BVH_KERNELS_FEATURES_INL_H_
#endif

#include "bvh/kernels/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// One triangle per lane.
template <class Tag>
struct FeatureTriangle {
  using Vec = hn::Vec<Tag>;
  Point<Vec> corner[3], edge[3], normal;  // the normal is no longer than 1
  Vec length[3], per_length[3], area2;    // of edges; twice the area
  // Heights of its own corners above the plane through the first one: 0, except for triangles
  // without area, whose normals may have any direction.
  Vec lowest, highest;

  HWY_INLINE void PreparePlane(Tag d) {
    for (int k = 0; k < 3; ++k) edge[k] = Minus(corner[(k + 1) % 3], corner[k]);
    normal = Cross(edge[0], edge[1]);
    area2 = hn::Sqrt(Dot(normal, normal));
    const Vec per_area2 = hn::Div(hn::Set(d, 1.0f), hn::Max(area2, hn::Set(d, 1e-18f)));
    normal = {hn::Mul(normal.x, per_area2), hn::Mul(normal.y, per_area2),
              hn::Mul(normal.z, per_area2)};
    const Vec zero = hn::Zero(d), second = Dot(normal, edge[0]),
              third = hn::Neg(Dot(normal, edge[2]));
    lowest = hn::Min(zero, hn::Min(second, third));
    highest = hn::Max(zero, hn::Max(second, third));
  }
  // How far a height above the plane through the first corner is beyond all corners.
  HWY_INLINE Vec Above(Vec height) const {
    return hn::Max(hn::Sub(height, highest), hn::Sub(lowest, height));
  }
  HWY_INLINE void PrepareEdges(Tag d) {
    for (int k = 0; k < 3; ++k) {
      length[k] = hn::Max(hn::Sqrt(Dot(edge[k], edge[k])), hn::Set(d, 1e-18f));
      per_length[k] = hn::Div(hn::Set(d, 1.0f), length[k]);
    }
  }
};

// Errors. A gap along any direction no longer than 1, between the extents of both features along
// it, is a lower bound of a distance, off by less than E = 16 e + 4e-6 L, where e is the error of a
// coordinate (TriangleBatch::error) and L the largest difference of coordinates. That is twice the
// bound in MeasureLanes. The common normal n of two edges u and v is uncertain by an angle below
// 4 E max(|u|, |v|) / |n|, as are the directions across them in which they must overlap: over a
// distance of at most the margin.
template <class Tag>
class FeatureFilter {
 public:
  using Vec = hn::Vec<Tag>;
  using Mask = hn::Mask<Tag>;
  using Bits = hn::Vec<hn::RebindToSigned<Tag>>;

  HWY_INLINE FeatureFilter(Tag d, const TriangleBatch& batch, std::size_t at, float margin,
                           float lean)
      : d_(d), margin_(hn::Set(d, margin)), lean_(hn::Set(d, lean)) {
    const auto corner = [&](const float(*from)[3][TriangleBatch::kRoom], int v) HWY_ATTR {
      return Point<Vec>{hn::LoadU(d, from[v][0] + at), hn::LoadU(d, from[v][1] + at),
                        hn::LoadU(d, from[v][2] + at)};
    };
    const Vec zero = hn::Zero(d);
    const Point<Vec> origin = corner(batch.a, 0);
    size_ = zero;
    for (int k = 0; k < 3; ++k) {
      a_.corner[k] = Minus(corner(batch.a, k), origin);
      b_.corner[k] = Minus(corner(batch.b, k), origin);
      for (const Point<Vec>* p : {&a_.corner[k], &b_.corner[k]})
        size_ = hn::Max(size_, hn::Max(hn::Abs(p->x), hn::Max(hn::Abs(p->y), hn::Abs(p->z))));
    }
    // Differences of coordinates are up to twice as large.
    error_ =
        Fma(hn::Set(d, 16.0f), hn::LoadU(d, batch.error + at), hn::Mul(hn::Set(d, 8e-6f), size_));
    a_.PreparePlane(d);
    b_.PreparePlane(d);
    reach_ = hn::Add(margin_, error_);
  }

  // A bit for each feature pair that may count, see Kernels::near_features.
  HWY_INLINE Bits Find() {
    const hn::RebindToSigned<Tag> di;
    Bits found = hn::Zero(di);
    // Most triangles are too far from the plane of the other.
    const Heights heights_a = HeightsAbove(b_, a_), heights_b = HeightsAbove(a_, b_);
    const Mask apart = hn::Or(Beyond(b_, heights_a, reach_), Beyond(a_, heights_b, reach_));
    if (hn::AllTrue(d_, apart)) return found;
    a_.PrepareEdges(d_);
    b_.PrepareEdges(d_);
    Vertices(heights_a, a_, b_, 0, found);
    Vertices(heights_b, b_, a_, 3, found);
    Set(found, Not(hn::Or(Beyond(b_, heights_a, error_), Beyond(a_, heights_b, error_))), 15);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) Set(found, Edges(i, j), 6 + 3 * i + j);
    return hn::IfThenZeroElse(hn::RebindMask(di, apart), found);
  }

 private:
  // NaN is not excluded.
  HWY_INLINE Mask Not(Mask excluded) const { return hn::Not(excluded); }
  HWY_INLINE void Set(Bits& found, Mask mask, int bit) const {
    const hn::RebindToSigned<Tag> di;
    found = hn::Or(found, hn::IfThenElseZero(hn::RebindMask(di, mask), hn::Set(di, 1 << bit)));
  }

  // The heights of the corners of p above the plane through q's first corner.
  struct Heights {
    Vec corner[3];
  };
  HWY_INLINE Heights HeightsAbove(const FeatureTriangle<Tag>& q,
                                  const FeatureTriangle<Tag>& p) const {
    Heights heights;
    for (int k = 0; k < 3; ++k) heights.corner[k] = Dot(q.normal, Minus(p.corner[k], q.corner[0]));
    return heights;
  }
  // Whether all of these corners are on one side of all of q's, farther from them than `distance`.
  HWY_INLINE Mask Beyond(const FeatureTriangle<Tag>& q, const Heights& heights,
                         Vec distance) const {
    const auto& [h0, h1, h2] = heights.corner;
    const Vec least = hn::Min(h0, hn::Min(h1, h2)), most = hn::Max(h0, hn::Max(h1, h2));
    return hn::Or(hn::Gt(hn::Sub(least, q.highest), distance),
                  hn::Gt(hn::Sub(q.lowest, most), distance));
  }

  // Finds corners of p that may be within the margin of q.
  HWY_INLINE void Vertices(const Heights& heights, const FeatureTriangle<Tag>& p,
                           const FeatureTriangle<Tag>& q, int bit, Bits& found) const {
    // Across each edge, and how far the corner opposite to it is on the outer side, as it may be if
    // there is no area.
    Point<Vec> inward[3];
    Vec outside[3];
    for (int j = 0; j < 3; ++j) {
      const Point<Vec> across = Cross(q.normal, q.edge[j]);
      inward[j] = {hn::Mul(across.x, q.per_length[j]), hn::Mul(across.y, q.per_length[j]),
                   hn::Mul(across.z, q.per_length[j])};
      outside[j] = hn::Max(hn::Zero(d_), Dot(inward[j], q.edge[(j + 2) % 3]));
    }
    for (int k = 0; k < 3; ++k) {
      Vec gap = q.Above(heights.corner[k]);
      for (int j = 0; j < 3; ++j)
        gap = hn::Max(gap, hn::Sub(Dot(inward[j], Minus(q.corner[j], p.corner[k])), outside[j]));
      Set(found, Not(hn::Gt(gap, reach_)), bit + k);
    }
  }

  // Whether edges i of a and j of b may be closest at inner points of both, and lean little towards
  // each other, judged by these two triangles.
  HWY_INLINE Mask Edges(int i, int j) const {
    const Point<Vec>&u = a_.edge[i], &v = b_.edge[j];
    const Point<Vec> w = Minus(b_.corner[j], a_.corner[i]), n = Cross(u, v);
    const Vec n2 = Dot(n, n), length = hn::Max(hn::Sqrt(n2), hn::Set(d_, 1e-18f));
    const Vec per_length = hn::Div(hn::Set(d_, 1.0f), length);
    const Vec gap = hn::Mul(Dot(w, n), per_length);
    // If the edges are nearly parallel, n is not at right angles to them.
    const Vec along_n = hn::Mul(hn::Add(hn::Abs(Dot(u, n)), hn::Abs(Dot(v, n))), per_length);
    Mask excluded = hn::Gt(hn::Abs(gap), hn::Add(reach_, along_n));

    const Vec longer = hn::Max(a_.length[i], b_.length[j]);
    const Vec angle = hn::Min(hn::Set(d_, 1.0f), hn::Mul(hn::Mul(hn::Set(d_, 4.0f), error_),
                                                         hn::Mul(longer, per_length)));
    const Vec slack = hn::Mul(Fma(margin_, angle, error_), length);
    const auto outside = [&](Vec along, Vec across) HWY_ATTR {
      const Vec allowed = hn::Mul(slack, across);
      return hn::Or(hn::Lt(along, hn::Neg(allowed)), hn::Gt(hn::Sub(along, n2), allowed));
    };
    excluded = hn::Or(excluded, outside(Dot(Cross(w, u), n), a_.length[i]));
    excluded = hn::Or(excluded, outside(Dot(Cross(w, v), n), b_.length[j]));

    // The direction from a to b, which is uncertain if they nearly touch.
    const Vec way = hn::CopySign(per_length, gap);
    // Corners are up to 2 √3 `size_` apart.
    const Vec uncertain = Fma(hn::Mul(hn::Set(d_, 4.0f), size_), angle, error_);
    const auto leans = [&](const FeatureTriangle<Tag>& p, int k, Vec sign) HWY_ATTR {
      const Vec rise = hn::Mul(sign, Dot(n, Minus(p.corner[(k + 2) % 3], p.corner[k])));
      const Vec height = Fma(p.area2, p.per_length[k], error_);
      return hn::Gt(rise, Fma(lean_, height, uncertain));
    };
    const Mask leaning = hn::Or(leans(a_, i, way), leans(b_, j, hn::Neg(way)));
    excluded = hn::Or(excluded, hn::And(leaning, hn::Gt(hn::Abs(gap), error_)));
    return Not(excluded);
  }

  const Tag d_;
  FeatureTriangle<Tag> a_, b_;
  Vec margin_, lean_, size_, error_, reach_;
};

std::uint32_t NearFeatures(TriangleBatch& batch, int count, float margin, float lean,
                           std::int32_t* features) {
  batch.count -= count;
  const auto at = static_cast<std::size_t>(batch.count);
  std::uint32_t any = 0;
  const auto find = [&](auto d, std::size_t lanes) HWY_ATTR {
    using Tag = decltype(d);
    const hn::RebindToSigned<Tag> di;
    for (std::size_t l = 0; l < lanes; l += hn::Lanes(d)) {
      const auto found = FeatureFilter<Tag>(d, batch, at + l, margin, lean).Find();
      hn::StoreU(found, di, features + l);
    }
  };
  if (count > kWidth)
    find(W(), kBatch);
  else  // pairs were written in vectors of eight: a wider one may reach beyond them
    find(D(), kWidth);
  for (int n = 0; n < count; ++n) any |= static_cast<std::uint32_t>(features[n] != 0) << n;
  return any;
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
