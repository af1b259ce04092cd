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
#include "bvh/kernels/place-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
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
  // separation that is part of them counts once.
  float error_a, error_b;
};

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
