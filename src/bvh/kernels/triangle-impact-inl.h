// SPDX-License-Identifier: Apache-2.0
// Bounds of the times until moving triangles may touch, eight pairs of two leaves at a time.
#if defined(TOUCHE_BVH_KERNELS_TRIANGLE_IMPACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_TRIANGLE_IMPACT_INL_H_
#undef TOUCHE_BVH_KERNELS_TRIANGLE_IMPACT_INL_H_
#else
#define TOUCHE_BVH_KERNELS_TRIANGLE_IMPACT_INL_H_
#endif

#include "bvh/kernels/gliding-inl.h"
#include "bvh/kernels/triangles-inl.h"
#include "bvh/kernels/turning-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// The corners of a triangle in each lane, in a's frame.
using Corners = Point<V>[3];

template <std::size_t size>
HWY_INLINE Point<V> SetPoint(const float (&x)[size]) {
  const D d;
  return {hn::Set(d, x[0]), hn::Set(d, x[1]), hn::Set(d, x[2])};
}

HWY_INLINE Point<V> Times(V s, const Point<V>& x) {
  return {hn::Mul(s, x.x), hn::Mul(s, x.y), hn::Mul(s, x.z)};
}
HWY_INLINE Point<V> Plus(const Point<V>& x, const Point<V>& y) {
  return {hn::Add(x.x, y.x), hn::Add(x.y, y.y), hn::Add(x.z, y.z)};
}
HWY_INLINE Point<V> Choose(hn::Mask<D> which, const Point<V>& x, const Point<V>& y) {
  return {hn::IfThenElse(which, x.x, y.x), hn::IfThenElse(which, x.y, y.y),
          hn::IfThenElse(which, x.z, y.z)};
}
HWY_INLINE Point<V> Longest(const Point<V> (&edges)[3]) {
  const V length2[3] = {Dot(edges[0], edges[0]), Dot(edges[1], edges[1]), Dot(edges[2], edges[2])};
  const auto second = hn::Gt(length2[1], length2[0]);
  const Point<V> longer = Choose(second, edges[1], edges[0]);
  return Choose(hn::Gt(length2[2], hn::Max(length2[0], length2[1])), edges[2], longer);
}

// The widest gap at the instant, along the unit vector `towards_b`.
struct WidestGap {
  V gap;
  Point<V> towards_b;

  HWY_INLINE WidestGap() : gap(hn::Zero(D())), towards_b{gap, gap, gap} {}
};

// Triangles that do not rotate: all points have one velocity.
class GlidingTriangles {
 public:
  static constexpr bool kMayTilt = false;

  HWY_INLINE GlidingTriangles(const Frame& frame_a, const PairFrame&,
                              const LocalVelocityBounds& velocities, const Corners&, const Corners&,
                              float)
      : excess_(hn::Set(D(), 2 * velocities.linear_error)) {
    float velocity[3];
    VelocityIn(frame_a, velocities.a.linear, velocity);
    velocity_ = SetPoint(velocity);
  }

  // Bounds the rate at which the gap along a unit vector n closes. n is directed from a to b where
  // `points` is set, elsewhere from b to a.
  HWY_INLINE V Rate(const Point<V>& n, hn::Mask<D> points) const {
    const V rate = Dot(n, velocity_);
    return hn::Add(excess_, hn::IfThenElse(points, rate, hn::Neg(rate)));
  }
  HWY_INLINE V Until(const ClosingGap& last) const { return TimeOfSteady(last); }

 private:
  Point<V> velocity_;  // of a relative to b
  V excess_;
};

// Triangles in general motion.
template <bool kTilts>
class TurningTriangles {
 public:
  static constexpr bool kMayTilt = kTilts;

  HWY_INLINE TurningTriangles(const Frame& frame_a, const PairFrame& f,
                              const LocalVelocityBounds& velocities, const Corners& a,
                              const Corners& b, float limit) {
    const D d;
    const LocalVelocityBounds in_a = InFrame(frame_a, velocities, 2 * f.reach);
    const V off = hn::Set(d, in_a.centre_error);
    V undirected_a, undirected_b, acceleration_a, acceleration_b;
    Move(in_a.a, a, off, velocity_a_, undirected_a, acceleration_a);
    Move(in_a.b, b, off, velocity_b_, undirected_b, acceleration_b);
    acceleration_ = hn::Mul(hn::Set(d, 1.0f + 1e-5f), hn::Add(acceleration_a, acceleration_b));
    speed_gain_ = hn::Mul(hn::Set(d, 0.5f * limit), acceleration_);
    undirected_ = hn::Add(hn::Add(undirected_a, undirected_b), hn::Set(d, 2 * in_a.linear_error));
    excess_ = hn::Add(undirected_, speed_gain_);
    rate_error_ = in_a.linear_error;
    place_error_ = 2 * f.error_a + 4e-6f * f.reach;
    angular_a_ = Turning(in_a.a);
    angular_b_ = Turning(in_a.b);
  }

  HWY_INLINE V Rate(const Point<V>& n, hn::Mask<D> points) const {
    const V a0 = Dot(n, velocity_a_[0]), a1 = Dot(n, velocity_a_[1]), a2 = Dot(n, velocity_a_[2]);
    const V b0 = Dot(n, velocity_b_[0]), b1 = Dot(n, velocity_b_[1]), b2 = Dot(n, velocity_b_[2]);
    const V towards_b = hn::Sub(hn::Max(hn::Max(a0, a1), a2), hn::Min(hn::Min(b0, b1), b2));
    const V towards_a = hn::Sub(hn::Max(hn::Max(b0, b1), b2), hn::Min(hn::Min(a0, a1), a2));
    return hn::Add(excess_, hn::IfThenElse(points, towards_b, towards_a));
  }
  HWY_INLINE V Until(const ClosingGap& last) const {
    return TimeOf(last, acceleration_, speed_gain_);
  }

  // The time until the gap closes along an axis n + tilt t that stays orthogonal to the longest
  // edge of either triangle. MovingPair::along_tilting derives the bound for pairs of corners; here
  // the least gap and the largest rates of all corners are combined. Positions are off by
  // `place_error_`, rates along a unit vector by twice `rate_error_`; both include the rounding of
  // products.
  HWY_INLINE V UntilTilting(const WidestGap& widest, V error, const Corners& a, const Corners& b,
                            const Point<V> (&edges_a)[3], const Point<V> (&edges_b)[3]) const {
    const D d;
    constexpr float kMostTilt = 0.25f;
    const V longest = hn::Set(d, 1.0001f * (1 + kMostTilt)), two = hn::Set(d, 2.0f);
    const Point<V>& n = widest.towards_b;
    // Solve tilt · a = −n · a', tilt · b = −n · b', tilt · n = 0.
    const Point<V> edge_a = Longest(edges_a), edge_b = Longest(edges_b);
    const Point<V> across_a = Cross(n, edge_a), across_b = Cross(edge_b, n);
    const V turn_a = Dot(n, Cross(angular_a_, edge_a)), turn_b = Dot(n, Cross(angular_b_, edge_b));
    const V inverse = hn::Div(hn::Set(d, -1.0f), Dot(edge_a, across_b));
    const Point<V> tilt = Times(inverse, Plus(Times(turn_a, across_b), Times(turn_b, across_a)));
    const V size = hn::Mul(hn::Set(d, 1.0f + 1e-5f), hn::Sqrt(Dot(tilt, tilt)));

    const auto most = [](const V(&x)[3]) HWY_ATTR { return hn::Max(hn::Max(x[0], x[1]), x[2]); };
    const auto least = [](const V(&x)[3]) HWY_ATTR { return hn::Min(hn::Min(x[0], x[1]), x[2]); };
    V rates_a[3], rates_b[3], growth_a[3], growth_b[3];
    for (int v = 0; v < 3; ++v) {
      rates_a[v] = hn::Add(Dot(tilt, a[v]), Dot(n, velocity_a_[v]));
      rates_b[v] = hn::Add(Dot(tilt, b[v]), Dot(n, velocity_b_[v]));
      growth_a[v] = Dot(tilt, velocity_a_[v]);
      growth_b[v] = Dot(tilt, velocity_b_[v]);
    }
    const V most_a = most(rates_a), least_b = least(rates_b);
    const V slack = Fma(hn::Set(d, place_error_), size,
                        hn::Mul(hn::Set(d, 1e-6f), hn::Add(hn::Abs(most_a), hn::Abs(least_b))));
    const V rate = hn::Add(hn::Sub(most_a, least_b), Fma(longest, undirected_, slack));
    const V growth =
        Fma(hn::Set(d, 3 * rate_error_), size, hn::Sub(most(growth_a), least(growth_b)));
    const V acceleration = AtLeast(Fma(longest, acceleration_, hn::Mul(two, growth)), hn::Zero(d));
    const V gap = hn::Sub(widest.gap, hn::Mul(hn::Set(d, 1.001f * kMostTilt), error));
    // A tilt that is NaN, or so large that sums might become NaN, proves nothing.
    constexpr float kLarge = 1e12f;
    const auto safe = hn::Lt(size, hn::Set(d, rate_error_ < kLarge ? kLarge : 0));
    const V most_time = hn::Div(hn::Set(d, kMostTilt), size);
    return hn::IfThenElseZero(safe, hn::Min(TimeToClose(gap, rate, acceleration), most_time));
  }

 private:
  static HWY_INLINE Point<V> Turning(const FrameVelocityBound& f) {
    const D d;
    if (f.still) return {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    return SetPoint(f.angular);
  }

  static HWY_INLINE void Move(const FrameVelocityBound& f, const Corners& corners, V off,
                              Corners& velocity, V& undirected, V& acceleration) {
    const D d;
    const V zero = hn::Zero(d);
    undirected = acceleration = zero;
    for (int v = 0; v < 3; ++v) velocity[v] = {zero, zero, zero};
    if (f.still) return;
    const Point<V> angular = SetPoint(f.angular), centre = SetPoint(f.centre),
                   axis = SetPoint(f.axis), linear = SetPoint(f.linear);
    V from_axis2 = zero, from_centre2 = zero;
    for (int v = 0; v < 3; ++v) {
      const Point<V> turn = Cross(angular, corners[v]);
      velocity[v] = {hn::Add(linear.x, turn.x), hn::Add(linear.y, turn.y),
                     hn::Add(linear.z, turn.z)};
      const Point<V> offset = Minus(corners[v], centre), across = Cross(axis, offset);
      from_axis2 = hn::Max(from_axis2, Dot(across, across));
      from_centre2 = hn::Max(from_centre2, Dot(offset, offset));
    }
    undirected = Fma(hn::Set(d, f.undirected_angular_speed), hn::Add(hn::Sqrt(from_centre2), off),
                     hn::Set(d, f.undirected_speed));
    acceleration =
        hn::Mul(hn::Set(d, f.acceleration_per_distance), hn::Add(hn::Sqrt(from_axis2), off));
  }

  Corners velocity_a_, velocity_b_;
  Point<V> angular_a_, angular_b_;
  V undirected_, excess_, acceleration_, speed_gain_;
  float rate_error_, place_error_;
};

template <class Rates>
HWY_INLINE void ImpactTrianglesWith(const BvhLeaf& a, const BvhLeaf& b, const PairNumbers& pairs,
                                    const PairFrame& f, const PairVelocityBounds& velocities,
                                    float limit, float* time) {
  const D d;
  const V down = hn::Set(d, 1.0f - 1e-5f), least = hn::Set(d, 1e-30f);
  // The errors are the errors along normals, which are unit vectors, too.
  const V error = hn::Set(d, 2 * f.error_a - velocities.clearance_a);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const Pick rows = Pick::Rows(pairs, l), lanes = Pick::Lanes(pairs, l);
    Corners at_a, at_b;
    for (int v = 0; v < 3; ++v) {
      at_a[v] = {rows(a.corner[v][0]), rows(a.corner[v][1]), rows(a.corner[v][2])};
      const V x = lanes(b.corner[v][0]), y = lanes(b.corner[v][1]), z = lanes(b.corner[v][2]);
      const auto moved = [&](int k) HWY_ATTR {
        const FrameMap& m = f.to_a;
        return Sum4(x, y, z, hn::Set(d, m.columns[0][k]), hn::Set(d, m.columns[1][k]),
                    hn::Set(d, m.columns[2][k]), hn::Set(d, m.shift[k]));
      };
      at_b[v] = {moved(0), moved(1), moved(2)};
    }
    const Rates rates(a.bounds.frame, f, velocities.in_a, at_a, at_b, limit);
    WidestGap widest;
    const auto along = [&](const Point<V>& axis) HWY_ATTR {
      // An axis too short to have a direction becomes zero, which proves nothing.
      const V length2 = Dot(axis, axis);
      const V inverse =
          hn::IfThenElseZero(hn::Gt(length2, least), hn::Div(hn::Set(d, 1.0f), hn::Sqrt(length2)));
      const Point<V> n{hn::Mul(inverse, axis.x), hn::Mul(inverse, axis.y),
                       hn::Mul(inverse, axis.z)};
      const V a0 = Dot(n, at_a[0]), a1 = Dot(n, at_a[1]), a2 = Dot(n, at_a[2]);
      const V b0 = Dot(n, at_b[0]), b1 = Dot(n, at_b[1]), b2 = Dot(n, at_b[2]);
      const V beyond = hn::Sub(hn::Min(hn::Min(b0, b1), b2), hn::Max(hn::Max(a0, a1), a2));
      const V before = hn::Sub(hn::Min(hn::Min(a0, a1), a2), hn::Max(hn::Max(b0, b1), b2));
      const auto points = hn::Gt(beyond, before);
      const V gap = hn::Sub(hn::Max(beyond, before), error);
      if constexpr (Rates::kMayTilt) {
        const auto wider = hn::Gt(gap, widest.gap);
        const Point<V> back{hn::Neg(n.x), hn::Neg(n.y), hn::Neg(n.z)};
        widest.gap = hn::IfThenElse(wider, gap, widest.gap);
        widest.towards_b = Choose(wider, Choose(points, n, back), widest.towards_b);
      }
      return ClosingGap(gap, rates.Rate(n, points));
    };
    const Point<V> edges_a[3] = {Minus(at_a[1], at_a[0]), Minus(at_a[2], at_a[1]),
                                 Minus(at_a[0], at_a[2])};
    const Point<V> edges_b[3] = {Minus(at_b[1], at_b[0]), Minus(at_b[2], at_b[1]),
                                 Minus(at_b[0], at_b[2])};
    ClosingGap last =
        Last(along(Cross(edges_a[0], edges_a[1])), along(Cross(edges_b[0], edges_b[1])));
    for (const Point<V>& e : edges_a)
      for (const Point<V>& g : edges_b) last = Last(last, along(Cross(e, g)));
    V until = rates.Until(last);
    if constexpr (Rates::kMayTilt)
      until = hn::Max(until, rates.UntilTilting(widest, error, at_a, at_b, edges_a, edges_b));
    until = hn::Mul(down, until);
    hn::StoreU(hn::IfThenElse(OpenBeyond(last, limit), hn::Set(d, INFINITY), until), d, time + l);
  }
}

void ImpactTriangles(const BvhLeaf& a, const BvhLeaf& b, const PairNumbers& pairs,
                     const PairFrame& f, const PairVelocityBounds& velocities, bool tilting,
                     float limit, float* time) {
  const auto with = velocities.in_a.gliding ? ImpactTrianglesWith<GlidingTriangles>
                    : tilting               ? ImpactTrianglesWith<TurningTriangles<true>>
                                            : ImpactTrianglesWith<TurningTriangles<false>>;
  with(a, b, pairs, f, velocities, limit, time);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
