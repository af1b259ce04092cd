// SPDX-License-Identifier: Apache-2.0
// Bounding volumes as sets of real numbers: whether they hold a point, without slack.
#pragma once

#include <algorithm>

#include "exact.h"
#include "methods/bounds/all.h"

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

}  // namespace touche::test
