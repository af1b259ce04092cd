// SPDX-License-Identifier: Apache-2.0
// Slow, simple reference implementations: every pair of edges, in the plane, without a hierarchy.
// The time of impact uses the reference implementation in space: every pair of the triangles that
// stand on the edges.
#include <algorithm>

#include "base/budget_meter.h"
#include "plane/edge_pair.h"
#include "query/distance_options.h"
#include "touche/reference.h"

namespace touche::plane::brute_force {
namespace {

// Calls visit(edge_a, edge_b, at_a, at_b) for all pairs until it returns false.
template <class Visit>
void all_edge_pairs(const Object& a, const Object& b, const query::RelativePose& pose,
                    Visit&& visit) {
  std::vector<Edge> moved(b.outline().edge_count());
  for (Index eb = 0; eb < moved.size(); ++eb) moved[eb] = edge_of(b.outline(), eb, pose);
  for (Index ea = 0; ea < a.outline().edge_count(); ++ea) {
    const Edge at_a = edge_of(a.outline(), ea);
    for (Index eb = 0; eb < moved.size(); ++eb)
      if (!visit(ea, eb, at_a, moved[eb])) return;
  }
}

}  // namespace

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget) {
  const query::RelativePose pose(pose_a.in_space(), pose_b.in_space());
  base::BudgetMeter meter(budget);
  IntersectsResult result;
  result.stats.brute_force = 1;
  all_edge_pairs(a, b, pose, [&](Index ea, Index eb, const Edge& at_a, const Edge& at_b) {
    if (!meter.spend()) return false;
    ++result.stats.primitive_tests;
    result.intersects = edges_intersect(at_a, at_b);
    if (result.intersects) result.edge_a = ea, result.edge_b = eb;
    return !result.intersects;
  });
  result.complete = !meter.exhausted();
  return result;
}

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  const query::RelativePose pose(pose_a.in_space(), pose_b.in_space());
  base::BudgetMeter meter(options.budget);
  ContactsResult result;
  result.stats.brute_force = 1;
  bool all = true;
  all_edge_pairs(a, b, pose, [&](Index ea, Index eb, const Edge& at_a, const Edge& at_b) {
    if (!meter.spend()) return false;
    ++result.stats.primitive_tests;
    if (!edges_intersect(at_a, at_b)) return true;
    all = result.contacts.size() < options.max_contacts;
    if (all)
      result.contacts.push_back(make_contact(a.outline(), ea, b.outline(), eb, at_a, at_b,
                                             edge_distance(at_a, at_b), pose_a));
    return all;
  });
  result.complete = all && !meter.exhausted();
  return result;
}

DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  query::check(options);
  const query::RelativePose pose(pose_a.in_space(), pose_b.in_space());
  base::BudgetMeter meter(options.budget);
  DistanceResult result;
  result.stats.brute_force = 1;
  double least = kInfinity, size = 0;
  all_edge_pairs(a, b, pose, [&](Index ea, Index eb, const Edge& at_a, const Edge& at_b) {
    if (!meter.spend()) return false;
    ++result.stats.primitive_tests;
    const RegionDistance closest = edge_distance(at_a, at_b);
    least = std::min(least, closest.distance);
    for (const Vec2& p : {at_a[1], at_b[0], at_b[1]})
      size = std::max(size, (p - at_a[0]).lpNorm<1>());
    if (closest.distance < result.distance.upper && closest.distance <= options.max_distance) {
      result.distance.upper = closest.distance;
      result.closest = make_contact(a.outline(), ea, b.outline(), eb, at_a, at_b, closest, pose_a);
    }
    return !result.closest || result.distance.upper > options.stop_below;
  });
  result.complete = !meter.exhausted();
  // If the search stopped at a pair that is near enough, the remaining pairs are not bounded.
  const bool stopped = result.closest && result.distance.upper <= options.stop_below;
  if (result.complete && !stopped)
    result.distance.lower = std::max(0.0, least - kRegionDistanceError * size);
  return result;
}

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  return plane_answer(
      a, motion_a, b, motion_b,
      touche::brute_force::time_of_impact(a.in_space(), motion_a.in_space(), b.in_space(),
                                          motion_b.in_space(), options));
}

}  // namespace touche::plane::brute_force
