// SPDX-License-Identifier: Apache-2.0
// When pairs of children of two moving nodes may touch.
#if defined(TOUCHE_BVH_KERNELS_IMPACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#undef TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#else
#define TOUCHE_BVH_KERNELS_IMPACT_INL_H_
#endif

#include "bvh/kernels/boxes-inl.h"
#include "bvh/kernels/close-inl.h"
#include "bvh/kernels/keys-inl.h"
#include "bvh/kernels/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {

// Eight boxes in some frame, all in the same unit of length. Per box and axis: the velocity at the
// centre and how much it varies over the box; what of this is free,
// and a bound of the acceleration in any direction.
struct MovingBoxes {
  float centre[3][kWidth], half[3][kWidth];
  float speed[3][kWidth], spread[3][kWidth];
  float free[kWidth], acceleration[kWidth];
};

// `error` and `rate_error` are added to half widths and spreads.
HWY_INLINE void Move(const FrameField& f, const Boxes8& boxes, float unit, float error,
                     float rate_error, MovingBoxes& out) {
  const D d;
  const V in_unit = hn::Set(d, unit), zero = hn::Zero(d);
  const V more = hn::Set(d, error);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    for (int k = 0; k < 3; ++k) {
      hn::StoreU(hn::Mul(in_unit, hn::LoadU(d, boxes.centre[k] + l)), d, out.centre[k] + l);
      hn::StoreU(hn::Mul(in_unit, hn::Add(hn::LoadU(d, boxes.half[k] + l), more)), d,
                 out.half[k] + l);
    }
    if (f.still) {
      // One by one: see MoveLanes.
      const V spread = hn::Set(d, unit * rate_error);
      for (int k = 0; k < 3; ++k) {
        hn::StoreU(zero, d, out.speed[k] + l);
        hn::StoreU(spread, d, out.spread[k] + l);
      }
      hn::StoreU(zero, d, out.free + l);
      hn::StoreU(zero, d, out.acceleration + l);
      continue;
    }
    V c[3], h[3], o[3];
    for (int k = 0; k < 3; ++k) {
      c[k] = hn::LoadU(d, boxes.centre[k] + l);
      h[k] = hn::Max(zero, hn::LoadU(d, boxes.half[k] + l));
      o[k] = hn::Sub(c[k], hn::Set(d, f.centre[k]));
    }
    V cross2 = zero, offset2 = zero, radius2 = zero;
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, n = (k + 2) % 3;
      const V x = Det2(hn::Set(d, f.axis[m]), o[n], hn::Set(d, f.axis[n]), o[m]);
      cross2 = Fma(x, x, cross2);
      offset2 = Fma(o[k], o[k], offset2);
      radius2 = Fma(h[k], h[k], radius2);
    }
    const V radius = hn::Sqrt(radius2);
    const V free = Fma(hn::Set(d, f.free_angular), hn::Add(hn::Sqrt(offset2), radius),
                       hn::Set(d, f.free_speed));
    const V least_spread = hn::Add(free, hn::Set(d, rate_error));
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, n = (k + 2) % 3;
      const V wm = hn::Set(d, f.angular[m]), wn = hn::Set(d, f.angular[n]);
      const V speed = hn::Add(hn::Set(d, f.linear[k]), Det2(wm, c[n], wn, c[m]));
      const V spread = Fma(hn::Abs(wm), h[n], Fma(hn::Abs(wn), h[m], least_spread));
      hn::StoreU(hn::Mul(in_unit, speed), d, out.speed[k] + l);
      hn::StoreU(hn::Mul(in_unit, spread), d, out.spread[k] + l);
    }
    hn::StoreU(hn::Mul(in_unit, free), d, out.free + l);
    const V from_axis = hn::Add(hn::Sqrt(cross2), radius);
    hn::StoreU(hn::Mul(in_unit, hn::Mul(hn::Set(d, f.curvature), from_axis)), d,
               out.acceleration + l);
  }
}

// The last of the three axes of one frame, for row i.
HWY_INLINE Closing<D> LastOfAxes(const MovingBoxes& rows, const MovingBoxes& lanes, int i,
                                 std::size_t l, V gained) {
  const D d;
  const AtRow row{i};
  const AtLanes lane{l};
  const auto axis = [&](int k) HWY_ATTR {
    const V delta = hn::Sub(lane(lanes.centre[k]), row(rows.centre[k]));
    const V reach = hn::Add(lane(lanes.half[k]), row(rows.half[k]));
    // Approach: the row moves towards the lane, the lane towards the row.
    const V towards = hn::Sub(row(rows.speed[k]), lane(lanes.speed[k]));
    const V spread = hn::Add(lane(lanes.spread[k]), row(rows.spread[k]));
    const V rate = hn::Add(hn::Xor(towards, hn::And(delta, hn::Set(d, -0.0f))), spread);
    return Closing<D>(hn::Sub(hn::Abs(delta), reach), hn::Add(rate, gained));
  };
  return Last(Last(axis(0), axis(1)), axis(2));
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

// Along the normals, of one triangle against those the normals belong to.
template <class At>
HWY_INLINE Closing<D> AlongNormals(const Normals& normals, const NormalRates& rates, At&& at,
                                   const V (&c)[3][3], V unit, V error, V free, V gained) {
  const NormalGap g(normals, at, c);
  V slope[3], rate[3];
  for (int k = 0; k < 3; ++k) slope[k] = at(rates.slope[k]);
  for (int v = 0; v < 3; ++v) rate[v] = hn::Add(at(rates.offset), Dot3(slope, c[v]));
  const V slowest = hn::Min(hn::Min(rate[0], rate[1]), rate[2]);
  const V fastest = hn::Max(hn::Max(rate[0], rate[1]), rate[2]);
  const V approach = hn::IfThenElse(g.is_above, hn::Sub(at(rates.own_max), slowest),
                                    hn::Sub(fastest, at(rates.own_min)));
  return {hn::Mul(unit, hn::Sub(g.gap, error)), hn::Add(Fma(unit, approach, free), gained)};
}

// Pairs of triangles: the normals of a's and of b's, besides the axes of the frames.
struct TriangleSides {
  float b_corner[3][3][kWidth];  // in a's frame
  float a_corner[3][3][kWidth];  // in b's
  Normals normals_a, normals_b;
  NormalRates rates_a, rates_b;
  // Along an oblique axis the errors of three coordinates add up to less than twice one; the
  // separation that is part of them counts once.
  float error_a, error_b;
};

template <bool triangles>
HWY_NOINLINE std::int32_t ImpactOf(const Side& a, const Side& b, const PairFrame& f,
                                   const PairField& field, float limit, PairKeys& keys) {
  HWY_ALIGN Boxes8 storage_a, storage_b, b_moved, a_moved;
  HWY_ALIGN TriangleSides t;
  const Boxes8 &a_own = Own(a, storage_a), &b_own = Own(b, storage_b);
  Moved(b, WholeMap{f.to_a}, b_moved, t.b_corner);
  Moved(a, WholeMap{f.to_b}, a_moved, t.a_corner);
  // All in a's units.
  HWY_ALIGN MovingBoxes a_in_a, b_in_a, a_in_b, b_in_b;
  Move(field.a_in_a, a_own, 1, 0, 0, a_in_a);
  Move(field.b_in_a, b_moved, 1, f.error_a, field.rate_error_a, b_in_a);
  Move(field.a_in_b, a_moved, f.ratio, f.error_b, field.rate_error_b, a_in_b);
  Move(field.b_in_b, b_own, f.ratio, 0, 0, b_in_b);
  if constexpr (triangles) {
    MakeNormals(a.corner, t.normals_a);
    MakeNormals(b.corner, t.normals_b);
    MakeNormalRates(t.normals_a, a.corner, field.a_in_a, field.b_in_a, t.rates_a);
    MakeNormalRates(t.normals_b, b.corner, field.b_in_b, field.a_in_b, t.rates_b);
    t.error_a = 2 * f.error_a - field.separation_a;
    t.error_b = 2 * f.error_b - field.separation_b;
  }

  const D d;
  const V up = hn::Set(d, 1.0f + 1e-5f), down = hn::Set(d, 1.0f - 1e-5f);
  const V until = hn::Set(d, limit), a_while = hn::Set(d, 0.5f * limit);
  const V beyond = hn::Set(d, (1 + 1e-4f) * limit);
  const V rate_error_a = hn::Set(d, 2 * field.rate_error_a);
  const V rate_error_b = hn::Set(d, 2 * f.ratio * field.rate_error_b);
  ClearKeys(keys);
  VI least = hn::Set(DI(), PairKeys::kNone);
  for (int i = 0; i < a.count; ++i)
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      const AtRow row{i};
      const AtLanes lanes{l};
      // Each body's acceleration is smallest in its own frame, where its boxes are tight.
      const V gain = hn::Mul(up, hn::Add(row(a_in_a.acceleration), lanes(b_in_b.acceleration)));
      const V gained = hn::Mul(a_while, gain);
      Closing<D> last =
          Last(LastOfAxes(a_in_a, b_in_a, i, l, gained), LastOfAxes(a_in_b, b_in_b, i, l, gained));
      if constexpr (triangles) {
        // Proved until the limit, with a margin for rounding: no need of the normals.
        if (hn::AllTrue(d, hn::Gt(last.gap, hn::Mul(beyond, last.rate)))) continue;
        V c[3][3];
        const V free_a = hn::Add(hn::Add(row(a_in_a.free), lanes(b_in_a.free)), rate_error_a);
        const V free_b = hn::Add(hn::Add(row(a_in_b.free), lanes(b_in_b.free)), rate_error_b);
        LoadCorners(t.b_corner, lanes, c);
        last = Last(last, AlongNormals(t.normals_a, t.rates_a, row, c, hn::Set(d, 1.0f),
                                       hn::Set(d, t.error_a), free_a, gained));
        LoadCorners(t.a_corner, row, c);
        last = Last(last, AlongNormals(t.normals_b, t.rates_b, lanes, c, hn::Set(d, f.ratio),
                                       hn::Set(d, t.error_b), free_b, gained));
      }
      const V best = hn::Mul(down, TimeOf(last, gain, gained));
      const auto soon = hn::And(LanesBelow(b.count, l), hn::Le(best, until));
      least = hn::Min(least, SetKeys(best, soon, i, l, keys));
    }
  return LeastOf(least);
}

std::int32_t Impact(const Side& a, const Side& b, const PairFrame& f, const PairField& field,
                    float limit, PairKeys& keys) {
  return a.corner != nullptr && b.corner != nullptr ? ImpactOf<true>(a, b, f, field, limit, keys)
                                                    : ImpactOf<false>(a, b, f, field, limit, keys);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
