// SPDX-License-Identifier: Apache-2.0
// Bounds of the times until pairs of moving nodes may touch, eight at a time.
#if defined(TOUCHE_BVH_KERNELS_MOVING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_MOVING_INL_H_
#undef TOUCHE_BVH_KERNELS_MOVING_INL_H_
#else
#define TOUCHE_BVH_KERNELS_MOVING_INL_H_
#endif

#include "bvh/kernels/close-inl.h"
#include "bvh/kernels/relate-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// The motion of one body's box, a lane per pair: its centre's velocity and its angular velocity
// along a's axes, and the parts that do not depend on the axis. MovingBoxes in turning-inl.h needs
// less: the children of two nodes are compared along three axes of each, and a speed along an axis,
// found once for a box, is used for eight pairs. Here each pair has its own boxes and is compared
// along cross products, too, which needs vectors.
struct BoxVelocity {
  V velocity[3], turning[3];
  V undirected, acceleration;
  bool still;  // then all is zero
};

HWY_INLINE void StandStill(BoxVelocity& out) {
  const V zero = hn::Zero(D());
  out.still = true;
  for (int i = 0; i < 3; ++i) out.velocity[i] = out.turning[i] = zero;
  out.undirected = out.acceleration = zero;
}

// Finds the motion of a box whose points are within `radius` of `centre`, in a's local coordinates.
HWY_INLINE void Move(const FrameVelocityBound& f, const V (&axes_a)[3][3], const V (&centre)[3],
                     V radius, BoxVelocity& out) {
  const D d;
  if (f.still) return StandStill(out);
  out.still = false;
  V angular[3], velocity[3], offset[3], axis[3];
  for (int k = 0; k < 3; ++k) {
    angular[k] = hn::Set(d, f.angular[k]);
    axis[k] = hn::Set(d, f.axis[k]);
    offset[k] = hn::Sub(centre[k], hn::Set(d, f.centre[k]));
  }
  V square = hn::Zero(d), cross2 = hn::Zero(d);
  for (int k = 0; k < 3; ++k) {
    const int m = (k + 1) % 3, n = (k + 2) % 3;
    velocity[k] =
        hn::Add(hn::Set(d, f.linear[k]), Det2(angular[m], centre[n], angular[n], centre[m]));
    const V cross = Det2(axis[m], offset[n], axis[n], offset[m]);
    cross2 = Fma(cross, cross, cross2);
    square = Fma(offset[k], offset[k], square);
  }
  for (int i = 0; i < 3; ++i) {
    const V(&n)[3] = axes_a[i];
    out.velocity[i] = Sum3(n[0], n[1], n[2], velocity[0], velocity[1], velocity[2]);
    out.turning[i] = Sum3(n[0], n[1], n[2], angular[0], angular[1], angular[2]);
  }
  out.undirected = hn::Set(d, f.undirected_speed);
  if (f.undirected_angular_speed > 0)
    out.undirected = Fma(hn::Set(d, f.undirected_angular_speed), hn::Add(hn::Sqrt(square), radius),
                         out.undirected);
  out.acceleration = hn::Zero(d);
  if (f.acceleration_per_distance > 0)
    out.acceleration =
        hn::Mul(hn::Set(d, f.acceleration_per_distance), hn::Add(hn::Sqrt(cross2), radius));
}

HWY_INLINE V Length(const V (&x)[3]) { return Length3(x[0], x[1], x[2]); }

// The approach of two boxes that do not rotate: all their points have one velocity, in a's units.
struct GlidingNodes {
  V towards[3];  // of a relative to b, along a's axes
  V error, cross_error;

  HWY_INLINE GlidingNodes(const LocalMap& map, const RelatedBoxes<D>& boxes, const V (&)[3],
                          const LocalVelocityBounds& velocities, float) {
    const D d;
    const auto& axes = boxes.axes_a;
    const float* velocity = velocities.a.linear;
    for (int i = 0; i < 3; ++i)
      towards[i] = Sum3(axes[i][0], axes[i][1], axes[i][2], hn::Set(d, velocity[0]),
                        hn::Set(d, velocity[1]), hn::Set(d, velocity[2]));
    error = hn::Set(d, velocities.linear_error);
    cross_error = hn::Set(d, 2.0f * map.ratio * velocities.linear_error);
  }

  HWY_INLINE V ExcessAlongA(int) const { return error; }
  HWY_INLINE V ExcessAlongB(int) const { return error; }
  HWY_INLINE V ExcessAcross(int, int) const { return cross_error; }
  HWY_INLINE V Until(const ClosingGap& last) const { return TimeOfSteady(last); }
};

// The approach of two boxes in general motion: bounds by how much faster than their centres some of
// their points may move, in the mean until the limit.
struct TurningNodes {
  const RelatedBoxes<D>& boxes;
  const V (&half_b)[3];
  BoxVelocity a, b;
  V towards[3];                                   // along a's axes
  V turning_a[3], turning_b[3], moved_half_a[3];  // along b's axes
  V undirected, cross_undirected, acceleration, speed_gain, cross_speed_gain;

  HWY_INLINE TurningNodes(const LocalMap& map, const RelatedBoxes<D>& related, const V (&half)[3],
                          const LocalVelocityBounds& velocities, float limit)
      : boxes(related), half_b(half) {
    const D d;
    const V ratio = hn::Set(d, map.ratio), inverse = hn::Set(d, map.inverse_ratio);
    V centre_b[3];
    for (int k = 0; k < 3; ++k)
      centre_b[k] = Sum4(boxes.axes_a[0][k], boxes.axes_a[1][k], boxes.axes_a[2][k],
                         boxes.apart_a[0], boxes.apart_a[1], boxes.apart_a[2], boxes.centre_a[k]);
    const V size = hn::Add(boxes.reach,
                           hn::Add(hn::Add(hn::Abs(boxes.centre_a[0]), hn::Abs(boxes.centre_a[1])),
                                   hn::Abs(boxes.centre_a[2])));
    const V off = Fma(hn::Set(d, kRateError), size, hn::Set(d, velocities.centre_error));
    Move(velocities.a, boxes.axes_a, boxes.centre_a, hn::Add(Length(boxes.half_a), off), a);
    Move(velocities.b, boxes.axes_a, centre_b, hn::Add(Length(half_b), off), b);
    undirected = hn::Add(
        hn::Add(a.undirected, b.undirected),
        Fma(hn::Set(d, velocities.angular_error), size, hn::Set(d, velocities.linear_error)));
    cross_undirected = hn::Mul(hn::Set(d, 2.0f), hn::Mul(ratio, undirected));
    acceleration = hn::Mul(hn::Set(d, 1.0f + 1e-5f), hn::Add(a.acceleration, b.acceleration));
    speed_gain = hn::Mul(hn::Set(d, 0.5f * limit), acceleration);
    cross_speed_gain = hn::Mul(ratio, speed_gain);
    const auto along_b = [&](const V(&x)[3], int j) HWY_ATTR {
      return hn::Mul(inverse, Sum3(boxes.r[0][j], boxes.r[1][j], boxes.r[2][j], x[0], x[1], x[2]));
    };
    for (int k = 0; k < 3; ++k) {
      towards[k] = hn::Sub(a.velocity[k], b.velocity[k]);
      if (!a.still) turning_a[k] = along_b(a.turning, k);
      if (!b.still) turning_b[k] = along_b(b.turning, k);
      moved_half_a[k] = hn::Mul(ratio, boxes.moved_half_a[k]);
    }
  }

  HWY_INLINE V ExcessAlongA(int k) const {
    const V excess = WithSpread(hn::Add(undirected, speed_gain), a, a.turning, boxes.half_a, k);
    return WithSpread(excess, b, b.turning, boxes.moved_half_b, k);
  }
  HWY_INLINE V ExcessAlongB(int k) const {
    const V excess = WithSpread(hn::Add(undirected, speed_gain), a, turning_a, moved_half_a, k);
    return WithSpread(excess, b, turning_b, half_b, k);
  }
  HWY_INLINE V ExcessAcross(int i, int j) const {
    const auto &r = boxes.r, &size = boxes.size;
    const int m = (i + 1) % 3, n = (i + 2) % 3, o = (j + 1) % 3, q = (j + 2) % 3;
    const V excess =
        WithSpreadAcross(hn::Add(cross_undirected, cross_speed_gain), a, a.turning, boxes.half_a,
                         {hn::Neg(r[n][j]), r[m][j]}, {size[n][j], size[m][j]}, i);
    return WithSpreadAcross(excess, b, turning_b, half_b, {r[i][q], hn::Neg(r[i][o])},
                            {size[i][q], size[i][o]}, j);
  }
  HWY_INLINE V Until(const ClosingGap& last) const {
    return TimeOf(last, acceleration, speed_gain);
  }

 private:
  // Adds to `excess` the variation of velocities over a rotating box, along its axis k.
  static HWY_INLINE V WithSpread(V excess, const BoxVelocity& velocity, const V (&turning)[3],
                                 const V (&half)[3], int k) {
    if (velocity.still) return excess;
    const int m = (k + 1) % 3, n = (k + 2) % 3;
    return Fma(hn::Abs(turning[m]), half[n], Fma(hn::Abs(turning[n]), half[m], excess));
  }

  // The same along an axis n orthogonal to axis k: adds the components of n × ω times the half
  // widths. Arguments are the other two components of n, and bounds of their absolute values.
  static HWY_INLINE V WithSpreadAcross(V excess, const BoxVelocity& velocity, const V (&w)[3],
                                       const V (&half)[3], const V (&n)[2], const V (&size)[2],
                                       int k) {
    if (velocity.still) return excess;
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    const V in_plane = Fma(size[0], half[y], hn::Mul(size[1], half[x]));
    const V along = hn::Abs(Det2(n[0], w[y], n[1], w[x]));
    return Fma(along, half[k], Fma(hn::Abs(w[k]), in_plane, excess));
  }
};

template <class Rates, Times times = Times::after>
HWY_INLINE void ImpactNodesWith(const LocalMap& map, const BoundsPairs& pairs,
                                const LocalVelocityBounds& velocities, float limit, float* time) {
  const D d;
  const V ratio = hn::Set(d, map.ratio), inverse = hn::Set(d, map.inverse_ratio);
  const V down = hn::Set(d, 1.0f - 1e-5f);
  NoFrames frames;
  RelateEach(d, map, pairs, frames, [&](std::size_t l, const RelatedBoxes<D>& boxes) HWY_ATTR {
    V half_b[3];  // in a's units
    for (int k = 0; k < 3; ++k) half_b[k] = hn::Mul(ratio, boxes.half_b[k]);
    const Rates rates(map, boxes, half_b, velocities, limit);
    const V(&towards)[3] = rates.towards;
    const auto closing = [&](V apart, V gap, V speed, V excess) HWY_ATTR {
      return ClosingGap(gap, hn::Add(ClosingRate<times>(speed, apart), excess));
    };
    const auto axis_of_a = [&](int k) HWY_ATTR {
      return closing(boxes.apart_a[k], boxes.gap_a[k], towards[k], rates.ExcessAlongA(k));
    };
    const auto axis_of_b = [&](int j) HWY_ATTR {
      const V speed = hn::Mul(inverse, Sum3(boxes.r[0][j], boxes.r[1][j], boxes.r[2][j], towards[0],
                                            towards[1], towards[2]));
      return closing(boxes.apart_b[j], hn::Mul(ratio, boxes.gap_b[j]), speed,
                     rates.ExcessAlongB(j));
    };
    // The length of a cross product is at most `ratio`, so its gap and rate are at most that many
    // times the gap and rate along a unit vector.
    const V slack = hn::Mul(hn::Set(d, 4.0f), hn::Mul(ratio, boxes.error_a));
    const auto cross = [&](int i, int j) HWY_ATTR {
      const CrossAxis<D> axis(boxes, half_b, slack, i, j);
      const V speed = axis.Component(towards);
      return closing(axis.apart, hn::Sub(hn::Abs(axis.apart), axis.reach), speed,
                     rates.ExcessAcross(i, j));
    };
    const auto last_of = [](const ClosingGap& x, const ClosingGap& y, const ClosingGap& z)
                             HWY_ATTR { return Last(Last(x, y), z); };
    const ClosingGap last_of_axes = Last(last_of(axis_of_a(0), axis_of_a(1), axis_of_a(2)),
                                         last_of(axis_of_b(0), axis_of_b(1), axis_of_b(2)));
    ClosingGap last_of_crosses = last_of(last_of(cross(0, 0), cross(0, 1), cross(0, 2)),
                                         last_of(cross(1, 0), cross(1, 1), cross(1, 2)),
                                         last_of(cross(2, 0), cross(2, 1), cross(2, 2)));
    last_of_crosses.gap = hn::Mul(inverse, last_of_crosses.gap);
    last_of_crosses.rate = hn::Mul(inverse, last_of_crosses.rate);
    const ClosingGap last = Last(last_of_axes, last_of_crosses);
    const V until = hn::Mul(down, rates.Until(last));
    hn::StoreU(hn::IfThenElse(OpenBeyond(last, limit), hn::Set(d, INFINITY), until), d, time + l);
  });
}

void ImpactNodes(const LocalMap& map, const BoundsPairs& pairs,
                 const LocalVelocityBounds& velocities, float limit, float* time) {
  const auto with =
      velocities.gliding ? ImpactNodesWith<GlidingNodes> : ImpactNodesWith<TurningNodes>;
  with(map, pairs, velocities, limit, time);
}

void ImpactNodesAround(const LocalMap& map, const BoundsPairs& pairs,
                       const LocalVelocityBounds& velocities, float limit, float* time) {
  ImpactNodesWith<TurningNodes, Times::around>(map, pairs, velocities, limit, time);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
