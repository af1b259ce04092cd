// SPDX-License-Identifier: Apache-2.0
// Queries of outlines, answered by the objects in space that stand on them (see object.cpp for the
// proof). Contacts are computed from the edges themselves.
#include <algorithm>

#include "plane/edge_pair.h"
#include "plane/vec2.h"
#include "touche/point_query.h"

namespace touche::plane {
namespace {

query::RelativePose relative_of(const Pose& a, const Pose& b) {
  return {a.in_space(), b.in_space()};
}

}  // namespace

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget, Workspace* workspace) {
  const touche::IntersectsResult found = touche::intersects(
      a.in_space(), pose_a.in_space(), b.in_space(), pose_b.in_space(), budget, workspace);
  return {found.intersects, found.complete, found.face_a, found.face_b, found.stats};
}

ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options) {
  const FacePairsResult found =
      intersecting_faces(a.in_space(), pose_a.in_space(), b.in_space(), pose_b.in_space(),
                         options.budget, options.workspace);
  const query::RelativePose pose = relative_of(pose_a, pose_b);
  ContactsResult result;
  const std::size_t count = std::min(found.pairs.size(), options.max_contacts);
  result.contacts.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    result.contacts.push_back(
        make_contact(a.outline(), found.pairs[i].a, b.outline(), found.pairs[i].b, pose, pose_a));
  result.complete = found.complete && count == found.pairs.size();
  result.stats = found.stats;
  return result;
}

DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  const touche::DistanceResult found =
      touche::distance(a.in_space(), pose_a.in_space(), b.in_space(), pose_b.in_space(), options);
  DistanceResult result;
  result.distance = found.distance;
  result.complete = found.complete;
  result.stats = found.stats;
  if (found.closest) {
    result.closest = make_contact(a.outline(), found.closest->face_a, b.outline(),
                                  found.closest->face_b, relative_of(pose_a, pose_b), pose_a);
    // Measured in the plane, the distance of the two edges may differ by rounding.
    result.distance.upper = result.closest->distance;
    result.distance.lower = std::min(result.distance.lower, result.distance.upper);
    if (result.distance.upper > options.max_distance) {
      result.distance.upper = kInfinity;
      result.closest.reset();
    }
  }
  return result;
}

ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec2& x,
                           double max_distance) {
  const touche::ClosestPoint found =
      touche::closest_point(object.in_space(), pose.in_space(), in_space(x), max_distance);
  if (found.face == kNone) return {};
  return {found.face, found.point.head<2>(), found.distance};
}

ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options) {
  return plane_answer(a, motion_a, b, motion_b,
                      touche::time_of_impact(a.in_space(), motion_a.in_space(), b.in_space(),
                                             motion_b.in_space(), options));
}

ToiResult plane_answer(const Object& a, const Motion& motion_a, const Object& b,
                       const Motion& motion_b, const touche::ToiResult& found) {
  ToiResult result{found.status, found.time, found.separated_at, found.tolerance, {}, found.stats};
  if (found.contact) {
    const Pose pose_a = motion_a.pose(found.time.upper), pose_b = motion_b.pose(found.time.upper);
    result.contact = make_contact(a.outline(), found.contact->face_a, b.outline(),
                                  found.contact->face_b, relative_of(pose_a, pose_b), pose_a);
  }
  return result;
}

}  // namespace touche::plane
