// SPDX-License-Identifier: Apache-2.0
// The shortest distance between the cores, minus the radii. If the cores themselves intersect, the
// differences of their points form a zonotope that contains the origin, and the face nearest to the
// origin gives the shortest separating shift. The normals of its faces are cross products of two
// sides.
#include "touche/methods/swept_sphere.h"

#include <array>
#include <cmath>

#include "geometry/triangle_pair.h"
#include "math/rounding.h"

namespace touche {
namespace {

void check(const SweptSphere& s) {
  if (!(s.radius >= 0) || !std::isfinite(s.radius))
    throw InvalidInput("swept sphere: the radius must not be negative");
  if (!s.centre.allFinite() || !s.half_u.allFinite() || !s.half_v.allFinite())
    throw InvalidInput("swept sphere: a coordinate is not finite");
}

// The core as two triangles, which may be a segment or a point.
std::array<Triangle, 2> halves(const SweptSphere& s, const Vec3& shift) {
  const Vec3 c = s.centre + shift;
  const Vec3 p = c - s.half_u - s.half_v, q = c + s.half_u - s.half_v, r = c + s.half_u + s.half_v,
             t = c - s.half_u + s.half_v;
  return {Triangle{p, q, r}, Triangle{p, r, t}};
}

geometry::ClosestPoints closest_of_cores(const SweptSphere& a, const SweptSphere& b,
                                         const Vec3& shift_b) {
  geometry::ClosestPoints best;
  for (const Triangle& s : halves(a, Vec3::Zero()))
    for (const Triangle& t : halves(b, shift_b))
      if (const geometry::ClosestPoints c = geometry::closest_points(s, t);
          c.distance < best.distance)
        best = c;
  return best;
}

struct Shift {
  Vec3 direction;
  double length = kInfinity;
};

// The least shift of b that takes crossing cores apart.
Shift least_shift(const SweptSphere& a, const SweptSphere& b) {
  const Vec3 side[4] = {a.half_u, a.half_v, b.half_u, b.half_v};
  const Vec3 apart = b.centre - a.centre;
  Shift best;
  const auto consider = [&](const Vec3& n) {
    double reach = 0;
    for (const Vec3& s : side) reach += std::abs(n.dot(s));
    const bool forward = n.dot(apart) >= 0;
    const double length = reach - std::abs(n.dot(apart));
    if (length < best.length) best = {forward ? n : Vec3(-n), length};
  };
  constexpr double kParallelSine = 1e-12;
  const Vec3* longest = &side[0];
  for (int i = 0; i < 4; ++i) {
    if (side[i].squaredNorm() > longest->squaredNorm()) longest = &side[i];
    for (int j = 0; j < i; ++j) {
      const Vec3 n = side[i].stableNormalized().cross(side[j].stableNormalized());
      if (n.norm() > kParallelSine) consider(n.normalized());
    }
  }
  if (best.length < kInfinity) return best;
  // All sides are parallel: any direction across them will do.
  const Vec3 along = longest->stableNormalized();
  consider(along.isZero(0) ? Vec3(Vec3::UnitX()) : Vec3(along.unitOrthogonal()));
  return best;
}

}  // namespace

SweptContact swept_contact(const SweptSphere& a, const SweptSphere& b) {
  check(a);
  check(b);
  SweptContact contact;
  geometry::ClosestPoints closest = closest_of_cores(a, b, Vec3::Zero());
  double between = closest.distance;
  // A connection as short as rounding errors has no direction.
  constexpr double kNoDirection = 1e-13;
  const double sides = a.half_u.norm() + a.half_v.norm() + b.half_u.norm() + b.half_v.norm();
  contact.normal = between > kNoDirection * sides
                       ? math::unit_or_zero(closest.point_b - closest.point_a)
                       : Vec3::Zero();
  if (contact.normal.isZero(0)) {
    const Shift shift = least_shift(a, b);
    contact.normal = shift.direction;
    between = -shift.length;
    const Vec3 apart = shift.length * shift.direction;
    closest = closest_of_cores(a, b, apart);
    closest.point_b -= apart;
  }
  contact.distance = between - (a.radius + b.radius);
  contact.point_a = closest.point_a + a.radius * contact.normal;
  contact.point_b = closest.point_b - b.radius * contact.normal;
  return contact;
}

}  // namespace touche
