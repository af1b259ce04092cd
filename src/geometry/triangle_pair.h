// SPDX-License-Identifier: Apache-2.0
// Two triangles, which may degenerate to a segment or a point: intersection test and distance.
// Touching counts as intersecting.
#pragma once

#include <array>

#include "touche/distance.h"

namespace touche::geometry {

/// Whether the boxes around two triangles are disjoint. Exact.
inline bool boxes_disjoint(const Triangle& a, const Triangle& b) {
  const Vec3 a_lo = a[0].cwiseMin(a[1]).cwiseMin(a[2]), a_hi = a[0].cwiseMax(a[1]).cwiseMax(a[2]);
  const Vec3 b_lo = b[0].cwiseMin(b[1]).cwiseMin(b[2]), b_hi = b[0].cwiseMax(b[1]).cwiseMax(b[2]);
  return (a_hi.array() < b_lo.array()).any() || (b_hi.array() < a_lo.array()).any();
}

/// Exact for the given coordinates, also for coplanar and zero-area triangles. Symmetric.
/// `exact_tests`, if given, counts the predicates that the filter could not decide.
bool triangles_intersect(const Triangle& a, const Triangle& b,
                         std::uint64_t* exact_tests = nullptr);

/// Closest points of two primitives and the features they lie on.
struct ClosestPoints {
  double distance = kInfinity;  ///< 0 exactly when triangles_intersect
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  FeatureKind kind_a = FeatureKind::face, kind_b = FeatureKind::face;
  int local_a = 0, local_b = 0;  ///< corner k, or edge k from corner k to k + 1; 0 for a face
};

/// Distance of two triangles. Intersecting triangles have distance 0 and coinciding points that
/// lie on both. The error of the distance is below kDistanceError times the larger of the distance
/// and the triangles' sizes.
ClosestPoints closest_points(const Triangle& a, const Triangle& b);
/// The same for triangles that are known not to intersect.
ClosestPoints closest_points_apart(const Triangle& a, const Triangle& b);
/// The same for triangles that are known to intersect. If they do not, as in a forged hierarchy,
/// the result still names features that exist.
ClosestPoints closest_points_touching(const Triangle& a, const Triangle& b);
inline constexpr double kDistanceError = 1e-12;

}  // namespace touche::geometry
