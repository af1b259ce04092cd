// SPDX-License-Identifier: Apache-2.0
// The closest regions of two shapes in rational arithmetic, written to be obviously right: for each
// pair of regions, the points where the planes or lines through them are closest; the least
// distance of points inside their regions is the answer.
#pragma once

#include <optional>
#include <vector>

#include "exact.h"
#include "touche/distance.h"

namespace touche::test {

struct OracleRegion {
  Region name;
  RVec base;
  std::vector<RVec> span;
  enum class Inside { everywhere, ray, segment, triangle, square } inside = Inside::everywhere;

  bool contains(const std::vector<Rational>& at) const {
    Rational sum = 0;
    for (const Rational& x : at) {
      if (inside != Inside::everywhere && x <= 0) return false;
      if ((inside == Inside::segment || inside == Inside::square) && x >= 1) return false;
      sum += x;
    }
    return inside != Inside::triangle || sum < 1;
  }
};
using OracleShape = std::vector<OracleRegion>;

/// The least z of |w + M z|, for the columns of M; nothing where there are several.
inline std::optional<std::vector<Rational>> least_squares(const RVec& w,
                                                          const std::vector<RVec>& columns) {
  const std::size_t n = columns.size();
  std::vector<std::vector<Rational>> rows(n, std::vector<Rational>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) rows[i][j] = dot(columns[i], columns[j]);
    rows[i][n] = -dot(columns[i], w);
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    while (pivot < n && rows[pivot][i] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(rows[i], rows[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i || rows[k][i] == 0) continue;
      const Rational factor = rows[k][i] / rows[i][i];
      for (std::size_t j = i; j <= n; ++j) rows[k][j] -= factor * rows[i][j];
    }
  }
  std::vector<Rational> z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = rows[i][n] / rows[i][i];
  return z;
}

struct OracleAnswer {
  Rational square = -1;  // of the distance
  RVec point_a{0, 0, 0}, point_b{0, 0, 0};
  Region region_a, region_b;
};

/// Returns the regions that touche/distance.h promises where several are at the least distance.
inline OracleAnswer oracle_regions(const OracleShape& a, const OracleShape& b) {
  OracleAnswer best;
  for (std::size_t sum = 0; sum <= 4; ++sum)
    for (std::size_t in_a = 0; in_a <= sum; ++in_a)
      for (const OracleRegion& f : a)
        for (const OracleRegion& g : b) {
          if (f.span.size() != in_a || g.span.size() != sum - in_a) continue;
          std::vector<RVec> columns = f.span;
          for (const RVec& v : g.span) columns.push_back(Rational(-1) * v);
          const auto z = least_squares(f.base - g.base, columns);
          if (!z) continue;
          const auto middle = z->begin() + static_cast<std::ptrdiff_t>(in_a);
          if (!f.contains({z->begin(), middle}) || !g.contains({middle, z->end()})) continue;
          RVec x = f.base, y = g.base;
          for (std::size_t i = 0; i < in_a; ++i) x = x + (*z)[i] * f.span[i];
          for (std::size_t i = in_a; i < sum; ++i) y = y + (*z)[i] * g.span[i - in_a];
          const Rational square = norm2(x - y);
          if (best.square < 0 || square < best.square) best = {square, x, y, f.name, g.name};
        }
  if (best.square < 0) {  // parallel lines: a's origin is returned
    best = oracle_regions({{a[0].name, a[0].base, {}}}, b);
  }
  return best;
}

inline OracleRegion oracle_corner(int k, const RVec& at) {
  return {{FeatureKind::vertex, static_cast<std::uint8_t>(k)}, at, {}};
}
inline OracleRegion oracle_edge(int k, const RVec& from, const RVec& along,
                                OracleRegion::Inside inside = OracleRegion::Inside::segment) {
  return {{FeatureKind::edge, static_cast<std::uint8_t>(k)}, from, {along}, inside};
}

inline OracleShape oracle_shape(const Vec3& p) { return {oracle_corner(0, p)}; }
inline OracleShape oracle_shape(const Segment& s) {
  return {oracle_corner(0, s.start), oracle_corner(1, s.end),
          oracle_edge(0, s.start, RVec(s.end) - RVec(s.start))};
}
inline OracleShape oracle_shape(const Ray& r) {
  return {oracle_corner(0, r.origin),
          oracle_edge(0, r.origin, r.direction, OracleRegion::Inside::ray)};
}
inline OracleShape oracle_shape(const Line& l) {
  if (l.direction == Vec3::Zero()) return {oracle_corner(0, l.origin)};
  return {oracle_edge(0, l.origin, l.direction, OracleRegion::Inside::everywhere)};
}
inline OracleShape oracle_shape(const Triangle& t) {
  const RTriangle r = rational(t);
  OracleShape shape;
  for (int k = 0; k < 3; ++k) shape.push_back(oracle_corner(k, r[k]));
  for (int k = 0; k < 3; ++k) shape.push_back(oracle_edge(k, r[k], r[(k + 1) % 3] - r[k]));
  shape.push_back(
      {{FeatureKind::face, 0}, r[0], {r[1] - r[0], r[2] - r[0]}, OracleRegion::Inside::triangle});
  return shape;
}
inline OracleShape oracle_shape(const Rectangle& q) {
  const RVec u = q.side_u, v = q.side_v, o = q.corner;
  const RVec at[4] = {o, o + u, o + u + v, o + v};
  OracleShape shape;
  for (int k = 0; k < 4; ++k) shape.push_back(oracle_corner(k, at[k]));
  for (int k = 0; k < 4; ++k) shape.push_back(oracle_edge(k, at[k], at[(k + 1) % 4] - at[k]));
  shape.push_back({{FeatureKind::face, 0}, o, {u, v}, OracleRegion::Inside::square});
  return shape;
}

}  // namespace touche::test
