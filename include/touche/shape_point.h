// SPDX-License-Identifier: Apache-2.0
// Point and ray queries of a convex shape: its closest point, and where a ray enters and leaves it.
// Arguments are in world coordinates. InvalidInput is thrown for arguments that are not finite or
// larger than 1e90, and for soups: query their objects, see touche/point_query.h.
#pragma once

#include <optional>

#include "touche/distance.h"
#include "touche/point_query.h"
#include "touche/shape.h"

namespace touche {

/// The point of a shape that is closest to x; for x inside the shape it is x itself, since shapes
/// are solid.
///
/// The distance is the upper bound of touche::distance for the shape and a point. For x on or
/// inside a round shape it may be slightly more than 0, and the returned point that far from x: in
/// 40,000 random cases at most 1e-13 of the shape's size, with sums that contain discs 1e-7. `face`
/// is kNone. An infinite distance means that the shape is farther away than `max_distance`.
///
///     const ClosestPoint closest = closest_point(Shape::capsule(0.1, 1), pose, {0, 0, 5});
///     if (closest.distance < 0.1) report(closest.point);
[[nodiscard]] ClosestPoint closest_point(const Shape& shape, const Pose& pose, const Vec3& x,
                                         double max_distance = kInfinity);

/// An intersection of a ray with the surface of a shape.
struct SurfaceHit {
  double t = 0;                ///< parameter of the point: origin + t · direction
  Vec3 point = Vec3::Zero();   ///< world coordinates
  Vec3 normal = Vec3::Zero();  ///< unit length, pointing out of the shape
};

/// The part of a ray inside a convex shape, from `enters` to `leaves`. If neither is set, the ray
/// misses the shape. `enters` is not set for a ray that starts inside, `leaves` not for one that
/// stays in a half space.
struct ShapeRayHits {
  std::optional<SurfaceHit> enters, leaves;
};

/// Where a ray enters and leaves a shape. The ray before `enters` and after `leaves` is proved to
/// be outside the shape, up to the rounding of points on the ray. At both points the ray is at most
/// 2^-38 of the shape's size and position away from the shape. So a ray that passes the shape
/// nearer than that may or may not hit it, and may enter and leave at the same point; a ray that
/// starts nearer than that starts inside. For half spaces t is accurate up to rounding. Throws
/// InvalidInput for a direction of length 0.
///
///     const ShapeRayHits hits = ray_hits(Shape::sphere(1), pose, {eye, direction});
///     if (hits.enters) draw(hits.enters->point, hits.enters->normal);
[[nodiscard]] ShapeRayHits ray_hits(const Shape& shape, const Pose& pose, const Ray& ray);

}  // namespace touche
