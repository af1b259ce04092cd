// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "query/closest_contact.h"
#include "query/edge_contact.h"

namespace touche::query {
namespace {

Vec3 face_normal(const Triangle& t) { return math::unit_or_zero((t[1] - t[0]).cross(t[2] - t[0])); }

Vec3 edge(const Triangle& t, int k) {
  const std::size_t i = static_cast<std::size_t>(k);
  return t[(i + 1) % 3] - t[i];
}

Vec3 middle(const Triangle& t) { return (t[0] + t[1] + t[2]) / 3; }

/// Where the corners of a triangle lie relative to the plane of a face, up to rounding.
struct Beside {
  bool in_front = false, behind = false;  // all of them; both if all are in the plane
  int in_plane = 0;
};

Beside beside(const Triangle& face, const Vec3& normal, const Triangle& other, double rounding) {
  if (normal.isZero(0)) return {};
  Beside where{true, true, 0};
  for (const Vec3& x : other) {
    const double height = normal.dot(x - face[0]);
    where.in_front &= height >= -rounding;
    where.behind &= height <= rounding;
    where.in_plane += std::abs(height) <= rounding;
  }
  return where;
}

/// The normal of a face whose plane has the other triangle on one side, from a to b; zero if there
/// is none. The front side counts first, then the plane with more corners of the other triangle.
Vec3 parting_normal(const Triangle& a, const Triangle& b, double rounding) {
  const Vec3 normal_a = face_normal(a), normal_b = face_normal(b);
  const Beside of_a = beside(a, normal_a, b, rounding), of_b = beside(b, normal_b, a, rounding);
  const auto choice = [&](bool holds_a, const Vec3& by_a, bool holds_b, const Vec3& by_b) {
    if (holds_a && holds_b) return of_a.in_plane >= of_b.in_plane ? by_a : by_b;
    return holds_a ? by_a : holds_b ? by_b : Vec3(Vec3::Zero());
  };
  const Vec3 front = choice(of_a.in_front, normal_a, of_b.in_front, -normal_b);
  return !front.isZero(0) ? front : choice(of_a.behind, -normal_a, of_b.behind, normal_b);
}

// If the closest points coincide: the normal of a face that has the other one on one side. If the
// faces cross, the features give the direction: the pierced face's normal, or the common normal of
// two edges, oriented from a's middle to b's.
Vec3 touching_normal(const Triangle& a, const Triangle& b, const geometry::ClosestPoints& c) {
  double size = 0;
  for (const Triangle* t : {&a, &b})
    for (const Vec3& x : *t) size = std::max(size, x.cwiseAbs().maxCoeff());
  if (Vec3 n = parting_normal(a, b, math::kMovedPointError * size); !n.isZero(0)) return n;
  if (c.kind_b == FeatureKind::face && c.kind_a != FeatureKind::face) return -face_normal(b);
  if (c.kind_a == FeatureKind::face) return face_normal(a);
  Vec3 normal = Vec3::Zero();
  if (c.kind_a == FeatureKind::edge && c.kind_b == FeatureKind::edge)
    normal = math::unit_or_zero(edge(a, c.local_a).cross(edge(b, c.local_b)));
  const Vec3 between = middle(b) - middle(a);
  if (normal.isZero()) normal = math::unit_or_zero(between);
  return normal.dot(between) < 0 ? Vec3(-normal) : normal;
}

/// Returns the contact of the edges of two outlines.
Contact edge_contact(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                     const Triangle& at_a, const Triangle& at_b, const Pose& pose_a) {
  const Segment edge_a{at_a[0], at_a[1]}, edge_b{at_b[0], at_b[1]};
  const RegionDistance closest = segment_segment_distance(edge_a, edge_b);
  const auto feature = [](const PolygonSoup& soup, Index triangle, const Region& region) {
    const bool vertex = region.kind == FeatureKind::vertex;
    return soup.input_feature(triangle, vertex ? FeatureKind::vertex : FeatureKind::edge,
                              vertex ? static_cast<int>(region.index) : 0);
  };
  return {a.soup().face_of_triangle(triangle_a),
          b.soup().face_of_triangle(triangle_b),
          feature(a.soup(), triangle_a, closest.region_a),
          feature(b.soup(), triangle_b, closest.region_b),
          pose_a * closest.point_a,
          pose_a * closest.point_b,
          pose_a.rotate(edge_normal(edge_a, edge_b, closest)),
          closest.distance};
}

}  // namespace

Contact make_contact(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                     const Triangle& at_a, const Triangle& at_b,
                     const geometry::ClosestPoints& closest, const Pose& pose_a) {
  if (bvh::flat_of(a) != nullptr && bvh::flat_of(b) != nullptr)
    return edge_contact(a, triangle_a, b, triangle_b, at_a, at_b, pose_a);
  Contact c;
  c.face_a = a.soup().face_of_triangle(triangle_a);
  c.face_b = b.soup().face_of_triangle(triangle_b);
  c.feature_a = a.soup().input_feature(triangle_a, closest.kind_a, closest.local_a);
  c.feature_b = b.soup().input_feature(triangle_b, closest.kind_b, closest.local_b);
  c.point_a = pose_a * closest.point_a;
  c.point_b = pose_a * closest.point_b;
  Vec3 normal = closest.distance > 0 ? math::unit_or_zero(closest.point_b - closest.point_a)
                                     : touching_normal(at_a, at_b, closest);
  if (normal.isZero()) normal = Vec3::UnitX();  // for two coincident points any direction will do
  c.normal = pose_a.rotate(normal);
  c.distance = closest.distance;
  return c;
}

Contact closest_contact(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                        const Triangle& at_a, const Triangle& at_b, const Pose& pose_a) {
  if (bvh::flat_of(a) != nullptr && bvh::flat_of(b) != nullptr)
    return edge_contact(a, triangle_a, b, triangle_b, at_a, at_b, pose_a);
  return make_contact(a, triangle_a, b, triangle_b, at_a, at_b,
                      geometry::closest_points(at_a, at_b), pose_a);
}

}  // namespace touche::query
