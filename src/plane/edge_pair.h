// SPDX-License-Identifier: Apache-2.0
// Two edges in one frame, a's: their intersection test, distance and contact.
#pragma once

#include "query/relative.h"
#include "touche/distance.h"
#include "touche/plane.h"

namespace touche::plane {

using Edge = std::array<Vec2, 2>;

inline Edge edge_of(const Outline& outline, Index e) {
  const auto& [i, j] = outline.edge(e);
  return {outline.vertex(i), outline.vertex(j)};
}

inline Vec2 operator*(const query::RelativePose& pose, const Vec2& p) {
  return (pose * Vec3(p.x(), p.y(), 0)).head<2>();
}

inline Edge edge_of(const Outline& outline, Index e, const query::RelativePose& pose) {
  const Edge edge = edge_of(outline, e);
  return {pose * edge[0], pose * edge[1]};
}

/// Exact.
bool edges_intersect(const Edge& a, const Edge& b);

/// Their distance with closest points and features, as precise as touche/distance.h.
RegionDistance edge_distance(const Edge& a, const Edge& b);

/// The contact of two edges in a's frame; pose_a transforms points and normal to the world.
Contact make_contact(const Outline& a, Index edge_a, const Outline& b, Index edge_b,
                     const Edge& at_a, const Edge& at_b, const RegionDistance& closest,
                     const Pose& pose_a);
Contact make_contact(const Outline& a, Index edge_a, const Outline& b, Index edge_b,
                     const query::RelativePose& pose, const Pose& pose_a);

/// Converts a time-of-impact result of the objects in space, with the contact of the edges.
ToiResult plane_answer(const Object& a, const Motion& motion_a, const Object& b,
                       const Motion& motion_b, const touche::ToiResult& found);

}  // namespace touche::plane
