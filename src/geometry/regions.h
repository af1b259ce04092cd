// SPDX-License-Identifier: Apache-2.0
// Shapes as lists of their regions: corners, insides of edges, inside of the face.
#pragma once

#include <array>

#include "geometry/exact_vector.h"
#include "touche/distance.h"

namespace touche::geometry {

/// A point that is the sum of T given ones.
template <std::size_t T>
using SumPoint = std::array<Vec3, T>;

template <std::size_t T>
Vec3 rounded(const SumPoint<T>& p) {
  Vec3 sum = p[0];
  for (std::size_t i = 1; i < T; ++i) sum += p[i];
  return sum;
}

/// The points base + x span_0 (+ y span_1) with x, y strictly within the range that the shape
/// allows. The vectors `cone` lead from there into the rest of the shape: together with the spans,
/// in both directions, they generate all directions in which the shape continues.
template <std::size_t T>
struct ShapeRegion {
  Region name;
  int dimension = 0;
  SumPoint<T> base, far;  // of an edge: its ends
  const Difference* span[2] = {};
  const Difference* cone[2] = {};
  bool starts = false, ends = false;  // of an edge: whether it is bounded at this end
};

/// Regions in order of their dimensions, then of their numbers.
template <std::size_t T>
struct RegionShape {
  static constexpr int kMostRegions = 9;
  std::array<Difference, 8> vectors;
  std::array<ShapeRegion<T>, kMostRegions> region;
  int first[4] = {0, 0, 0, 0};  // first region of each dimension, then the number of regions

  RegionShape() = default;
  RegionShape(const RegionShape&) = delete;  // regions point to its vectors
  RegionShape& operator=(const RegionShape&) = delete;

  void corner(int index, const SumPoint<T>& at, const Difference* cone0, const Difference* cone1) {
    ShapeRegion<T>& r = add(FeatureKind::vertex, 0, index);
    r.base = at;
    r.cone[0] = cone0;
    r.cone[1] = cone1;
  }
  void edge(int index, const SumPoint<T>& from, const SumPoint<T>& to, const Difference* along,
            const Difference* cone, bool starts, bool ends) {
    ShapeRegion<T>& r = add(FeatureKind::edge, 1, index);
    r.base = from;
    r.far = to;
    r.span[0] = along;
    r.cone[0] = cone;
    r.starts = starts;
    r.ends = ends;
  }
  void face(const SumPoint<T>& at, const Difference* u, const Difference* v) {
    ShapeRegion<T>& r = add(FeatureKind::face, 2, 0);
    r.base = at;
    r.span[0] = u;
    r.span[1] = v;
  }

 private:
  ShapeRegion<T>& add(FeatureKind kind, int dimension, int index) {
    ShapeRegion<T>& r = region[first[3]];
    for (int d = dimension + 1; d < 4; ++d) ++first[d];
    r.name = {kind, static_cast<std::uint8_t>(index)};
    r.dimension = dimension;
    return r;
  }
};

inline void make_point(RegionShape<1>& s, const Vec3& p) { s.corner(0, {p}, nullptr, nullptr); }

inline void make_segment(RegionShape<1>& s, const Vec3& p, const Vec3& q) {
  s.vectors[0] = difference(q, p);
  s.vectors[1] = difference(p, q);
  s.corner(0, {p}, &s.vectors[0], nullptr);
  s.corner(1, {q}, &s.vectors[1], nullptr);
  s.edge(0, {p}, {q}, &s.vectors[0], nullptr, true, true);
}

/// A ray from p along u, or the line in both directions.
inline void make_ray(RegionShape<1>& s, const Vec3& p, const Vec3& u, bool both_sides) {
  s.vectors[0] = difference(u, Vec3::Zero());
  if (!both_sides || u == Vec3::Zero()) s.corner(0, {p}, &s.vectors[0], nullptr);
  s.edge(0, {p}, {p}, &s.vectors[0], nullptr, !both_sides, false);
}

inline void make_triangle(RegionShape<1>& s, const Triangle& t) {
  const Difference* along[3];
  const Difference* back[3];  // edges in the opposite direction
  for (int k = 0; k < 3; ++k) {
    s.vectors[k] = difference(t[(k + 1) % 3], t[k]);
    s.vectors[3 + k] = difference(t[k], t[(k + 1) % 3]);
    along[k] = &s.vectors[k];
    back[k] = &s.vectors[3 + k];
  }
  for (int k = 0; k < 3; ++k) s.corner(k, {t[k]}, along[k], back[(k + 2) % 3]);
  for (int k = 0; k < 3; ++k)
    s.edge(k, {t[k]}, {t[(k + 1) % 3]}, along[k], back[(k + 2) % 3], true, true);
  s.face({t[0]}, along[0], back[2]);
}

inline void make_rectangle(RegionShape<3>& s, const Rectangle& r) {
  const Vec3 zero = Vec3::Zero();
  const SumPoint<3> at[4] = {{r.corner, zero, zero},
                             {r.corner, r.side_u, zero},
                             {r.corner, r.side_u, r.side_v},
                             {r.corner, zero, r.side_v}};
  s.vectors[0] = difference(r.side_u, zero);
  s.vectors[1] = difference(r.side_v, zero);
  s.vectors[2] = difference(zero, r.side_u);
  s.vectors[3] = difference(zero, r.side_v);
  const auto along = [&](int k) { return &s.vectors[k % 4]; };
  for (int k = 0; k < 4; ++k) s.corner(k, at[k], along(k), along(k + 1));
  for (int k = 0; k < 4; ++k) s.edge(k, at[k], at[(k + 1) % 4], along(k), along(k + 1), true, true);
  s.face(at[0], along(0), along(1));
}

}  // namespace touche::geometry
