// SPDX-License-Identifier: Apache-2.0
// The signed separation of shapes: of convex ones by their depth, of a soup and a convex shape by a
// polyhedron around the latter.
#include <algorithm>
#include <cmath>

#include "base/budget_part.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "query/exchanged.h"
#include "touche/separation.h"
#include "touche/shape.h"

namespace touche {
namespace {

Separation turned(Separation s) {
  s.direction = -s.direction;
  s.shift = -s.shift;
  if (s.closest) s.closest = query::exchanged(*s.closest);
  return s;
}

void check(const SeparationOptions& options) {
  if (!(options.tolerance > 0 && std::isfinite(options.tolerance)))
    throw InvalidInput("separation: the tolerance must be a length > 0");
  if (!(options.clearance >= 0 && std::isfinite(options.clearance)))
    throw InvalidInput("separation: the clearance must be a length >= 0");
  base::require_any_work(options.budget, "separation", "max_positions");
}

// No error is allowed, because the distance also decides whether bodies are apart at all.
DistanceOptions distance_options(const SeparationOptions& options) {
  DistanceOptions made;
  made.budget = base::with_any_work(options.budget);
  return made;
}

Separation apart(const DistanceResult& far) {
  Separation made;
  made.status = SeparationStatus::apart;
  made.distance = far.distance;
  made.closest = far.closest;
  if (far.closest) made.direction = far.closest->normal;
  made.complete = far.complete;
  return made;
}

Separation of_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     const SeparationOptions& options) {
  const DistanceOptions how = distance_options(options);
  const DistanceResult far = distance(a, pose_a, b, pose_b, how);
  if (far.distance.lower > 0) return apart(far);
  const DepthResult deep =
      depth(a, pose_a, b, pose_b,
            {.relative_error = options.relative_error, .absolute_error = options.tolerance});
  Separation made;
  made.direction = deep.direction.normalized();
  // Rounding takes far less than a tolerance, except for tiny tolerances and for bodies that are
  // far from their origins: there the shift grows until it is proved to be enough.
  constexpr int kMost = 50;
  const double rounding = math::kUnitRoundoff *
                          (deep.depth.upper + (pose_b.translation() - pose_a.translation()).norm());
  double more = options.clearance + 2 * options.tolerance;
  for (int i = 0; i < kMost; ++i, more = std::max(2 * more, rounding)) {
    made.shift = (deep.depth.upper + more) * made.direction;
    const Pose shifted = Pose::from_translation(made.shift) * pose_b;
    if (!(distance(a, pose_a, b, shifted, how).distance.lower > options.clearance)) continue;
    made.status = SeparationStatus::overlapping;
    made.distance = {-made.shift.norm(), -deep.depth.lower};
    made.complete = deep.complete && i == 0;
    return made;
  }
  return {};
}

// The convex shape is replaced by a polyhedron that is larger by no more than an error. A ball that
// fits into the polyhedron and into the soup fits into the shape and into the soup if its radius is
// smaller by the error: the shape is convex, and each of its tangent planes is no farther than the
// error from the polyhedron.
Separation of_soup(const Shape& soup, const Pose& pose_soup, const Shape& convex,
                   const Pose& pose_convex, const SeparationOptions& options) {
  const Interior body{soup.object()};
  const DistanceResult far =
      distance(soup, pose_soup, convex, pose_convex, distance_options(options));
  paths::require_inside("separation", body);
  // If the surfaces are apart, one point of the shape shows whether all of it is inside.
  const bool is_inside = base::data_of(body).contains(
      pose_soup.inverse() * (pose_convex * convex.support(Vec3::UnitX())));
  if (far.distance.lower > 0 && !is_inside) return apart(far);
  if (far.distance.lower <= 0 && far.distance.upper > 0) return {};
  // A polytope is its own polyhedron.
  const double least = default_mesh_error(convex), error = std::max(least, 1e-300);
  const Interior around{Object(enclosing_mesh(convex, error))};
  Separation made = separation(body, pose_soup, around, pose_convex, options);
  if (made.status != SeparationStatus::overlapping) return {};
  made.distance.upper = std::min(0.0, made.distance.upper + 2 * least);
  return made;
}

}  // namespace

Separation separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const SeparationOptions& options) {
  check(options);
  const bool soup_a = a.kind() == ShapeKind::soup, soup_b = b.kind() == ShapeKind::soup;
  if (soup_b && !soup_a) return turned(separation(b, pose_b, a, pose_a, options));
  if (!soup_a) return of_convex(a, pose_a, b, pose_b, options);
  if (b.kind() == ShapeKind::half_space) {
    const Shape hull = Shape::hull(a.object().soup().vertices()).rounded(a.radius());
    return of_convex(hull, pose_a, b, pose_b, options);
  }
  if (a.radius() > 0 || (soup_b && b.radius() > 0))
    throw InvalidInput("separation: of rounded soups only that of a half space is answered");
  if (soup_b)
    return separation(Interior(a.object()), pose_a, Interior(b.object()), pose_b, options);
  return of_soup(a, pose_a, b, pose_b, options);
}

}  // namespace touche
