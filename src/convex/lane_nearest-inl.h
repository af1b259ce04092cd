// SPDX-License-Identifier: Apache-2.0
// The same as nearest-inl.h for a simplex in each lane of a vector: all faces, edges and vertices
// that may contain the nearest point are computed, and masks select the result.
#if defined(TOUCHE_CONVEX_LANE_NEAREST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_LANE_NEAREST_INL_H_
#undef TOUCHE_CONVEX_LANE_NEAREST_INL_H_
#else
#define TOUCHE_CONVEX_LANE_NEAREST_INL_H_
#endif

#include <hwy/highway.h>

#include "convex/support.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace pose_lanes {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, convex::kBlock>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;
using M = hn::Mask<D>;

HWY_INLINE V Num(double x) { return hn::Set(D(), x); }

struct V3 {
  V x, y, z;
};
HWY_INLINE V3 operator-(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE V3 operator+(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE V3 operator*(const V& s, const V3& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
HWY_INLINE V Dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE V3 Cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE V3 Choose(const M& first, const V3& a, const V3& b) {
  return {hn::IfThenElse(first, a.x, b.x), hn::IfThenElse(first, a.y, b.y),
          hn::IfThenElse(first, a.z, b.z)};
}
HWY_INLINE M Above0(const V& x) { return hn::Gt(x, hn::Zero(D())); }

/// A point of the difference, and its name: a number that identifies the pair of corners.
struct LaneVertex {
  V3 w;
  V name;
};
HWY_INLINE LaneVertex Choose(const M& first, const LaneVertex& a, const LaneVertex& b) {
  return {Choose(first, a.w, b.w), hn::IfThenElse(first, a.name, b.name)};
}

/// Up to three vertices; the first `size` of them are used.
struct LaneSimplex {
  V size;
  LaneVertex p, q, r;
  V share_p, share_q, share_r;  // weights of the nearest point, times a common factor; not negative
};
HWY_INLINE LaneSimplex Choose(const M& first, const LaneSimplex& a, const LaneSimplex& b) {
  return {hn::IfThenElse(first, a.size, b.size),
          Choose(first, a.p, b.p),
          Choose(first, a.q, b.q),
          Choose(first, a.r, b.r),
          hn::IfThenElse(first, a.share_p, b.share_p),
          hn::IfThenElse(first, a.share_q, b.share_q),
          hn::IfThenElse(first, a.share_r, b.share_r)};
}

/// The nearest point of a simplex and one more vertex, under the same conditions as in
/// nearest-inl.h.
struct LaneNearest {
  M inside;     ///< the origin is inside all four vertices; then only `volume` is set
  V volume[4];  ///< the weight of each vertex in the origin, times a factor
  V distance2;
  V3 towards;  ///< the nearest point, times a positive factor
  LaneSimplex simplex;
};

/// The nearest point on the line through a vertex and the last one.
struct LaneEdge {
  M inside;            // whether it is inside the edge
  V over, under;       // its squared distance as a fraction, so that comparing needs no quotient
  V share_p, share_l;  // weights of the vertex and of the last one
  LaneVertex p;
};
HWY_INLINE LaneEdge EdgeOf(const M& is_there, const LaneVertex& p, const V3& from_l_to_p,
                           const V3& l, const V3& pl) {
  const V share_p = hn::Neg(Dot(l, from_l_to_p)), share_l = Dot(p.w, from_l_to_p);
  return {hn::And(is_there, Above0(hn::Min(share_p, share_l))),
          Dot(pl, pl),
          hn::Add(share_p, share_l),
          share_p,
          share_l,
          p};
}
HWY_INLINE LaneEdge Nearer(const LaneEdge& a, const LaneEdge& b) {
  const M takes_b = hn::And(b.inside, hn::Or(hn::Not(a.inside), hn::Lt(hn::Mul(b.over, a.under),
                                                                       hn::Mul(a.over, b.under))));
  const auto choose = [&](const V& first, const V& second)
                          HWY_ATTR { return hn::IfThenElse(takes_b, second, first); };
  return {hn::Or(a.inside, b.inside),   choose(a.over, b.over),       choose(a.under, b.under),
          choose(a.share_p, b.share_p), choose(a.share_l, b.share_l), Choose(takes_b, b.p, a.p)};
}

/// The nearest point in the plane of two vertices and the last one.
struct LaneFace {
  M inside;  // whether it is inside the triangle
  V3 n;      // of any length
  V share_p, share_q, share_l;
};
HWY_INLINE LaneFace FaceOf(const M& is_there, const V3& from_l_to_p, const V3& from_l_to_q,
                           const V3& pq, const V3& pl, const V3& ql) {
  const V3 n = Cross(from_l_to_p, from_l_to_q);
  const V share_p = Dot(n, ql), share_q = hn::Neg(Dot(n, pl)), share_l = Dot(n, pq);
  return {hn::And(is_there, Above0(hn::Min(hn::Min(share_p, share_q), share_l))), n, share_p,
          share_q, share_l};
}

HWY_INLINE LaneNearest NearestWith(const LaneSimplex& s, const LaneVertex& last) {
  const V3 &p = s.p.w, &q = s.q.w, &r = s.r.w, &l = last.w;
  const M has_p = Above0(s.size), has_q = hn::Gt(s.size, Num(1.5)),
          has_r = hn::Gt(s.size, Num(2.5));
  const V3 pq = Cross(p, q), pr = Cross(p, r), qr = Cross(q, r), pl = Cross(p, l), ql = Cross(q, l),
           rl = Cross(r, l);
  LaneNearest near;
  // Six times the signed volumes of the origin with each face; entry k belongs to the face without
  // vertex k.
  near.volume[0] = Dot(q, rl), near.volume[1] = hn::Neg(Dot(p, rl));
  near.volume[2] = Dot(l, pq), near.volume[3] = hn::Neg(Dot(r, pq));
  const V all =
      hn::Add(hn::Add(near.volume[0], near.volume[1]), hn::Add(near.volume[2], near.volume[3]));
  const V sign = hn::And(all, hn::SignBit(D()));
  for (V& v : near.volume) v = hn::Xor(v, sign);
  const M behind_p = Above0(near.volume[0]), behind_q = Above0(near.volume[1]),
          behind_r = hn::And(has_r, Above0(near.volume[2]));
  near.inside = hn::And(hn::And(behind_p, behind_q), hn::And(behind_r, Above0(near.volume[3])));

  // If the origin is in front of a face and its foot is inside it, nothing else is nearer.
  const V3 to_p = p - l, to_q = q - l, to_r = r - l;
  const LaneFace no_r = FaceOf(hn::AndNot(behind_r, has_q), to_p, to_q, pq, pl, ql),
                 no_q = FaceOf(hn::AndNot(behind_q, has_r), to_p, to_r, pr, pl, rl),
                 no_p = FaceOf(hn::AndNot(behind_p, has_r), to_q, to_r, qr, ql, rl);
  const M is_no_p = no_p.inside, is_no_r = hn::AndNot(hn::Or(is_no_p, no_q.inside), no_r.inside);
  const auto choose = [&](const V& of_p, const V& of_q, const V& of_r) HWY_ATTR {
    return hn::IfThenElse(is_no_p, of_p, hn::IfThenElse(is_no_r, of_r, of_q));
  };
  const V3 n = Choose(is_no_p, no_p.n, Choose(is_no_r, no_r.n, no_q.n));
  const V n2 = Dot(n, n), far = Dot(n, l);
  const M in_face = hn::And(hn::Or(is_no_p, hn::Or(no_q.inside, is_no_r)), hn::Gt(n2, Num(1e-290)));

  const LaneEdge e =
      Nearer(Nearer(EdgeOf(has_p, s.p, to_p, l, pl), EdgeOf(has_q, s.q, to_q, l, ql)),
             EdgeOf(has_r, s.r, to_r, l, rl));
  const M in_edge = hn::AndNot(in_face, e.inside);
  const V3 along = e.p.w - l, across = Cross(along, e.p.w), to_edge = Cross(across, along);
  const V side = hn::And(far, hn::SignBit(D()));
  const V3 to_face = {hn::Xor(n.x, side), hn::Xor(n.y, side), hn::Xor(n.z, side)};
  near.towards = Choose(in_face, to_face, Choose(in_edge, to_edge, l));
  const V over = hn::IfThenElse(in_face, hn::Mul(far, far),
                                hn::IfThenElse(in_edge, Dot(across, across), Dot(l, l))),
          under = hn::IfThenElse(in_face, n2, hn::IfThenElse(in_edge, e.under, Num(1)));
  near.distance2 = hn::Div(over, under);
  LaneSimplex& to = near.simplex;
  to.size = hn::IfThenElse(in_face, Num(3), hn::IfThenElse(in_edge, Num(2), Num(1)));
  to.p = Choose(in_face, Choose(is_no_p, s.q, s.p), Choose(in_edge, e.p, last));
  to.q = Choose(in_face, Choose(is_no_r, s.q, s.r), last), to.r = last;
  to.share_p = hn::IfThenElse(in_face, choose(no_p.share_p, no_q.share_p, no_r.share_p),
                              hn::IfThenElse(in_edge, e.share_p, Num(1)));
  to.share_q = hn::IfThenElse(in_face, choose(no_p.share_q, no_q.share_q, no_r.share_q),
                              hn::IfThenElseZero(in_edge, e.share_l));
  to.share_r = hn::IfThenElseZero(in_face, choose(no_p.share_l, no_q.share_l, no_r.share_l));
  return near;
}

}  // namespace pose_lanes
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
