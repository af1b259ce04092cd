// SPDX-License-Identifier: Apache-2.0
// Processes a pair of triangles in each lane. Every operation corresponds to one of
// triangle_distance.cpp, in the same order, so that distances have the same digits; its branches
// are masks here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/triangle_distances_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include "geometry/segment_pair.h"
#include "geometry/triangle_distances.h"
#include "math/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace touche::geometry {
namespace HWY_NAMESPACE {
namespace pair_distances {
namespace hn = hwy::HWY_NAMESPACE;

template <class Tag>
struct Lanes {
  using V = hn::Vec<Tag>;
  using M = hn::Mask<Tag>;

  static HWY_INLINE V Set(double x) { return hn::Set(Tag(), x); }

  struct Vector {
    V x, y, z;
  };
  static HWY_INLINE Vector Minus(const Vector& p, const Vector& q) {
    return {hn::Sub(p.x, q.x), hn::Sub(p.y, q.y), hn::Sub(p.z, q.z)};
  }
  static HWY_INLINE Vector Plus(const Vector& p, V s, const Vector& u) {
    return {hn::Add(p.x, hn::Mul(s, u.x)), hn::Add(p.y, hn::Mul(s, u.y)),
            hn::Add(p.z, hn::Mul(s, u.z))};
  }
  static HWY_INLINE Vector Minus(const Vector& p, V s, const Vector& u) {
    return {hn::Sub(p.x, hn::Mul(s, u.x)), hn::Sub(p.y, hn::Mul(s, u.y)),
            hn::Sub(p.z, hn::Mul(s, u.z))};
  }
  static HWY_INLINE V Dot(const Vector& u, const Vector& v) {
    return hn::Add(hn::Add(hn::Mul(u.x, v.x), hn::Mul(u.y, v.y)), hn::Mul(u.z, v.z));
  }
  static HWY_INLINE Vector Cross(const Vector& u, const Vector& v) {
    return {hn::Sub(hn::Mul(u.y, v.z), hn::Mul(u.z, v.y)),
            hn::Sub(hn::Mul(u.z, v.x), hn::Mul(u.x, v.z)),
            hn::Sub(hn::Mul(u.x, v.y), hn::Mul(u.y, v.x))};
  }
  static HWY_INLINE Vector Choose(M first, const Vector& p, const Vector& q) {
    return {hn::IfThenElse(first, p.x, q.x), hn::IfThenElse(first, p.y, q.y),
            hn::IfThenElse(first, p.z, q.z)};
  }
  static HWY_INLINE V Clamped(V s) { return hn::Max(hn::Min(s, Set(1)), Set(0)); }

  // The corners of a triangle relative to an origin, and its edges.
  struct Corners {
    Vector at[3], along[3];
    V length2[3];

    HWY_INLINE Corners(const double (&t)[3][3][TrianglePairs::kMost], const Vector& origin,
                       std::size_t l) {
      const Tag d;
      for (int k = 0; k < 3; ++k)
        at[k] = Minus(
            {hn::Load(d, t[k][0] + l), hn::Load(d, t[k][1] + l), hn::Load(d, t[k][2] + l)}, origin);
      for (int k = 0; k < 3; ++k) along[k] = Minus(at[(k + 1) % 3], at[k]);
      for (int k = 0; k < 3; ++k) length2[k] = Dot(along[k], along[k]);
    }
    HWY_INLINE V Largest(V least) const {
      for (const Vector& p : at)
        least = hn::Max(least, hn::Max(hn::Max(hn::Abs(p.x), hn::Abs(p.y)), hn::Abs(p.z)));
      return least;
    }
  };
  static HWY_INLINE V PerLength2(V length2) {
    return hn::IfThenElseZero(hn::Gt(length2, Set(1e-280)), hn::Div(Set(1), length2));
  }

  // The same as closest_to_parallel_line().
  static HWY_INLINE V OnParallelLine(const Vector& u, const Vector& v, const Vector& w) {
    const Vector n = Cross(u, v);
    const V nn = Dot(n, n);
    return hn::IfThenElseZero(hn::Gt(nn, Set(0)), Clamped(hn::Div(Dot(Cross(w, v), n), nn)));
  }

  // The number of an edge, which may differ between lanes.
  struct EdgeNumber {
    M is_first, is_second;

    HWY_INLINE explicit EdgeNumber(V number)
        : is_first(hn::Eq(number, Set(0))), is_second(hn::Eq(number, Set(1))) {}
    HWY_INLINE EdgeNumber(M first, M second) : is_first(first), is_second(second) {}
    // Returns the vector of the edge, or of the edge or corner `later` positions after it.
    HWY_INLINE Vector Choose(const Vector (&from)[3], int later) const {
      return Lanes::Choose(is_first, from[later % 3],
                           Lanes::Choose(is_second, from[(later + 1) % 3], from[(later + 2) % 3]));
    }
  };

  // The nearest pair of edges.
  struct NearestEdges {
    V distance2 = Set(kInfinity);
    Vector offset{Set(0), Set(0), Set(0)};
    M proved;

    HWY_INLINE NearestEdges(const Corners& a, const Corners& b, V largest) {
      const Tag d;
      V edge_a = Set(0), edge_b = Set(0), place_a = Set(0), place_b = Set(0);
      V per_length2_b[3];
      for (int j = 0; j < 3; ++j) per_length2_b[j] = PerLength2(b.length2[j]);
      for (int i = 0; i < 3; ++i) {
        const Vector& u = a.along[i];
        const V per_length2_a = PerLength2(a.length2[i]);
        for (int j = 0; j < 3; ++j) {
          const Vector& v = b.along[j];
          const Vector w = Minus(b.at[j], a.at[i]);
          const V uv = Dot(u, v), uw = Dot(u, w), vw = Dot(v, w);
          const V product = hn::Mul(a.length2[i], b.length2[j]);
          const V determinant = hn::Sub(product, hn::Mul(uv, uv));
          V s = Clamped(hn::Div(hn::Sub(hn::Mul(uw, b.length2[j]), hn::Mul(uv, vw)), determinant));
          const M parallel = hn::Not(hn::Gt(determinant, hn::Mul(Set(kParallel), product)));
          if (!hn::AllFalse(d, parallel)) s = hn::IfThenElse(parallel, OnParallelLine(u, v, w), s);
          const V t = Clamped(hn::Mul(hn::Sub(hn::Mul(s, uv), vw), per_length2_b[j]));
          s = Clamped(hn::Mul(hn::Add(hn::Mul(t, uv), uw), per_length2_a));
          const Vector between = Minus(Plus(w, t, v), s, u);
          const V square = Dot(between, between);
          const M nearer = hn::Lt(square, distance2);
          distance2 = hn::IfThenElse(nearer, square, distance2);
          edge_a = hn::IfThenElse(nearer, Set(i), edge_a);
          edge_b = hn::IfThenElse(nearer, Set(j), edge_b);
          place_a = hn::IfThenElse(nearer, s, place_a);
          place_b = hn::IfThenElse(nearer, t, place_b);
        }
      }
      const EdgeNumber of_a(edge_a), of_b(edge_b);
      const Vector p = Plus(of_a.Choose(a.at, 0), place_a, of_a.Choose(a.along, 0)),
                   q = Plus(of_b.Choose(b.at, 0), place_b, of_b.Choose(b.along, 0));
      offset = Minus(q, p);
      const V size2 = hn::Mul(hn::Mul(Set(3), largest), largest);
      const V margin = hn::IfThenElseZero(hn::Le(distance2, hn::Mul(Set(1e-6), size2)),
                                          hn::Mul(Set(64 * math::kUnitRoundoff), size2));
      proved = hn::And(hn::Le(Dot(Minus(of_a.Choose(a.at, 2), p), offset), hn::Neg(margin)),
                       hn::Ge(Dot(Minus(of_b.Choose(b.at, 2), q), offset), margin));
    }
  };

  // The same as TriangleFrame.
  struct Frame {
    Vector origin, along, across;
    V per_length2, per_height2, skew;
    M flat;

    HWY_INLINE explicit Frame(const Corners& t) {
      V d[3];
      for (int k = 0; k < 3; ++k) d[k] = Dot(t.along[k], t.along[k]);
      const M is_first = hn::And(hn::Ge(d[0], d[1]), hn::Ge(d[0], d[2]));
      const M is_second = hn::And(hn::Not(hn::Ge(d[0], d[1])), hn::Ge(d[1], d[2]));
      const EdgeNumber longest(is_first, is_second);
      const V length2 = hn::IfThenElse(is_first, d[0], hn::IfThenElse(is_second, d[1], d[2]));
      origin = longest.Choose(t.at, 0);
      along = longest.Choose(t.along, 0);
      const Vector apex = Minus(longest.Choose(t.at, 2), origin);
      per_length2 = hn::Div(Set(1), length2);
      skew = hn::Mul(Dot(apex, along), per_length2);
      across = Minus(apex, skew, along);
      const V height2 = Dot(across, across);
      flat = hn::Not(hn::And(hn::Gt(length2, Set(0)), hn::Gt(height2, Set(0))));
      per_height2 = hn::Div(Set(1), height2);
    }
    // The squared height of p, if its foot lies inside the triangle.
    HWY_INLINE V Height2(const Vector& p) const {
      const Vector w = Minus(p, origin);
      const V x = hn::Mul(Dot(w, along), per_length2);
      const Vector rest = Minus(w, x, along);
      const V t = hn::Mul(Dot(rest, across), per_height2);
      const V s = hn::Sub(x, hn::Mul(t, skew));
      const M inside =
          hn::And(hn::And(hn::Ge(t, Set(0)), hn::Ge(s, Set(0))), hn::Le(hn::Add(s, t), Set(1)));
      const Vector height = Minus(rest, t, across);
      return hn::IfThenElse(hn::AndNot(flat, inside), Dot(height, height), Set(kInfinity));
    }
  };

  // Returns the bits of lanes that are left to closest_points_apart().
  static HWY_INLINE std::uint32_t Measure(const TrianglePairs& pairs, std::size_t l,
                                          double* distance) {
    const Tag d;
    const auto first = [&](const double(&t)[3][3][TrianglePairs::kMost]) HWY_ATTR {
      return Vector{hn::Load(d, t[0][0] + l), hn::Load(d, t[0][1] + l), hn::Load(d, t[0][2] + l)};
    };
    const Vector origin = first(pairs.a);
    const Corners a(pairs.a, origin, l), b(pairs.b, origin, l);
    const V largest = b.Largest(a.Largest(Set(0)));
    const M is_usual = hn::And(hn::Gt(largest, Set(0x1p-60)), hn::Lt(largest, Set(0x1p60)));
    const NearestEdges edges(a, b, largest);
    V least = edges.distance2;
    if (!hn::AllTrue(d, edges.proved)) {
      V heights = Set(kInfinity);
      // Each face is represented relative to its own corner.
      const Vector origin_b = first(pairs.b);
      const Corners a_from_b(pairs.a, origin_b, l), b_from_b(pairs.b, origin_b, l);
      const Frame frame_a(a), frame_b(b_from_b);
      for (int k = 0; k < 3; ++k)
        heights =
            hn::Min(heights, hn::Min(frame_a.Height2(b.at[k]), frame_b.Height2(a_from_b.at[k])));
      least = hn::IfThenElse(edges.proved, least, hn::Min(least, heights));
    }
    // Zero is reserved for contact, also if the gap is lost in rounding.
    const V length = hn::Max(hn::Sqrt(least), Set(std::numeric_limits<double>::min()));
    hn::Store(length, d, distance);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Not(is_usual), bits);
    return bits[0];
  }
};

std::uint32_t Measure(const TrianglePairs& pairs, int count,
                      double (&distance)[TrianglePairs::kMost]) {
  HWY_ALIGN double measured[TrianglePairs::kMost];
  std::uint32_t left = 0;
  const auto measure = [&](auto d, std::size_t lanes) HWY_ATTR {
    for (std::size_t l = 0; l < lanes; l += hn::Lanes(d))
      left |= Lanes<decltype(d)>::Measure(pairs, l, measured + l) << l;
  };
  if (count > 4)
    measure(hn::CappedTag<double, 8>(), 8);
  else
    measure(hn::CappedTag<double, 4>(), 4);
  std::copy(measured, measured + count, distance);
  return left & ((1u << count) - 1);
}

}  // namespace pair_distances

TriangleDistances MakeTriangleDistances() { return &pair_distances::Measure; }

}  // namespace HWY_NAMESPACE
}  // namespace touche::geometry
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::geometry {
namespace {

HWY_EXPORT(MakeTriangleDistances);

}  // namespace

TriangleDistances triangle_distances() {
  static const TriangleDistances best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakeTriangleDistances)(); });
  return best;
}

std::vector<TriangleDistances> triangle_distances_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeTriangleDistances)(); });
}

}  // namespace touche::geometry
#endif
