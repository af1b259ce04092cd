// SPDX-License-Identifier: Apache-2.0
// The point of a simplex that is nearest to the origin, to be compiled into a search: then numbers
// stay in registers, and need not be written and read again, which takes longer than the
// arithmetic.
//
// Signed areas and volumes as in Montanari, Petrinic, Barbieri, Improving the GJK algorithm for
// faster and more reliable distance queries between convex objects (2017), but by cross products of
// the vertices themselves, which keep their digits if the origin is near. Only faces with the last
// vertex are tested: that vertex was found in front of the plane through the nearest point of all
// others, so no point of the others' hull is nearest now.
#if defined(TOUCHE_CONVEX_NEAREST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_NEAREST_INL_H_
#undef TOUCHE_CONVEX_NEAREST_INL_H_
#else
#define TOUCHE_CONVEX_NEAREST_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "convex/simplex.h"
#include "math/three.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace convex_nearest {

using convex::Nearest;
using convex::Simplex;
using touche::math::both;
using touche::math::cross;
using touche::math::dot;
using touche::math::either;
using touche::math::Three;

/// Returns w of the simplex's vertex i.
HWY_INLINE math::Three w_of(const Simplex& s, int i) {
  const auto at = static_cast<std::size_t>(s.at[static_cast<std::size_t>(i)]);
  return {s.x[at], s.y[at], s.z[at]};
}

/// Multiplies by the sign of x, without a branch, which would be mispredicted half of the time.
HWY_INLINE math::Three with_sign(const math::Three& n, double x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 1> d;
  const auto sign = hn::And(hn::Set(d, x), hn::Set(d, -0.0));
  const auto turned = [&](double c) HWY_ATTR { return hn::GetLane(hn::Xor(hn::Set(d, c), sign)); };
  return {turned(n.x), turned(n.y), turned(n.z)};
}

/// Tests faces, edges and the last vertex one by one.
class NearestSearch {
 public:
  /// `last`: the number of the vertex that all of them contain; `w`: its point, passed separately
  /// so that it is not read just after it was written.
  HWY_INLINE NearestSearch(const Simplex& s, int last, const math::Three& w)
      : s_(s), last_(last), r_(w) {}

  /// Returns whether the nearest point lies inside the face of vertices i < j and the last one.
  /// Otherwise marks its edges that the origin is outside of for a test, or all its edges if the
  /// face has no area.
  HWY_INLINE bool look_at_face(int i, int j) {
    const math::Three p = w_of(s_, i), q = w_of(s_, j), r = r_;
    const math::Three n = math::cross(q - p, r - p);
    const double at_p = math::dot(n, math::cross(q, r)), at_q = math::dot(n, math::cross(r, p)),
                 at_r = math::dot(n, math::cross(p, q));
    const double n2 = math::dot(n, n);
    const bool flat = !(n2 > 1e-290);
    // A single branch, since each of several would be mispredicted.
    if (std::min(std::min(at_p, at_q), std::min(at_r, n2 - 1e-290)) > 0) {
      const double far = math::dot(n, r);
      if (takes(far / n2 * n, 3))
        set({i, j, last_, 6 - i - j - last_}, {at_p, at_q, at_r}, with_sign(n, far));
      return true;
    }
    edges_ |= static_cast<unsigned>(math::either(flat, !(at_q > 0))) << i |
              static_cast<unsigned>(math::either(flat, !(at_p > 0))) << j;
    // Because of rounding, the origin may seem to be outside the opposite edge only.
    if (math::both(math::both(at_p > 0, at_q > 0), !flat)) edges_ |= 1u << i | 1u << j;
    return false;
  }
  /// Tests the edge of vertex i and the last one, if a face has marked it.
  HWY_INLINE void look_at_edge(int i) {
    if ((edges_ >> i & 1u) == 0) return;
    const math::Three p = w_of(s_, i), along = r_ - p;
    const double from_p = -math::dot(p, along), from_r = math::dot(r_, along);
    if (!(from_r > 0)) {
      last_left_ = true;
    } else if (from_p > 0) {
      const math::Three towards = math::cross(along, math::cross(p, along));
      if (takes(1 / (from_p + from_r) * towards, 2))
        set(with_others(i, last_), {from_r, from_p, 0}, towards);
    } else {
      vertices_ |= 1u << i;
    }
  }
  HWY_INLINE void look_at_vertices() {
    if ((last_left_ || size_ == 0) && takes(r_, 1)) set(with_others(last_), {1, 0, 0}, r_);
    // Happens only by rounding: vertices that are nearly collinear had no meaningful nearest point.
    if (vertices_ == 0) return;
    for (int i = 0; i < last_; ++i)
      if (const math::Three p = w_of(s_, i); (vertices_ >> i & 1u) != 0 && takes(p, 1))
        set(with_others(i), {1, 0, 0}, p);
  }

  void leave_edge() { edges_ = 1; }

  HWY_INLINE void tell(Nearest& nearest) const {
    nearest.distance2 = distance2_, nearest.size = size_;
    nearest.point = point_, nearest.towards = towards_;
    nearest.vertex = vertex_;
    nearest.share = {share_[0], share_[1], share_[2], 0};
  }

 private:
  /// Returns whether a point is nearer than all before, and keeps it if so.
  HWY_INLINE bool takes(const math::Three& p, int size) {
    const double p2 = math::dot(p, p);
    if (!(p2 < distance2_)) return false;
    distance2_ = p2, point_ = p, size_ = size;
    return true;
  }
  /// The numbers of a vertex or an edge, followed by the others.
  HWY_INLINE static std::array<int, 4> with_others(int i) { return {i, i ^ 1, i ^ 2, i ^ 3}; }
  HWY_INLINE static std::array<int, 4> with_others(int i, int j) {
    const int other = i == 0 ? (j == 1 ? 2 : 1) : 0;
    return {i, j, other, 6 - i - j - other};
  }
  HWY_INLINE void set(const std::array<int, 4>& v, const std::array<double, 3>& s,
                      const math::Three& t) {
    vertex_ = v, share_ = s, towards_ = t;
  }

  const Simplex& s_;
  const int last_;
  const math::Three r_;
  unsigned edges_ = 0, vertices_ = 0;
  bool last_left_ = false;
  double distance2_ = kInfinity;
  math::Three point_ = {}, towards_ = {};
  int size_ = 0;
  std::array<int, 4> vertex_ = {0, 1, 2, 3};
  std::array<double, 3> share_ = {};
};

/// Whether vertex `other` and the origin are on different sides of the face of vertices i, j and
/// the last one.
HWY_INLINE bool is_outside(const Simplex& s, int i, int j, int other, const math::Three& last) {
  const math::Three p = w_of(s, i), q = w_of(s, j), n = math::cross(q - p, last - p);
  return math::dot(n, last) * math::dot(n, w_of(s, other) - last) >= 0;
}

/// For a tetrahedron whose first three vertices form a face that contains the foot of `way`, the
/// vector from the origin to that face's nearest point. Tests whether the new nearest point lies in
/// the other face that the ray along `way` intersects, which is usually the case. The face is
/// selected without a branch, which would be mispredicted.
HWY_INLINE bool is_nearest_on_the_way(const Simplex& s, const math::Three& way,
                                      const math::Three& last, Nearest& nearest) {
  const math::Three a = w_of(s, 0), b = w_of(s, 1), c = w_of(s, 2);
  const double turn = math::dot(way, math::cross(a, b));
  const bool past_a = turn * math::dot(math::cross(way, a), last) > 0,
             past_b = turn * math::dot(math::cross(way, b), last) > 0,
             past_c = turn * math::dot(math::cross(way, c), last) > 0;
  const int i = static_cast<int>(math::both(!past_b, past_c)),
            j = 2 - static_cast<int>(math::both(!past_a, past_b));
  NearestSearch search(s, 3, last);
  if (!math::both(search.look_at_face(i, j), is_outside(s, i, j, 3 - i - j, last))) return false;
  search.tell(nearest);
  return true;
}

HWY_INLINE void nearest_of_tetrahedron(const Simplex& s, const math::Three& last,
                                       Nearest& nearest) {
  // Six times the signed volumes of the origin with each face; the letter is that of the missing
  // vertex.
  const math::Three a = w_of(s, 0), b = w_of(s, 1), c = w_of(s, 2), d = last;
  const math::Three ab = math::cross(a, b), cd = math::cross(c, d);
  const double va = math::dot(b, cd), vb = -math::dot(a, cd), vc = math::dot(d, ab),
               vd = -math::dot(c, ab);
  const double all = (va + vb) + (vc + vd), sign = std::copysign(1.0, all);
  const bool no_volume = !(all != 0);
  const bool out_a = math::either(no_volume, !(sign * va > 0)),
             out_b = math::either(no_volume, !(sign * vb > 0)),
             out_c = math::either(no_volume, !(sign * vc > 0)),
             out_d = math::either(no_volume, !(sign * vd > 0));
  if (!math::either(math::either(out_a, out_b), math::either(out_c, out_d))) {
    nearest.distance2 = 0, nearest.point = nearest.towards = {0, 0, 0}, nearest.size = 4;
    nearest.vertex = {0, 1, 2, 3};
    nearest.share = {va / all, vb / all, vc / all, vd / all};
    return;
  }
  NearestSearch search(s, 3, last);
  // If the origin is in front of a face and its foot is inside it, nothing else is nearer.
  const bool found = (out_a && search.look_at_face(1, 2)) || (out_b && search.look_at_face(0, 2)) ||
                     (out_c && search.look_at_face(0, 1));
  if (!found) {
    search.look_at_edge(0), search.look_at_edge(1), search.look_at_edge(2);
    search.look_at_vertices();
  }
  search.tell(nearest);
}

/// Finds the nearest point among all faces with the last vertex. That vertex must be in front of
/// the plane through the point nearest in the others' hull, in which each of them has a positive
/// weight. Correct up to rounding: for flat simplices the selected vertices, and so the distance,
/// may be slightly wrong. `last`: the point of that vertex.
HWY_INLINE void find_nearest(const Simplex& s, const math::Three& last, Nearest& nearest) {
  if (s.size == 4) return nearest_of_tetrahedron(s, last, nearest);
  NearestSearch search(s, s.size - 1, last);
  bool found = false;
  if (s.size == 3)
    found = search.look_at_face(0, 1);
  else if (s.size == 2)
    search.leave_edge();
  if (!found) {
    search.look_at_edge(0), search.look_at_edge(1);
    search.look_at_vertices();
  }
  search.tell(nearest);
}

}  // namespace convex_nearest
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
