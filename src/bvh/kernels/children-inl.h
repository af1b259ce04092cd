// SPDX-License-Identifier: Apache-2.0
// Children of two nodes, in their own frames and in each other's.
#if defined(TOUCHE_BVH_KERNELS_CHILDREN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_CHILDREN_INL_H_
#undef TOUCHE_BVH_KERNELS_CHILDREN_INL_H_
#else
#define TOUCHE_BVH_KERNELS_CHILDREN_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"
#include "bvh/kernels/close-inl.h"
#include "bvh/kernels/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// The boxes of both nodes' children, in their own frames and in each other's.
struct PairBoxes {
  const Boxes8 &a, &b;
  const Boxes8 &b_moved, &a_moved;
};

// Pairs of triangles: the corners and normals of a's and of b's.
struct TriangleSides {
  const float (*a_own)[3][kWidth];
  const float (*b_own)[3][kWidth];
  float b_in_a[3][3][kWidth], a_in_b[3][3][kWidth];
  Normals normals_a, normals_b;
  // Along an oblique axis the errors of three coordinates add up to less than twice one; the
  // clearance that they include counts once.
  float error_a, error_b;
};

// The triangles of a closed leaf and the children of a node, projected on the triangles' normals;
// in the leaf's frame and units.
struct LeafNormals {
  Normals normals;
  const float (*corner)[3][kWidth];
  const FrameMap& to_leaf;
  const Boxes8 &own, &moved;  // the children's boxes, in their own frame and in the leaf's
  float along[3][kWidth];     // absolute components of the normals along the node's axes
  // Along an oblique axis the errors of three coordinates and of the projections add up to less
  // than three times one; the clearance that they include counts once.
  float error;

  HWY_INLINE LeafNormals(const float (*leaf)[3][kWidth], const FrameMap& map,
                         const Boxes8& children, const Boxes8& moved_children, float error_leaf,
                         float clearance)
      : corner(leaf),
        to_leaf(map),
        own(children),
        moved(moved_children),
        error(3 * error_leaf - 2 * clearance) {
    MakeNormals(leaf, normals);
    OnNodeAxes(normals.normal, along);
  }

  // Computes the absolute components of vectors, one for each triangle, along the axes of the
  // children's node.
  HWY_INLINE void OnNodeAxes(const float (&x)[3][kWidth], float (&out)[3][kWidth]) const {
    const D d;
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      const AtLanes at{l};
      for (int j = 0; j < 3; ++j)
        hn::StoreU(
            hn::Abs(Sum3(at(x[0]), at(x[1]), at(x[2]), hn::Set(d, to_leaf.columns[j][0]),
                         hn::Set(d, to_leaf.columns[j][1]), hn::Set(d, to_leaf.columns[j][2]))),
            d, out[j] + l);
    }
  }
};

// The gap between a triangle and a child's box along the triangle's normal.
struct LeafNormalGap {
  V gap;
  hn::Mask<D> is_above;

  template <class AtTriangle, class AtChild>
  HWY_INLINE LeafNormalGap(const LeafNormals& leaf, const AtTriangle& triangle,
                           const AtChild& child) {
    V middle = hn::Zero(D()), reach = middle;
    for (int k = 0; k < 3; ++k) {
      middle = Fma(triangle(leaf.normals.normal[k]), child(leaf.moved.centre[k]), middle);
      reach = Fma(triangle(leaf.along[k]), child(leaf.own.half[k]), reach);
    }
    const V above = hn::Sub(hn::Sub(middle, reach), triangle(leaf.normals.offset_max));
    const V below = hn::Sub(triangle(leaf.normals.offset_min), hn::Add(middle, reach));
    is_above = hn::Gt(above, below);
    gap = hn::Sub(hn::Max(above, below), hn::Set(D(), leaf.error));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
