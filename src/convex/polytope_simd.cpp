// SPDX-License-Identifier: Apache-2.0
// Compiled for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/polytope_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <bit>

#include "convex/polytope_kernels.h"
#include "geometry/predicates.h"
#include "math/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
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

/// Which lanes from i on are of one of `count` faces.
HWY_INLINE auto There(std::size_t i, std::size_t count) {
  const D d;
  return hn::Lt(hn::Iota(d, static_cast<double>(i)), hn::Set(d, static_cast<double>(count)));
}

// A determinant of differences in double precision, with Shewchuk's bound of its rounding.
void See(const convex::FaceColumns& faces, std::size_t count, double x, double y, double z,
         std::uint64_t* sees, std::uint64_t* unsure) {
  const D d;
  const V3 p = {hn::Set(d, x), hn::Set(d, y), hn::Set(d, z)};
  for (std::size_t word = 0; 64 * word < count; ++word) {
    std::uint64_t seeing = 0, open = 0;
    const std::size_t end = count < 64 * (word + 1) ? count : 64 * (word + 1);
    for (std::size_t i = 64 * word; i < end; i += kLanes) {
      const V3 w = Sub(p, Load(faces.anchor, i));
      const V det = Dot(w, Load(faces.cross, i));
      const V bound =
          hn::Add(hn::Mul(hn::LoadU(d, faces.rounding + i), Sum(w)), hn::Set(d, kUnderflow));
      const auto beyond = hn::Gt(det, bound);
      seeing |= Bits(beyond) << (i % 64);
      // Also where a bound is no number.
      open |= Bits(hn::Not(hn::Or(beyond, hn::Lt(det, hn::Neg(bound))))) << (i % 64);
    }
    sees[word] = seeing;
    unsure[word] = open;
  }
}

bool Add(const convex::FaceColumns& faces, std::size_t first, std::size_t count,
         const convex::StagedEdges& edges, double x, double y, double z) {
  const D d;
  const V3 c = {hn::Set(d, x), hn::Set(d, y), hn::Set(d, z)};
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const V3 a = Load(edges.from, i), b = Load(edges.to, i);
    // Of the three cross products that are the same but for rounding, that of the two shorter
    // edges: at the corner across from the longest.
    const V3 ab = Sub(b, a), bc = Sub(c, b), ca = Sub(a, c);
    const V ab2 = Dot(ab, ab), bc2 = Dot(bc, bc), ca2 = Dot(ca, ca);
    const auto is_ab = hn::And(hn::Ge(ab2, bc2), hn::Ge(ab2, ca2));
    const auto is_ca = hn::Ge(ca2, bc2);
    const V3 u = Choose(is_ab, ca, Choose(is_ca, bc, ab)),
             before = Choose(is_ab, bc, Choose(is_ca, ab, ca));  // the edge that ends at the anchor
    const V3 v = {hn::Neg(before.x), hn::Neg(before.y), hn::Neg(before.z)};
    const V3 cross = Cross(u, v);
    Store(cross, faces.cross, first + i);
    Store(Choose(is_ab, c, Choose(is_ca, b, a)), faces.anchor, first + i);
    // The magnitudes of each component's two products are part of this product.
    hn::StoreU(hn::Mul(hn::Set(d, PlaneSide::kFilter * 1.0001), hn::Mul(Sum(u), Sum(v))), d,
               faces.rounding + first + i);
    const V length2 = Dot(cross, cross);
    const auto fits =
        hn::And(hn::Gt(length2, hn::Set(d, 1e-290)), hn::Lt(length2, hn::Set(d, 1e290)));
    const V inverse = hn::IfThenElse(fits, hn::Div(hn::Set(d, 1), hn::Sqrt(length2)), hn::Zero(d));
    hn::StoreU(inverse, d, faces.inverse + first + i);
    const V3 n = {hn::Mul(inverse, cross.x), hn::Mul(inverse, cross.y), hn::Mul(inverse, cross.z)};
    const V offset = hn::Min(hn::Min(Dot(n, a), Dot(n, b)), Dot(n, c));
    hn::StoreU(offset, d, faces.offset + first + i);
    bad |= Bits(hn::And(There(i, count), hn::Not(fits)));
  }
  return bad == 0;
}

std::uint32_t Nearest(const convex::FaceColumns& faces, std::size_t count) {
  const D d;
  const auto offsets = [&](std::size_t i) HWY_ATTR {
    return hn::IfThenElse(There(i, count), hn::LoadU(d, faces.offset + i), hn::Set(d, kInfinity));
  };
  V least = hn::Set(d, kInfinity);
  for (std::size_t i = 0; i < count; i += kLanes) least = hn::Min(least, offsets(i));
  least = hn::MinOfLanes(d, least);
  for (std::size_t start = 0; start < count; start += 64) {
    std::uint64_t there = 0;
    const std::size_t end = count < start + 64 ? count : start + 64;
    for (std::size_t i = start; i < end; i += kLanes)
      there |= Bits(hn::Eq(least, offsets(i))) << (i - start);
    if (there != 0)
      return static_cast<std::uint32_t>(start) +
             static_cast<std::uint32_t>(std::countr_zero(there));
  }
  return 0;
}

}  // namespace polytope

convex::PolytopeKernels MakePolytopeKernels() {
  return {&polytope::See, &polytope::Add, &polytope::Nearest};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche {
namespace {

HWY_EXPORT(MakePolytopeKernels);

}  // namespace

const convex::PolytopeKernels& convex::best_polytope_kernels() {
  static const PolytopeKernels best =
      table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakePolytopeKernels)(); });
  return best;
}

std::vector<convex::PolytopeKernels> convex::polytope_kernels_of_targets() {
  return tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakePolytopeKernels)(); });
}

}  // namespace touche
#endif
