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
namespace touche {
namespace HWY_NAMESPACE {

// The corners of a triangle in each lane, in a's frame.
using Corners = Point<V>[3];

template <std::size_t size>
HWY_INLINE Point<V> SetPoint(const float (&x)[size]) {
  const D d;
  return {hn::Set(d, x[0]), hn::Set(d, x[1]), hn::Set(d, x[2])};
}

// Triangles that do not turn: all points have one velocity.
class GlidingTriangles {
 public:
  HWY_INLINE GlidingTriangles(const Frame& frame_a, const PairFrame&,
                              const LocalVelocityBounds& velocities, const Corners&, const Corners&,
                              float)
      : excess_(hn::Set(D(), 2 * velocities.linear_error)) {
    float velocity[3];
    VelocityIn(frame_a, velocities.a.linear, velocity);
    velocity_ = SetPoint(velocity);
  }

  // Bounds the rate at which the gap along a unit vector n closes. Where n `points` it is directed
  // from a to b, elsewhere from b to a.
  HWY_INLINE V Rate(const Point<V>& n, hn::Mask<D> points) const {
    const V rate = Dot(n, velocity_);
    return hn::Add(excess_, hn::IfThenElse(points, rate, hn::Neg(rate)));
  }
  HWY_INLINE V Until(const ClosingGap& last) const { return TimeOfSteady(last); }

 private:
  Point<V> velocity_;  // of a, seen from b
  V excess_;
};

// Triangles that move in any way.
class TurningTriangles {
 public:
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
    excess_ =
        hn::Add(hn::Add(hn::Add(undirected_a, undirected_b), hn::Set(d, 2 * in_a.linear_error)),
                speed_gain_);
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

 private:
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
  V excess_, acceleration_, speed_gain_;
};

template <class Rates>
HWY_INLINE void ImpactTrianglesWith(const BvhLeaf& a, const BvhLeaf& b, const PairNumbers& pairs,
                                    const PairFrame& f, const PairVelocityBounds& velocities,
                                    float limit, float* time) {
  const D d;
  const V down = hn::Set(d, 1.0f - 1e-5f), least = hn::Set(d, 1e-30f);
  // The errors are those along normals, which are unit vectors, too.
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
    const auto along = [&](const Point<V>& axis) HWY_ATTR {
      // An axis too short to have a direction gets none: zero proves nothing.
      const V length2 = Dot(axis, axis);
      const V inverse =
          hn::IfThenElseZero(hn::Gt(length2, least), hn::Div(hn::Set(d, 1.0f), hn::Sqrt(length2)));
      const Point<V> n{hn::Mul(inverse, axis.x), hn::Mul(inverse, axis.y),
                       hn::Mul(inverse, axis.z)};
      const V a0 = Dot(n, at_a[0]), a1 = Dot(n, at_a[1]), a2 = Dot(n, at_a[2]);
      const V b0 = Dot(n, at_b[0]), b1 = Dot(n, at_b[1]), b2 = Dot(n, at_b[2]);
      const V beyond = hn::Sub(hn::Min(hn::Min(b0, b1), b2), hn::Max(hn::Max(a0, a1), a2));
      const V before = hn::Sub(hn::Min(hn::Min(a0, a1), a2), hn::Max(hn::Max(b0, b1), b2));
      return ClosingGap(hn::Sub(hn::Max(beyond, before), error),
                        rates.Rate(n, hn::Gt(beyond, before)));
    };
    const Point<V> edges_a[3] = {Minus(at_a[1], at_a[0]), Minus(at_a[2], at_a[1]),
                                 Minus(at_a[0], at_a[2])};
    const Point<V> edges_b[3] = {Minus(at_b[1], at_b[0]), Minus(at_b[2], at_b[1]),
                                 Minus(at_b[0], at_b[2])};
    ClosingGap last =
        Last(along(Cross(edges_a[0], edges_a[1])), along(Cross(edges_b[0], edges_b[1])));
    for (const Point<V>& e : edges_a)
      for (const Point<V>& g : edges_b) last = Last(last, along(Cross(e, g)));
    const V until = hn::Mul(down, rates.Until(last));
    hn::StoreU(hn::IfThenElse(OpenBeyond(last, limit), hn::Set(d, INFINITY), until), d, time + l);
  }
}

void ImpactTriangles(const BvhLeaf& a, const BvhLeaf& b, const PairNumbers& pairs,
                     const PairFrame& f, const PairVelocityBounds& velocities, float limit,
                     float* time) {
  const auto with = velocities.in_a.gliding ? ImpactTrianglesWith<GlidingTriangles>
                                            : ImpactTrianglesWith<TurningTriangles>;
  with(a, b, pairs, f, velocities, limit, time);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
