// SPDX-License-Identifier: Apache-2.0
// All kernels of one instruction set in Highway's portable vectors; included once for each set.
#if defined(TOUCHE_BVH_KERNELS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_TABLE_INL_H_
#undef TOUCHE_BVH_KERNELS_TABLE_INL_H_
#else
#define TOUCHE_BVH_KERNELS_TABLE_INL_H_
#endif

#include "bvh/kernels/build-inl.h"
#include "bvh/kernels/cut-inl.h"
#include "bvh/kernels/features-inl.h"
#include "bvh/kernels/frames-inl.h"
#include "bvh/kernels/impact-inl.h"
#include "bvh/kernels/leaf-inl.h"
#include "bvh/kernels/measure-inl.h"
#include "bvh/kernels/moving-inl.h"
#include "bvh/kernels/relate-inl.h"
#include "bvh/kernels/relate_pair-inl.h"
#include "bvh/kernels/search-inl.h"
#include "bvh/kernels/triangle-impact-inl.h"
#include "bvh/kernels/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

inline Kernels Table(const char* name) {
  return {name,
          Relate,
          ApartAcross,
          RelatePairs,
          RelateNear,
          ImpactNodes,
          ImpactNodesAround,
          Overlap,
          Near,
          AddTrianglesOf,
          AddTrianglesIn,
          AddNearTriangles,
          Measure,
          GuessNearest,
          NearFeatures,
          Classify,
          ClassifyPrecisely,
          Rank,
          RankAcross,
          Impact,
          ImpactAround,
          ImpactTriangles,
          Next,
          FirstKeys,
          TurnToLeastArea,
          ProjectBounds,
          CutItems,
          MakeItems,
          MeasureLeaf,
          PlaceCorners,
          PrincipalFrames};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
