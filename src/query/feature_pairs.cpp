// SPDX-License-Identifier: Apache-2.0
// A vertex is classified against a triangle of the other surface by where its foot lies: inside, on
// an edge or at a corner. In a narrow band along an edge the edge counts, so that a vertex above an
// edge of two coplanar triangles is listed once. Each function tests first what rejects most: the
// margin, then the foot, then the directions of the adjacent surface.
#include "query/feature_pairs.h"

#include <bit>
#include <cmath>

#include "bvh/object_data.h"
#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "query/touching_cone.h"

namespace touche::query {
namespace {

using Edge = geometry::SurfaceFeatures::Edge;

constexpr double kSmallBend = 0.01;   // of the margin
constexpr double kSmallLean = 0.125;  // of the angle of a feature with a small bend
constexpr double kThin = 1e-6;        // sine of an angle: below it directions are uncertain
constexpr double kLeanError = 1e-9;   // directions are rounded
constexpr double kRounding = 1e-13, kCoincide = 1e-9;  // of the largest coordinate

double largest_coordinate(const Object& a, const Object& b, const RelativePose& pose) {
  const auto largest = [](const Aabb& box) {
    return std::max(box.lo.cwiseAbs().maxCoeff(), box.hi.cwiseAbs().maxCoeff());
  };
  return largest(a.bounds()) + 2 * largest(b.bounds()) + pose.translation.cwiseAbs().maxCoeff();
}

// Lengths are raised to the sixth power, so coordinates are scaled to avoid overflow and underflow.
double scale_of(double largest) {
  if (!(largest > 0) || (largest > 0x1p-60 && largest < 0x1p60)) return 1;
  return std::ldexp(1.0, -std::ilogb(largest));
}

}  // namespace

FeaturePairs::FeaturePairs(const Object& a, const Object& b, const RelativePose& pose,
                           double margin, double turn, FeatureOwners& owners,
                           std::vector<FeatureHit>& hits)
    : pose_(pose),
      a_{a.soup(), bvh::features_of(a), pose.rotation, false},
      b_{b.soup(), bvh::features_of(b), pose.rotation, true},
      small_(kSmallBend * margin),
      lean_(std::sin(turn)),
      scale_(scale_of(largest_coordinate(a, b, pose))),
      margin_(margin * scale_),
      rounding_(kRounding * largest_coordinate(a, b, pose) * scale_),
      owners_(owners),
      hits_(hits) {
  if (++owners_.query >> 32 == 0) return;
  for (auto& of_object : owners_.prepared) std::fill_n(of_object, FeatureOwners::kCount, 0);
  owners_.query = 1;
}

// A feature that hardly protrudes may lean no farther than its bend.
double FeaturePairs::allowed_lean(const geometry::SurfaceFeatures::Bend& bend) const {
  const bool small = bend.height <= small_;
  return (small ? std::min(lean_, kSmallLean * static_cast<double>(bend.angle)) : lean_) +
         kLeanError;
}

const FeatureOwner& FeaturePairs::owner(bool is_a, Index triangle) {
  const std::size_t object = is_a ? 0 : 1, place = triangle % FeatureOwners::kCount;
  Owner& p = owners_.owner[object][place];
  const std::uint64_t wanted = owners_.query << 32 | triangle;
  if (owners_.prepared[object][place] != wanted) {
    owners_.prepared[object][place] = wanted;
    prepare(is_a, triangle, p);
  }
  return p;
}

void FeaturePairs::prepare(bool is_a, Index triangle, Owner& p) const {
  p.triangle = triangle;
  p.is_a = is_a;
  p.at = is_a ? triangle_of(a_.soup, triangle) : triangle_of(b_.soup, triangle, pose_);
  for (Vec3& corner : p.at) corner *= scale_;
  p.share = body(p).features.share(triangle);
  double longest2 = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    p.edge[k] = p.at[(k + 1) % 3] - p.at[k];
    p.length2[k] = p.edge[k].squaredNorm();
    longest2 = std::max(longest2, p.length2[k]);
  }
  const Vec3 cross = p.edge[0].cross(p.edge[1]);
  const double cross2 = cross.squaredNorm();
  p.thin = !(cross2 > kThin * kThin * longest2 * longest2);
  p.normal = math::unit_or_zero(cross);
}

// How far x lies inside edge j, times the edge's length.
double FeaturePairs::inward(const Owner& q, int j, const Vec3& x) const {
  return q.normal.dot(q.edge[j].cross(x - q.at[static_cast<std::size_t>(j)]));
}

// Whether this distance is more than a rounding error.
bool FeaturePairs::within(const Owner& q, int j, double inward) const {
  return inward > 0 && inward * inward > rounding_ * rounding_ * q.length2[j];
}

void FeaturePairs::add(Index triangle_a, Index triangle_b, std::int32_t features) {
  const auto &share_a = a_.features.share(triangle_a), &share_b = b_.features.share(triangle_b);
  // Drop the features that other triangles own.
  constexpr std::int32_t kPierce = 1 << 15;
  std::int32_t owned = share_a.vertices | share_b.vertices << 3 | kPierce;
  for (int i = 0; i < 3; ++i)
    if (share_a.sharp_edges >> i & 1) owned |= share_b.sharp_edges << (6 + 3 * i);
  features &= owned;
  if (features == 0) return;
  const Owner &a = owner(true, triangle_a), &b = owner(false, triangle_b);
  for (auto left = static_cast<std::uint32_t>(features & ~kPierce); left != 0; left &= left - 1) {
    const int bit = std::countr_zero(left);
    if (bit < 3)
      add_vertex(a, bit, b);
    else if (bit < 6)
      add_vertex(b, bit - 3, a);
    else
      edge_edge(a, (bit - 6) / 3, b, (bit - 6) % 3);
  }
  if ((features & kPierce) == 0) return;
  for (int k = 0; k < 3; ++k) {
    if (a.share.sharp_edges >> k & 1) pierce(a, k, b);
    if (b.share.sharp_edges >> k & 1) pierce(b, k, a);
  }
}

void FeaturePairs::add_vertex(const Owner& p, int k, const Owner& q) {
  const bool sharp = (p.share.sharp_vertices >> k & 1) != 0;
  const auto corner = static_cast<std::size_t>(k);
  const Vec3& x = p.at[corner];
  bool in_band[3] = {true, true, true};
  if (!q.thin) {
    const double height = q.normal.dot(x - q.at[0]);
    if (!(std::abs(height) <= margin_ + rounding_)) return;
    for (int j = 0; j < 3; ++j) in_band[j] = !within(q, j, inward(q, j, x));
    if (!in_band[0] && !in_band[1] && !in_band[2]) {
      if (sharp) vertex_face(p, k, q, q.normal, height);
      return;
    }
  } else if (const auto offset = geometry::TriangleFrame(q.at).offset(x)) {
    const double height = offset->norm();
    const Vec3 unit = height > 0 ? Vec3(*offset / height) : q.normal;
    // For a triangle without area this case is handled as a vertex on an edge.
    if (sharp && !unit.isZero()) vertex_face(p, k, q, unit, height);
  }
  for (int j = 0; j < 3; ++j) {
    // Outside the band of an edge, the foot is on the triangle's inner side of it.
    if (sharp && in_band[j] && (q.share.edges >> j & 1)) vertex_edge(p, k, q, j);
    if (p.is_a && (q.share.vertices >> j & 1) && (sharp || (q.share.sharp_vertices >> j & 1)))
      vertex_vertex(p, k, q, j);
  }
}

// The foot lies inside q, and x lies `height` above it along `unit`.
void FeaturePairs::vertex_face(const Owner& p, int k, const Owner& q, const Vec3& unit,
                               double height) {
  const double distance = std::abs(height);
  if (!(distance <= margin_)) return;
  const bool either = distance <= rounding_;
  const bool down = (either || height > 0) && vertex_leans_little(p, k, -unit),
             up = (either || height < 0) && vertex_leans_little(p, k, unit);
  if (!down && !up) return;
  const bool towards_unit = down && up ? p.normal.dot(unit) >= 0 : up;
  const Vec3& x = p.at[static_cast<std::size_t>(k)];
  emit(p, {FeatureKind::vertex, vertex(p, k)}, x, q, face(q), x - height * unit,
       towards_unit ? unit : Vec3(-unit), distance);
}

void FeaturePairs::vertex_edge(const Owner& p, int k, const Owner& q, int j) {
  const Vec3 &x = p.at[static_cast<std::size_t>(k)], &from = q.at[static_cast<std::size_t>(j)];
  const Vec3 &u = q.edge[j], w = x - from;
  const double t = w.dot(u) / q.length2[j], length = std::sqrt(q.length2[j]);
  if (!(t * length > rounding_ && (1 - t) * length > rounding_)) return;
  const Vec3 offset = w - t * u;
  const double distance = offset.norm();
  if (!(distance <= margin_) || !nearest_on_edge(q, j, offset)) return;
  Vec3 towards;
  if (distance > kCoincide / kRounding * rounding_) {
    towards = -offset / distance;
    if (!vertex_leans_little(p, k, towards)) return;
  } else {
    TouchingCone cone;
    add_ring(p, k, 1, cone);
    add_wings(q, j, cone);
    towards = cone.normal(lean_ + kLeanError, kLeanError, p.normal);
    if (towards.isZero(0)) return;
  }
  emit(p, {FeatureKind::vertex, vertex(p, k)}, x, q, edge(q, j).name, from + t * u, towards,
       distance);
}

void FeaturePairs::vertex_vertex(const Owner& a, int i, const Owner& b, int j) {
  const Vec3 &at_a = a.at[static_cast<std::size_t>(i)], &at_b = b.at[static_cast<std::size_t>(j)];
  const Vec3 offset = at_b - at_a;
  const double distance2 = offset.squaredNorm();
  if (!(distance2 <= margin_ * margin_)) return;
  const double distance = std::sqrt(distance2);
  const bool sharp_a = (a.share.sharp_vertices >> i & 1) != 0,
             sharp_b = (b.share.sharp_vertices >> j & 1) != 0;
  const bool nearest_b = nearest_at_vertex(b, j, -offset),
             nearest_a = nearest_at_vertex(a, i, offset);
  Vec3 towards;
  if (distance > kCoincide / kRounding * rounding_) {
    towards = offset / distance;
    if (!(nearest_b && sharp_a && vertex_leans_little(a, i, towards)) &&
        !(nearest_a && sharp_b && vertex_leans_little(b, j, -towards)))
      return;
  } else {
    if (!nearest_b && !nearest_a) return;
    TouchingCone cone;
    add_ring(a, i, 1, cone);
    add_ring(b, j, -1, cone);
    towards = cone.normal(lean_ + kLeanError, kLeanError, a.normal);
    if (towards.isZero(0)) return;
  }
  emit(a, {FeatureKind::vertex, vertex(a, i)}, at_a, b, {FeatureKind::vertex, vertex(b, j)}, at_b,
       towards, distance);
}

void FeaturePairs::edge_edge(const Owner& a, int i, const Owner& b, int j) {
  const Vec3 &from_a = a.at[static_cast<std::size_t>(i)],
             &from_b = b.at[static_cast<std::size_t>(j)];
  const Vec3 &u = a.edge[i], &v = b.edge[j], w = from_b - from_a, n = u.cross(v);
  const double n2 = n.squaredNorm(), gap = w.dot(n);
  const double most = margin_ + rounding_;
  if (!(gap * gap <= most * most * n2)) return;
  // The lines' closest points must lie inside both edges.
  const double along_u = w.cross(v).dot(n), along_v = w.cross(u).dot(n);
  if (!(along_u > 0 && along_u < n2 && along_v > 0 && along_v < n2)) return;
  if (!(n2 > geometry::SurfaceFeatures::kFlat * geometry::SurfaceFeatures::kFlat * a.length2[i] *
                 b.length2[j]))
    return;
  const double s = along_u / n2, t = along_v / n2;
  const auto inside = [&](double at, double length2) {
    return at * at * length2 > rounding_ * rounding_;
  };
  if (!inside(s, a.length2[i]) || !inside(1 - s, a.length2[i]) || !inside(t, b.length2[j]) ||
      !inside(1 - t, b.length2[j]))
    return;
  const double length = std::sqrt(n2), distance = std::abs(gap) / length;
  if (!(distance <= margin_)) return;
  const Vec3 unit = n / length;
  const bool either = distance <= rounding_;
  const auto lean_little = [&](const Vec3& towards) {
    return edge_leans_little(a, i, towards) && edge_leans_little(b, j, -towards);
  };
  const bool forward = (either || gap > 0) && lean_little(unit),
             backward = (either || gap < 0) && lean_little(-unit);
  if (!forward && !backward) return;
  const bool towards_unit = forward && backward ? a.normal.dot(unit) >= 0 : forward;
  emit(a, edge(a, i).name, from_a + s * u, b, edge(b, j).name, from_b + t * v,
       towards_unit ? unit : Vec3(-unit), distance);
}

void FeaturePairs::pierce(const Owner& p, int k, const Owner& q) {
  if (q.thin) return;
  const Vec3& from = p.at[static_cast<std::size_t>(k)];
  const double height = q.normal.dot(from - q.at[0]), end_height = height + q.normal.dot(p.edge[k]);
  const auto beyond = [&](double above, double below) {
    return above > rounding_ && below < -rounding_;
  };
  if (!beyond(height, end_height) && !beyond(end_height, height)) return;
  const Vec3 x = from + height / (height - end_height) * p.edge[k];
  for (int j = 0; j < 3; ++j) {
    const double inside = inward(q, j, x);
    const bool owns_flat = (q.share.edges & ~q.share.sharp_edges) >> j & 1;
    const bool in_band = !within(q, j, std::abs(inside));
    if (in_band ? !owns_flat : inside < 0) return;
  }
  const bool mostly_above = height + end_height > 0;
  emit(p, edge(p, k).name, x, q, face(q), x, mostly_above ? Vec3(-q.normal) : q.normal, 0);
}

// Whether no triangle at an edge comes nearer to a point than the edge does. `offset` leads from
// the edge to the point, perpendicularly.
bool FeaturePairs::nearest_on_edge(const Owner& q, int j, const Vec3& offset) const {
  const Body& of = body(q);
  const Edge& e = edge(q, j);
  const Vec3 local = of.to_local(offset);
  const Vec3& from = of.soup.vertex(e.from);
  const Vec3 u = of.soup.vertex(e.to) - from;
  const double u2 = u.squaredNorm();
  for (const auto& wing : of.features.wings(e)) {
    // A thin triangle reaches no farther than its edges.
    if (wing.height * wing.height <= kThin * kThin * u2) continue;
    const Vec3 w = of.soup.vertex(wing.vertex) - from;
    if (local.dot(w - w.dot(u) / u2 * u) > 2 * rounding_ * wing.height) return false;
  }
  return true;
}

// Likewise for a vertex.
bool FeaturePairs::nearest_at_vertex(const Owner& q, int j, const Vec3& offset) const {
  const Body& of = body(q);
  const Vec3 local = of.to_local(offset);
  const Index v = vertex(q, j);
  const Vec3& x = of.soup.vertex(v);
  for (const Index other : of.features.ring(v)) {
    const Vec3 u = of.soup.vertex(other) - x;
    const double along = local.dot(u), most = 4 * rounding_;
    if (along > 0 && along * along > most * most * u.squaredNorm()) return false;
  }
  return true;
}

bool FeaturePairs::vertex_leans_little(const Owner& p, int k, const Vec3& towards) const {
  const Body& of = body(p);
  const Vec3 n = of.to_local(towards);
  const Index v = vertex(p, k);
  const Vec3& x = of.soup.vertex(v);
  const double most = allowed_lean(of.features.vertex_bend(v)), most2 = most * most;
  for (const Index other : of.features.ring(v)) {
    const Vec3 u = of.soup.vertex(other) - x;
    const double rise = n.dot(u);
    if (rise > 0 && rise * rise > most2 * u.squaredNorm()) return false;
  }
  return true;
}

// `towards` is perpendicular to the edge.
bool FeaturePairs::edge_leans_little(const Owner& p, int k, const Vec3& towards) const {
  const Body& of = body(p);
  const Edge& e = edge(p, k);
  const Vec3 n = of.to_local(towards);
  const Vec3& from = of.soup.vertex(e.from);
  const double most = allowed_lean(e.bend);
  for (const auto& wing : of.features.wings(e))
    if (n.dot(of.soup.vertex(wing.vertex) - from) > most * wing.height) return false;
  return true;
}

void FeaturePairs::add_ring(const Owner& p, int k, double sign, TouchingCone& cone) const {
  const Body& of = body(p);
  const Index v = vertex(p, k);
  for (const Index other : of.features.ring(v))
    cone.add(sign * of.from_local(of.soup.vertex(other) - of.soup.vertex(v)));
}

// Adds the directions that a normal towards q's edge must not oppose: both directions along the
// edge, and the directions into its triangles.
void FeaturePairs::add_wings(const Owner& q, int j, TouchingCone& cone) const {
  const Body& of = body(q);
  const Edge& e = edge(q, j);
  cone.add(q.edge[j]);
  cone.add(-q.edge[j]);
  for (const auto& wing : of.features.wings(e)) {
    const Vec3 w = of.from_local(of.soup.vertex(wing.vertex) - of.soup.vertex(e.from));
    cone.add(w.dot(q.edge[j]) / q.length2[j] * q.edge[j] - w);
  }
}

void FeaturePairs::emit(const Owner& p, Feature of_p, const Vec3& at_p, const Owner& q,
                        Feature of_q, const Vec3& at_q, const Vec3& towards, double distance) {
  const Vec3 point_p = at_p / scale_, point_q = at_q / scale_;
  // Zero is reserved for contact, also if the gap is lost in rounding.
  if (distance <= rounding_ && geometry::triangles_intersect(p.at, q.at))
    distance = 0;
  else
    distance = std::max(distance / scale_, std::numeric_limits<double>::min());
  if (p.is_a)
    hits_.push_back({of_p, of_q, p.triangle, q.triangle, point_p, point_q, towards, distance});
  else
    hits_.push_back({of_q, of_p, q.triangle, p.triangle, point_q, point_p, -towards, distance});
}

}  // namespace touche::query
