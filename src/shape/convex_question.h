// SPDX-License-Identifier: Apache-2.0
// Translates queries of two convex shapes for src/convex, and its results for the callers.
#pragma once

#include <algorithm>

#include "convex/depth.h"
#include "convex/gjk.h"
#include "math/pose_bits.h"
#include "shape/pairs.h"
#include "shape/shape_data.h"

namespace touche::shape {

/// Whether answers are exact for the rounded coordinates.
inline bool are_exact(const convex::Body& a, const convex::Body& b) {
  return a.is_polytope() && b.is_polytope() && a.radius + b.radius == 0;
}

struct ConvexQuestion {
  const convex::Body &a, &b;
  convex::RigidTransform b_in_a;
  bool exact;  // both are polytopes

  ConvexQuestion(const Placed& pa, const Placed& pb)
      : a(body_of(pa.shape)),
        b(body_of(pb.shape)),
        b_in_a(pa.pose, pb.pose),
        exact(are_exact(a, b)) {}

  [[nodiscard]] convex::Pair pair() const {
    return {a, b, b_in_a,
            exact ? convex::corners_error(b, b_in_a) : convex::placed_error(b, b_in_a)};
  }
};

inline void add_supports(QueryStats& stats, int supports) {
  stats.primitive_tests += static_cast<std::uint64_t>(supports);
}

inline DistanceResult far_apart(double lower, const QueryStats& stats) {
  DistanceResult far;
  far.distance = {lower, kInfinity};
  far.complete = true;
  far.stats = stats;
  return far;
}

/// `meet`: whether the shapes have a common point.
[[gnu::always_inline]] inline DistanceResult told_distance(const Pose& pose_a,
                                                           const convex::Separation& s, bool meet,
                                                           const QueryStats& stats) {
  const double upper = meet ? 0 : s.upper;
  const Vec3 middle = 0.5 * (s.point_a + s.point_b);
  // All members are initialised at once; clearing the result first would take longer.
  return {.distance = {std::max(s.lower, 0.0), upper},
          .closest = Contact{.face_a = kNone,
                             .face_b = kNone,
                             .feature_a = {},
                             .feature_b = {},
                             .point_a = PoseBits::moved(pose_a, meet ? middle : s.point_a),
                             .point_b = PoseBits::moved(pose_a, meet ? middle : s.point_b),
                             .normal = PoseBits::rotated(pose_a, s.direction),
                             .distance = upper},
          .complete = meet || s.converged,
          .stats = stats};
}

inline DepthResult told_depth(const Pose& pose_a, const convex::Penetration& p) {
  DepthResult result;
  add_supports(result.stats, p.supports);
  result.depth = {p.lower, p.upper};
  result.complete = p.converged;
  result.direction = PoseBits::rotated(pose_a, p.direction);
  result.point_a = PoseBits::moved(pose_a, p.point_a);
  result.point_b = PoseBits::moved(pose_a, p.point_b);
  return result;
}

}  // namespace touche::shape
