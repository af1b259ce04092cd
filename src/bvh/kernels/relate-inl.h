// SPDX-License-Identifier: Apache-2.0
// The maps between the frames of two nodes, sixteen pairs at a time: one lane per pair.
#if defined(TOUCHE_BVH_KERNELS_RELATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_RELATE_INL_H_
#undef TOUCHE_BVH_KERNELS_RELATE_INL_H_
#else
#define TOUCHE_BVH_KERNELS_RELATE_INL_H_
#endif

#include <type_traits>

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// Loads four consecutive numbers of structures n, n + 4, ...
template <class Tag>
HWY_INLINE hn::Vec<Tag> LoadFours(Tag d, const float* const* from, std::size_t n) {
  if constexpr (hn::MaxLanes(Tag()) <= 4) {
    return hn::LoadU(d, from[n]);
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(d, LoadFours(half, from, n + hn::MaxLanes(half)), LoadFours(half, from, n));
  }
}
#endif

// Loads three consecutive numbers of several structures, each number into its own vector, with a
// lane per structure. A fourth number must follow in memory.
template <class Tag>
HWY_INLINE void LoadRows(Tag d, const float* const* from, hn::Vec<Tag> (&out)[3]) {
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < 3; ++k) out[k] = hn::LoadU(d, from[0] + k);
#else
  const auto r0 = LoadFours(d, from, 0), r1 = LoadFours(d, from, 1);
  const auto r2 = LoadFours(d, from, 2), r3 = LoadFours(d, from, 3);
  const auto even = hn::InterleaveLower(d, r0, r2), odd = hn::InterleaveLower(d, r1, r3);
  out[0] = hn::InterleaveLower(d, even, odd);
  out[1] = hn::InterleaveUpper(d, even, odd);
  out[2] = hn::InterleaveLower(d, hn::InterleaveUpper(d, r0, r2), hn::InterleaveUpper(d, r1, r3));
#endif
}

// Loads the three numbers that `part` points to, of bounds l, l + 1, ...
template <class Tag, class Part>
HWY_INLINE void LoadParts(Tag d, const Bounds* const (&bounds)[kBatch], std::size_t l,
                          const Part& part, hn::Vec<Tag> (&out)[3]) {
  const float* from[hn::MaxLanes(Tag())];
  for (std::size_t n = 0; n < hn::MaxLanes(Tag()); ++n) from[n] = part(*bounds[l + n]);
  LoadRows(d, from, out);
}

// Bounds the largest absolute coordinate of a box's corners.
template <class Tag, class Vec = hn::Vec<Tag>>
HWY_INLINE Vec Extent(Tag d, const Vec (&centre)[3], const Vec (&half)[3]) {
  Vec extent = hn::Add(hn::Abs(centre[0]), half[0]);
  for (int k = 1; k < 3; ++k) extent = hn::Max(extent, hn::Add(hn::Abs(centre[k]), half[k]));
  return hn::Mul(extent, hn::Set(d, 1.000001f));
}

// Two boxes in each other's frame, a lane per pair.
template <class Tag>
struct RelatedBoxes {
  using Vec = hn::Vec<Tag>;
  Vec axes_a[3][3];            // a's axes in its local coordinates
  Vec r[3][3], size[3][3];     // matrix from b's axes to a's, and its absolute values
  Vec apart_a[3], apart_b[3];  // from a's centre to b's, along the axes of a and of b
  Vec gap_a[3], gap_b[3];      // along the axes of a and of b; < 0: the overlap
  Vec half_a[3], half_b[3];    // each in its own units
  Vec moved_half_b[3];         // of b's box along a's axes, with the error
  Vec moved_half_a[3];         // of a's box along b's axes, in units of b
  Vec centre_a[3];             // of a's box, in a's local coordinates
  Vec reach, error_a;
};

// The positions of two boxes along the cross product of a's edge i and b's edge j: apart if |apart|
// > reach. The length of the axis is at most `ratio`, b's unit of length. `half_b` is in units of
// a, and `slack` is four times `ratio` times the error of a coordinate: twice the error of a
// difference of two coordinates covers three of them in an oblique direction.
template <class Tag>
struct CrossAxis {
  using Vec = hn::Vec<Tag>;
  Vec apart, reach;

  HWY_INLINE CrossAxis(const RelatedBoxes<Tag>& boxes, const Vec (&half_b)[3], Vec slack, int i,
                       int j)
      : m_((i + 1) % 3), n_((i + 2) % 3), r_m_(boxes.r[m_][j]), r_n_(boxes.r[n_][j]) {
    const int o = (j + 1) % 3, q = (j + 2) % 3;
    const auto& size = boxes.size;
    apart = Component(boxes.apart_a);
    const Vec reach_a =
        Fma(boxes.half_a[m_], size[n_][j], Fma(boxes.half_a[n_], size[m_][j], slack));
    reach = Fma(half_b[o], size[i][q], Fma(half_b[q], size[i][o], reach_a));
  }

  // Returns the component along the axis, times the axis' length, of a vector given in a's axes.
  HWY_INLINE Vec Component(const Vec (&x)[3]) const { return Det2(x[n_], r_m_, x[m_], r_n_); }

 private:
  int m_, n_;
  Vec r_m_, r_n_;
};

// Replaces PairFrames if the frames are not needed.
struct NoFrames {};

// Relates several pairs of nodes, a lane each: fills in their frames, and calls judge(l, boxes) for
// pairs l, l + 1, ... Relate does the same for a single pair, with the coordinates of one vector as
// lanes. They share no code: here every entry of a matrix is a vector with a lane per pair, there a
// vector is a column of the matrix of one pair.
template <class Tag, class Frames, class Judge>
HWY_INLINE void RelateEach(Tag d, const LocalMap& map, const BoundsPairs& pairs, Frames& out,
                           const Judge& judge) {
  constexpr bool framed = std::is_same_v<Frames, PairFrames>;
  using Vec = hn::Vec<Tag>;
  const auto count = static_cast<std::size_t>(pairs.count);
  const auto origin = [](const Bounds& x) { return x.frame.origin; };
  const auto centre_of = [](const Bounds& x) { return x.box.centre; };
  const auto half_of = [](const Bounds& x) { return x.box.half; };
  // Subtract the origins in double precision: both may be far from the centre.
  HWY_ALIGN float delta[3][kBatch];
  HWY_ALIGN float origin_a[3][kBatch];
  HWY_ALIGN float origin_b[3][kBatch];
  for (std::size_t l = 0; l < count; l += hn::Lanes(d)) {
    Vec of_a[3], of_b[3];
    LoadParts(d, pairs.a, l, origin, of_a);
    LoadParts(d, pairs.b, l, origin, of_b);
    for (int k = 0; k < 3; ++k) {
      hn::StoreU(of_a[k], d, origin_a[k] + l);
      hn::StoreU(of_b[k], d, origin_b[k] + l);
    }
  }
  const hn::CappedTag<double, std::max<std::size_t>(1, hn::MaxLanes(Tag()) / 2)> dd;
  const hn::Rebind<float, decltype(dd)> d_float;
  for (std::size_t l = 0; l < count; l += hn::Lanes(dd))
    for (int k = 0; k < 3; ++k) {
      auto sum = hn::Sub(hn::Set(dd, map.translation[k]),
                         hn::PromoteTo(dd, hn::LoadU(d_float, origin_a[k] + l)));
      for (int j = 0; j < 3; ++j)
        sum = Fma(hn::Set(dd, map.columns[j][k]),
                  hn::PromoteTo(dd, hn::LoadU(d_float, origin_b[j] + l)), sum);
      hn::StoreU(hn::DemoteTo(d_float, sum), d_float, delta[k] + l);
    }

  const Vec inverse_square = hn::Set(d, map.inverse_ratio * map.inverse_ratio);
  if constexpr (framed) out.ratio = map.ratio;
  for (std::size_t l = 0; l < count; l += hn::Lanes(d)) {
    Vec apart[3], shift_a[3], a_axes[3][3], turned[3][3], r[3][3], back[3][3];
    for (int k = 0; k < 3; ++k) {
      apart[k] = hn::LoadU(d, delta[k] + l);
      LoadParts(
          d, pairs.a, l, [k](const Bounds& x) { return x.frame.columns[k]; }, a_axes[k]);
    }
    for (int i = 0; i < 3; ++i) {
      const Vec x = a_axes[0][i], y = a_axes[1][i], z = a_axes[2][i];
      for (int j = 0; j < 3; ++j)
        turned[i][j] = Sum3(x, y, z, hn::Set(d, map.rows[0][j]), hn::Set(d, map.rows[1][j]),
                            hn::Set(d, map.rows[2][j]));
      shift_a[i] = Sum3(x, y, z, apart[0], apart[1], apart[2]);
      if constexpr (framed) hn::StoreU(shift_a[i], d, out.to_a[3][i] + l);
    }
    Vec b_axes[3][3];
    for (int k = 0; k < 3; ++k)
      LoadParts(
          d, pairs.b, l, [k](const Bounds& x) { return x.frame.columns[k]; }, b_axes[k]);
    for (int j = 0; j < 3; ++j) {
      const Vec x = b_axes[0][j], y = b_axes[1][j], z = b_axes[2][j];
      for (int i = 0; i < 3; ++i) {
        r[i][j] = Sum3(x, y, z, turned[i][0], turned[i][1], turned[i][2]);
        back[i][j] = hn::Mul(inverse_square, r[i][j]);
        if constexpr (framed) {
          hn::StoreU(r[i][j], d, out.to_a[j][i] + l);
          hn::StoreU(back[i][j], d, out.to_b[i][j] + l);
        }
      }
    }
    RelatedBoxes<Tag> boxes;
    Vec centre_a[3], centre_b[3];
    LoadParts(d, pairs.a, l, centre_of, centre_a);
    LoadParts(d, pairs.a, l, half_of, boxes.half_a);
    LoadParts(d, pairs.b, l, centre_of, centre_b);
    LoadParts(d, pairs.b, l, half_of, boxes.half_b);
    const Vec ratio = hn::Set(d, map.ratio);
    Vec reach = hn::Add(hn::Add(hn::Abs(apart[0]), hn::Abs(apart[1])), hn::Abs(apart[2]));
    reach = hn::Add(hn::Mul(hn::Set(d, 1.0001f), reach),
                    hn::Add(Extent(d, centre_a, boxes.half_a),
                            hn::Mul(ratio, Extent(d, centre_b, boxes.half_b))));
    const Vec error_a = hn::Add(hn::Mul(hn::Set(d, kFrameError), reach), hn::Set(d, map.error));
    const Vec error_b =
        hn::Mul(hn::Set(d, 1.0001f), hn::Mul(error_a, hn::Set(d, map.inverse_ratio)));
    if constexpr (framed) {
      hn::StoreU(error_a, d, out.error_a + l);
      hn::StoreU(error_b, d, out.error_b + l);
    }
    boxes.error_a = error_a;
    boxes.reach = reach;
    for (int k = 0; k < 3; ++k)
      boxes.centre_a[k] = Sum4(a_axes[k][0], a_axes[k][1], a_axes[k][2], centre_a[0], centre_a[1],
                               centre_a[2], hn::LoadU(d, origin_a[k] + l));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        boxes.axes_a[i][j] = a_axes[j][i];
        boxes.r[i][j] = r[i][j];
        boxes.size[i][j] = hn::Abs(r[i][j]);
      }
      const Vec centre =
          Sum4(r[i][0], r[i][1], r[i][2], centre_b[0], centre_b[1], centre_b[2], shift_a[i]);
      const Vec half = Sum4(boxes.size[i][0], boxes.size[i][1], boxes.size[i][2], boxes.half_b[0],
                            boxes.half_b[1], boxes.half_b[2], error_a);
      if constexpr (framed) {
        hn::StoreU(centre, d, out.b_in_a[0][i] + l);
        hn::StoreU(half, d, out.b_in_a[1][i] + l);
      }
      boxes.moved_half_b[i] = half;
      boxes.apart_a[i] = hn::Sub(centre, centre_a[i]);
      boxes.gap_a[i] = hn::Sub(hn::Abs(boxes.apart_a[i]), hn::Add(half, boxes.half_a[i]));
    }
    for (int j = 0; j < 3; ++j) {
      const Vec shift =
          hn::Neg(Sum3(back[0][j], back[1][j], back[2][j], shift_a[0], shift_a[1], shift_a[2]));
      if constexpr (framed) hn::StoreU(shift, d, out.to_b[3][j] + l);
      const Vec centre =
          Sum4(back[0][j], back[1][j], back[2][j], centre_a[0], centre_a[1], centre_a[2], shift);
      const Vec half = Sum4(hn::Abs(back[0][j]), hn::Abs(back[1][j]), hn::Abs(back[2][j]),
                            boxes.half_a[0], boxes.half_a[1], boxes.half_a[2], error_b);
      boxes.moved_half_a[j] = half;
      boxes.apart_b[j] = hn::Sub(centre_b[j], centre);
      boxes.gap_b[j] = hn::Sub(hn::Abs(boxes.apart_b[j]), hn::Add(half, boxes.half_b[j]));
    }
    judge(l, boxes);
  }
}

std::uint32_t RelatePairs(const LocalMap& map, const BoundsPairs& pairs, PairFrames& out) {
  const W d;
  const VW ratio = hn::Set(d, map.ratio);
  std::uint32_t near = 0;
  RelateEach(d, map, pairs, out, [&](std::size_t l, const RelatedBoxes<W>& boxes) HWY_ATTR {
    VW gap = boxes.gap_a[0];
    for (int k = 1; k < 3; ++k) gap = hn::Max(gap, boxes.gap_a[k]);
    for (int k = 0; k < 3; ++k) gap = hn::Max(gap, boxes.gap_b[k]);
    // Test the cross products of an edge of each.
    VW scaled_b[3];
    for (int j = 0; j < 3; ++j) scaled_b[j] = hn::Mul(ratio, boxes.half_b[j]);
    const VW slack = hn::Mul(hn::Mul(hn::Set(d, 4.0f), ratio), boxes.error_a);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const CrossAxis<W> axis(boxes, scaled_b, slack, i, j);
        gap = hn::Max(gap, hn::Sub(hn::Abs(axis.apart), axis.reach));
      }
    near |= Bits(d, hn::Le(gap, hn::Zero(d))) << l;
  });
  return near & ((1u << pairs.count) - 1);
}

// Fills in the lanes of one vector width.
template <class Tag>
HWY_INLINE std::uint32_t RelateNearLanes(Tag d, const LocalMap& map, const BoundsPairs& pairs,
                                         const NearTarget& target, PairFrames& out,
                                         float* squared) {
  using Vec = hn::Vec<Tag>;
  const Vec towards[3] = {hn::Set(d, target.towards[0]), hn::Set(d, target.towards[1]),
                          hn::Set(d, target.towards[2])};
  const Vec zero = hn::Zero(d), most = hn::Set(d, kMostSquared);
  std::uint32_t near = 0;
  RelateEach(d, map, pairs, out, [&](std::size_t l, const RelatedBoxes<Tag>& boxes) HWY_ATTR {
    Vec in_a = zero, in_b = zero;
    for (int k = 0; k < 3; ++k) {
      const Vec a = hn::Max(zero, boxes.gap_a[k]), b = hn::Max(zero, boxes.gap_b[k]);
      in_a = Fma(a, a, in_a);
      in_b = Fma(b, b, in_b);
    }
    const Vec of_b = hn::Mul(hn::Set(d, map.ratio * map.ratio), hn::Min(in_b, most));
    // Test the given direction, in which the errors of three coordinates and of the projection add
    // up to less than three times one.
    Vec along[3], gap = hn::Mul(hn::Set(d, -3.0f), boxes.error_a);
    for (int i = 0; i < 3; ++i) {
      const Vec(&axis)[3] = boxes.axes_a[i];
      along[i] = Sum3(axis[0], axis[1], axis[2], towards[0], towards[1], towards[2]);
      gap = Fma(boxes.apart_a[i], along[i], gap);
      gap = Fma(hn::Neg(boxes.half_a[i]), hn::Abs(along[i]), gap);
    }
    for (int j = 0; j < 3; ++j) {
      const Vec of_axis =
          Sum3(boxes.r[0][j], boxes.r[1][j], boxes.r[2][j], along[0], along[1], along[2]);
      gap = Fma(hn::Neg(boxes.half_b[j]), hn::Abs(of_axis), gap);
    }
    gap = hn::Max(zero, gap);
    const Vec lower = hn::Mul(hn::Set(d, 1.0f - 4e-6f),
                              hn::Min(hn::Max(hn::Max(in_a, of_b), hn::Mul(gap, gap)), most));
    hn::StoreU(lower, d, squared + l);
    near |= Bits(d, hn::Le(lower, hn::Set(d, target.squared))) << l;
  });
  return near & ((1u << pairs.count) - 1);
}

std::uint32_t RelateNear(const LocalMap& map, const BoundsPairs& pairs, const NearTarget& target,
                         PairFrames& out, float* squared) {
  // The first levels of a search have few pairs.
  if (pairs.count <= kWidth) return RelateNearLanes(D(), map, pairs, target, out, squared);
  return RelateNearLanes(W(), map, pairs, target, out, squared);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
