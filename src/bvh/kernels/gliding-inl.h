// SPDX-License-Identifier: Apache-2.0
// Gaps between children of two nodes, and the rates at which they close, if neither body rotates.
#if defined(TOUCHE_BVH_KERNELS_GLIDING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_GLIDING_INL_H_
#undef TOUCHE_BVH_KERNELS_GLIDING_INL_H_
#else
#define TOUCHE_BVH_KERNELS_GLIDING_INL_H_
#endif

#include "bvh/kernels/children-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Transforms a velocity to the axes of a node's frame.
HWY_INLINE void VelocityIn(const Frame& frame, const float (&velocity)[4], float (&out)[3]) {
  for (int i = 0; i < 3; ++i)
    out[i] = frame.axis(i, 0) * velocity[0] + frame.axis(i, 1) * velocity[1] +
             frame.axis(i, 2) * velocity[2];
}

// Pairs of children of bodies that do not rotate: all points have one relative velocity.
struct GlidingChildren {
  const PairBoxes& boxes;
  // Members that end in _a are in a's frame and units, members in _b in b's. `speed` is the
  // velocity of a relative to b along the axes of the frame, `along` the same along the normals of
  // the triangles of a or b. The errors are bounds for these rates, and for coordinates.
  float speed_a[3], speed_b[3], along_a[kWidth], along_b[kWidth];
  float rate_error_a, rate_error_b, error_a, error_b, ratio;

  HWY_INLINE GlidingChildren(const PairBoxes& of, const Frame& frame_a, const Frame& frame_b,
                             const PairFrame& f, const PairVelocityBounds& velocities, float)
      : boxes(of), error_a(f.error_a), error_b(f.error_b), ratio(f.ratio) {
    VelocityIn(frame_a, velocities.in_a.a.linear, speed_a);
    VelocityIn(frame_b, velocities.in_b.a.linear, speed_b);
    rate_error_a = velocities.in_a.linear_error;
    rate_error_b = velocities.in_b.linear_error;
  }

  HWY_INLINE void Add(const TriangleSides& t) {
    Along(t.normals_a, speed_a, 1, along_a);
    Along(t.normals_b, speed_b, -1, along_b);
  }
  HWY_INLINE void AddClosedA(const LeafNormals& leaf) { Along(leaf.normals, speed_a, 1, along_a); }
  HWY_INLINE void AddClosedB(const LeafNormals& leaf) { Along(leaf.normals, speed_b, -1, along_b); }

  HWY_INLINE ClosingGap OfBoxes(int i, std::size_t l) const {
    const ClosingGap in_a =
        LastOfAxes(boxes.a, boxes.b_moved, speed_a, error_a, rate_error_a, i, l);
    const ClosingGap in_b =
        LastOfAxes(boxes.a_moved, boxes.b, speed_b, error_b, rate_error_b, i, l);
    return Last(in_a, InUnits(in_b));
  }

  HWY_INLINE ClosingGap OfNormals(const TriangleSides& t, int i, std::size_t l) const {
    const AtRow row{i};
    const AtLanes lanes{l};
    V c[3][3];
    LoadCorners(t.b_in_a, lanes, c);
    const ClosingGap by_a = AlongNormals(t.normals_a, along_a, row, c, t.error_a, 2 * rate_error_a);
    LoadCorners(t.a_in_b, row, c);
    return Last(by_a,
                InUnits(AlongNormals(t.normals_b, along_b, lanes, c, t.error_b, 2 * rate_error_b)));
  }

  HWY_INLINE ClosingGap OfClosedA(const LeafNormals& leaf, int i, std::size_t l) const {
    return AlongLeafNormals(leaf, along_a, AtRow{i}, AtLanes{l}, 3 * rate_error_a);
  }
  HWY_INLINE ClosingGap OfClosedB(const LeafNormals& leaf, int i, std::size_t l) const {
    return InUnits(AlongLeafNormals(leaf, along_b, AtLanes{l}, AtRow{i}, 3 * rate_error_b));
  }

  HWY_INLINE V Until(const ClosingGap& last, int, std::size_t) const { return TimeOfSteady(last); }

 private:
  static HWY_INLINE void Along(const Normals& normals, const float (&speed)[3], float sign,
                               float (&out)[kWidth]) {
    const D d;
    const V x = hn::Set(d, sign * speed[0]), y = hn::Set(d, sign * speed[1]),
            z = hn::Set(d, sign * speed[2]);
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      const AtLanes at{l};
      hn::StoreU(Sum3(x, y, z, at(normals.normal[0]), at(normals.normal[1]), at(normals.normal[2])),
                 d, out + l);
    }
  }

  HWY_INLINE ClosingGap InUnits(ClosingGap x) const {
    const V unit = hn::Set(D(), ratio);
    x.gap = hn::Mul(unit, x.gap);
    x.rate = hn::Mul(unit, x.rate);
    return x;
  }

  static HWY_INLINE ClosingGap LastOfAxes(const Boxes8& rows, const Boxes8& lanes,
                                          const float (&speed)[3], float error, float rate_error,
                                          int i, std::size_t l) {
    const D d;
    const AtRow row{i};
    const AtLanes lane{l};
    const auto axis = [&](int k) HWY_ATTR {
      const V delta = hn::Sub(lane(lanes.centre[k]), row(rows.centre[k]));
      const V reach = hn::Add(lane(lanes.half[k]), hn::Add(row(rows.half[k]), hn::Set(d, error)));
      const V rate = hn::Xor(hn::Set(d, speed[k]), hn::And(delta, hn::Set(d, -0.0f)));
      return ClosingGap(hn::Sub(hn::Abs(delta), reach), hn::Add(rate, hn::Set(d, rate_error)));
    };
    return Last(Last(axis(0), axis(1)), axis(2));
  }

  template <class AtTriangle, class AtChild>
  static HWY_INLINE ClosingGap AlongLeafNormals(const LeafNormals& leaf,
                                                const float (&along)[kWidth],
                                                const AtTriangle& triangle, const AtChild& child,
                                                float rate_error) {
    const LeafNormalGap g(leaf, triangle, child);
    const V approach = triangle(along);
    const V rate = hn::IfThenElse(g.is_above, approach, hn::Neg(approach));
    return {g.gap, hn::Add(rate, hn::Set(D(), rate_error))};
  }

  template <class At>
  static HWY_INLINE ClosingGap AlongNormals(const Normals& normals, const float (&along)[kWidth],
                                            const At& at, const V (&c)[3][3], float error,
                                            float rate_error) {
    const D d;
    const NormalGap g(normals, at, c);
    const V approach = at(along);
    const V rate = hn::IfThenElse(g.is_above, approach, hn::Neg(approach));
    return {hn::Sub(g.gap, hn::Set(d, error)), hn::Add(rate, hn::Set(d, rate_error))};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
