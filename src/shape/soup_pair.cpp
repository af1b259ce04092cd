// SPDX-License-Identifier: Apache-2.0
// Queries of two soups, which may be rounded: queries of the objects, with the radii added.
#include <algorithm>

#include "base/budget_part.h"
#include "query/distance_options.h"
#include "query/part_options.h"
#include "shape/pairs.h"
#include "shape/shape_data.h"
#include "touche/near_faces.h"

namespace touche::shape::soup_pair {

IntersectsResult intersects(const Placed& a, const Placed& b, const Budget& budget,
                            Workspace* workspace) {
  const Object &object_a = a.shape.object(), &object_b = b.shape.object();
  const double radii = a.shape.radius() + b.shape.radius();
  if (radii == 0) return touche::intersects(object_a, a.pose, object_b, b.pose, budget, workspace);
  DistanceOptions options;
  options.max_distance = radii * (1 + 1e-15);
  options.stop_below = radii * (1 - 1e-15);
  options.budget = base::for_part(budget);
  options.workspace = workspace;
  const DistanceResult d = touche::distance(object_a, a.pose, object_b, b.pose, options);
  IntersectsResult result;
  result.stats = d.stats;
  if (d.closest) result.face_a = d.closest->face_a, result.face_b = d.closest->face_b;
  result.intersects = d.distance.upper <= options.stop_below;
  result.complete = result.intersects || d.distance.lower >= options.max_distance;
  return result;
}

DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options) {
  query::check(options);
  const double radii = a.shape.radius() + b.shape.radius();
  DistanceOptions between = query::with_budget(options, base::for_part(options.budget));
  between.max_distance += radii;
  // A share of the distance without radii would exceed the allowed share of the smaller distance
  // with radii.
  if (radii > 0) between.relative_error = 0;
  if (radii > 0 && options.stop_below > 0) between.stop_below += radii;
  DistanceResult result =
      touche::distance(a.shape.object(), a.pose, b.shape.object(), b.pose, between);
  if (radii == 0) return result;
  result.distance.lower = std::max(0.0, result.distance.lower * (1 - 1e-15) - radii * (1 + 1e-15));
  result.distance.upper = std::max(0.0, result.distance.upper * (1 + 1e-15) - radii * (1 - 1e-15));
  if (!result.closest) return result;
  Contact& c = *result.closest;
  c.distance = result.distance.upper;
  if (c.distance > 0) {
    c.point_a += a.shape.radius() * c.normal;
    c.point_b -= b.shape.radius() * c.normal;
  } else {
    const Vec3 common = c.point_a + a.shape.radius() / radii * (c.point_b - c.point_a);
    c.point_a = c.point_b = common;
  }
  return result;
}

// Each pair of faces is in contact where its points are nearest, with both radii beyond them.
ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin) {
  const Object &object_a = a.shape.object(), &object_b = b.shape.object();
  const double radius_a = a.shape.radius(), radius_b = b.shape.radius();
  const double reach = margin + radius_a + radius_b;
  std::vector<Contact> found;
  ShapeContactsResult result;
  if (reach > 0) {
    NearResult near =
        touche::near_faces(object_a, a.pose, object_b, b.pose, {.max_distance = reach});
    found = std::move(near.contacts);
    result.stats = near.stats;
  } else {
    ContactsResult touching = touche::contacts(object_a, a.pose, object_b, b.pose);
    found = std::move(touching.contacts);
    result.stats = touching.stats;
  }
  double least = kInfinity;
  for (const Contact& c : found) {
    const double separation = c.distance - radius_a - radius_b;
    result.contacts.push_back({c.point_a + radius_a * c.normal, c.point_b - radius_b * c.normal,
                               separation, c.normal, c.face_a, c.face_b});
    if (separation < least) result.normal = c.normal;
    least = std::min(least, separation);
  }
  return result;
}

}  // namespace touche::shape::soup_pair
