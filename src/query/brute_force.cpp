// SPDX-License-Identifier: Apache-2.0
// Reference implementations of the queries: they test every pair of triangles in double precision,
// without a hierarchy.
#include <algorithm>

#include "base/budget_part.h"
#include "query/closest_contact.h"
#include "query/distance_options.h"
#include "query/relative.h"
#include "query/time_slices.h"
#include "touche/reference.h"

namespace touche::brute_force {
namespace {

// Calls visit(ta, tb, triangle_a, triangle_b) for all pairs until it returns false.
template <class Visit>
void all_pairs(const Object& a, const Object& b, const query::RelativePose& pose, Visit&& visit) {
  std::vector<Triangle> moved(b.soup().triangle_count());
  for (Index tb = 0; tb < moved.size(); ++tb) moved[tb] = query::triangle_of(b.soup(), tb, pose);
  for (Index ta = 0; ta < a.soup().triangle_count(); ++ta) {
    const Triangle at_a = query::triangle_of(a.soup(), ta);
    for (Index tb = 0; tb < moved.size(); ++tb)
      if (!visit(ta, tb, at_a, moved[tb])) return;
  }
}

}  // namespace

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget) {
  const query::RelativePose pose(pose_a, pose_b);
  base::BudgetMeter meter(budget);
  IntersectsResult result;
  result.stats.brute_force = 1;
  all_pairs(a, b, pose, [&](Index ta, Index tb, const Triangle& at_a, const Triangle& at_b) {
    if (!meter.spend()) return false;
    ++result.stats.primitive_tests;
    result.intersects = geometry::triangles_intersect(at_a, at_b, &result.stats.exact_tests);
    if (result.intersects) {
      result.face_a = a.soup().face_of_triangle(ta);
      result.face_b = b.soup().face_of_triangle(tb);
    }
    return !result.intersects;
  });
  result.complete = !meter.exhausted();
  return result;
}

FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b, const Budget& budget) {
  FacePairsResult result;
  const ContactsResult all =
      brute_force::contacts(a, pose_a, b, pose_b, {.budget = base::for_part(budget)});
  result.complete = all.complete;
  for (const Contact& c : all.contacts) result.pairs.push_back({c.face_a, c.face_b});
  result.stats = all.stats;
  return result;
}

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  const query::RelativePose pose(pose_a, pose_b);
  base::BudgetMeter meter(options.budget);
  ContactsResult result;
  result.stats.brute_force = 1;
  all_pairs(a, b, pose, [&](Index ta, Index tb, const Triangle& at_a, const Triangle& at_b) {
    if (!meter.spend()) return false;
    ++result.stats.primitive_tests;
    if (geometry::triangles_intersect(at_a, at_b, &result.stats.exact_tests))
      result.contacts.push_back(query::closest_contact(a, ta, b, tb, at_a, at_b, pose_a));
    return true;
  });
  const auto faces = [](const Contact& c) { return std::pair(c.face_a, c.face_b); };
  std::stable_sort(result.contacts.begin(), result.contacts.end(),
                   [&](const Contact& x, const Contact& y) { return faces(x) < faces(y); });
  result.contacts.erase(
      std::unique(result.contacts.begin(), result.contacts.end(),
                  [&](const Contact& x, const Contact& y) { return faces(x) == faces(y); }),
      result.contacts.end());
  const bool all = result.contacts.size() <= options.max_contacts;
  result.complete = all && !meter.exhausted();
  if (!all) result.contacts.resize(options.max_contacts);
  return result;
}

DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  query::check(options);
  const query::RelativePose pose(pose_a, pose_b);
  base::BudgetMeter meter(options.budget);
  DistanceResult result;
  result.stats.brute_force = 1;
  double least_measured = kInfinity;
  all_pairs(a, b, pose, [&](Index ta, Index tb, const Triangle& at_a, const Triangle& at_b) {
    if (!meter.spend()) return false;
    ++result.stats.primitive_tests;
    const geometry::ClosestPoints closest = geometry::closest_points(at_a, at_b);
    least_measured = std::min(least_measured, closest.distance);
    if (closest.distance < result.distance.upper && closest.distance <= options.max_distance) {
      result.distance.upper = closest.distance;
      result.closest = query::make_contact(a, ta, b, tb, at_a, at_b, closest, pose_a);
    }
    return !result.closest || result.distance.upper > options.stop_below;
  });
  result.complete = !meter.exhausted();
  if (!result.complete) return result;
  // No pair was skipped, so neither the limit nor an allowed error weakens the lower bound.
  result.distance.lower = query::proved_distance(a, b, {.stop_below = options.stop_below},
                                                 result.distance.upper, least_measured);
  return result;
}

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  std::vector<query::TimeSlice> memory;
  const query::TimeSlices slices(a, motion_a, b, motion_b, options, memory);
  ToiResult result;
  result.tolerance = slices.tolerance();
  base::BudgetMeter meter(options.budget);
  result.stats.brute_force = 1;
  for (const query::TimeSlice& slice : slices) {
    ++result.stats.time_splits;
    // Advance each pair of triangles until it touches, or up to the earliest touch found so far.
    double first_t = slice.end;
    std::optional<query::TriangleIds> first;
    for (Index ta = 0; ta < a.soup().triangle_count(); ++ta)
      for (Index tb = 0; tb < b.soup().triangle_count(); ++tb) {
        double t = slice.begin;
        while (t < first_t) {
          if (!meter.spend()) {
            result.status = ToiStatus::undecided;
            result.time.lower = slice.begin;
            return result;
          }
          ++result.stats.primitive_tests;
          const query::Snapshot snapshot = slices.snapshot(slice, t);
          query::TriangleImpact impact =
              query::conservative_advancement(a, ta, b, tb, snapshot, slices.tolerance());
          if (impact.touching && options.may_separate && t == slices.t_start()) {
            impact.dt = query::time_to_separate(a, ta, b, tb, snapshot, slices.tolerance());
            impact.touching = !(t + impact.dt <= slice.end);
            if (!impact.touching)
              result.separated_at = std::max(result.separated_at, t + impact.dt);
          }
          if (impact.touching) {
            first_t = t;
            first = {ta, tb};
            break;
          }
          t += impact.dt;
        }
      }
    if (first) {
      query::report_contact(a, b, *first, slices.snapshot(slice, first_t), result);
      if (first_t == slices.t_start()) result.separated_at = 0;  // this pair remains in contact
      return result;
    }
  }
  result.status = ToiStatus::free;
  result.time.lower = 1;
  return result;
}

}  // namespace touche::brute_force
