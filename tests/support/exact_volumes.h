// SPDX-License-Identifier: Apache-2.0
// Bounding volumes as sets of real numbers: whether they hold a point, without slack.
#pragma once

#include <algorithm>

#include "exact.h"
#include "methods/bounds/all.h"
#include "methods/bounds/any_volume.h"
#include "methods/bounds/directed_volume.h"
#include "methods/bounds/others.h"

namespace touche::test {

using namespace bounds;

inline bool holds(const Sphere& s, const Vec3& p) {
  return norm2(RVec(p) - RVec(s.centre)) <= Rational(s.radius) * Rational(s.radius);
}
inline bool holds(const AabbMinMax& b, const Vec3& p) { return b.contains(p); }
inline bool holds(const Obb& b, const Vec3& p) {
  // Coordinates by Cramer's rule, as the axes are not exactly orthonormal.
  const RVec x(b.axes.col(0)), y(b.axes.col(1)), z(b.axes.col(2)), d = RVec(p) - RVec(b.centre);
  const Rational det = dot(x, cross(y, z));
  const auto within = [&](const Rational& minor, double half) {
    const Rational c = minor / det;
    return c <= Rational(half) && -c <= Rational(half);
  };
  return within(dot(d, cross(y, z)), b.half.x()) && within(dot(x, cross(d, z)), b.half.y()) &&
         within(dot(x, cross(y, d)), b.half.z());
}
template <int K>
bool holds(const Kdop<K>& k, const Vec3& p) {
  const auto directions = kdop_directions(K);
  for (std::size_t i = 0; i < k.lo.size(); ++i) {
    const Rational x = dot(RVec(directions[i]), RVec(p));
    if (x < Rational(k.lo[i]) || x > Rational(k.hi[i])) return false;
  }
  return true;
}
inline bool holds(const Capsule& c, const Vec3& p) {
  return point_segment2(p, c.start, c.end) <= Rational(c.radius) * Rational(c.radius);
}
inline bool holds(const Rss& r, const Vec3& p) {
  // A point of the rectangle that is near enough.
  const Vec3 y = r.axes.transpose() * (p - r.centre);
  const Rational s(std::clamp(y[0], -r.half[0], r.half[0])),
      t(std::clamp(y[1], -r.half[1], r.half[1]));
  const RVec foot = RVec(r.centre) + s * RVec(r.axes.col(0)) + t * RVec(r.axes.col(1));
  return norm2(RVec(p) - foot) <= Rational(r.radius) * Rational(r.radius);
}

inline bool holds(const Mixed& m, const Vec3& p) {
  return m.visit([&](const auto& shape) { return holds(shape, p); });
}
inline bool holds(const Cone& c, const Vec3& p) {
  const RVec axis(c.axis), w = RVec(p) - RVec(c.centre);
  const Rational s = dot(axis, w), half(c.half), a(c.radius[0]), b(c.radius[1]);
  if (s > half || -s > half) return false;
  const Rational radius =
      half > 0 ? Rational((a + b) / 2 + (b - a) / (2 * half) * s) : std::max(a, b);
  return norm2(w) - s * s / norm2(axis) <= radius * radius;
}
inline bool holds(const Cylinder& c, const Vec3& p) { return holds(to_cone(c), p); }
inline bool holds(const Shell& s, const Vec3& p) {
  const RVec w = RVec(p) - RVec(s.centre);
  const Rational length2 = norm2(w), inner(s.inner), outer(s.outer), cosine(s.cosine);
  if (length2 < inner * inner || length2 > outer * outer) return false;
  if (s.cosine < -1) return true;
  // axis · w >= cosine |w|, by squares.
  const Rational along = dot(RVec(s.axis), w), side = cosine * cosine * length2;
  return cosine >= 0 ? along >= 0 && along * along >= side : along >= 0 || along * along <= side;
}
inline bool holds(const SlabPolytope& polytope, const Vec3& p) {
  if (polytope.slabs().empty()) return p.isZero(0);
  return std::ranges::all_of(polytope.slabs(), [&](const Slab& s) {
    const Rational x = dot(RVec(s.normal), RVec(p));
    return x >= Rational(s.lo) && x <= Rational(s.hi);
  });
}
inline bool holds(const Slabs& s, const Vec3& p) { return holds(s.body, p); }
template <typename D>
bool holds(const DirectionDop<D>& d, const Vec3& p) {
  return holds(d.body, p);
}
/// The box's axes times its half widths as real numbers, then the segments.
inline std::vector<RVec> exact_generators(const Zonotope& z) {
  std::vector<RVec> out;
  for (int i = 0; i < 3; ++i) out.push_back(Rational(z.box.half[i]) * RVec(z.box.axes.col(i)));
  for (const Vec3& s : z.segments) out.emplace_back(s);
  return out;
}
inline bool holds(const Zonotope& z, const Vec3& p) {
  const std::vector<RVec> generators = exact_generators(z);
  const RVec w = RVec(p) - RVec(z.box.centre);
  bool solid = false;
  for (std::size_t i = 0; i < generators.size(); ++i)
    for (std::size_t j = i + 1; j < generators.size(); ++j) {
      const RVec n = cross(generators[i], generators[j]);
      Rational reach = 0;
      for (const RVec& g : generators) reach += abs(dot(n, g));
      if (abs(dot(n, w)) > reach) return false;
      solid |= reach > 0;
    }
  return solid || norm2(w) == 0;
}
/// Whether p is within `margin` of a point that has these shares of three sides and none below 0.
inline bool near_shares(const Vec3& p, const Vec3& origin, const std::array<Vec3, 3>& ends,
                        std::array<double, 3> share, double margin) {
  double sum = 0;
  for (double& s : share) sum += s = s > 0 ? s : 0;
  if (sum > 1)
    for (double& s : share) s /= sum * (1 + 1e-15);
  RVec rest = RVec(p) - RVec(origin);
  for (std::size_t k = 0; k < 3; ++k)
    rest = rest - Rational(share[k]) * (RVec(ends[k]) - RVec(origin));
  return norm2(rest) <= Rational(margin) * Rational(margin);
}
inline bool holds(const Hull& h, const Vec3& p) {
  if (std::ranges::find(h.corners, p) != h.corners.end()) return true;
  const Vec3& apex = h.corners[0];
  if (h.faces.empty())  // a few corners, or one
    for (const Vec3& q : h.corners)
      for (const Vec3& r : h.corners)
        if (point_triangle2(p, {apex, q, r}) <= Rational(h.margin) * Rational(h.margin))
          return true;
  for (const auto& [a, b, c] : h.faces) {
    const std::array<Vec3, 3> face = {h.corners[a], h.corners[b], h.corners[c]};
    // In the tetrahedron of a corner and the face,
    const Vec3 u = face[0] - apex, v = face[1] - apex, w = face[2] - apex, d = p - apex;
    if (const double det = u.dot(v.cross(w)); det != 0)
      if (near_shares(p, apex, face,
                      {d.dot(v.cross(w)) / det, d.dot(w.cross(u)) / det, d.dot(u.cross(v)) / det},
                      h.margin))
        return true;
    // or beside the face or an edge.
    for (std::size_t k = 0; k < 3; ++k)
      if (point_segment2(p, face[k], face[(k + 1) % 3]) <= Rational(h.margin) * Rational(h.margin))
        return true;
    const Vec3 e = face[1] - face[0], f = face[2] - face[0], n = e.cross(f), g = p - face[0];
    if (const double n2 = n.squaredNorm(); n2 > 0)
      if (near_shares(p, face[0], face, {0, n.dot(g.cross(f)) / n2, n.dot(e.cross(g)) / n2},
                      h.margin))
        return true;
  }
  return false;
}

template <typename... V>
bool holds_as(std::type_identity<std::tuple<V...>>, const AnyVolume& any, const Vec3& p) {
  return ((any.as<V>() != nullptr && holds(*any.as<V>(), p)) || ...);
}
inline bool holds(const AnyVolume& any, const Vec3& p) {
  if (const SlabPolytope* body = directed_body(any)) return holds(*body, p);
  return holds_as(std::type_identity<AllVolumes>(), any, p) ||
         holds_as(std::type_identity<OtherVolumes>(), any, p);
}

}  // namespace touche::test
