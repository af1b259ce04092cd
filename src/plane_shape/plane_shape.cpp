// SPDX-License-Identifier: Apache-2.0
// A convex set of the plane is represented by a flat polytope in z = 0, plus a ball if it has a
// radius; an outline by the object that stands on its edges (src/plane/object.cpp). Poses of the
// plane preserve z exactly. Seen from above no two points are farther apart than in space, and the
// sets seen from above equal the sets at z = 0 (the projection of a ball is its disc): so distances
// equal the distances in the plane, at every moment of motions that preserve z.
#include "touche/plane_shape.h"

#include "math/rounding.h"
#include "plane/vec2.h"
#include "touche/point_query.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche::plane {
namespace {

touche::Shape flat(const Rounded& set) {
  const Hull hull = Hull::fit(set.corners);  // Shape::hull keeps the order
  std::vector<Vec3> corners;
  corners.reserve(hull.corners.size());
  for (const Vec2& p : hull.corners) corners.emplace_back(p.x(), p.y(), 0);
  const touche::Shape polygon = touche::Shape::hull(corners);
  return set.radius == 0 ? polygon : polygon.rounded(set.radius);
}

/// A prism over a convex shape in z = 0, which extends by `half` to both sides.
touche::Shape prism(const touche::Shape& flat, double half) {
  std::vector<Vec3> corners;
  for (const Vec3& p : flat.corners())
    for (const double z : {-half, half}) corners.emplace_back(p.x(), p.y(), z);
  return touche::Shape::hull(corners).rounded(flat.radius());
}

/// If shapes overlap, the normal in space may lead out of the plane.
Contact contact_in_plane(const touche::Contact& found) {
  Contact contact;
  contact.edge_a = found.face_a;
  contact.edge_b = found.face_b;
  contact.point_a = found.point_a.head<2>();
  contact.point_b = found.point_b.head<2>();
  contact.distance = found.distance;
  const Vec2 normal = found.normal.head<2>();
  if (normal.norm() > 0.5) contact.normal = normal.normalized();
  return contact;
}

ToiResult answer_in_plane(const touche::ToiResult& found) {
  ToiResult result{found.status, found.time, found.separated_at, found.tolerance, {}, found.stats};
  if (found.contact) result.contact = contact_in_plane(*found.contact);
  return result;
}

/// The normal in space is within the plane, except where the ray touches without being apart first;
/// there `otherwise` is used.
BorderHit hit_in_plane(const SurfaceHit& hit, const Vec2& otherwise) {
  const Vec2 normal = hit.normal.head<2>();
  return {hit.t, hit.point.head<2>(), normal.norm() > 0.5 ? normal.normalized() : otherwise};
}

}  // namespace

Shape::Shape(const Rounded& set) : in_space_(flat(set)) {}
Shape::Shape(const Object& outline) : in_space_(touche::Shape::soup(outline.in_space())) {}

std::vector<Vec2> Shape::corners() const {
  std::vector<Vec2> corners;
  for (const Vec3& p : in_space_.corners()) corners.emplace_back(p.head<2>());
  return corners;
}

Shape Shape::rounded(double radius) const { return Shape(in_space_.rounded(radius)); }

IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget) {
  const touche::IntersectsResult found =
      touche::intersects(a.in_space(), pose_a.in_space(), b.in_space(), pose_b.in_space(), budget);
  return {found.intersects, found.complete, found.face_a, found.face_b, found.stats};
}

DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  const touche::DistanceResult found =
      touche::distance(a.in_space(), pose_a.in_space(), b.in_space(), pose_b.in_space(), options);
  DistanceResult result;
  result.distance = found.distance;
  result.complete = found.complete;
  result.stats = found.stats;
  if (found.closest) result.closest = contact_in_plane(*found.closest);
  return result;
}

// The difference of a polygon in z = 0 and a prism is a prism over their difference in the plane.
// The largest ball around the origin in it is no larger than the disc in the plane, and as large if
// the prism's height is more than the depth, which is at most half of the width of the difference.
DepthResult depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DepthOptions& options) {
  if (!a.is_convex() || !b.is_convex())
    throw InvalidInput("depth: an outline consists of edges and has no inside; use contacts");
  const double half = a.in_space().bounds().diagonal() + b.in_space().bounds().diagonal();
  const touche::DepthResult found = touche::depth(
      a.in_space(), pose_a.in_space(), prism(b.in_space(), half), pose_b.in_space(), options);
  DepthResult result;
  result.depth = found.depth;
  result.complete = found.complete;
  result.stats = found.stats;
  result.point_a = found.point_a.head<2>(), result.point_b = found.point_b.head<2>();
  const Vec2 direction = found.direction.head<2>();
  if (direction.norm() > 0.5) result.direction = direction.normalized();
  return result;
}

ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options) {
  return answer_in_plane(touche::time_of_impact(a.in_space(), motion_a.in_space(), b.in_space(),
                                                motion_b.in_space(), options));
}

ClosestPoint closest_point(const Shape& shape, const Pose& pose, const Vec2& x,
                           double max_distance) {
  if (shape.is_convex()) {
    const touche::ClosestPoint found =
        touche::closest_point(shape.in_space(), pose.in_space(), in_space(x), max_distance);
    return {kNone, found.point.head<2>(), found.distance};
  }
  if (!(max_distance >= 0)) throw InvalidInput("shape: the largest distance must be a length >= 0");
  const double radius = shape.radius();
  const touche::ClosestPoint found = touche::closest_point(
      shape.in_space().object(), pose.in_space(), in_space(x), max_distance + radius);
  if (found.face == kNone) return {};
  ClosestPoint closest{found.face, found.point.head<2>(), found.distance};
  if (radius == 0) return closest;
  if (found.distance <= radius) return {found.face, x, 0};
  closest.point += radius / found.distance * (x - closest.point);
  closest.distance -= radius;
  return closest;
}

ShapeRayHits ray_hits(const Shape& shape, const Pose& pose, const Ray& ray) {
  const touche::ShapeRayHits found = touche::ray_hits(
      shape.in_space(), pose.in_space(), {in_space(ray.origin), in_space(ray.direction)});
  const Vec2 along = math::unit_or_zero(in_space(ray.direction)).head<2>();
  ShapeRayHits hits;
  if (found.enters) hits.enters = hit_in_plane(*found.enters, -along);
  if (found.leaves) hits.leaves = hit_in_plane(*found.leaves, along);
  return hits;
}

ToiResult brute_force::time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                      const Motion& motion_b, const ToiOptions& options) {
  return answer_in_plane(touche::brute_force::time_of_impact(
      a.in_space(), motion_a.in_space(), b.in_space(), motion_b.in_space(), options));
}

}  // namespace touche::plane
