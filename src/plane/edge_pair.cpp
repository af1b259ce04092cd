// SPDX-License-Identifier: Apache-2.0
#include "plane/edge_pair.h"

#include "plane/vec2.h"
#include "query/edge_contact.h"

namespace touche::plane {
namespace {

/// Whether a point on the line of an edge lies on the edge. For an edge of no length, every point
/// is on its line.
bool between_ends(const Edge& e, const Vec2& p) {
  return (p.array() >= e[0].cwiseMin(e[1]).array()).all() &&
         (p.array() <= e[0].cwiseMax(e[1]).array()).all();
}

touche::Segment segment(const Edge& e) { return {in_space(e[0]), in_space(e[1])}; }

Feature feature_of(const Outline& outline, Index e, const touche::Region& region) {
  if (region.kind == FeatureKind::vertex)
    return {FeatureKind::vertex, outline.edge(e)[region.index]};
  return {FeatureKind::edge, e};
}

}  // namespace

bool edges_intersect(const Edge& a, const Edge& b) {
  const int b0 = orientation(a[0], a[1], b[0]), b1 = orientation(a[0], a[1], b[1]);
  const int a0 = orientation(b[0], b[1], a[0]), a1 = orientation(b[0], b[1], a[1]);
  if (b0 * b1 < 0 && a0 * a1 < 0) return true;
  // Otherwise an end of one edge lies on the other, or they have no common point.
  return (b0 == 0 && between_ends(a, b[0])) || (b1 == 0 && between_ends(a, b[1])) ||
         (a0 == 0 && between_ends(b, a[0])) || (a1 == 0 && between_ends(b, a[1]));
}

RegionDistance edge_distance(const Edge& a, const Edge& b) {
  return segment_segment_distance(segment(a), segment(b));
}

Contact make_contact(const Outline& a, Index edge_a, const Outline& b, Index edge_b,
                     const Edge& at_a, const Edge& at_b, const RegionDistance& closest,
                     const Pose& pose_a) {
  const Vec2 point_a = closest.point_a.head<2>(), point_b = closest.point_b.head<2>();
  const Vec2 normal = query::edge_normal(segment(at_a), segment(at_b), closest).head<2>();
  return {edge_a,
          edge_b,
          feature_of(a, edge_a, closest.region_a),
          feature_of(b, edge_b, closest.region_b),
          pose_a * point_a,
          pose_a * point_b,
          pose_a.rotate(normal),
          closest.distance};
}

Contact make_contact(const Outline& a, Index edge_a, const Outline& b, Index edge_b,
                     const query::RelativePose& pose, const Pose& pose_a) {
  const Edge at_a = edge_of(a, edge_a), at_b = edge_of(b, edge_b, pose);
  return make_contact(a, edge_a, b, edge_b, at_a, at_b, edge_distance(at_a, at_b), pose_a);
}

}  // namespace touche::plane
