// SPDX-License-Identifier: Apache-2.0
// Queries of two soups, which may be rounded: queries of the objects, with the radii added.
#include <algorithm>

#include "query/distance_options.h"
#include "shape/pairs.h"
#include "shape/shape_data.h"

namespace touche::shape::soup_pair {

IntersectsResult intersects(const Placed& a, const Placed& b, const Budget& budget,
                            Workspace* workspace) {
  const Object &object_a = a.shape.object(), &object_b = b.shape.object();
  const double radii = a.shape.radius() + b.shape.radius();
  if (radii == 0) return touche::intersects(object_a, a.pose, object_b, b.pose, budget, workspace);
  DistanceOptions options;
  options.max_distance = radii * (1 + 1e-15);
  options.stop_below = radii * (1 - 1e-15);
  options.budget = budget;
  options.workspace = workspace;
  const DistanceResult d = touche::distance(object_a, a.pose, object_b, b.pose, options);
  IntersectsResult result;
  result.stats = d.stats;
  if (d.closest) result.face_a = d.closest->face_a, result.face_b = d.closest->face_b;
  result.intersects = d.distance.upper <= options.stop_below;
  result.decided = result.intersects || d.distance.lower >= options.max_distance;
  return result;
}

DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options) {
  query::check(options);
  const double radii = a.shape.radius() + b.shape.radius();
  DistanceOptions between = options;
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

}  // namespace touche::shape::soup_pair
