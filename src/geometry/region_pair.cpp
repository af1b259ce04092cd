// SPDX-License-Identifier: Apache-2.0
// Points x of a convex shape A and y of B are closest exactly if d = x − y makes no obtuse angle
// with any direction that leads from x into A, nor an acute one with any direction from y into B.
// For x inside a region F and y inside a region G that means: d is orthogonal to the spans of both,
// which determines x and y if the spans have no direction in common, and some products of two
// (corner and corner), three or four vectors have the right signs. All signs are decided exactly.
//
// Such regions always exist. The points x with x − d in B, for the least d, are the intersection of
// A and of B shifted by d, which has a corner (A or B is bounded). If x is such a corner, the
// regions around x and x − d have no direction in common, otherwise both could be shifted along it.
// So their dimensions add up to at most three, and if they add up to three, d is 0: an edge passes
// through a face.
//
// If all signs are strict, x and y are the only closest points: a shift of both along some
// direction keeps d only if it leads from the spans into neither shape, and the spans have no
// direction in common.
#include "geometry/region_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touche::geometry {

namespace {

enum class Verdict : std::uint8_t { no, yes, only };  // only: there are no others

/// Collects signs, none of which may be negative.
struct ConeSigns {
  bool right = true, strict = true;
  /// Returns false if the result is already negative.
  bool take(int sign) {
    if (sign < 0) right = false;
    if (sign <= 0) strict = false;
    return right;
  }
  Verdict answer() const { return !right ? Verdict::no : strict ? Verdict::only : Verdict::yes; }
};

/// The vector from a point of B to one of A.
template <std::size_t T>
ExactVector<2 * T> offset_of(const SumPoint<T>& p, const SumPoint<T>& q) {
  ExactVector<2 * T> w;
  w.term[0] = p[0];
  w.term[T] = -q[0];
  w.value = p[0] - q[0];
  w.size = w.value.cwiseAbs();
  for (std::size_t i = 1; i < T; ++i) {
    w.term[i] = p[i];
    w.term[T + i] = -q[i];
    w.value += p[i] - q[i];
    w.size += p[i].cwiseAbs() + q[i].cwiseAbs();
  }
  return w;
}

/// Tests all directions into the shapes; `sign` gives the sign of a direction's product with d.
template <std::size_t T, class Sign>
Verdict judge_cones(const ShapeRegion<T>& f, const ShapeRegion<T>& g, const Sign& sign) {
  ConeSigns signs;
  for (const Difference* c : f.cone)
    if (c && !signs.take(sign(*c))) return Verdict::no;
  for (const Difference* c : g.cone)
    if (c && !signs.take(-sign(*c))) return Verdict::no;
  return signs.answer();
}

template <std::size_t T>
Verdict check_corners(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const auto w = offset_of(f.base, g.base);
  return judge_cones(f, g, [&](const Difference& c) { return dot_sign(w, c); });
}

template <std::size_t T>
Verdict check_edge_corner(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const Difference& u = *f.span[0];
  const auto w = offset_of(f.base, g.base);
  if (f.starts && dot_sign(w, u) >= 0) return Verdict::no;
  if (f.ends && dot_sign(offset_of(f.far, g.base), u) <= 0) return Verdict::no;
  if (u.value == Vec3::Zero()) return Verdict::no;
  // d = w − (w · u / u²) u, and u² (c · d) = (w × u) · (c × u).
  return judge_cones(f, g, [&](const Difference& c) { return sign_of_crosses(w, u, c, u); });
}

template <std::size_t T>
Verdict check_edges(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  // d = (w · n / n²) n with n = u × v, at w + x u − y v: x = −(w × v) · n / n², y = −(w × u) · n /
  // n².
  const Difference &u = *f.span[0], &v = *g.span[0];
  const auto w = offset_of(f.base, g.base);
  if (f.starts && sign_of_crosses(w, v, u, v) >= 0) return Verdict::no;
  if (g.starts && sign_of_crosses(w, u, u, v) >= 0) return Verdict::no;
  if (f.ends && sign_of_crosses(offset_of(f.far, g.base), v, u, v) <= 0) return Verdict::no;
  if (g.ends && sign_of_crosses(offset_of(f.base, g.far), u, u, v) <= 0) return Verdict::no;
  const int side = triple_sign(w, u, v);
  if (side == 0) return Verdict::yes;  // the edges meet
  return judge_cones(f, g, [&](const Difference& c) { return side * triple_sign(c, u, v); });
}

template <std::size_t T>
Verdict check_face_corner(const RegionShape<T>& shape, const ShapeRegion<T>& f,
                          const ShapeRegion<T>& g) {
  const Difference &u = *f.span[0], &v = *f.span[1];
  for (int k = shape.first[1]; k < shape.first[2]; ++k) {
    const ShapeRegion<T>& edge = shape.region[k];
    if (sign_of_crosses(offset_of(edge.base, g.base), *edge.span[0], u, v) <= 0) return Verdict::no;
  }
  const int side = triple_sign(offset_of(f.base, g.base), u, v);
  if (side == 0) return Verdict::yes;
  return judge_cones(f, g, [&](const Difference& c) { return side * triple_sign(c, u, v); });
}

/// Whether an edge (g) passes through the inside of a face (f).
template <std::size_t T>
Verdict check_face_edge(const RegionShape<T>& shape, const ShapeRegion<T>& f,
                        const ShapeRegion<T>& g) {
  const Difference &u = *f.span[0], &v = *f.span[1], &along = *g.span[0];
  const int above = triple_sign(offset_of(f.base, g.base), u, v);
  if (g.ends && above * triple_sign(offset_of(f.base, g.far), u, v) >= 0) return Verdict::no;
  if (g.starts && !g.ends && above * triple_sign(along, u, v) <= 0) return Verdict::no;
  int side = 0;
  for (int k = shape.first[1]; k < shape.first[2]; ++k) {
    const ShapeRegion<T>& edge = shape.region[k];
    const int s = triple_sign(offset_of(edge.base, g.base), *edge.span[0], along);
    if (s == 0 || s == -side) return Verdict::no;
    side = s;
  }
  return Verdict::yes;
}

template <std::size_t T>
Verdict ask_regions(const RegionShape<T>& a, int i, const RegionShape<T>& b, int j) {
  const ShapeRegion<T>&f = a.region[i], &g = b.region[j];
  switch (3 * f.dimension + g.dimension) {
    case 0:
      return check_corners(f, g);
    case 1:
      return check_edge_corner(g, f);
    case 2:
      return check_face_corner(b, g, f);
    case 3:
      return check_edge_corner(f, g);
    case 4:
      return check_edges(f, g);
    case 5:
      return check_face_edge(b, g, f);
    case 6:
      return check_face_corner(a, f, g);
    case 7:
      return check_face_edge(a, f, g);
    default:
      return Verdict::no;
  }
}

// ---- positions ----------------------------------------------------------------------------
//
// Let u be 2^-53, and S the largest difference of coordinates, so that |w| <= √3 S. A cross product
// n of two spans is off by 4 u of the product P of their lengths. If |n| >= P / 8, the parameters
// below, times their span, are off by 4 u · 64 |w| for the error of n in w × v · n, by 4 u · 8 |w|
// for that of w × v, and by 8 u · 8 √3 S for that of n²: less than 700 u S, and less than 1400 u S
// for two of them; rounding of w and of sums adds less than 400 u S, also if corners are sums.
// Heights above planes are off by less, as they are not divided twice. So 2048 u = 2^-42 exceeds
// the total. If |n| is smaller, expansion arithmetic gives dividend and divisor with a relative
// error of a few u.

constexpr double kFlatRegion = 0x1p-3, kThinRegion = kFlatRegion * kFlatRegion;

struct FoundPoints {
  Vec3 f, g;
  double distance;
};

/// Whether w is parallel to u, or zero.
template <std::size_t K>
bool along_line(const ExactVector<K>& w, const Difference& u) {
  static const std::array<Difference, 3> axes = {difference(Vec3::UnitX(), Vec3::Zero()),
                                                 difference(Vec3::UnitY(), Vec3::Zero()),
                                                 difference(Vec3::UnitZ(), Vec3::Zero())};
  return triple_sign(w, u, axes[0]) == 0 && triple_sign(w, u, axes[1]) == 0 &&
         triple_sign(w, u, axes[2]) == 0;
}

template <std::size_t K>
bool is_no_offset(const ExactVector<K>& w) {
  for (int k = 0; k < 3; ++k) {
    const Difference axis = difference(Vec3::Unit(k), Vec3::Zero());
    if (dot_sign(w, axis) != 0) return false;
  }
  return true;
}

/// Zero is reserved for contact, also if the gap is lost in rounding.
double kept_apart(double distance) {
  return std::max(distance, std::numeric_limits<double>::min());
}

template <std::size_t T>
FoundPoints at_corners(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const auto w = offset_of(f.base, g.base);
  const Vec3 x = rounded(f.base);
  if (is_no_offset(w)) return {x, x, 0};
  return {x, rounded(g.base), kept_apart(w.value.norm())};
}

template <std::size_t T>
FoundPoints at_edge_corner(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const Difference& u = *f.span[0];
  const auto w = offset_of(f.base, g.base);
  const Vec3 corner = rounded(g.base);
  if (along_line(w, u)) return {corner, corner, 0};
  double x = -w.value.dot(u.value) / u.value.squaredNorm();
  if (f.starts) x = std::max(x, 0.0);
  if (f.ends) x = std::min(x, 1.0);
  const Vec3 along = x * u.value;
  return {rounded(f.base) + along, corner, kept_apart((w.value + along).norm())};
}

template <std::size_t T>
FoundPoints at_edges(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const Difference &u = *f.span[0], &v = *g.span[0];
  const auto w = offset_of(f.base, g.base);
  const Vec3 n = u.value.cross(v.value);
  double nn = n.squaredNorm(), height, x, y;
  if (nn >= kThinRegion * u.value.squaredNorm() * v.value.squaredNorm()) {
    height = w.value.dot(n);
    x = -w.value.cross(v.value).dot(n) / nn;
    y = -w.value.cross(u.value).dot(n) / nn;
  } else {
    nn = exact_dot_of_crosses(u, v, u, v);
    height = exact_triple(w, u, v);
    x = -exact_dot_of_crosses(w, v, u, v) / nn;
    y = -exact_dot_of_crosses(w, u, u, v) / nn;
  }
  if (f.starts) x = std::max(x, 0.0);
  if (f.ends) x = std::min(x, 1.0);
  if (g.starts) y = std::max(y, 0.0);
  if (g.ends) y = std::min(y, 1.0);
  const Vec3 at = rounded(f.base) + x * u.value;
  if (triple_sign(w, u, v) == 0) return {at, at, 0};
  return {at, rounded(g.base) + y * v.value, kept_apart(std::abs(height) / std::sqrt(nn))};
}

template <std::size_t T>
FoundPoints at_face_corner(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const Difference &u = *f.span[0], &v = *f.span[1];
  const auto w = offset_of(f.base, g.base);
  const Vec3 corner = rounded(g.base);
  if (triple_sign(w, u, v) == 0) return {corner, corner, 0};
  const Vec3 n = u.value.cross(v.value);
  double nn = n.squaredNorm(), height, x, y;
  if (nn >= kThinRegion * u.value.squaredNorm() * v.value.squaredNorm()) {
    height = w.value.dot(n);
    x = -w.value.cross(v.value).dot(n) / nn;
    y = w.value.cross(u.value).dot(n) / nn;
  } else {
    nn = exact_dot_of_crosses(u, v, u, v);
    height = exact_triple(w, u, v);
    x = -exact_dot_of_crosses(w, v, u, v) / nn;
    y = exact_dot_of_crosses(w, u, u, v) / nn;
  }
  x = std::clamp(x, 0.0, 1.0);
  y = std::clamp(y, 0.0, 1.0);
  return {rounded(f.base) + (x * u.value + y * v.value), corner,
          kept_apart(std::abs(height) / std::sqrt(nn))};
}

template <std::size_t T>
FoundPoints at_face_edge(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  const Difference &u = *f.span[0], &v = *f.span[1], &along = *g.span[0];
  const auto w = offset_of(f.base, g.base);
  const Vec3 n = u.value.cross(v.value);
  double height = w.value.dot(n), rise = along.value.dot(n);
  if (std::abs(rise) < kFlatRegion * along.value.norm() * u.value.norm() * v.value.norm()) {
    height = exact_triple(w, u, v);
    rise = exact_triple(along, u, v);
  }
  double x = height / rise;
  if (g.starts) x = std::max(x, 0.0);
  if (g.ends) x = std::min(x, 1.0);
  const Vec3 at = rounded(g.base) + x * along.value;
  return {at, at, 0};
}

FoundPoints turned_round(const FoundPoints& found) { return {found.g, found.f, found.distance}; }

template <std::size_t T>
FoundPoints points_of_regions(const ShapeRegion<T>& f, const ShapeRegion<T>& g) {
  switch (3 * f.dimension + g.dimension) {
    case 0:
      return at_corners(f, g);
    case 1:
      return turned_round(at_edge_corner(g, f));
    case 2:
      return turned_round(at_face_corner(g, f));
    case 3:
      return at_edge_corner(f, g);
    case 4:
      return at_edges(f, g);
    case 5:
      return turned_round(at_face_edge(g, f));
    case 6:
      return at_face_corner(f, g);
    default:
      return at_face_edge(f, g);
  }
}

/// Returns the first pair of closest regions, in the order in which they are reported.
template <std::size_t T>
std::array<int, 2> first_regions(const RegionShape<T>& a, const RegionShape<T>& b) {
  for (int sum = 0; sum < 4; ++sum)
    for (int in_a = std::max(0, sum - 2); in_a <= std::min(sum, 2); ++in_a) {
      const int in_b = sum - in_a;
      for (int i = a.first[in_a]; i < a.first[in_a + 1]; ++i)
        for (int j = b.first[in_b]; j < b.first[in_b + 1]; ++j)
          if (ask_regions(a, i, b, j) != Verdict::no) return {i, j};
    }
  return {0, 0};  // never reached, see the top
}

}  // namespace

template <std::size_t T>
RegionDistance closest_regions(const RegionShape<T>& a, const RegionShape<T>& b,
                               const std::array<int, 2>* guess) {
  const bool right = guess && ask_regions(a, (*guess)[0], b, (*guess)[1]) == Verdict::only;
  const auto [i, j] = right ? *guess : first_regions(a, b);
  const ShapeRegion<T>&f = a.region[i], &g = b.region[j];
  const FoundPoints found = points_of_regions(f, g);
  return {found.distance, found.f, found.g, f.name, g.name};
}

template RegionDistance closest_regions(const RegionShape<1>&, const RegionShape<1>&,
                                        const std::array<int, 2>*);
template RegionDistance closest_regions(const RegionShape<3>&, const RegionShape<3>&,
                                        const std::array<int, 2>*);

}  // namespace touche::geometry
