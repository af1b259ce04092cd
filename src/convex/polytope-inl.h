// SPDX-License-Identifier: Apache-2.0
// Makes several faces of the expanding polytope at once by SIMD; included by sources that are
// compiled once for each instruction set.
#if defined(TOUCHE_CONVEX_POLYTOPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_POLYTOPE_INL_H_
#undef TOUCHE_CONVEX_POLYTOPE_INL_H_
#else
#define TOUCHE_CONVEX_POLYTOPE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "convex/polytope_kernels.h"
#include "geometry/predicates.h"
#include "math/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace polytope {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, convex::kFaceBlock>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

struct V3 {
  V x, y, z;
};
HWY_INLINE V3 Sub(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE V Dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE V3 Cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE V Sum(const V3& a) { return hn::Add(hn::Add(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z)); }
HWY_INLINE V3 Load(const std::array<double*, 3>& columns, std::size_t i) {
  const D d;
  return {hn::LoadU(d, columns[0] + i), hn::LoadU(d, columns[1] + i), hn::LoadU(d, columns[2] + i)};
}
HWY_INLINE void Store(const V3& v, const std::array<double*, 3>& columns, std::size_t i) {
  const D d;
  hn::StoreU(v.x, d, columns[0] + i);
  hn::StoreU(v.y, d, columns[1] + i);
  hn::StoreU(v.z, d, columns[2] + i);
}
/// kLanes points, by coordinate. Whole rows are read as they were written: reading parts that were
/// written separately would stall the processor.
#if HWY_TARGET == HWY_SCALAR
template <class Row>
HWY_INLINE V3 LoadRows(const Row& row) {
  const D d;
  const double* p = row(0);
  return {hn::Set(d, p[0]), hn::Set(d, p[1]), hn::Set(d, p[2])};
}
#else
template <class Tag>
struct PointColumns {
  hn::Vec<Tag> x, y, z;

  template <class Row>
  HWY_INLINE PointColumns(const Row& row, std::size_t i) {
    const Tag d;
    if constexpr (hn::MaxLanes(Tag()) == 2) {
      const auto a = hn::LoadU(d, row(i)), b = hn::LoadU(d, row(i + 1));
      x = hn::InterleaveLower(d, a, b), y = hn::InterleaveUpper(d, a, b);
      z = hn::InterleaveLower(d, hn::LoadU(d, row(i) + 2), hn::LoadU(d, row(i + 1) + 2));
    } else if constexpr (hn::MaxLanes(Tag()) == 4) {
      const auto a = hn::LoadU(d, row(i)), b = hn::LoadU(d, row(i + 1)),
                 c = hn::LoadU(d, row(i + 2)), e = hn::LoadU(d, row(i + 3));
      const auto ab = hn::InterleaveLower(d, a, b), ce = hn::InterleaveLower(d, c, e);
      x = hn::ConcatLowerLower(d, ce, ab), z = hn::ConcatUpperUpper(d, ce, ab);
      y = hn::ConcatLowerLower(d, hn::InterleaveUpper(d, c, e), hn::InterleaveUpper(d, a, b));
    } else {
      const PointColumns<hn::Half<Tag> > lower(row, i), upper(row, i + 4);
      x = hn::Combine(d, upper.x, lower.x), y = hn::Combine(d, upper.y, lower.y);
      z = hn::Combine(d, upper.z, lower.z);
    }
  }
};
/// `row` returns the beginning of the row of each lane's point.
template <class Row>
HWY_INLINE V3 LoadRows(const Row& row) {
  const PointColumns<D> at(row, 0);
  return {at.x, at.y, at.z};
}
#endif
HWY_INLINE V3 LoadPoints(const convex::PointRow* points, const std::uint32_t* number) {
  return LoadRows([=](std::size_t i) HWY_ATTR { return &points[number[i]].x; });
}
template <class M>
HWY_INLINE V3 Choose(M mask, const V3& yes, const V3& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y),
          hn::IfThenElse(mask, yes.z, no.z)};
}
template <class M>
HWY_INLINE std::uint64_t Bits(M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D(), mask, bits);
  return bits[0];
}

/// Which lanes from i on hold one of `count` faces. The lane numbers are computed from the numbers
/// of lanes 0 on, because Highway would load others from memory, with latency.
HWY_INLINE auto There(std::size_t i, std::size_t count) {
  const D d;
  const auto left = static_cast<std::int64_t>(count) - static_cast<std::int64_t>(i);
  return hn::Lt(hn::Iota(d, 0), hn::Set(d, static_cast<double>(left)));
}

/// The first face with the least signed square so far, for each lane.
struct LeastLanes {
  V square, face;

  HWY_INLINE LeastLanes() : square(hn::Set(D(), kInfinity)), face(hn::Zero(D())) {}
  HWY_INLINE void take(V squares, std::size_t first) {
    const D d;
    const auto less = hn::Lt(squares, square);
    square = hn::IfThenElse(less, squares, square);
    const V number = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<double>(first)));
    face = hn::IfThenElse(less, number, face);
  }
  HWY_INLINE convex::LeastFace least() const {
    const D d;
    alignas(64) double faces[kLanes];
    hn::Store(face, d, faces);
    const V all = hn::MinOfLanes(d, square);
    double first = 1e300;  // usually there is only one
    for (std::uint64_t left = Bits(hn::Eq(square, all)); left != 0; left &= left - 1)
      first = std::min(first, faces[std::countr_zero(left)]);
    return {hn::GetLane(all), static_cast<std::uint32_t>(first)};
  }
};

/// Makes the faces `first` and following with corners a, b and c; returns their signed squares.
/// Sets each lane of `fits` to whether all products stayed in range.
template <class M>
HWY_INLINE V Make(const convex::FaceColumns& faces, std::size_t first, const V3& a, const V3& b,
                  const V3& c, M& fits) {
  const D d;
  // Of three cross products that are equal except for rounding, use the one with the shorter edges:
  // at the corner opposite to the longest edge.
  const V3 ab = Sub(b, a), bc = Sub(c, b), ca = Sub(a, c);
  const V ab2 = Dot(ab, ab), bc2 = Dot(bc, bc), ca2 = Dot(ca, ca);
  const auto is_ab = hn::And(hn::Ge(ab2, bc2), hn::Ge(ab2, ca2));
  const auto is_ca = hn::Ge(ca2, bc2);
  const V3 u = Choose(is_ab, ca, Choose(is_ca, bc, ab)),
           before = Choose(is_ab, bc, Choose(is_ca, ab, ca));  // the edge that ends at the anchor
  const V3 v = {hn::Neg(before.x), hn::Neg(before.y), hn::Neg(before.z)};
  const V3 cross = Cross(u, v);
  Store(cross, faces.cross, first);
  Store(Choose(is_ab, c, Choose(is_ca, b, a)), faces.anchor, first);
  const V length2 = Dot(cross, cross);
  fits = hn::And(hn::Gt(length2, hn::Set(d, 1e-290)), hn::Lt(length2, hn::Set(d, 1e290)));
  // The magnitudes of each component's two products are included in this product.
  const V rounding =
      hn::Mul(hn::Set(d, geometry::PlaneSide::kFilter * 1.0001), hn::Mul(Sum(u), Sum(v)));
  hn::StoreU(hn::IfThenElse(fits, rounding, hn::Set(d, -1)), d, faces.rounding + first);
  const V least = hn::Min(hn::Min(Dot(cross, a), Dot(cross, b)), Dot(cross, c));
  const V square = hn::Mul(least, hn::Div(hn::Abs(least), length2));
  hn::StoreU(square, d, faces.signed_square + first);
  return square;
}

}  // namespace polytope
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
