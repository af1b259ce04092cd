// SPDX-License-Identifier: Apache-2.0
#include "plane/edge_pair.h"

#include <algorithm>

#include "plane/vec2.h"

namespace touche::plane {
namespace {

/// Whether a point that lies on the line of an edge lies on the edge; of an edge of no length
/// every point is on its line.
bool between_ends(const Edge& e, const Vec2& p) {
  return (p.array() >= e[0].cwiseMin(e[1]).array()).all() &&
         (p.array() <= e[0].cwiseMax(e[1]).array()).all();
}

Vec2 unit_or_zero2(const Vec2& v) { return unit_or_zero(in_space(v)).head<2>(); }

Feature feature_of(const Outline& outline, Index e, const touche::Region& region) {
  if (region.kind == FeatureKind::vertex)
    return {FeatureKind::vertex, outline.edge(e)[region.index]};
  return {FeatureKind::edge, e};
}

/// Across one of the edges, whichever needs the shortest shift of b to bring them apart.
Vec2 parting_normal(const Edge& a, const Edge& b) {
  Vec2 best = Vec2::UnitX();
  double least = kInfinity;
  for (const Edge* edge : {&a, &b}) {
    const Vec2 across = unit_or_zero2(turned_left((*edge)[1] - (*edge)[0]));
    if (across.isZero(0)) continue;
    for (const Vec2& n : {across, Vec2(-across)}) {
      const double shift =
          std::max(n.dot(a[0] - b[0]), n.dot(a[1] - b[0])) + std::max(0.0, n.dot(b[0] - b[1]));
      if (shift < least) least = shift, best = n;
    }
  }
  return best;
}

}  // namespace

bool edges_intersect(const Edge& a, const Edge& b) {
  const int b0 = orientation(a[0], a[1], b[0]), b1 = orientation(a[0], a[1], b[1]);
  const int a0 = orientation(b[0], b[1], a[0]), a1 = orientation(b[0], b[1], a[1]);
  if (b0 * b1 < 0 && a0 * a1 < 0) return true;
  // Else an end of one lies on the other, or they have nothing in common.
  return (b0 == 0 && between_ends(a, b[0])) || (b1 == 0 && between_ends(a, b[1])) ||
         (a0 == 0 && between_ends(b, a[0])) || (a1 == 0 && between_ends(b, a[1]));
}

RegionDistance edge_distance(const Edge& a, const Edge& b) {
  return segment_segment_distance({in_space(a[0]), in_space(a[1])},
                                  {in_space(b[0]), in_space(b[1])});
}

Contact make_contact(const Object& a, Index edge_a, const Object& b, Index edge_b, const Edge& at_a,
                     const Edge& at_b, const RegionDistance& closest, const Pose& pose_a) {
  const Vec2 point_a = closest.point_a.head<2>(), point_b = closest.point_b.head<2>();
  Vec2 normal = Vec2::Zero();
  if (closest.distance > 0) normal = unit_or_zero2(point_b - point_a);
  if (normal.isZero(0)) normal = parting_normal(at_a, at_b);
  return {edge_a,
          edge_b,
          feature_of(a.outline(), edge_a, closest.region_a),
          feature_of(b.outline(), edge_b, closest.region_b),
          pose_a * point_a,
          pose_a * point_b,
          pose_a.rotate(normal),
          closest.distance};
}

Contact make_contact(const Object& a, Index edge_a, const Object& b, Index edge_b,
                     const RelativePose& pose, const Pose& pose_a) {
  const Edge at_a = edge_of(a.outline(), edge_a), at_b = edge_of(b.outline(), edge_b, pose);
  return make_contact(a, edge_a, b, edge_b, at_a, at_b, edge_distance(at_a, at_b), pose_a);
}

}  // namespace touche::plane
