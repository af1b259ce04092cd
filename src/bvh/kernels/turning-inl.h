// SPDX-License-Identifier: Apache-2.0
// Gaps between children of two nodes, and the rates at which they close, for bodies in general
// motion.
#if defined(TOUCHE_BVH_KERNELS_TURNING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_TURNING_INL_H_
#undef TOUCHE_BVH_KERNELS_TURNING_INL_H_
#else
#define TOUCHE_BVH_KERNELS_TURNING_INL_H_
#endif

#include "bvh/kernels/children-inl.h"
#include "bvh/kernels/relate_pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Eight boxes in some frame, and their motion, in one unit of length. For each box and axis:
// `speed` is the speed of the centre, and `excess` bounds how much faster than the centre some
// point of the box may move, in the mean until the limit, because velocities vary over the box and
// grow, and numbers are rounded.
struct MovingBoxes {
  float centre[3][kWidth], half[3][kWidth];
  float speed[3][kWidth], excess[3][kWidth];
  float undirected[kWidth];  // the part of `excess` of unknown direction, except growth
};

// Bounds of eight boxes' accelerations in any direction.
struct Accelerations {
  float acceleration[kWidth];  // with a margin for the rounding of all rates
  float speed_gain[kWidth];    // the resulting gain of speed, in the mean until the limit
};

// Transforms a body's velocities to the frame of a node.
HWY_INLINE void InFrame(const Frame& frame, const FrameVelocityBound& f, FrameVelocityBound& out) {
  out.still = f.still;
  if (f.still) return;
  out.acceleration_per_distance = f.acceleration_per_distance;
  out.undirected_speed = f.undirected_speed;
  out.undirected_angular_speed = f.undirected_angular_speed;
  const D4 d;
  const float* o = frame.origin;
  float at_origin[3], to_centre[3];
  for (int k = 0; k < 3; ++k) {
    const int m = (k + 1) % 3, n = (k + 2) % 3;
    at_origin[k] = f.linear[k] + (f.angular[m] * o[n] - f.angular[n] * o[m]);
    to_centre[k] = f.centre[k] - o[k];
  }
  for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
    const V4 x = Load4(frame.columns[0], l), y = Load4(frame.columns[1], l),
             z = Load4(frame.columns[2], l);
    const auto turn = [&](const float* in, float* to) HWY_ATTR {
      hn::StoreU(Combine(in[0], in[1], in[2], x, y, z), d, to + l);
    };
    turn(at_origin, out.linear);
    turn(f.angular, out.angular);
    turn(to_centre, out.centre);
    turn(f.axis, out.axis);
  }
}

// Transforms both bodies' velocities to the frame of a node. The errors hold for positions within
// `reach` of its origin.
HWY_INLINE LocalVelocityBounds InFrame(const Frame& frame, const LocalVelocityBounds& velocities,
                                       float reach) {
  LocalVelocityBounds out;
  InFrame(frame, velocities.a, out.a);
  InFrame(frame, velocities.b, out.b);
  const float* o = frame.origin;
  const float size = reach + (std::abs(o[0]) + std::abs(o[1]) + std::abs(o[2]));
  out.gliding = velocities.gliding;
  out.linear_error = velocities.linear_error + velocities.angular_error * size;
  out.angular_error = 0;
  out.centre_error = velocities.centre_error + kRateError * size;
  return out;
}

// Bounds of errors: of the positions of boxes, of their rates, and of their distances from the
// centre and the axis of the motion.
struct BoxErrors {
  float position = 0, rate = 0, centre = 0;
};

// Bounds the accelerations of a body's boxes. The bounds are least in its own frame, where the
// boxes are tight.
HWY_INLINE void Accelerate(const FrameVelocityBound& f, const Boxes8& boxes, float unit,
                           float centre_error, float limit, Accelerations& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    V acceleration = hn::Zero(d);
    if (!f.still && f.acceleration_per_distance > 0) {
      // Load the axes one by one: see MoveLanes.
      const auto from_centre = [&](int k) HWY_ATTR {
        return hn::Sub(hn::LoadU(d, boxes.centre[k] + l), hn::Set(d, f.centre[k]));
      };
      const auto half = [&](int k) HWY_ATTR { return hn::LoadU(d, boxes.half[k] + l); };
      const V x = from_centre(0), y = from_centre(1), z = from_centre(2);
      const V ax = hn::Set(d, f.axis[0]), ay = hn::Set(d, f.axis[1]), az = hn::Set(d, f.axis[2]);
      const V from_axis = Length3(Det2(ay, z, az, y), Det2(az, x, ax, z), Det2(ax, y, ay, x));
      const V radius = hn::Add(Length3(half(0), half(1), half(2)), hn::Set(d, centre_error));
      acceleration = hn::Mul(hn::Set(d, (1.0f + 1e-5f) * unit * f.acceleration_per_distance),
                             hn::Add(from_axis, radius));
    }
    hn::StoreU(acceleration, d, out.acceleration + l);
    hn::StoreU(hn::Mul(hn::Set(d, 0.5f * limit), acceleration), d, out.speed_gain + l);
  }
}

// Finds the motion of boxes of the body with velocity bounds f.
HWY_INLINE void Move(const FrameVelocityBound& f, const Boxes8& boxes, float unit,
                     const BoxErrors& errors, const Accelerations& accelerations,
                     MovingBoxes& out) {
  const D d;
  const V in_unit = hn::Set(d, unit), zero = hn::Zero(d);
  const V error = hn::Set(d, errors.position), rate_error = hn::Set(d, errors.rate);
  const bool undirected_turn = !f.still && f.undirected_angular_speed > 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    // Load the axes one by one: see MoveLanes.
    const auto c = [&](int k) HWY_ATTR { return hn::LoadU(d, boxes.centre[k] + l); };
    const auto h = [&](int k) HWY_ATTR { return hn::LoadU(d, boxes.half[k] + l); };
    for (int k = 0; k < 3; ++k) {
      hn::StoreU(hn::Mul(in_unit, c(k)), d, out.centre[k] + l);
      hn::StoreU(hn::Mul(in_unit, hn::Add(h(k), error)), d, out.half[k] + l);
    }
    const V speed_gain = hn::LoadU(d, accelerations.speed_gain + l);
    if (f.still) {
      const V excess = Fma(in_unit, rate_error, speed_gain);
      for (int k = 0; k < 3; ++k) {
        hn::StoreU(zero, d, out.speed[k] + l);
        hn::StoreU(excess, d, out.excess[k] + l);
      }
      hn::StoreU(zero, d, out.undirected + l);
      continue;
    }
    V undirected = hn::Set(d, f.undirected_speed);
    if (undirected_turn) {
      const auto o = [&](int k) HWY_ATTR { return hn::Sub(c(k), hn::Set(d, f.centre[k])); };
      const V radius = hn::Add(Length3(h(0), h(1), h(2)), hn::Set(d, errors.centre));
      undirected = Fma(hn::Set(d, f.undirected_angular_speed),
                       hn::Add(Length3(o(0), o(1), o(2)), radius), undirected);
    }
    const V least_spread = hn::Add(undirected, rate_error);
    const auto size = [&](int k) HWY_ATTR { return hn::Max(zero, h(k)); };
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, n = (k + 2) % 3;
      const V wm = hn::Set(d, f.angular[m]), wn = hn::Set(d, f.angular[n]);
      const V speed = hn::Add(hn::Set(d, f.linear[k]), Det2(wm, c(n), wn, c(m)));
      const V spread = Fma(hn::Abs(wm), size(n), Fma(hn::Abs(wn), size(m), least_spread));
      hn::StoreU(hn::Mul(in_unit, speed), d, out.speed[k] + l);
      hn::StoreU(Fma(in_unit, spread, speed_gain), d, out.excess[k] + l);
    }
    hn::StoreU(hn::Mul(in_unit, undirected), d, out.undirected + l);
  }
}

// Returns the gap that closes last along the axes of one frame, of row i and lanes l, l + 1, ...
template <Times times>
HWY_INLINE ClosingGap LastOfMovingAxes(const MovingBoxes& rows, const MovingBoxes& lanes, int i,
                                       std::size_t l) {
  const AtRow row{i};
  const AtLanes lane{l};
  const auto axis = [&](int k) HWY_ATTR {
    const V delta = hn::Sub(lane(lanes.centre[k]), row(rows.centre[k]));
    const V reach = hn::Add(lane(lanes.half[k]), row(rows.half[k]));
    // Approach rate: the row moves towards the lane, the lane towards the row.
    const V towards = hn::Sub(row(rows.speed[k]), lane(lanes.speed[k]));
    const V excess = hn::Add(lane(lanes.excess[k]), row(rows.excess[k]));
    const V rate = hn::Add(ClosingRate<times>(towards, delta), excess);
    return ClosingGap(hn::Sub(hn::Abs(delta), reach), rate);
  };
  return Last(Last(axis(0), axis(1)), axis(2));
}

// Speeds along the normals of eight triangles: the least and the greatest of a triangle's own
// corners, and the speed of a point y of the other body, offset + slope · y.
struct NormalRates {
  float slope[3][kWidth], offset[kWidth];
  float own_min[kWidth], own_max[kWidth];
  float slope_along[3][kWidth];  // along the axes of the other's node; for closed leaves only
};

// The velocity at y along n is n · (linear + angular × y) = n · linear + (n × angular) · y. Returns
// the first of these terms, and n × angular as `slope`.
HWY_INLINE V VelocityAlong(const V (&n)[3], const FrameVelocityBound& field, V (&slope)[3]) {
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
                                const FrameVelocityBound& own, const FrameVelocityBound& other,
                                NormalRates& out) {
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

// Returns the rate of approach along a normal of two bodies that move along it at rates from
// own_min to own_max, and from slowest to fastest. `is_above`: the other one is above.
template <Times times, class Mask>
HWY_INLINE V ApproachAlong(Mask is_above, V own_min, V own_max, V slowest, V fastest) {
  const V if_above = hn::Sub(own_max, slowest), if_below = hn::Sub(fastest, own_min);
  if constexpr (times == Times::around) return hn::Max(if_above, if_below);
  return hn::IfThenElse(is_above, if_above, if_below);
}

// Returns the gap along normals between the normals' triangles and triangles with corners c.
template <Times times, class At>
HWY_INLINE ClosingGap AlongNormals(const Normals& normals, const NormalRates& rates, At&& at,
                                   const V (&c)[3][3], V unit, V error, V undirected,
                                   V speed_gain) {
  const NormalGap g(normals, at, c);
  V slope[3], rate[3];
  for (int k = 0; k < 3; ++k) slope[k] = at(rates.slope[k]);
  for (int v = 0; v < 3; ++v) rate[v] = hn::Add(at(rates.offset), Dot3(slope, c[v]));
  const V slowest = hn::Min(hn::Min(rate[0], rate[1]), rate[2]);
  const V fastest = hn::Max(hn::Max(rate[0], rate[1]), rate[2]);
  const V approach =
      ApproachAlong<times>(g.is_above, at(rates.own_min), at(rates.own_max), slowest, fastest);
  return {hn::Mul(unit, hn::Sub(g.gap, error)),
          hn::Add(Fma(unit, approach, undirected), speed_gain)};
}

// Returns the gap along the normals of a closed leaf between its triangles and children.
template <Times times, class AtTriangle, class AtChild>
HWY_INLINE ClosingGap AlongLeafNormals(const LeafNormals& leaf, const NormalRates& rates,
                                       const AtTriangle& triangle, const AtChild& child, V unit,
                                       V undirected, V speed_gain) {
  const LeafNormalGap g(leaf, triangle, child);
  V middle = triangle(rates.offset), spread = hn::Zero(D());
  for (int k = 0; k < 3; ++k) {
    middle = Fma(triangle(rates.slope[k]), child(leaf.moved.centre[k]), middle);
    spread = Fma(triangle(rates.slope_along[k]), hn::Max(hn::Zero(D()), child(leaf.own.half[k])),
                 spread);
  }
  const V approach = ApproachAlong<times>(g.is_above, triangle(rates.own_min),
                                          triangle(rates.own_max), middle, middle);
  return {hn::Mul(unit, g.gap),
          hn::Add(Fma(unit, hn::Add(approach, spread), undirected), speed_gain)};
}

// Pairs of children of bodies in general motion.
template <Times times = Times::after>
struct TurningChildren {
  // All in a's units.
  MovingBoxes a_in_a, b_in_a, a_in_b, b_in_b;
  Accelerations of_a, of_b;
  NormalRates rates_a, rates_b;
  LocalVelocityBounds in_a, in_b;
  float rate_error_a, rate_error_b, ratio;

  HWY_INLINE TurningChildren(const PairBoxes& boxes, const Frame& frame_a, const Frame& frame_b,
                             const PairFrame& f, const PairVelocityBounds& velocities, float limit)
      : in_a(InFrame(frame_a, velocities.in_a, 2 * f.reach)),
        in_b(InFrame(frame_b, velocities.in_b, 2 * f.reach * f.inverse_ratio)),
        ratio(f.ratio) {
    Accelerate(in_a.a, boxes.a, 1, in_a.centre_error, limit, of_a);
    Accelerate(in_b.b, boxes.b, f.ratio, in_b.centre_error, limit, of_b);
    Move(in_a.a, boxes.a, 1, {0, 0, in_a.centre_error}, of_a, a_in_a);
    Move(in_a.b, boxes.b_moved, 1, {f.error_a, in_a.linear_error, in_a.centre_error}, of_b, b_in_a);
    Move(in_b.a, boxes.a_moved, f.ratio, {f.error_b, in_b.linear_error, in_b.centre_error}, of_a,
         a_in_b);
    Move(in_b.b, boxes.b, f.ratio, {0, 0, in_b.centre_error}, of_b, b_in_b);
    rate_error_a = 2 * in_a.linear_error;
    rate_error_b = 2 * f.ratio * in_b.linear_error;
  }

  HWY_INLINE void Add(const TriangleSides& t) {
    MakeNormalRates(t.normals_a, t.a_own, in_a.a, in_a.b, rates_a);
    MakeNormalRates(t.normals_b, t.b_own, in_b.b, in_b.a, rates_b);
  }
  HWY_INLINE void AddClosedA(const LeafNormals& leaf) {
    MakeNormalRates(leaf.normals, leaf.corner, in_a.a, in_a.b, rates_a);
    leaf.OnNodeAxes(rates_a.slope, rates_a.slope_along);
  }
  HWY_INLINE void AddClosedB(const LeafNormals& leaf) {
    MakeNormalRates(leaf.normals, leaf.corner, in_b.b, in_b.a, rates_b);
    leaf.OnNodeAxes(rates_b.slope, rates_b.slope_along);
  }

  HWY_INLINE ClosingGap OfBoxes(int i, std::size_t l) const {
    return Last(LastOfMovingAxes<times>(a_in_a, b_in_a, i, l),
                LastOfMovingAxes<times>(a_in_b, b_in_b, i, l));
  }

  HWY_INLINE ClosingGap OfNormals(const TriangleSides& t, int i, std::size_t l) const {
    const D d;
    const AtRow row{i};
    const AtLanes lanes{l};
    const V speed_gain = hn::Add(row(of_a.speed_gain), lanes(of_b.speed_gain));
    const V undirected_a = hn::Add(hn::Add(row(a_in_a.undirected), lanes(b_in_a.undirected)),
                                   hn::Set(d, rate_error_a));
    const V undirected_b = hn::Add(hn::Add(row(a_in_b.undirected), lanes(b_in_b.undirected)),
                                   hn::Set(d, rate_error_b));
    V c[3][3];
    LoadCorners(t.b_in_a, lanes, c);
    const ClosingGap by_a = AlongNormals<times>(t.normals_a, rates_a, row, c, hn::Set(d, 1.0f),
                                                hn::Set(d, t.error_a), undirected_a, speed_gain);
    LoadCorners(t.a_in_b, row, c);
    return Last(by_a, AlongNormals<times>(t.normals_b, rates_b, lanes, c, hn::Set(d, ratio),
                                          hn::Set(d, t.error_b), undirected_b, speed_gain));
  }

  HWY_INLINE ClosingGap OfClosedA(const LeafNormals& leaf, int i, std::size_t l) const {
    const AtRow row{i};
    const AtLanes lanes{l};
    const V undirected = hn::Add(hn::Add(row(a_in_a.undirected), lanes(b_in_a.undirected)),
                                 hn::Set(D(), 1.5f * rate_error_a));
    return AlongLeafNormals<times>(leaf, rates_a, row, lanes, hn::Set(D(), 1.0f), undirected,
                                   hn::Add(row(of_a.speed_gain), lanes(of_b.speed_gain)));
  }
  HWY_INLINE ClosingGap OfClosedB(const LeafNormals& leaf, int i, std::size_t l) const {
    const AtRow row{i};
    const AtLanes lanes{l};
    const V undirected = hn::Add(hn::Add(row(a_in_b.undirected), lanes(b_in_b.undirected)),
                                 hn::Set(D(), 1.5f * rate_error_b));
    return AlongLeafNormals<times>(leaf, rates_b, lanes, row, hn::Set(D(), ratio), undirected,
                                   hn::Add(row(of_a.speed_gain), lanes(of_b.speed_gain)));
  }

  HWY_INLINE V Until(const ClosingGap& last, int i, std::size_t l) const {
    const AtRow row{i};
    const AtLanes lanes{l};
    const V acceleration = hn::Add(row(of_a.acceleration), lanes(of_b.acceleration));
    return TimeOf(last, acceleration, hn::Add(row(of_a.speed_gain), lanes(of_b.speed_gain)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
