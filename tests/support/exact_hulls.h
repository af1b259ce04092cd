// SPDX-License-Identifier: Apache-2.0
// Convex hulls of few points, judged in rationals by testing all triples and quadruples of points:
// no hull is ever computed. The oracle for queries about polytopes.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "exact.h"

namespace touche::test {

inline std::vector<RVec> rational(std::span<const Vec3> points) {
  return {points.begin(), points.end()};
}

/// Whether p is in the tetrahedron of four points, which may be flat: then false.
inline bool in_tetrahedron(const RVec& p, const RVec& a, const RVec& b, const RVec& c,
                           const RVec& d) {
  const int all = orient3d(a, b, c, d);
  return all != 0 && orient3d(p, b, c, d) * all >= 0 && orient3d(a, p, c, d) * all >= 0 &&
         orient3d(a, b, p, d) * all >= 0 && orient3d(a, b, c, p) * all >= 0;
}

/// Carathéodory: a point of a hull is in the hull of four of its points.
inline bool in_hull(const RVec& p, const std::vector<RVec>& points) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      for (std::size_t k = j + 1; k < n; ++k)
        for (std::size_t l = k + 1; l < n; ++l)
          if (in_tetrahedron(p, points[i], points[j], points[k], points[l])) return true;
  return false;
}

/// All triangles of three of the points, or the one of fewer.
inline std::vector<RTriangle> all_triangles(const std::vector<RVec>& points) {
  std::vector<RTriangle> list;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      for (std::size_t k = j + 1; k < n; ++k) list.push_back({points[i], points[j], points[k]});
  if (n < 3) list.push_back({points[0], points[n - 1], points[n - 1]});
  return list;
}

/// A lower bound of the squared distance of two triangles, in double precision: of their boxes.
inline double box_distance2(const RTriangle& a, const RTriangle& b) {
  double sum = 0;
  for (const auto& at : {&RVec::x, &RVec::y, &RVec::z}) {
    const auto ends = [&](const RTriangle& t) {
      return std::minmax({(t[0].*at).template convert_to<double>(),
                          (t[1].*at).template convert_to<double>(),
                          (t[2].*at).template convert_to<double>()});
    };
    const auto [low_a, high_a] = ends(a);
    const auto [low_b, high_b] = ends(b);
    const double gap = std::max({low_a - high_b, low_b - high_a, 0.0});
    sum += gap * gap;
  }
  return sum * (1 - 1e-12);
}

/// The squared distance of two hulls: 0, or that of the nearest two of all triangles.
inline Rational hull_distance2(const std::vector<RVec>& a, const std::vector<RVec>& b) {
  if (in_hull(a[0], b) || in_hull(b[0], a)) return 0;
  const std::vector<RTriangle> of_a = all_triangles(a), of_b = all_triangles(b);
  Rational least = norm2(a[0] - b[0]);
  for (const RTriangle& s : of_a)
    for (const RTriangle& t : of_b) {
      if (Rational(box_distance2(s, t)) > least) continue;
      least = std::min(least, distance2(s, t));
      if (least == 0) return 0;
    }
  return least;
}

/// The squared depth of two hulls: of the planes through three points of the difference that have
/// all of it on one side, the nearest to the origin; 0 where the origin is outside of one, on one,
/// or there is none, as the difference is flat.
inline Rational hull_depth2(std::span<const Vec3> a, std::span<const Vec3> b) {
  std::vector<RVec> w;
  std::vector<Vec3> near;
  for (const Vec3& p : a)
    for (const Vec3& q : b) {
      w.push_back(RVec(q) - RVec(p));
      near.push_back(q - p);
    }
  double size = 0;
  for (const Vec3& p : near) size = std::max(size, p.norm());
  Rational least = -1;
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = i + 1; j < w.size(); ++j)
      for (std::size_t k = j + 1; k < w.size(); ++k) {
        // Planes that clearly have points on both sides are left out in double precision.
        const Vec3 m = (near[j] - near[i]).cross(near[k] - near[i]);
        const double slack = 1e-12 * size * size * size;
        double low = 0, high = 0;
        for (const Vec3& p : near) {
          const double height = m.dot(p - near[i]);
          low = std::min(low, height), high = std::max(high, height);
        }
        if (low < -slack && high > slack) continue;
        const RVec n = cross(w[j] - w[i], w[k] - w[i]);
        if (norm2(n) == 0) continue;
        int below = 0, above = 0;
        for (const RVec& p : w) {
          const int side = sign(dot(n, p - w[i]));
          below += side<0, above += side> 0;
        }
        if (below > 0 && above > 0) continue;
        if (below == 0 && above == 0) return 0;  // flat
        const Rational height = dot(n, w[i]);
        // All of it lies on the other side of the plane than its outer one: so must the origin.
        if (below > 0 ? height <= 0 : height >= 0) return 0;
        const Rational depth2 = height * height / norm2(n);
        if (least < 0 || depth2 < least) least = depth2;
      }
  return least < 0 ? Rational(0) : least;
}

/// Whether √square is in the bracket.
inline bool holds(const Bracket& bracket, const Rational& square) {
  const Rational low(bracket.lower);
  if (low * low > square) return false;
  if (bracket.upper == kInfinity) return true;
  const Rational high(bracket.upper);
  return square <= high * high;
}

}  // namespace touche::test
