// SPDX-License-Identifier: Apache-2.0
// A convex set of the plane is asked as the flat polytope in z = 0 that it is, plus a ball where it
// has a radius; an outline as what stands on its edges (src/plane/object.cpp). Poses of the plane
// keep z, exactly. Seen from above no two points are farther apart than in space, and the sets seen
// from above are those at z = 0 (a ball's shadow is its disc): so distances are those of the plane,
// at every moment of motions that keep z.
#include "touche/plane_shape.h"

#include "touche/shape_motion.h"

namespace touche::plane {
namespace {

touche::Shape flat(const Rounded& set) {
  std::vector<Vec3> corners;
  corners.reserve(set.corners.size());
  for (const Vec2& p : set.corners) corners.emplace_back(p.x(), p.y(), 0);
  const touche::Shape polygon = touche::Shape::hull(corners);
  return set.radius == 0 ? polygon : polygon.rounded(set.radius);
}

/// Where shapes overlap, the normal of space may lead out of the plane.
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

}  // namespace

Shape::Shape(const Rounded& set) : in_space_(flat(set)) {}
Shape::Shape(const Object& outline) : in_space_(touche::Shape::soup(outline.in_space())) {}

Shape Shape::rounded(double radius) const { return Shape(in_space_.rounded(radius)); }

IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget) {
  const touche::IntersectsResult found =
      touche::intersects(a.in_space(), pose_a.in_space(), b.in_space(), pose_b.in_space(), budget);
  return {found.intersects, found.decided, found.face_a, found.face_b, found.stats};
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

ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options) {
  return answer_in_plane(touche::time_of_impact(a.in_space(), motion_a.in_space(), b.in_space(),
                                                motion_b.in_space(), options));
}

ToiResult brute_force::time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                      const Motion& motion_b, const ToiOptions& options) {
  return answer_in_plane(touche::brute_force::time_of_impact(
      a.in_space(), motion_a.in_space(), b.in_space(), motion_b.in_space(), options));
}

}  // namespace touche::plane
