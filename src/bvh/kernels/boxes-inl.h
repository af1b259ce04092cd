// SPDX-License-Identifier: Apache-2.0
// Eight boxes or triangles: transformation to another frame, conversion to intervals, and tests
// against others.
#if defined(TOUCHE_BVH_KERNELS_BOXES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_BOXES_INL_H_
#undef TOUCHE_BVH_KERNELS_BOXES_INL_H_
#else
#define TOUCHE_BVH_KERNELS_BOXES_INL_H_
#endif

#include <bit>

#include "bvh/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Kernels read the map between two frames through one of these, which have the same interface:
// LaneMap reads one of the maps that PairFrames stores side by side, WholeMap a single map.
struct LaneMap {
  const float (*columns_)[3][kBatch];
  int lane;
  HWY_INLINE float column(int j, int k) const { return columns_[j][k][lane]; }
  HWY_INLINE float shift(int k) const { return columns_[3][k][lane]; }
};
struct WholeMap {
  const FrameMap& map;
  HWY_INLINE float column(int j, int k) const { return map.columns[j][k]; }
  HWY_INLINE float shift(int k) const { return map.shift[k]; }
};

// Moves boxes l, l + 1, ... to another frame and finds the boxes around them on its axes: centres
// are transformed, half widths by the matrix of absolute values. Returns the results axis by axis
// through put(axis, centre, half), not as arrays of vectors: GCC copies such arrays through memory,
// in its widest vectors, which slow the processor down.
template <class Map, class Put>
HWY_INLINE void MoveLanes(const Map& m, const Boxes8& in, std::size_t l, const Put& put) {
  const D d;
  const V cx = hn::LoadU(d, in.centre[0] + l), cy = hn::LoadU(d, in.centre[1] + l),
          cz = hn::LoadU(d, in.centre[2] + l);
  const V hx = hn::LoadU(d, in.half[0] + l), hy = hn::LoadU(d, in.half[1] + l),
          hz = hn::LoadU(d, in.half[2] + l);
  for (int k = 0; k < 3; ++k) {
    const V x = hn::Set(d, m.column(0, k)), y = hn::Set(d, m.column(1, k)),
            z = hn::Set(d, m.column(2, k));
    put(k, Sum4(cx, cy, cz, x, y, z, hn::Set(d, m.shift(k))),
        Sum3(hx, hy, hz, hn::Abs(x), hn::Abs(y), hn::Abs(z)));
  }
}

// Does this with all eight boxes, and enlarges them by the error.
template <class Map>
HWY_INLINE void MoveBoxes(const Map& m, const Boxes8& in, float error, Boxes8& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    MoveLanes(m, in, l, [&](int k, V centre, V half) HWY_ATTR {
      hn::StoreU(centre, d, out.centre[k] + l);
      hn::StoreU(hn::Add(half, hn::Set(d, error)), d, out.half[k] + l);
    });
}

template <class Map>
HWY_INLINE void MoveCorners(const Map& m, const float (*in)[3][kWidth], float (*out)[3][kWidth]) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V ax = hn::Set(d, m.column(0, k)), ay = hn::Set(d, m.column(1, k)),
              az = hn::Set(d, m.column(2, k)), shift = hn::Set(d, m.shift(k));
      for (int v = 0; v < 3; ++v)
        hn::StoreU(Sum4(hn::LoadU(d, in[v][0] + l), hn::LoadU(d, in[v][1] + l),
                        hn::LoadU(d, in[v][2] + l), ax, ay, az, shift),
                   d, out[v][k] + l);
    }
}

HWY_INLINE void BoxCorners(const float (*corner)[3][kWidth], int count, Boxes8& out) {
  const D d;
  const V half = hn::Set(d, 0.5f);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const auto used = LanesBelow(count, l);
    for (int k = 0; k < 3; ++k) {
      const V a = hn::LoadU(d, corner[0][k] + l), b = hn::LoadU(d, corner[1][k] + l),
              c = hn::LoadU(d, corner[2][k] + l);
      const V lo = hn::Min(hn::Min(a, b), c), hi = hn::Max(hn::Max(a, b), c);
      const V centre = hn::Mul(half, hn::Add(lo, hi));
      const V width = hn::Max(hn::Sub(hi, centre), hn::Sub(centre, lo));
      hn::StoreU(hn::IfThenElseZero(used, centre), d, out.centre[k] + l);
      hn::StoreU(hn::IfThenElse(used, width, hn::Set(d, kUnusedHalf)), d, out.half[k] + l);
    }
  }
}

// Returns a node's boxes in its own frame; for a leaf they are computed into `storage`.
HWY_INLINE const Boxes8& Own(const NodeContents& node, Boxes8& storage) {
  if (node.corner == nullptr) return *node.boxes;
  BoxCorners(node.corner, node.count, storage);
  return storage;
}

// Writes a node's boxes in the other frame to `out`, and a leaf's corners in it to `corner`.
HWY_INLINE void Moved(const NodeContents& node, const WholeMap& m, Boxes8& out,
                      float (*corner)[3][kWidth]) {
  if (node.corner == nullptr) return MoveBoxes(m, *node.boxes, 0, out);
  MoveCorners(m, node.corner, corner);
  BoxCorners(corner, node.count, out);
}

// Eight boxes as intervals, for overlap tests and distances.
struct Intervals {
  float lo[3][kWidth], hi[3][kWidth];
};

HWY_INLINE void ToIntervals(const Boxes8& boxes, Intervals& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V centre = hn::LoadU(d, boxes.centre[k] + l), half = hn::LoadU(d, boxes.half[k] + l);
      hn::StoreU(hn::Sub(centre, half), d, out.lo[k] + l);
      hn::StoreU(hn::Add(centre, half), d, out.hi[k] + l);
    }
}

HWY_INLINE void CornerIntervals(const float (*corner)[3][kWidth], float error, Intervals& out) {
  const D d;
  const V more = hn::Set(d, error);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    for (int k = 0; k < 3; ++k) {
      const V a = hn::LoadU(d, corner[0][k] + l), b = hn::LoadU(d, corner[1][k] + l),
              c = hn::LoadU(d, corner[2][k] + l);
      hn::StoreU(hn::Sub(hn::Min(hn::Min(a, b), c), more), d, out.lo[k] + l);
      hn::StoreU(hn::Add(hn::Max(hn::Max(a, b), c), more), d, out.hi[k] + l);
    }
}

template <class Map>
HWY_INLINE void MovedIntervals(const Boxes8& boxes, const Map& m, float error, Intervals& out) {
  const D d;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    MoveLanes(m, boxes, l, [&](int k, V centre, V half) HWY_ATTR {
      const V more = hn::Add(half, hn::Set(d, error));
      hn::StoreU(hn::Sub(centre, more), d, out.lo[k] + l);
      hn::StoreU(hn::Add(centre, more), d, out.hi[k] + l);
    });
}

// Readers of eight numbers: AtRow reads the number of a row into all lanes, AtLanes the numbers of
// lanes l, l + 1, ...
struct AtRow {
  int row;
  HWY_INLINE V operator()(const float* values) const { return hn::Set(D(), values[row]); }
};
struct AtLanes {
  std::size_t l;
  HWY_INLINE V operator()(const float* values) const { return hn::LoadU(D(), values + l); }
};

// Whether boxes `in`, read by `at`, meet the boxes [lo, hi]; and their squared distances.
template <class At>
HWY_INLINE hn::Mask<D> Meet(const Intervals& in, const At& at, const V (&lo)[3], const V (&hi)[3]) {
  const auto axis = [&](int k) HWY_ATTR {
    return hn::And(hn::Le(at(in.lo[k]), hi[k]), hn::Ge(at(in.hi[k]), lo[k]));
  };
  return hn::And(hn::And(axis(0), axis(1)), axis(2));
}
template <class At>
HWY_INLINE V SquaredDistance(const Intervals& in, const At& at, const V (&lo)[3],
                             const V (&hi)[3]) {
  const V zero = hn::Zero(D());
  V squared = zero;
  for (int k = 0; k < 3; ++k) {
    const V gap =
        hn::Max(zero, hn::Max(hn::Sub(at(in.lo[k]), hi[k]), hn::Sub(lo[k], at(in.hi[k]))));
    squared = Fma(gap, gap, squared);
  }
  return hn::Min(squared, hn::Set(D(), kMostSquared));
}
HWY_INLINE void LoadIntervals(const Intervals& in, std::size_t l, V (&lo)[3], V (&hi)[3]) {
  for (int k = 0; k < 3; ++k) {
    lo[k] = hn::LoadU(D(), in.lo[k] + l);
    hi[k] = hn::LoadU(D(), in.hi[k] + l);
  }
}
HWY_INLINE void SetIntervals(const float* centre, const float* half, std::size_t stride, V (&lo)[3],
                             V (&hi)[3]) {
  for (std::size_t k = 0; k < 3; ++k) {
    lo[k] = hn::Set(D(), centre[stride * k] - half[stride * k]);
    hi[k] = hn::Set(D(), centre[stride * k] + half[stride * k]);
  }
}

// Calls visit(row) for each row whose bit is set.
template <class Visit>
HWY_INLINE void ForRows(std::uint32_t rows, Visit&& visit) {
  for (; rows != 0; rows &= rows - 1) visit(std::countr_zero(rows));
}

// Returns the bits of all pairs whose lane is below `count`.
HWY_INLINE std::uint64_t UsedLanes(int count) {
  return 0x0101010101010101u * ((std::uint64_t{1} << count) - 1);
}

// Returns a bit for each of the first `count` rows that meets the box [lo, hi] in the rows' frame.
HWY_INLINE std::uint32_t RowsMeeting(const Intervals& rows, int count, const V (&lo)[3],
                                     const V (&hi)[3]) {
  const D d;
  std::uint64_t meeting = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d))
    meeting |= Bits(Meet(rows, AtLanes{l}, lo, hi), 0, l);
  return static_cast<std::uint32_t>(meeting) & ((1u << count) - 1);
}

// Returns a bit for each of the first `count` rows that may be no farther from the box [lo, hi]
// than the target, which is squared.
HWY_INLINE std::uint32_t RowsNear(const Intervals& rows, int count, const V (&lo)[3],
                                  const V (&hi)[3], float target) {
  const D d;
  std::uint64_t near = 0;
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const V s = hn::Mul(hn::Set(d, 1.0f - 2e-6f), SquaredDistance(rows, AtLanes{l}, lo, hi));
    near |= Bits(hn::Le(s, hn::Set(d, target)), 0, l);
  }
  return static_cast<std::uint32_t>(near) & ((1u << count) - 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
