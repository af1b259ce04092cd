// SPDX-License-Identifier: Apache-2.0
// A vertex against a triangle of the other surface is a matter of where its foot lies: inside, on
// an edge or at a corner, with a narrow band along edges in which the edge has it, so that a vertex
// above an edge of two coplanar triangles is listed once. Each of these asks first what rejects
// most: the margin, then the foot, then the directions in which the surface goes on.
#include "query/feature_pairs.h"

#include <cmath>

#include "bvh/object_data.h"
#include "geometry/point_triangle.h"
#include "math/rounding.h"

namespace touche {
namespace {

using Edge = SurfaceFeatures::Edge;

constexpr double kThin = 1e-6;       // sine of an angle: below it directions are uncertain
constexpr double kLeanError = 1e-9;  // directions are rounded
constexpr double kRounding = 1e-13, kCoincide = 1e-9;  // of the largest coordinate

double largest_coordinate(const Aabb& box) {
  return std::max(box.lo.cwiseAbs().maxCoeff(), box.hi.cwiseAbs().maxCoeff());
}

}  // namespace

/// Directions with which a normal from a to b, or from p to q, must not go: where p's surface goes
/// on, and opposite to where q's does.
struct FeaturePairs::Cone {
  static constexpr int kMost = 48;
  Vec3 direction[kMost];  // unit length, a's frame
  int count = 0;

  void add(const Vec3& d) {
    const double length = d.norm();
    if (count < kMost && length > 0) direction[count++] = d / length;
  }
  double lean(const Vec3& n) const {
    double most = -1;
    for (int i = 0; i < count; ++i) most = std::max(most, n.dot(direction[i]));
    return most;
  }
};

FeaturePairs::Owner::Owner(const Side& s, Index t, const Triangle& corners)
    : side(s), triangle(t), share(s.features.share(t)), at(corners) {
  const Vec3 e0 = edge(0), e1 = edge(1), e2 = edge(2);
  cross = e0.cross(e1);
  cross2 = cross.squaredNorm();
  edge2[0] = e0.squaredNorm();
  edge2[1] = e1.squaredNorm();
  edge2[2] = e2.squaredNorm();
  const double longest2 = std::max({edge2[0], edge2[1], edge2[2]});
  thin = !(cross2 > kThin * kThin * longest2 * longest2);
}

FeaturePairs::FeaturePairs(const Object& a, const Object& b, const RelativePose& pose,
                           double margin, double turn, std::vector<FeatureHit>& hits)
    : pose_(pose),
      a_{a.soup(), features_of(a), pose.rotation, false, true},
      b_{b.soup(), features_of(b), pose.rotation, true, false},
      margin_(margin),
      lean_(std::sin(turn) + kLeanError),
      rounding_(kRounding * (largest_coordinate(a.bounds()) + 2 * largest_coordinate(b.bounds()) +
                             pose.translation.cwiseAbs().maxCoeff())),
      hits_(hits) {}

void FeaturePairs::add(Index triangle_a, Index triangle_b, bool may_pierce) {
  const Triangle at_a = triangle_of(a_.soup, triangle_a),
                 at_b = triangle_of(b_.soup, triangle_b, pose_);
  const Owner a(a_, triangle_a, at_a), b(b_, triangle_b, at_b);
  for (int k = 0; k < 3; ++k) {
    if (a.share.vertices >> k & 1) add_vertex(a, k, b);
    if (b.share.vertices >> k & 1) add_vertex(b, k, a);
  }
  for (int i = 0; i < 3; ++i)
    if (a.share.sharp_edges >> i & 1)
      for (int j = 0; j < 3; ++j)
        if (b.share.sharp_edges >> j & 1) edge_edge(a, i, b, j);
  if (!may_pierce) return;
  for (int k = 0; k < 3; ++k) {
    if (a.share.sharp_edges >> k & 1) pierce(a, k, b);
    if (b.share.sharp_edges >> k & 1) pierce(b, k, a);
  }
}

void FeaturePairs::add_vertex(const Owner& p, int k, const Owner& q) {
  const bool sharp = (p.share.sharp_vertices >> k & 1) != 0;
  const Vec3& x = p.at[k];
  bool in_band[3] = {true, true, true};
  if (!q.thin) {
    const double length = std::sqrt(q.cross2), height = q.cross.dot(x - q.at[0]) / length;
    if (!(std::abs(height) <= margin_ + rounding_)) return;
    bool inside = true;
    for (int j = 0; j < 3; ++j) {
      const double within = q.cross.cross(q.edge(j)).dot(x - q.at[j]);
      in_band[j] = !(within > 0 && within * within > rounding_ * rounding_ * q.cross2 * q.edge2[j]);
      inside = inside && !in_band[j];
    }
    if (inside) {
      if (sharp) vertex_face(p, k, q, q.cross / length, height);
      return;
    }
  } else if (const auto offset = TriangleFrame(q.at).offset(x)) {
    const double height = offset->norm();
    const Vec3 unit = height > 0 ? Vec3(*offset / height) : unit_or_zero(q.cross);
    if (sharp) vertex_face(p, k, q, unit, height);
  }
  for (int j = 0; j < 3; ++j) {
    // A vertex is off the band of one of its edges only where it is another feature's.
    if (sharp && in_band[j] && (q.share.edges >> j & 1)) vertex_edge(p, k, q, j);
    if (p.side.is_a && (q.share.vertices >> j & 1) && (sharp || (q.share.sharp_vertices >> j & 1)))
      vertex_vertex(p, k, q, j);
  }
}

// The foot lies inside of q, and x `height` above it along `unit`.
void FeaturePairs::vertex_face(const Owner& p, int k, const Owner& q, const Vec3& unit,
                               double height) {
  const double distance = std::abs(height);
  if (!(distance <= margin_)) return;
  const bool either = distance <= rounding_;
  const Index v = p.vertex(k);
  const bool down = (either || height > 0) && vertex_leans_little(p.side, v, -unit),
             up = (either || height < 0) && vertex_leans_little(p.side, v, unit);
  if (!down && !up) return;
  const Vec3& x = p.at[k];
  emit(p, {FeatureKind::vertex, v}, x, q,
       {FeatureKind::face, q.side.soup.face_of_triangle(q.triangle)}, x - height * unit,
       chosen_normal(p, unit, up, down), distance);
}

void FeaturePairs::vertex_edge(const Owner& p, int k, const Owner& q, int j) {
  const Vec3 u = q.edge(j), w = p.at[k] - q.at[j];
  const double t = w.dot(u) / q.edge2[j], length = std::sqrt(q.edge2[j]);
  if (!(t * length > rounding_ && (1 - t) * length > rounding_)) return;
  const Vec3 offset = w - t * u;
  const double distance = offset.norm();
  if (!(distance <= margin_) || !nearest_on_edge(q, j, offset)) return;
  const Index v = p.vertex(k);
  Vec3 towards;
  if (distance > kCoincide / kRounding * rounding_) {
    towards = -offset / distance;
    if (!vertex_leans_little(p.side, v, towards)) return;
  } else {
    Cone cone;
    add_ring(p.side, v, cone);
    add_wings(q, j, cone);
    if (!touching_normal(p, cone, towards)) return;
  }
  emit(p, {FeatureKind::vertex, v}, p.at[k], q, q.edge_of(j).name, q.at[j] + t * u, towards,
       distance);
}

void FeaturePairs::vertex_vertex(const Owner& a, int i, const Owner& b, int j) {
  const Vec3 offset = b.at[j] - a.at[i];
  const double distance = offset.norm();
  if (!(distance <= margin_)) return;
  const Index va = a.vertex(i), vb = b.vertex(j);
  const bool sharp_a = (a.share.sharp_vertices >> i & 1) != 0,
             sharp_b = (b.share.sharp_vertices >> j & 1) != 0;
  Vec3 towards;
  if (distance > kCoincide / kRounding * rounding_) {
    towards = offset / distance;
    const bool at_b = sharp_a && nearest_at_vertex(b_, vb, -offset),
               at_a = sharp_b && nearest_at_vertex(a_, va, offset);
    if (!(at_b && vertex_leans_little(a_, va, towards)) &&
        !(at_a && vertex_leans_little(b_, vb, -towards)))
      return;
  } else {
    if (!nearest_at_vertex(b_, vb, -offset) && !nearest_at_vertex(a_, va, offset)) return;
    Cone cone;
    add_ring(a_, va, cone);
    const int of_a = cone.count;
    add_ring(b_, vb, cone);
    for (int n = of_a; n < cone.count; ++n) cone.direction[n] *= -1;
    if (!touching_normal(a, cone, towards)) return;
  }
  emit(a, {FeatureKind::vertex, va}, a.at[i], b, {FeatureKind::vertex, vb}, b.at[j], towards,
       distance);
}

void FeaturePairs::edge_edge(const Owner& a, int i, const Owner& b, int j) {
  const Vec3 u = a.edge(i), v = b.edge(j), w = b.at[j] - a.at[i], n = u.cross(v);
  const double n2 = n.squaredNorm(), gap = w.dot(n);
  const double most = margin_ + rounding_;
  if (!(gap * gap <= most * most * n2)) return;
  if (!(n2 > SurfaceFeatures::kFlat * SurfaceFeatures::kFlat * a.edge2[i] * b.edge2[j])) return;
  const double s = w.cross(v).dot(n) / n2, t = w.cross(u).dot(n) / n2;
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
  const auto inside = [&](double at, double length2) {
    return at * at * length2 > rounding_ * rounding_;
  };
  if (!inside(s, a.edge2[i]) || !inside(1 - s, a.edge2[i]) || !inside(t, b.edge2[j]) ||
      !inside(1 - t, b.edge2[j]))
    return;
  const double length = std::sqrt(n2), distance = std::abs(gap) / length;
  if (!(distance <= margin_)) return;
  const Vec3 unit = n / length;
  const bool either = distance <= rounding_;
  const auto lean_little = [&](const Vec3& towards) {
    return edge_leans_little(a_, a.edge_of(i), towards) &&
           edge_leans_little(b_, b.edge_of(j), -towards);
  };
  const bool forward = (either || gap > 0) && lean_little(unit),
             backward = (either || gap < 0) && lean_little(-unit);
  if (!forward && !backward) return;
  emit(a, a.edge_of(i).name, a.at[i] + s * u, b, b.edge_of(j).name, b.at[j] + t * v,
       chosen_normal(a, unit, forward, backward), distance);
}

void FeaturePairs::pierce(const Owner& p, int k, const Owner& q) {
  if (q.thin) return;
  const Vec3 &from = p.at[k], &to = p.at[(k + 1) % 3];
  const double length = std::sqrt(q.cross2);
  const double height = q.cross.dot(from - q.at[0]) / length,
               end_height = q.cross.dot(to - q.at[0]) / length;
  const auto beyond = [&](double above, double below) {
    return above > rounding_ && below < -rounding_;
  };
  if (!beyond(height, end_height) && !beyond(end_height, height)) return;
  const Vec3 x = from + height / (height - end_height) * (to - from);
  for (int j = 0; j < 3; ++j) {
    const double within = q.cross.cross(q.edge(j)).dot(x - q.at[j]);
    const bool in_band = within * within <= rounding_ * rounding_ * q.cross2 * q.edge2[j];
    const bool owns_flat = (q.share.edges & ~q.share.sharp_edges) >> j & 1;
    if (in_band ? !owns_flat : within < 0) return;
  }
  const bool mostly_above = height + end_height > 0;
  const Vec3 unit = q.cross / length;
  emit(p, p.edge_of(k).name, x, q, {FeatureKind::face, q.side.soup.face_of_triangle(q.triangle)}, x,
       mostly_above ? Vec3(-unit) : unit, 0);
}

// Whether no triangle at an edge comes nearer to a point than the edge does: `offset` leads to it
// from the edge, perpendicularly.
bool FeaturePairs::nearest_on_edge(const Owner& q, int j, const Vec3& offset) const {
  const Edge& e = q.edge_of(j);
  const Vec3 local = q.side.direction(offset);
  const Vec3& from = q.side.soup.vertex(e.from);
  const Vec3 u = q.side.soup.vertex(e.to) - from;
  const double u2 = u.squaredNorm();
  for (const auto& wing : q.side.features.wings(e)) {
    if (wing.height * wing.height <= kThin * kThin * u2) continue;  // no farther than its edges
    const Vec3 w = q.side.soup.vertex(wing.vertex) - from;
    if (local.dot(w - w.dot(u) / u2 * u) > 2 * rounding_ * wing.height) return false;
  }
  return true;
}

// The same for a vertex.
bool FeaturePairs::nearest_at_vertex(const Side& side, Index v, const Vec3& offset) const {
  const Vec3 local = side.direction(offset);
  const Vec3& x = side.soup.vertex(v);
  for (const Index other : side.features.ring(v)) {
    const Vec3 u = side.soup.vertex(other) - x;
    const double along = local.dot(u), most = 4 * rounding_;
    if (along > 0 && along * along > most * most * u.squaredNorm()) return false;
  }
  return true;
}

bool FeaturePairs::vertex_leans_little(const Side& side, Index v, const Vec3& towards) const {
  const Vec3 n = side.direction(towards);
  const Vec3& x = side.soup.vertex(v);
  for (const Index other : side.features.ring(v)) {
    const Vec3 u = side.soup.vertex(other) - x;
    const double rise = n.dot(u);
    if (rise > 0 && rise * rise > lean_ * lean_ * u.squaredNorm()) return false;
  }
  return true;
}

// `towards` is perpendicular to the edge.
bool FeaturePairs::edge_leans_little(const Side& side, const Edge& e, const Vec3& towards) const {
  const Vec3 n = side.direction(towards);
  const Vec3& from = side.soup.vertex(e.from);
  for (const auto& wing : side.features.wings(e))
    if (n.dot(side.soup.vertex(wing.vertex) - from) > lean_ * wing.height) return false;
  return true;
}

// n or its opposite, of which at least one may be; if both, the side that p's triangle faces.
Vec3 FeaturePairs::chosen_normal(const Owner& p, const Vec3& n, bool forward, bool backward) const {
  if (forward && backward) forward = p.cross.dot(n) >= 0;
  return forward ? n : Vec3(-n);
}

void FeaturePairs::add_ring(const Side& side, Index v, Cone& cone) const {
  for (const Index other : side.features.ring(v)) {
    const Vec3 u = side.soup.vertex(other) - side.soup.vertex(v);
    cone.add(side.turned ? Vec3(side.rotation * u) : u);
  }
}

// What a normal towards q's edge must not go against: both ways along it, and into its triangles.
void FeaturePairs::add_wings(const Owner& q, int j, Cone& cone) const {
  const Vec3 u = q.edge(j);
  cone.add(u);
  cone.add(-u);
  const Edge& e = q.edge_of(j);
  const Vec3& from = q.side.soup.vertex(e.from);
  for (const auto& wing : q.side.features.wings(e)) {
    const Vec3 apex = q.side.soup.vertex(wing.vertex) - from;
    const Vec3 w = q.side.turned ? Vec3(q.side.rotation * apex) : apex;
    cone.add(w.dot(u) / q.edge2[j] * u - w);
  }
}

// The middle of the directions that go with none of the cone: the mean of the extreme ones, which
// are perpendicular to two of its directions. False if there is none.
bool FeaturePairs::touching_normal(const Owner& p, const Cone& cone, Vec3& towards) const {
  Vec3 sum = Vec3::Zero(), best = Vec3::Zero();
  double least = lean_;
  for (int i = 0; i < cone.count; ++i)
    for (int j = 0; j < i; ++j) {
      Vec3 n = cone.direction[i].cross(cone.direction[j]);
      const double length = n.norm();
      if (!(length > kThin)) continue;
      n /= length;
      for (const Vec3& way : {n, Vec3(-n)}) {
        const double lean = cone.lean(way);
        if (lean <= kLeanError) sum += way;
        if (lean < least || (lean <= least && p.cross.dot(way) > p.cross.dot(best))) {
          least = lean;
          best = way;
        }
      }
    }
  if (best.isZero(0)) return false;
  const double length = sum.norm();
  towards = best;
  if (length > kThin && cone.lean(sum / length) <= lean_) towards = sum / length;
  return true;
}

void FeaturePairs::emit(const Owner& p, Feature of_p, const Vec3& at_p, const Owner& q,
                        Feature of_q, const Vec3& at_q, const Vec3& towards, double distance) {
  // Zero is reserved for contact, also where the gap is lost in rounding.
  if (distance <= rounding_)
    distance = triangles_intersect(p.at, q.at)
                   ? 0
                   : std::max(distance, std::numeric_limits<double>::min());
  if (p.side.is_a)
    hits_.push_back({of_p, of_q, p.triangle, q.triangle, at_p, at_q, towards, distance});
  else
    hits_.push_back({of_q, of_p, q.triangle, p.triangle, at_q, at_p, -towards, distance});
}

}  // namespace touche
