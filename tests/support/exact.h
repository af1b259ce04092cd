// SPDX-License-Identifier: Apache-2.0
// Exact rational geometry, written to be obviously right: the oracle for predicates and distances.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/gmp.hpp>

#include "touche/types.h"

namespace touche::test {

using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;

struct RVec {
  Rational x, y, z;
  RVec(Rational px, Rational py, Rational pz)
      : x(std::move(px)), y(std::move(py)), z(std::move(pz)) {}
  RVec(const Vec3& p) : x(p.x()), y(p.y()), z(p.z()) {}
};
inline RVec operator+(const RVec& a, const RVec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline RVec operator-(const RVec& a, const RVec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline RVec operator*(const Rational& s, const RVec& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Rational dot(const RVec& a, const RVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline RVec cross(const RVec& a, const RVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Rational norm2(const RVec& a) { return dot(a, a); }
inline int sign(const Rational& a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }

/// Sign of det[a−d, b−d, c−d].
inline int orient3d(const RVec& a, const RVec& b, const RVec& c, const RVec& d) {
  return sign(dot(a - d, cross(b - d, c - d)));
}

using RTriangle = std::array<RVec, 3>;

inline Rational point_segment2(const RVec& p, const RVec& a, const RVec& b) {
  const RVec u = b - a;
  if (norm2(u) == 0) return norm2(p - a);
  const Rational t = std::clamp<Rational>(dot(p - a, u) / norm2(u), Rational(0), Rational(1));
  return norm2(p - (a + t * u));
}

inline Rational segment_segment2(const RVec& a, const RVec& b, const RVec& c, const RVec& d) {
  Rational least = std::min({point_segment2(a, c, d), point_segment2(b, c, d),
                             point_segment2(c, a, b), point_segment2(d, a, b)});
  const RVec u = b - a, v = d - c, n = cross(u, v);
  if (norm2(n) == 0) return least;
  const Rational s = dot(cross(c - a, v), n) / norm2(n), t = dot(cross(c - a, u), n) / norm2(n);
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
    least = std::min(least, norm2((a + s * u) - (c + t * v)));
  return least;
}

/// Whether x, a point of the plane of a triangle with area, lies in the triangle.
inline bool inside(const RVec& x, const RTriangle& t) {
  const RVec n = cross(t[1] - t[0], t[2] - t[0]);
  for (int k = 0; k < 3; ++k)
    if (dot(cross(t[(k + 1) % 3] - t[k], x - t[k]), n) < 0) return false;
  return true;
}

inline Rational point_triangle2(const RVec& p, const RTriangle& t) {
  const RVec n = cross(t[1] - t[0], t[2] - t[0]);
  if (norm2(n) != 0) {
    const Rational height = dot(p - t[0], n) / norm2(n);
    if (inside(p - height * n, t)) return height * height * norm2(n);
  }
  return std::min({point_segment2(p, t[0], t[1]), point_segment2(p, t[1], t[2]),
                   point_segment2(p, t[2], t[0])});
}

/// Whether a segment passes through the plane of a triangle with area inside of the triangle.
inline bool pierces(const RVec& p, const RVec& q, const RTriangle& t) {
  const RVec n = cross(t[1] - t[0], t[2] - t[0]);
  const Rational height_p = dot(p - t[0], n), height_q = dot(q - t[0], n);
  if (norm2(n) == 0 || height_p == height_q || height_p * height_q > 0) return false;
  return inside(p + (height_p / (height_p - height_q)) * (q - p), t);
}

/// Squared distance of two triangles of any shape; zero iff they intersect.
inline Rational distance2(const RTriangle& a, const RTriangle& b) {
  Rational least = norm2(a[0] - b[0]);
  for (int i = 0; i < 3; ++i) {
    const RVec &a0 = a[i], &a1 = a[(i + 1) % 3], &b0 = b[i], &b1 = b[(i + 1) % 3];
    if (pierces(a0, a1, b) || pierces(b0, b1, a)) return 0;
    least = std::min({least, point_triangle2(a0, b), point_triangle2(b0, a)});
    for (int j = 0; j < 3; ++j)
      least = std::min(least, segment_segment2(a0, a1, b[j], b[(j + 1) % 3]));
  }
  return least;
}

inline RTriangle rational(const std::array<Vec3, 3>& t) { return {t[0], t[1], t[2]}; }

/// |d − √square| <= tolerance, without taking a root.
inline bool is_root_within(double d, const Rational& square, double tolerance) {
  const Rational low = Rational(d) - Rational(tolerance), high = Rational(d) + Rational(tolerance);
  return (low <= 0 || low * low <= square) && square <= high * high;
}

}  // namespace touche::test
