// SPDX-License-Identifier: Apache-2.0
// A leaf that stays closed against the children of a node. Its triangles are tested one by one,
// because the box around several large ones is mostly empty.
#if defined(TOUCHE_BVH_KERNELS_CLOSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_CLOSED_INL_H_
#undef TOUCHE_BVH_KERNELS_CLOSED_INL_H_
#else
#define TOUCHE_BVH_KERNELS_CLOSED_INL_H_
#endif

#include "bvh/kernels/keys-inl.h"
#include "bvh/kernels/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// The triangles of a leaf and the boxes of a node's children, in the frames of both and along the
// triangles' normals.
template <class Map>
class ClosedLeaf {
 public:
  // The errors apply to coordinates that were moved to the frame of the leaf, and to that of the
  // node.
  HWY_INLINE ClosedLeaf(const NodeContents& leaf, const Boxes8& boxes, const Map& to_leaf,
                        float error_leaf, const Map& to_node, float error_node)
      : triangles_(leaf.count) {
    const D d;
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
      MoveLanes(to_leaf, boxes, l, [&](int k, V centre, V half) HWY_ATTR {
        const V more = hn::Add(half, hn::Set(d, error_leaf));
        hn::StoreU(centre, d, centre_[k] + l);
        hn::StoreU(hn::Sub(centre, more), d, in_leaf_.lo[k] + l);
        hn::StoreU(hn::Add(centre, more), d, in_leaf_.hi[k] + l);
        hn::StoreU(hn::LoadU(d, boxes.half[k] + l), d, half_[k] + l);
      });
    ToIntervals(boxes, in_node_);
    CornerIntervals(leaf.corner, 0, own_);
    HWY_ALIGN float corner[3][3][kWidth];
    MoveCorners(to_node, leaf.corner, corner);
    CornerIntervals(corner, error_node, moved_);
    // Along a unit vector the errors of three coordinates and of the projections add up to less
    // than three times one.
    MakeNormals(leaf.corner, normals_);
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      V n[3];
      for (int k = 0; k < 3; ++k) n[k] = hn::LoadU(d, normals_.normal[k] + l);
      for (int j = 0; j < 3; ++j)
        hn::StoreU(
            hn::Abs(Sum3(n[0], n[1], n[2], hn::Set(d, to_leaf.column(j, 0)),
                         hn::Set(d, to_leaf.column(j, 1)), hn::Set(d, to_leaf.column(j, 2)))),
            d, along_[j] + l);
      const V half = hn::Set(d, 0.5f);
      const V lo = hn::LoadU(d, normals_.offset_min + l),
              hi = hn::LoadU(d, normals_.offset_max + l);
      hn::StoreU(hn::Mul(half, hn::Add(lo, hi)), d, offset_ + l);
      hn::StoreU(Fma(half, hn::Sub(hi, lo), hn::Set(d, 3 * error_leaf)), d, thick_ + l);
    }
  }

  int triangles() const { return triangles_; }

  // Returns which of children l, l + 1, ... triangle i may meet.
  HWY_INLINE hn::Mask<D> Meets(int i, std::size_t l) const {
    V lo[3], hi[3], own_lo[3], own_hi[3];
    LoadIntervals(in_leaf_, l, lo, hi);
    LoadIntervals(in_node_, l, own_lo, own_hi);
    const auto boxes =
        hn::And(Meet(own_, AtRow{i}, lo, hi), Meet(moved_, AtRow{i}, own_lo, own_hi));
    return hn::And(boxes, hn::Le(GapAlongNormal(i, l), hn::Zero(D())));
  }

  // Returns lower bounds of the squared distances of triangle i from children l, l + 1, ..., given
  // the squares of the leaf's and of the node's unit of length.
  HWY_INLINE V Squared(int i, std::size_t l, float leaf_unit, float node_unit) const {
    const D d;
    V lo[3], hi[3];
    LoadIntervals(in_leaf_, l, lo, hi);
    const V gap = hn::Max(GapAlongNormal(i, l), hn::Zero(d));
    const V most = hn::Set(d, kMostSquared);
    const V in_leaf =
        hn::Min(hn::Max(SquaredDistance(own_, AtRow{i}, lo, hi), hn::Mul(gap, gap)), most);
    LoadIntervals(in_node_, l, lo, hi);
    const V in_node = SquaredDistance(moved_, AtRow{i}, lo, hi);
    const V best =
        hn::Max(hn::Mul(hn::Set(d, leaf_unit), in_leaf), hn::Mul(hn::Set(d, node_unit), in_node));
    return hn::Min(hn::Mul(hn::Set(d, 1.0f - 4e-6f), best), most);
  }

  // Returns a measure of how far the centres of the overlapping boxes of triangle i and of children
  // l, l + 1, ... are apart: the product over the axes of half the sum of their widths, divided by
  // the shortest shift that separates them. It is 1 if the centres coincide.
  HWY_INLINE V Apart(int i, std::size_t l) const {
    const D d;
    V common = hn::Set(d, 1.0f), sizes = common, lo[3], hi[3];
    LoadIntervals(in_leaf_, l, lo, hi);
    const AtRow row{i};
    for (int k = 0; k < 3; ++k) {
      const V first = hn::Sub(hi[k], row(own_.lo[k])), last = hn::Sub(row(own_.hi[k]), lo[k]);
      common = hn::Mul(common, hn::Min(first, last));
      sizes = hn::Mul(sizes, hn::Mul(hn::Set(d, 0.5f), hn::Add(first, last)));
    }
    return hn::Div(sizes, hn::Max(common, hn::Set(d, 1e-37f)));
  }

 private:
  HWY_INLINE V GapAlongNormal(int i, std::size_t l) const {
    const D d;
    const AtRow row{i};
    V apart = hn::Neg(row(offset_)), reach = row(thick_);
    for (int k = 0; k < 3; ++k) {
      apart = Fma(row(normals_.normal[k]), hn::LoadU(d, centre_[k] + l), apart);
      reach = Fma(row(along_[k]), hn::LoadU(d, half_[k] + l), reach);
    }
    return hn::Sub(hn::Abs(apart), reach);
  }

  int triangles_;
  Intervals own_, moved_;        // of triangles, in the frames of the leaf and of the node
  Intervals in_leaf_, in_node_;  // of children
  float centre_[3][kWidth], half_[3][kWidth];  // of children: moved, in their own frame
  Normals normals_;
  float along_[3][kWidth];                // the normals' absolute components on the node's axes
  float offset_[kWidth], thick_[kWidth];  // of triangles along their normals, with the error
};

// Converts bits 0 to 7, for the lanes of row 0, to the bits of lane 0 in rows 0 to 7.
HWY_INLINE std::uint64_t AsRows(std::uint64_t lanes) {
  return (((lanes & 0x7f) * 0x0002040810204081u) & 0x0101010101010101u) | (lanes & 0x80) << 49;
}

// Returns a bit for each child that some triangle may meet.
template <class Map>
HWY_INLINE std::uint64_t OverlapClosed(const ClosedLeaf<Map>& leaf) {
  const D d;
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    auto meet = leaf.Meets(0, l);
    for (int i = 1; i < leaf.triangles(); ++i) meet = hn::Or(meet, leaf.Meets(i, l));
    mask |= Bits(meet, 0, l);
  }
  return mask;
}

// Returns a bit for each child that some triangle may be near, and the least squared distances.
template <class Map>
HWY_INLINE std::uint64_t NearClosed(const ClosedLeaf<Map>& leaf, float leaf_unit, float node_unit,
                                    float target, float (&squared)[kWidth]) {
  const D d;
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V least = leaf.Squared(0, l, leaf_unit, node_unit);
    for (int i = 1; i < leaf.triangles(); ++i)
      least = hn::Min(least, leaf.Squared(i, l, leaf_unit, node_unit));
    hn::StoreU(least, d, squared + l);
    mask |= Bits(hn::Le(least, hn::Set(d, target)), 0, l);
  }
  return mask;
}

// Sets the keys of row 0, for the children that some triangle may meet, and returns the least in
// each lane.
template <class Map>
HWY_INLINE VI RankClosed(const ClosedLeaf<Map>& leaf, PairKeys& keys) {
  const D d;
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V apart = hn::Set(d, kMostSquared);
    auto any = hn::Lt(apart, apart);
    for (int i = 0; i < leaf.triangles(); ++i) {
      const auto meet = leaf.Meets(i, l);
      if (hn::AllFalse(d, meet)) continue;
      any = hn::Or(any, meet);
      apart = hn::IfThenElse(meet, hn::Min(apart, leaf.Apart(i, l)), apart);
    }
    least = hn::Min(least, SetKeys(apart, any, 0, l, keys));
  }
  return least;
}

// Moves keys from row 0, used for a leaf of a, to lane 0, used for a leaf of b.
HWY_INLINE void TurnKeys(PairKeys& keys) {
  for (int i = 1; i < kWidth; ++i) {
    const std::int32_t key = keys.key[i];
    keys.key[i] = PairKeys::kNone;
    if (key != PairKeys::kNone) keys.key[kWidth * i] = (key & ~PairKeys::kNumber) | (kWidth * i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
