// SPDX-License-Identifier: Apache-2.0
// Tests a few large triangles against the nodes of a fine mesh. The triangles are transformed once,
// to the local coordinates of the mesh. Then each node costs a few dozen instructions for all of
// them, plus two dozen for its children and each triangle that reaches into the node.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/few_triangles_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include "bvh/kernels/normals-inl.h"
#include "query/few_triangles.h"

HWY_BEFORE_NAMESPACE();
namespace touche::query {
namespace HWY_NAMESPACE {
using namespace bvh::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace): vectors and their
                                     // arithmetic

// Moves a leaf's triangles and their normals to the other object's local coordinates, and bounds
// the error of a coordinate after the transformation to the frame of a node.
//
// Errors, with u = 2^-24: a coordinate y of the leaf is rounded, the frame's transpose replaces its
// inverse (6 u |y|), entries of the composed matrix are off by 5 u of the unit of length, and sums
// of four terms are rounded by 4 u of the summed terms. That is less than 26 u times unit · extent,
// plus 4 u |shift|. In the frame of a node, whose origin lies in the unit ball, it grows by √3 at
// most, and 9 u times the largest difference from the origin is added. So the sum is less than 61 u
// · unit · extent + 16 u |shift| + 9 u; twice kFrameError is 134 u.
void PlaceFew(const bvh::LocalMap& map, const bvh::BvhLeaf& leaf, int first, FewTriangles& few) {
  const D d;
  const bvh::Frame& f = leaf.bounds.frame;
  bvh::FrameMap m;
  float reach = map.ratio * leaf.bounds.extent() + 2;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j)
      m.columns[j][k] = map.rows[k][0] * f.axis(j, 0) + map.rows[k][1] * f.axis(j, 1) +
                        map.rows[k][2] * f.axis(j, 2);
    double shift = map.translation[k];
    for (int i = 0; i < 3; ++i) shift += map.columns[i][k] * static_cast<double>(f.origin[i]);
    m.shift[k] = static_cast<float>(shift);
    reach += std::abs(m.shift[k]);
  }
  const float error = 2 * kFrameError * reach + 1.0001f * map.error;
  few.error = few.error > error ? few.error : error;
  HWY_ALIGN float corner[3][3][bvh::kWidth];
  HWY_ALIGN Normals normals;
  MoveCorners(WholeMap{m}, leaf.corner, corner);
  MakeNormals(leaf.corner, normals);
  const auto at = static_cast<std::size_t>(first);
  const V per_unit = hn::Set(d, map.inverse_ratio);
  for (std::size_t l = 0; l < bvh::kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      for (int v = 0; v < 3; ++v)
        hn::StoreU(hn::LoadU(d, corner[v][k] + l), d, few.corner[v][k] + at + l);
      const V along = Sum3(hn::LoadU(d, normals.normal[0] + l), hn::LoadU(d, normals.normal[1] + l),
                           hn::LoadU(d, normals.normal[2] + l), hn::Set(d, m.columns[0][k]),
                           hn::Set(d, m.columns[1][k]), hn::Set(d, m.columns[2][k]));
      hn::StoreU(hn::Mul(per_unit, along), d, few.normal[k] + at + l);
    }
}

// The triangles in the frame of a node: their boxes and their extents along their normals.
struct FewInFrame {
  HWY_ALIGN float lo[3][FewTriangles::kMost];
  HWY_ALIGN float hi[3][FewTriangles::kMost];
  HWY_ALIGN float normal[3][FewTriangles::kMost];
  HWY_ALIGN float middle[FewTriangles::kMost];  // along the normal
  HWY_ALIGN float thick[FewTriangles::kMost];   // half the thickness, with the error
};

// The distances and half widths of boxes along the triangles' normals; t reads one value, like
// AtRow or AtLanes. Along a normal, which has nearly unit length, the errors of three coordinates
// and of the projections add up to less than three times one.
struct FewAlong {
  V apart, reach;  // along the normal

  template <class AtTriangle>
  HWY_INLINE FewAlong(const FewInFrame& few, const AtTriangle& t, const V (&centre)[3],
                      const V (&half)[3])
      : apart(hn::Neg(t(few.middle))), reach(t(few.thick)) {
    for (int k = 0; k < 3; ++k) {
      const V n = t(few.normal[k]);
      apart = Fma(n, centre[k], apart);
      reach = Fma(hn::Abs(n), half[k], reach);
    }
    apart = hn::Abs(apart);
  }
};

// Several boxes in the frame of their node.
struct FewBoxes {
  V centre[3], half[3], lo[3], hi[3];

  HWY_INLINE FewBoxes(const bvh::Boxes8& boxes, std::size_t l) {
    for (int k = 0; k < 3; ++k)
      Set(k, hn::LoadU(D(), boxes.centre[k] + l), hn::LoadU(D(), boxes.half[k] + l));
  }
  HWY_INLINE explicit FewBoxes(const bvh::Box& box) {
    for (int k = 0; k < 3; ++k) Set(k, hn::Set(D(), box.centre[k]), hn::Set(D(), box.half[k]));
  }

 private:
  HWY_INLINE void Set(int k, V c, V h) {
    centre[k] = c;
    half[k] = h;
    lo[k] = hn::Sub(c, h);
    hi[k] = hn::Add(c, h);
  }
};

// Accepts triangles that may intersect the box. Its value is smaller if the plane passes nearer to
// the centre of the box, relative to the box's half width along the normal.
struct WhatMeets {
  static constexpr float kFarthest = 2;

  template <class AtTriangle>
  HWY_INLINE hn::Mask<D> operator()(const FewInFrame& few, const AtTriangle& t,
                                    const FewBoxes& boxes, V& value) const {
    const FewAlong along(few, t, boxes.centre, boxes.half);
    value = hn::Div(along.apart, along.reach);
    const auto axis = [&](int k) HWY_ATTR {
      return hn::And(hn::Le(t(few.lo[k]), boxes.hi[k]), hn::Ge(t(few.hi[k]), boxes.lo[k]));
    };
    return hn::And(hn::And(axis(0), axis(1)), hn::And(axis(2), hn::Le(along.apart, along.reach)));
  }
};

// Accepts triangles that may be within the target; its value is the bound of the distance. The axes
// of frames are orthonormal up to 6 u, u = 2^-24, and normals have unit length up to about 20 u.
struct WhatIsNear {
  static constexpr float kFarthest = kMostSquared;
  float target;

  template <class AtTriangle>
  HWY_INLINE hn::Mask<D> operator()(const FewInFrame& few, const AtTriangle& t,
                                    const FewBoxes& boxes, V& value) const {
    const D d;
    const V zero = hn::Zero(d), most = hn::Set(d, kMostSquared);
    const FewAlong along(few, t, boxes.centre, boxes.half);
    const V gap = hn::Max(zero, hn::Sub(along.apart, along.reach));
    V squared = zero;
    for (int k = 0; k < 3; ++k) {
      const V apart = hn::Max(
          zero, hn::Max(hn::Sub(t(few.lo[k]), boxes.hi[k]), hn::Sub(boxes.lo[k], t(few.hi[k]))));
      squared = Fma(apart, apart, squared);
    }
    const V best = hn::Min(hn::Max(hn::Mul(gap, gap), squared), most);
    value = hn::Mul(hn::Set(d, 1.0f - 1e-5f), best);
    return hn::Le(value, hn::Set(d, target));
  }
};

// Moves triangles l, l + 1, ... to the frame of a node, and returns a bit for each that is accepted
// with the node's own box.
template <class Wanted>
HWY_INLINE std::uint32_t MoveFew(const bvh::BvhNode& node, const FewTriangles& few, std::size_t l,
                                 const Wanted& wanted, FewInFrame& out) {
  const D d;
  const bvh::Frame& f = node.bounds.frame;
  const V error = hn::Set(d, few.error);
  V n[3], p[3][3];  // [corner][axis]
  for (int v = 0; v < 3; ++v) {
    V x[3];
    for (int k = 0; k < 3; ++k)
      x[k] = hn::Sub(hn::LoadU(d, few.corner[v][k] + l), hn::Set(d, f.origin[k]));
    for (int k = 0; k < 3; ++k)
      p[v][k] = Sum3(x[0], x[1], x[2], hn::Set(d, f.axis(k, 0)), hn::Set(d, f.axis(k, 1)),
                     hn::Set(d, f.axis(k, 2)));
  }
  const V nx = hn::LoadU(d, few.normal[0] + l), ny = hn::LoadU(d, few.normal[1] + l),
          nz = hn::LoadU(d, few.normal[2] + l);
  for (int k = 0; k < 3; ++k) {
    n[k] = Sum3(nx, ny, nz, hn::Set(d, f.axis(k, 0)), hn::Set(d, f.axis(k, 1)),
                hn::Set(d, f.axis(k, 2)));
    hn::StoreU(n[k], d, out.normal[k] + l);
    hn::StoreU(hn::Sub(hn::Min(hn::Min(p[0][k], p[1][k]), p[2][k]), error), d, out.lo[k] + l);
    hn::StoreU(hn::Add(hn::Max(hn::Max(p[0][k], p[1][k]), p[2][k]), error), d, out.hi[k] + l);
  }
  const V r = Dot3(n, p[0]), s = Dot3(n, p[1]), t = Dot3(n, p[2]);
  const V least = hn::Min(hn::Min(r, s), t), most = hn::Max(hn::Max(r, s), t);
  const V to_middle = hn::Set(d, 0.5f);
  hn::StoreU(hn::Mul(to_middle, hn::Add(least, most)), d, out.middle + l);
  hn::StoreU(Fma(to_middle, hn::Sub(most, least), hn::Set(d, 3 * few.error)), d, out.thick + l);
  V value;
  return Bits(d, wanted(out, AtLanes{l}, FewBoxes(node.bounds.box), value));
}

// Fills in keys and triangles of the accepted pairs; put(l, values) gets the least value of each
// child.
template <class Wanted, class Out, class Put>
HWY_INLINE std::int32_t LookAtFew(const bvh::BvhNode& node, const FewTriangles& few,
                                  std::uint32_t triangles, const Wanted& wanted, Out& out,
                                  const Put& put) {
  const D d;
  const DI di;
  HWY_ALIGN FewInFrame moved;
  std::uint32_t through = 0;
  for (std::size_t l = 0; l < FewTriangles::kMost; l += hn::Lanes(d))
    if ((triangles >> l & ((1u << hn::Lanes(d)) - 1)) != 0)
      through |= MoveFew(node, few, l, wanted, moved) << l;
  through &= triangles;
  if (through == 0) return bvh::PairKeys::kNone;
  const VI none = hn::Set(di, bvh::PairKeys::kNone);
  VI least = none;
  for (std::size_t l = 0; l < bvh::kWidth; l += hn::Lanes(d)) {
    const FewBoxes boxes(node.children, l);
    VI found = hn::Zero(di);
    V nearest = hn::Set(d, Wanted::kFarthest);
    ForRows(through, [&](int i) HWY_ATTR {
      V value;
      const auto is_wanted = wanted(moved, AtRow{i}, boxes, value);
      nearest = hn::IfThenElse(is_wanted, hn::Min(nearest, value), nearest);
      const VI bit = hn::Set(di, static_cast<std::int32_t>(1u << i));
      found = hn::Or(found, hn::IfThenElseZero(hn::RebindMask(di, is_wanted), bit));
    });
    // Lanes without a child have boxes that lie far away, but still within an infinite target.
    found = hn::IfThenElseZero(hn::RebindMask(di, LanesBelow(node.bounds.count(), l)), found);
    hn::Store(found, di, out.triangles + l);
    put(l, nearest);
    const VI number = hn::Load(di, kLanes + l);
    const VI value = hn::And(hn::BitCast(di, nearest), hn::Set(di, ~bvh::PairKeys::kNumber));
    const VI key = hn::IfThenElse(hn::Eq(found, hn::Zero(di)), none, hn::Or(value, number));
    hn::Store(key, di, out.key + l);
    least = hn::Min(least, key);
  }
  return hn::GetLane(hn::MinOfLanes(di, least));
}

std::int32_t MeetFew(const bvh::BvhNode& node, const FewTriangles& few, std::uint32_t triangles,
                     FewMeetings& out) {
  return LookAtFew(node, few, triangles, WhatMeets(), out, [](std::size_t, V) HWY_ATTR {});
}

std::int32_t NearFew(const bvh::BvhNode& node, const FewTriangles& few, std::uint32_t triangles,
                     float target, FewNear& out) {
  return LookAtFew(node, few, triangles, WhatIsNear{target}, out,
                   [&](std::size_t l, V squared)
                       HWY_ATTR { hn::StoreU(squared, D(), out.squared + l); });
}

FewKernels MakeFewTable() { return {PlaceFew, MeetFew, NearFew}; }

}  // namespace HWY_NAMESPACE
}  // namespace touche::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::query {
namespace {

HWY_EXPORT(MakeFewTable);

}  // namespace

const FewKernels& few_kernels() {
  static const std::vector<bvh::Kernels>& in_order = bvh::all_kernels();
  // In the same order.
  static const std::vector<FewKernels> tables =
      base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeFewTable)(); });
  return tables[static_cast<std::size_t>(&bvh::kernels() - in_order.data())];
}

}  // namespace touche::query
#endif
