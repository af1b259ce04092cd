// SPDX-License-Identifier: Apache-2.0
// Predicates that select pairs of two leaves' triangles by their boxes and along one further
// direction.
#if defined(TOUCHE_BVH_KERNELS_WANTED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_WANTED_INL_H_
#undef TOUCHE_BVH_KERNELS_WANTED_INL_H_
#else
#define TOUCHE_BVH_KERNELS_WANTED_INL_H_
#endif

#include "bvh/kernels/across-inl.h"
#include "bvh/kernels/boxes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Accepts the pairs of triangles whose boxes overlap.
struct Meeting {
  HWY_INLINE std::uint32_t Rows(const Intervals& a, int count, const V (&lo)[3],
                                const V (&hi)[3]) const {
    return RowsMeeting(a, count, lo, hi);
  }
  HWY_INLINE void Project(const float (*)[3][kWidth], const float (*)[3][kWidth]) {}
  HWY_INLINE hn::Mask<D> operator()(const Intervals& a, int i, std::size_t /*l*/, const V (&lo)[3],
                                    const V (&hi)[3]) const {
    return Meet(a, AtRow{i}, lo, hi);
  }
};

// Accepts the pairs of triangles that may be no farther apart than the target, by their boxes and
// along one direction. In that direction the errors of three coordinates and of the projection add
// up to less than three times one.
class WithinTarget {
 public:
  HWY_INLINE WithinTarget(const Frame& a, float error, const NearTarget& target)
      : target_(target.squared), error_(3 * error) {
    const float* t = target.towards;
    for (int k = 0; k < 3; ++k)
      towards_[k] = a.axis(k, 0) * t[0] + a.axis(k, 1) * t[1] + a.axis(k, 2) * t[2];
  }
  HWY_INLINE std::uint32_t Rows(const Intervals& a, int count, const V (&lo)[3],
                                const V (&hi)[3]) const {
    return RowsNear(a, count, lo, hi, target_);
  }
  HWY_INLINE void Project(const float (*a)[3][kWidth], const float (*b)[3][kWidth]) {
    const D d;
    const V x = hn::Set(d, towards_[0]), y = hn::Set(d, towards_[1]), z = hn::Set(d, towards_[2]);
    const auto along = [&](const float(&corner)[3][kWidth], std::size_t l) HWY_ATTR {
      return Sum3(hn::LoadU(d, corner[0] + l), hn::LoadU(d, corner[1] + l),
                  hn::LoadU(d, corner[2] + l), x, y, z);
    };
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      const V last = hn::Max(hn::Max(along(a[0], l), along(a[1], l)), along(a[2], l));
      const V first = hn::Min(hn::Min(along(b[0], l), along(b[1], l)), along(b[2], l));
      hn::StoreU(hn::Add(last, hn::Set(d, error_)), d, last_ + l);
      hn::StoreU(first, d, first_ + l);
    }
  }
  HWY_INLINE hn::Mask<D> operator()(const Intervals& a, int i, std::size_t l, const V (&lo)[3],
                                    const V (&hi)[3]) const {
    const D d;
    const V gap = hn::Max(hn::Zero(d), hn::Sub(hn::LoadU(d, first_ + l), hn::Set(d, last_[i])));
    const V s = hn::Max(hn::Mul(gap, gap), SquaredDistance(a, AtRow{i}, lo, hi));
    return hn::Le(hn::Mul(hn::Set(d, 1.0f - 4e-6f), s), hn::Set(d, target_));
  }

 private:
  float target_, error_, towards_[3];
  HWY_ALIGN float last_[kWidth];   // of a's triangles
  HWY_ALIGN float first_[kWidth];  // of b's
};

// Accepts the pairs of triangles of two long leaves whose boxes overlap and that are not apart
// along the cross product of the leaves' long axes: hardly any other axis separates thin triangles
// that pass each other.
//
// The error of a moved corner of b is e in each coordinate; that of a stored corner of a is less
// than e / 50.
class MeetingAcross {
 public:
  template <class Map>
  HWY_INLINE MeetingAcross(const Box& a, const Box& b, const Map& to_a, float inverse_ratio,
                           float error)
      : slack_(AcrossAxis::Slack(error)),
        across_(LongestAxis(a), LongestAxis(b), to_a, inverse_ratio) {}
  HWY_INLINE std::uint32_t Rows(const Intervals& a, int count, const V (&lo)[3],
                                const V (&hi)[3]) const {
    return RowsMeeting(a, count, lo, hi);
  }
  HWY_INLINE void Project(const float (*a)[3][kWidth], const float (*b)[3][kWidth]) {
    const D d;
    const V u = hn::Set(d, across_.component[0]), v = hn::Set(d, across_.component[1]);
    const auto along = [&](const float(&corner)[3][kWidth], std::size_t l) HWY_ATTR {
      return Fma(u, hn::LoadU(d, corner[across_.axis[0]] + l),
                 hn::Mul(v, hn::LoadU(d, corner[across_.axis[1]] + l)));
    };
    const auto bound = [&](const float(*corner)[3][kWidth], float error, std::size_t l,
                           float(&lo)[kWidth], float(&hi)[kWidth]) HWY_ATTR {
      const V p = along(corner[0], l), q = along(corner[1], l), r = along(corner[2], l);
      const V more = hn::Set(d, error);
      hn::StoreU(hn::Sub(hn::Min(hn::Min(p, q), r), more), d, lo + l);
      hn::StoreU(hn::Add(hn::Max(hn::Max(p, q), r), more), d, hi + l);
    };
    for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
      bound(a, slack_, l, a_lo_, a_hi_);
      bound(b, 0, l, b_lo_, b_hi_);
    }
  }
  HWY_INLINE hn::Mask<D> operator()(const Intervals& a, int i, std::size_t l, const V (&lo)[3],
                                    const V (&hi)[3]) const {
    const D d;
    const auto meet = hn::And(hn::Le(hn::Set(d, a_lo_[i]), hn::LoadU(d, b_hi_ + l)),
                              hn::Ge(hn::Set(d, a_hi_[i]), hn::LoadU(d, b_lo_ + l)));
    return hn::And(meet, Meet(a, AtRow{i}, lo, hi));
  }

 private:
  float slack_;
  AcrossAxis across_;
  HWY_ALIGN float a_lo_[kWidth], a_hi_[kWidth], b_lo_[kWidth], b_hi_[kWidth];
};

// Whether both boxes are several times as long as wide.
HWY_INLINE bool AreLong(const Box& a, const Box& b) {
  constexpr float kLong = 8;
  const auto is_long = [](const Box& box) HWY_ATTR {
    const float x = box.half[0], y = box.half[1], z = box.half[2];
    const float xy = x > y ? x : y, longest = xy > z ? xy : z;
    return longest * (1 + 1 / kLong) > x + y + z;
  };
  return (static_cast<int>(is_long(a)) & static_cast<int>(is_long(b))) != 0;  // without a branch
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
