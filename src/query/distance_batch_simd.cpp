// SPDX-License-Identifier: Apache-2.0
// touche/distance_batch.h: guesses for many pairs which regions are closest, one lane per pair. A
// guess only decides how soon the answer is found, so its rounding does not matter.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "query/distance_batch_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <array>
#include <cstddef>

#include "geometry/feature_distance.h"
#include "touche/distance_batch.h"

#ifndef TOUCHE_QUERY_DISTANCE_BATCH_SIMD_ONCE_
#define TOUCHE_QUERY_DISTANCE_BATCH_SIMD_ONCE_
namespace touche::query::distance_batch {

inline constexpr std::size_t kTogether = 8;

// Up to eight pairs; unused lanes repeat the first. Regions are numbered as in geometry/regions.h.
struct Pairs {
  // Corners, or origin and direction, or corner and sides: a's, then b's; [which][axis][lane].
  alignas(64) double corner[6][3][kTogether];
  alignas(64) double region_a[kTogether], region_b[kTogether];
};
struct Table {
  void (*point_segment)(Pairs& pairs);
  void (*point_triangle)(Pairs& pairs);
  void (*point_rectangle)(Pairs& pairs);
  void (*segments)(Pairs& pairs);
  void (*line_triangle)(Pairs& pairs);
  void (*ray_triangle)(Pairs& pairs);
  void (*segment_triangle)(Pairs& pairs);
  void (*triangles)(Pairs& pairs);
  void (*rectangles)(Pairs& pairs);
};

}  // namespace touche::query::distance_batch
#endif

HWY_BEFORE_NAMESPACE();
namespace touche::query {
namespace HWY_NAMESPACE {
namespace distances {
namespace hn = hwy::HWY_NAMESPACE;
using distance_batch::kTogether;
using distance_batch::Pairs;

using D = hn::CappedTag<double, kTogether>;
using V = hn::Vec<D>;

struct Vectors {
  V x, y, z;
};
HWY_INLINE Vectors Corner(const Pairs& pairs, int k, std::size_t l) {
  const D d;
  const auto& c = pairs.corner[k];
  return {hn::Load(d, c[0] + l), hn::Load(d, c[1] + l), hn::Load(d, c[2] + l)};
}
HWY_INLINE Vectors Minus(const Vectors& a, const Vectors& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vectors Along(const Vectors& a, V s, const Vectors& u) {  // a + s u
  return {hn::MulAdd(s, u.x, a.x), hn::MulAdd(s, u.y, a.y), hn::MulAdd(s, u.z, a.z)};
}
HWY_INLINE V Dot(const Vectors& a, const Vectors& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Vectors Plus(const Vectors& a, const Vectors& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vectors Turned(const Vectors& a) { return {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z)}; }
HWY_INLINE Vectors Cross(const Vectors& a, const Vectors& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
// NaN lanes, from a division by zero, become 0.
HWY_INLINE V Clamped(V s) {
  const D d;
  const V one = hn::Set(d, 1.0);
  const V low = hn::IfThenElseZero(hn::Gt(s, hn::Zero(d)), s);
  return hn::IfThenElse(hn::Gt(low, one), one, low);
}

// How many ends a line has: none (a line), one (a ray) or two (a segment).
enum class Ends { none, one, two };
template <Ends kEnds>
HWY_INLINE V Within(V s) {
  const D d;
  if constexpr (kEnds == Ends::two) return Clamped(s);
  if constexpr (kEnds == Ends::one) return hn::IfThenElseZero(hn::Gt(s, hn::Zero(d)), s);
  return hn::IfThenElseZero(hn::Eq(s, s), s);
}

// The number of the region at parameter s of an edge.
HWY_INLINE V OnEdge(V s, double from, double to, double edge) {
  const D d;
  const V inside = hn::IfThenElse(hn::Ge(s, hn::Set(d, 1.0)), hn::Set(d, to), hn::Set(d, edge));
  return hn::IfThenElse(hn::Le(s, hn::Zero(d)), hn::Set(d, from), inside);
}

// The nearest regions so far.
struct Least {
  V square, region_a, region_b;
  HWY_INLINE Least() {
    const D d;
    square = hn::Set(d, kInfinity);
    region_a = region_b = hn::Zero(d);
  }
  HWY_INLINE void Take(V other, V a, V b) {
    const auto less = hn::Lt(other, square);
    square = hn::IfThenElse(less, other, square);
    region_a = hn::IfThenElse(less, a, region_a);
    region_b = hn::IfThenElse(less, b, region_b);
  }
};

struct EdgePlaces {
  V s, t, square;
};
// The parameters at which p + s u and q + t v are closest, s within the line's ends and t in [0,
// 1].
template <Ends kEnds = Ends::two>
HWY_INLINE EdgePlaces ClosestPlaces(const Vectors& p, const Vectors& u, const Vectors& q,
                                    const Vectors& v) {
  const Vectors w = Minus(q, p);
  const V uu = Dot(u, u), vv = Dot(v, v), uv = Dot(u, v), uw = Dot(u, w), vw = Dot(v, w);
  const V apart = hn::Sub(hn::Mul(uu, vv), hn::Mul(uv, uv));
  EdgePlaces at;
  at.s = Within<kEnds>(hn::Div(hn::Sub(hn::Mul(uw, vv), hn::Mul(uv, vw)), apart));
  at.t = Clamped(hn::Div(hn::Sub(hn::Mul(at.s, uv), vw), vv));
  at.s = Within<kEnds>(hn::Div(hn::MulAdd(at.t, uv, uw), uu));
  const Vectors offset = Minus(Along(q, at.t, v), Along(p, at.s, u));
  at.square = Dot(offset, offset);
  return at;
}

// A face of three or four corners: regions 0 to n - 1 are its corners, then follow its edges, then
// 2 n is its inside.
template <int n>
struct Corners {
  Vectors at[n], along[n], normal;
  // Reads three corners, or a corner and two sides.
  HWY_INLINE Corners(const Pairs& pairs, int first, std::size_t l) {
    if constexpr (n == 3) {
      for (int k = 0; k < 3; ++k) at[k] = Corner(pairs, first + k, l);
      for (int k = 0; k < 3; ++k) along[k] = Minus(at[(k + 1) % 3], at[k]);
    } else {
      along[0] = Corner(pairs, first + 1, l);
      along[1] = Corner(pairs, first + 2, l);
      along[2] = Turned(along[0]);
      along[3] = Turned(along[1]);
      at[0] = Corner(pairs, first, l);
      for (int k = 0; k < 3; ++k) at[k + 1] = Plus(at[k], along[k]);
    }
    normal = Cross(along[0], along[1]);
  }
  // The squared height of p above the face if p projects into its inside, else infinite.
  HWY_INLINE V Height2(const Vectors& p) const {
    const D d;
    auto inside = hn::Gt(Dot(Cross(along[0], Minus(p, at[0])), normal), hn::Zero(d));
    for (int k = 1; k < n; ++k)
      inside = hn::And(inside, hn::Gt(Dot(Cross(along[k], Minus(p, at[k])), normal), hn::Zero(d)));
    const V height = Dot(Minus(p, at[0]), normal);
    return hn::IfThenElse(inside, hn::Div(hn::Mul(height, height), Dot(normal, normal)),
                          hn::Set(d, kInfinity));
  }
};

HWY_INLINE void Store(const Least& least, Pairs& pairs, std::size_t l) {
  const D d;
  hn::Store(least.region_a, d, pairs.region_a + l);
  hn::Store(least.region_b, d, pairs.region_b + l);
}

void PointSegment(Pairs& pairs) {
  const D d;
  for (std::size_t l = 0; l < kTogether; l += hn::Lanes(d)) {
    const Vectors q = Corner(pairs, 3, l), u = Minus(Corner(pairs, 4, l), q);
    const V s = Clamped(hn::Div(Dot(Minus(Corner(pairs, 0, l), q), u), Dot(u, u)));
    hn::Store(hn::Zero(d), d, pairs.region_a + l);
    hn::Store(OnEdge(s, 0, 1, 2), d, pairs.region_b + l);
  }
}

template <int n>
void PointFace(Pairs& pairs) {
  const D d;
  for (std::size_t l = 0; l < kTogether; l += hn::Lanes(d)) {
    const Vectors p = Corner(pairs, 0, l);
    const Corners<n> t(pairs, 3, l);
    const V none = hn::Zero(d);
    Least least;
    least.Take(t.Height2(p), none, hn::Set(d, 2 * n));
    for (int k = 0; k < n; ++k) {
      const Vectors w = Minus(p, t.at[k]), &u = t.along[k];
      const V s = Clamped(hn::Div(Dot(w, u), Dot(u, u)));
      const Vectors offset = Minus(w, Along({none, none, none}, s, u));
      least.Take(Dot(offset, offset), none, OnEdge(s, k, (k + 1) % n, n + k));
    }
    Store(least, pairs, l);
  }
}

void Segments(Pairs& pairs) {
  const D d;
  for (std::size_t l = 0; l < kTogether; l += hn::Lanes(d)) {
    const Vectors p = Corner(pairs, 0, l), q = Corner(pairs, 3, l);
    const EdgePlaces at =
        ClosestPlaces(p, Minus(Corner(pairs, 1, l), p), q, Minus(Corner(pairs, 4, l), q));
    hn::Store(OnEdge(at.s, 0, 1, 2), d, pairs.region_a + l);
    hn::Store(OnEdge(at.t, 0, 1, 2), d, pairs.region_b + l);
  }
}

// Lines that pass through the face are left to the search of all regions: this test cannot show
// that the face is the only region.
template <Ends kEnds>
void LinearTriangle(Pairs& pairs) {
  constexpr int kCorners = static_cast<int>(kEnds);  // regions of a: these, then its edge
  const D d;
  for (std::size_t l = 0; l < kTogether; l += hn::Lanes(d)) {
    const Vectors p = Corner(pairs, 0, l), second = Corner(pairs, 1, l);
    const Vectors u = kEnds == Ends::two ? Minus(second, p) : second;
    const Corners<3> t(pairs, 3, l);
    Least least;
    for (int k = 0; k < 3; ++k) {
      const EdgePlaces at = ClosestPlaces<kEnds>(p, u, t.at[k], t.along[k]);
      V region_a = hn::Set(d, kCorners);
      if constexpr (kEnds == Ends::two)
        region_a = OnEdge(at.s, 0, 1, 2);
      else if constexpr (kEnds == Ends::one)
        region_a = hn::IfThenElseZero(hn::Gt(at.s, hn::Zero(d)), region_a);
      least.Take(at.square, region_a, OnEdge(at.t, k, (k + 1) % 3, 3 + k));
    }
    if constexpr (kEnds != Ends::none) least.Take(t.Height2(p), hn::Zero(d), hn::Set(d, 6.0));
    if constexpr (kEnds == Ends::two)
      least.Take(t.Height2(second), hn::Set(d, 1.0), hn::Set(d, 6.0));
    Store(least, pairs, l);
  }
}

template <int n>
void Faces(Pairs& pairs) {
  const D d;
  for (std::size_t l = 0; l < kTogether; l += hn::Lanes(d)) {
    const Corners<n> a(pairs, 0, l), b(pairs, 3, l);
    Least least;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const EdgePlaces at = ClosestPlaces(a.at[i], a.along[i], b.at[j], b.along[j]);
        least.Take(at.square, OnEdge(at.s, i, (i + 1) % n, n + i),
                   OnEdge(at.t, j, (j + 1) % n, n + j));
      }
    for (int k = 0; k < n; ++k) {
      least.Take(a.Height2(b.at[k]), hn::Set(d, 2 * n), hn::Set(d, k));
      least.Take(b.Height2(a.at[k]), hn::Set(d, k), hn::Set(d, 2 * n));
    }
    Store(least, pairs, l);
  }
}

}  // namespace distances

distance_batch::Table MakeDistanceTable() {
  using distances::Ends;
  return {distances::PointSegment,
          distances::PointFace<3>,
          distances::PointFace<4>,
          distances::Segments,
          distances::LinearTriangle<Ends::none>,
          distances::LinearTriangle<Ends::one>,
          distances::LinearTriangle<Ends::two>,
          distances::Faces<3>,
          distances::Faces<4>};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::query
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

#include "bvh/kernels.h"

namespace touche::query {

namespace {

HWY_EXPORT(MakeDistanceTable);

const distance_batch::Table& distance_table() {
  static const std::vector<bvh::Kernels>& in_order = bvh::all_kernels();
  // In the same order.
  static const std::vector<distance_batch::Table> tables =
      base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeDistanceTable)(); });
  return tables[static_cast<std::size_t>(&bvh::kernels() - in_order.data())];
}

const Vec3& corner_of(const Vec3& p, std::size_t) { return p; }
const Vec3& corner_of(const Segment& s, std::size_t k) { return k == 0 ? s.start : s.end; }
const Vec3& corner_of(const Line& l, std::size_t k) { return k == 0 ? l.origin : l.direction; }
const Vec3& corner_of(const Ray& r, std::size_t k) { return k == 0 ? r.origin : r.direction; }
const Vec3& corner_of(const Triangle& t, std::size_t k) { return t[k]; }
const Vec3& corner_of(const Rectangle& r, std::size_t k) {
  return k == 0 ? r.corner : k == 1 ? r.side_u : r.side_v;
}
template <class Shape>
constexpr std::size_t kCorners = 2;
template <>
constexpr std::size_t kCorners<Vec3> = 1;
template <>
constexpr std::size_t kCorners<Triangle> = 3;
template <>
constexpr std::size_t kCorners<Rectangle> = 3;

template <class Shape>
void put(const Shape& shape, std::size_t first, std::size_t lane, distance_batch::Pairs& pairs) {
  for (std::size_t c = 0; c < kCorners<Shape>; ++c)
    for (int k = 0; k < 3; ++k) pairs.corner[first + c][k][lane] = corner_of(shape, c)[k];
}

template <class A, class B>
void ask_together(std::span<const A> a, std::span<const B> b, std::span<RegionDistance> found,
                  void (*guess)(distance_batch::Pairs&)) {
  using distance_batch::kTogether;
  if (a.size() != b.size() || a.size() != found.size())
    throw InvalidInput("distance: spans of different lengths");
  distance_batch::Pairs pairs;
  for (std::size_t first = 0; first < a.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, a.size() - first);
    for (std::size_t lane = 0; lane < kTogether; ++lane) {
      const std::size_t i = first + (lane < count ? lane : 0);
      put(a[i], 0, lane, pairs);
      put(b[i], 3, lane, pairs);
    }
    guess(pairs);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t i = first + lane;
      found[i] = geometry::guessed_distance(
          a[i], b[i],
          {static_cast<int>(pairs.region_a[lane]), static_cast<int>(pairs.region_b[lane])});
    }
  }
}

}  // namespace

}  // namespace touche::query

namespace touche {

void point_segment_distances(std::span<const Vec3> a, std::span<const Segment> b,
                             std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().point_segment);
}

void point_triangle_distances(std::span<const Vec3> a, std::span<const Triangle> b,
                              std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().point_triangle);
}

void point_rectangle_distances(std::span<const Vec3> a, std::span<const Rectangle> b,
                               std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().point_rectangle);
}

void segment_segment_distances(std::span<const Segment> a, std::span<const Segment> b,
                               std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().segments);
}

void line_triangle_distances(std::span<const Line> a, std::span<const Triangle> b,
                             std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().line_triangle);
}

void ray_triangle_distances(std::span<const Ray> a, std::span<const Triangle> b,
                            std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().ray_triangle);
}

void segment_triangle_distances(std::span<const Segment> a, std::span<const Triangle> b,
                                std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().segment_triangle);
}

void triangle_triangle_distances(std::span<const Triangle> a, std::span<const Triangle> b,
                                 std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().triangles);
}

void rectangle_rectangle_distances(std::span<const Rectangle> a, std::span<const Rectangle> b,
                                   std::span<RegionDistance> found) {
  query::ask_together(a, b, found, query::distance_table().rectangles);
}

}  // namespace touche
#endif
