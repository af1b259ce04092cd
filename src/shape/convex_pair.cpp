// SPDX-License-Identifier: Apache-2.0
// Queries of two convex bodies: brackets by src/convex, and an exact decision if these do not
// decide.
#include <algorithm>

#include "convex/depth.h"
#include "convex/exact_meet.h"
#include "convex/features.h"
#include "convex/gjk.h"
#include "query/distance_options.h"
#include "shape/convex_question.h"

namespace touche::shape {
namespace convex_pair {

IntersectsResult intersects(const Placed& a, const Placed& b, const Budget& /*all are short*/,
                            Workspace* /*none is needed*/) {
  const ConvexQuestion q(a, b);
  IntersectsResult result;
  if (convex::inner_balls_meet(q.pair())) {
    result.intersects = result.complete = true;
    return result;
  }
  convex::SeparationOptions options;
  options.goal = convex::Goal::decide;
  convex::Simplex simplex;
  const convex::Separation s = convex::separation(q.pair(), options, simplex);
  add_supports(result.stats, s.supports);
  result.complete = true;
  if (s.lower > 0) return result;
  if (s.upper <= 0) {
    result.intersects = true;
  } else if (q.exact) {
    ++result.stats.exact_tests;
    result.intersects = convex::exactly_meet(q.a, q.b, q.b_in_a, simplex);
  } else {
    // For round bodies that overlap slightly, the expanding polytope is more precise than a single
    // tetrahedron.
    convex::PenetrationOptions any;
    any.stop_above = 0;
    const convex::Penetration p = convex::penetration(q.pair(), any);
    add_supports(result.stats, p.supports);
    result.intersects = result.complete = p.lower > 0;
  }
  return result;
}

DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options) {
  query::check(options);
  const ConvexQuestion q(a, b);
  convex::SeparationOptions within;
  within.stop_above = options.max_distance;
  within.relative_error = options.relative_error;
  within.absolute_error = options.absolute_error;
  convex::Simplex simplex;
  const convex::Separation s = convex::separation(q.pair(), within, simplex);
  QueryStats stats;
  add_supports(stats, s.supports);
  if (s.lower > options.max_distance) return far_apart(s.lower, stats);
  bool meet = s.upper <= 0;
  if (q.exact && s.lower <= 0 && s.upper > 0) {
    ++stats.exact_tests;
    meet = convex::exactly_meet(q.a, q.b, q.b_in_a, simplex);
  }
  return told_distance(a.pose, s, meet, stats);
}

DepthResult depth(const Placed& a, const Placed& b, const DepthOptions& options) {
  const ConvexQuestion q(a, b);
  const convex::Penetration p =
      convex::penetration(q.pair(), {options.relative_error, options.absolute_error});
  return told_depth(a.pose, p);
}

ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin) {
  const ConvexQuestion q(a, b);
  convex::SeparationOptions within;
  within.stop_above = margin;
  const convex::Separation s = convex::separation(q.pair(), within);
  ShapeContactsResult result;
  add_supports(result.stats, s.supports);
  if (s.lower > margin) return result;
  Vec3 n = s.direction, point_a = s.point_a, point_b = s.point_b;
  if (!(s.lower > 0)) {
    const convex::Penetration p = convex::penetration(q.pair(), {1e-9, 0});
    add_supports(result.stats, p.supports);
    n = p.direction, point_a = p.point_a, point_b = p.point_b;
  }
  const std::vector<Vec3> part_a = convex::farthest_part(q.a, n);
  std::vector<Vec3> part_b = convex::farthest_part(q.b, q.b_in_a.turned_back(-n));
  for (Vec3& p : part_b) p = q.b_in_a * p;
  std::ranges::reverse(part_b);  // its order is reversed when seen from the other body
  const auto add = [&](const Vec3& at_a, const Vec3& at_b) {
    result.contacts.push_back(
        {a.pose * at_a, a.pose * at_b, n.dot(at_b - at_a), a.pose.rotate(n), kNone, kNone});
  };
  // A single point is known more precisely than the overlap across a direction: the direction of
  // round shapes may deviate slightly from a face's normal, and then only a corner of the face is
  // farthest.
  const std::vector<convex::Overlap> common = convex::overlap(part_a, part_b, n);
  if (common.size() <= 1)
    add(point_a, point_b);
  else
    for (const convex::Overlap& o : common) add(o.on_a + q.a.radius * n, o.on_b - q.b.radius * n);
  result.normal = a.pose.rotate(n);
  return result;
}

}  // namespace convex_pair
}  // namespace touche::shape
