// SPDX-License-Identifier: Apache-2.0
// The distance of two convex sets from their support functions. The search for the direction of the
// shortest distance (Gilbert, Johnson, Keerthi 1988) need not be exact: the gap is proved for any
// direction that it returns.
#pragma once

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

/// A convex set about a centre, in its own frame. Points are relative to the centre.
struct ConvexSet {
  Vec3 centre;
  double radius;  ///< no point is farther from the centre
  const void* set;
  /// The point farthest along d, or one nearly as far; d has unit length up to rounding.
  Vec3 (*farthest)(const void* set, const Vec3& d);
  /// Proved: d · x is at most this for every point x of the set.
  double (*reach)(const void* set, const Vec3& d);
};

/// Takes a volume with `farthest(v, d)`, `reach(v, d)` and `ball_of(v)`, a sphere around it whose
/// centre both are relative to.
template <typename V>
ConvexSet convex_set(const V& v) {
  const auto ball = ball_of(v);
  return {ball.centre, ball.radius, &v,
          [](const void* set, const Vec3& d) { return farthest(*static_cast<const V*>(set), d); },
          [](const void* set, const Vec3& d) { return reach(*static_cast<const V*>(set), d); }};
}

ConvexSet single_point(const Vec3& p);

enum class Seek { any_gap, distance };

/// A lower bound of the distance of two sets, 0 where they share a point: it is proved along the
/// best direction found. With `any_gap` the first direction that shows a gap ends the search: more
/// than 0 exactly when `distance` is. `pose` is b's, seen from a.
double proved_gap(const ConvexSet& a, const ConvexSet& b, const PoseMatrix& pose, Seek seek);

}  // namespace touche::bounds
