// SPDX-License-Identifier: Apache-2.0
// When pairs of children of two moving nodes may touch.
#if defined(TOUCHE_BVH_KERNELS_IMPACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#undef TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#else
#define TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"
#include "bvh/kernels/keys-inl.h"
#include "bvh/kernels/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

// Per box and axis: the velocity at the centre and how much it varies over the box; and what does
// not depend on the axis: the free speed and the bound of the acceleration.
struct BoxRates {
  float speed[3][kWidth], spread[3][kWidth];
  float free[kWidth], acceleration[kWidth];
};

HWY_INLINE void Rates(const FrameField& f, const Boxes8& boxes, BoxRates& out) {
  const D d;
  if (f.still) {
    // One by one: see MoveLanes.
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      for (int k = 0; k < 3; ++k) {
        hn::StoreU(hn::Zero(d), d, out.speed[k] + l);
        hn::StoreU(hn::Zero(d), d, out.spread[k] + l);
      }
      hn::StoreU(hn::Zero(d), d, out.free + l);
      hn::StoreU(hn::Zero(d), d, out.acceleration + l);
    }
    return;
  }
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V c[3], h[3], o[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = hn::LoadU(d, boxes.centre[k] + l);
      h[k] = hn::Max(hn::Zero(d), hn::LoadU(d, boxes.half[k] + l));
      o[k] = hn::Sub(c[k], hn::Set(d, f.centre[k]));
    }
    V cross2 = hn::Zero(d), offset2 = hn::Zero(d), radius2 = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, n = (k + 2) % 3;
      const V wm = hn::Set(d, f.angular[m]), wn = hn::Set(d, f.angular[n]);
      hn::StoreU(hn::Add(hn::Set(d, f.linear[k]), hn::Sub(hn::Mul(wm, c[n]), hn::Mul(wn, c[m]))), d,
                 out.speed[k] + l);
      hn::StoreU(hn::Add(hn::Mul(hn::Abs(wm), h[n]), hn::Mul(hn::Abs(wn), h[m])), d,
                 out.spread[k] + l);
      const V x =
          hn::Sub(hn::Mul(hn::Set(d, f.axis[m]), o[n]), hn::Mul(hn::Set(d, f.axis[n]), o[m]));
      cross2 = hn::Add(cross2, hn::Mul(x, x));
      offset2 = hn::Add(offset2, hn::Mul(o[k], o[k]));
      radius2 = hn::Add(radius2, hn::Mul(h[k], h[k]));
    }
    const V radius = hn::Sqrt(radius2);
    hn::StoreU(hn::Add(hn::Set(d, f.free_speed),
                       hn::Mul(hn::Set(d, f.free_angular), hn::Add(hn::Sqrt(offset2), radius))),
               d, out.free + l);
    hn::StoreU(hn::Mul(hn::Set(d, f.curvature), hn::Add(hn::Sqrt(cross2), radius)), d,
               out.acceleration + l);
  }
}

// Least dt with gap = s dt + k dt² / 2; 0 where there is no gap.
HWY_INLINE V TimeToClose(V gap, V s, V k) {
  const D d;
  const V two_gap = hn::Add(gap, gap);
  const V square = hn::Add(hn::Mul(s, s), hn::Mul(k, two_gap));
  const V q = hn::Add(hn::Abs(s), hn::Sqrt(square));
  const auto receding = hn::Lt(s, hn::Zero(d));
  const V dt = hn::Div(hn::IfThenElse(receding, q, two_gap), hn::IfThenElse(receding, k, q));
  // What overflows, or is not a number because of that, proves nothing.
  const auto proved = hn::And(hn::Gt(gap, hn::Zero(d)), hn::Lt(square, hn::Set(d, 1e38f)));
  return hn::IfThenElseZero(proved, dt);
}

// The largest time to close over the three axes of one frame, for row i.
HWY_INLINE V FrameTime(const Boxes8& rows, const BoxRates& row_rates, const Boxes8& lanes,
                       const BoxRates& lane_rates, int i, std::size_t l, V error, V rate_error,
                       V acceleration) {
  const D d;
  const V free = hn::Add(hn::Add(hn::LoadU(d, lane_rates.free + l), hn::Set(d, row_rates.free[i])),
                         rate_error);
  V best = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const V delta = hn::Sub(hn::LoadU(d, lanes.centre[k] + l), hn::Set(d, rows.centre[k][i]));
    const V reach = hn::Add(hn::LoadU(d, lanes.half[k] + l), hn::Set(d, rows.half[k][i]));
    const V gap = hn::Sub(hn::Abs(delta), hn::Add(reach, error));
    // Approach: the row moves towards the lane, the lane towards the row.
    const V towards =
        hn::Sub(hn::Set(d, row_rates.speed[k][i]), hn::LoadU(d, lane_rates.speed[k] + l));
    const V s = hn::Add(
        hn::Xor(towards, hn::And(delta, hn::Set(d, -0.0f))),
        hn::Add(hn::Add(hn::LoadU(d, lane_rates.spread[k] + l), hn::Set(d, row_rates.spread[k][i])),
                free));
    best = hn::Max(best, TimeToClose(gap, s, acceleration));
  }
  return best;
}

// What moves along the normals: how fast the triangles' own corners do, and the other body's
// velocity, offset + slope · y.
struct NormalRates {
  float slope[3][kWidth], offset[kWidth];
  float own_min[kWidth], own_max[kWidth];
};

// Velocity along n at y: n · (linear + angular × y) = n · linear + (n × angular) · y.
HWY_INLINE V VelocityAlong(const V (&n)[3], const FrameField& field, V (&slope)[3]) {
  const D d;
  V offset = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const int m = (k + 1) % 3, o = (k + 2) % 3;
    slope[k] = hn::Sub(hn::Mul(n[m], hn::Set(d, field.still ? 0 : field.angular[o])),
                       hn::Mul(n[o], hn::Set(d, field.still ? 0 : field.angular[m])));
    offset = hn::Add(offset, hn::Mul(n[k], hn::Set(d, field.still ? 0 : field.linear[k])));
  }
  return offset;
}

HWY_INLINE void MakeNormalRates(const Normals& normals, const float (*corner)[3][kWidth],
                                const FrameField& own, const FrameField& other, NormalRates& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V n[3], slope[3];
    for (int k = 0; k < 3; ++k) n[k] = hn::LoadU(d, normals.normal[k] + l);
    const V own_offset = VelocityAlong(n, own, slope);
    V own_min = hn::Set(d, INFINITY), own_max = hn::Set(d, -INFINITY);
    for (int v = 0; v < 3; ++v) {
      V c[3];
      for (int k = 0; k < 3; ++k) c[k] = hn::LoadU(d, corner[v][k] + l);
      const V rate = hn::Add(own_offset, Dot3(slope, c));
      own_min = hn::Min(own_min, rate);
      own_max = hn::Max(own_max, rate);
    }
    hn::StoreU(own_min, d, out.own_min + l);
    hn::StoreU(own_max, d, out.own_max + l);
    hn::StoreU(VelocityAlong(n, other, slope), d, out.offset + l);
    for (int k = 0; k < 3; ++k) hn::StoreU(slope[k], d, out.slope[k] + l);
  }
}

// Time to close along the normals, of one triangle against those the normals belong to.
template <class At>
HWY_INLINE V NormalTime(const Normals& normals, const NormalRates& rates, At&& at,
                        const V (&c)[3][3], V error, V free, V acceleration) {
  const NormalGap g(normals, at, c);
  V slope[3], rate[3];
  for (int k = 0; k < 3; ++k) slope[k] = at(rates.slope[k]);
  for (int v = 0; v < 3; ++v) rate[v] = hn::Add(at(rates.offset), Dot3(slope, c[v]));
  const V slowest = hn::Min(hn::Min(rate[0], rate[1]), rate[2]);
  const V fastest = hn::Max(hn::Max(rate[0], rate[1]), rate[2]);
  const V approach = hn::IfThenElse(g.is_above, hn::Sub(at(rates.own_max), slowest),
                                    hn::Sub(fastest, at(rates.own_min)));
  return TimeToClose(hn::Sub(g.gap, error), hn::Add(approach, free), acceleration);
}

std::int32_t Impact(const Side& a, const Side& b, const PairFrame& f, const PairField& field,
                    float limit, PairKeys& keys) {
  HWY_ALIGN Boxes8 storage_a, storage_b, b_moved, a_moved;
  HWY_ALIGN float b_corner[3][3][kWidth];
  HWY_ALIGN float a_corner[3][3][kWidth];
  const Boxes8 &a_own = Own(a, storage_a), &b_own = Own(b, storage_b);
  Moved(b, WholeMap{f.to_a}, b_moved, b_corner);
  Moved(a, WholeMap{f.to_b}, a_moved, a_corner);
  HWY_ALIGN BoxRates a_in_a, b_in_a, a_in_b, b_in_b;
  Rates(field.a_in_a, a_own, a_in_a);
  Rates(field.b_in_a, b_moved, b_in_a);
  Rates(field.a_in_b, a_moved, a_in_b);
  Rates(field.b_in_b, b_own, b_in_b);
  const bool triangles = a.corner != nullptr && b.corner != nullptr;
  HWY_ALIGN Normals normals_a, normals_b;
  HWY_ALIGN NormalRates rates_a, rates_b;
  if (triangles) {
    MakeNormals(a.corner, normals_a);
    MakeNormals(b.corner, normals_b);
    MakeNormalRates(normals_a, a.corner, field.a_in_a, field.b_in_a, rates_a);
    MakeNormalRates(normals_b, b.corner, field.b_in_b, field.a_in_b, rates_b);
  }

  const D d;
  const V error_a = hn::Set(d, f.error_a), error_b = hn::Set(d, f.error_b);
  const V rate_error_a = hn::Set(d, field.rate_error_a),
          rate_error_b = hn::Set(d, field.rate_error_b);
  const V up = hn::Set(d, 1.0f + 1e-5f), down = hn::Set(d, 1.0f - 1e-5f);
  const V ratio = hn::Set(d, f.ratio), inverse_ratio = hn::Set(d, f.inverse_ratio);
  const V until = hn::Set(d, limit);
  ClearKeys(keys);
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (int i = 0; i < a.count; ++i)
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      // Each body's acceleration is smallest in its own frame, where its boxes are tight.
      const V acceleration =
          hn::Mul(up, hn::Add(hn::Set(d, a_in_a.acceleration[i]),
                              hn::Mul(ratio, hn::LoadU(d, b_in_b.acceleration + l))));
      V best = hn::Mul(down, FrameTime(a_own, a_in_a, b_moved, b_in_a, i, l, error_a, rate_error_a,
                                       acceleration));
      if (hn::AllTrue(d, hn::Gt(best, until))) continue;
      const V acceleration_b = hn::Mul(inverse_ratio, acceleration);
      best = hn::Max(best, hn::Mul(down, FrameTime(a_moved, a_in_b, b_own, b_in_b, i, l, error_b,
                                                   rate_error_b, acceleration_b)));
      if (triangles && !hn::AllTrue(d, hn::Gt(best, until))) {
        // Along an oblique axis the errors of three coordinates add up to less than twice one; the
        // separation that is part of them counts once.
        const V two = hn::Set(d, 2.0f);
        const V oblique_a = hn::Sub(hn::Mul(two, error_a), hn::Set(d, field.separation_a));
        const V oblique_b = hn::Sub(hn::Mul(two, error_b), hn::Set(d, field.separation_b));
        const V free_a = hn::Add(hn::Add(hn::Set(d, a_in_a.free[i]), hn::LoadU(d, b_in_a.free + l)),
                                 hn::Mul(two, rate_error_a));
        const V free_b = hn::Add(hn::Add(hn::Set(d, a_in_b.free[i]), hn::LoadU(d, b_in_b.free + l)),
                                 hn::Mul(two, rate_error_b));
        V c[3][3];
        LoadCorners(b_corner, AtLanes{l}, c);
        const V along_a =
            NormalTime(normals_a, rates_a, AtRow{i}, c, oblique_a, free_a, acceleration);
        LoadCorners(a_corner, AtRow{i}, c);
        const V along_b =
            NormalTime(normals_b, rates_b, AtLanes{l}, c, oblique_b, free_b, acceleration_b);
        best = hn::Max(best, hn::Mul(down, hn::Max(along_a, along_b)));
      }
      const auto soon = hn::And(LanesBelow(b.count, l), hn::Le(best, until));
      least = hn::Min(least, SetKeys(best, soon, i, l, keys));
    }
  return LeastOf(least);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
