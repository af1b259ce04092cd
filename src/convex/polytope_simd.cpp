// SPDX-License-Identifier: Apache-2.0
// Compiled for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/polytope_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <algorithm>
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
void See(const convex::PolytopeTables& tables, std::uint32_t point) {
  const D d;
  const convex::FaceColumns& faces = tables.columns;
  const convex::Three& at = tables.points[point];
  const V3 p = {hn::Set(d, at.x), hn::Set(d, at.y), hn::Set(d, at.z)};
  const std::size_t count = tables.count;
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
    tables.sees[word] = seeing;
    tables.unsure[word] = open;
  }
}

/// The first of the least offsets so far, lane by lane.
struct LeastLanes {
  V offset, face;

  HWY_INLINE LeastLanes() : offset(hn::Set(D(), kInfinity)), face(hn::Zero(D())) {}
  HWY_INLINE void take(V offsets, std::size_t first) {
    const D d;
    const auto less = hn::Lt(offsets, offset);
    offset = hn::IfThenElse(less, offsets, offset);
    face = hn::IfThenElse(less, hn::Iota(d, static_cast<double>(first)), face);
  }
  HWY_INLINE convex::LeastOffset least() const {
    const D d;
    alignas(64) double faces[kLanes];
    hn::Store(face, d, faces);
    const V all = hn::MinOfLanes(d, offset);
    double first = 1e300;  // mostly there is one only
    for (std::uint64_t left = Bits(hn::Eq(offset, all)); left != 0; left &= left - 1)
      first = std::min(first, faces[std::countr_zero(left)]);
    return {hn::GetLane(all), static_cast<std::uint32_t>(first)};
  }
};

HWY_INLINE LeastLanes LeastOfAlive(const convex::PolytopeTables& tables) {
  const D d;
  LeastLanes least;
  for (std::size_t i = 0; i < tables.count; i += kLanes) {
    const std::uint64_t bits =
        tables.alive[i / 64] >> (i % 64) & ((std::uint64_t{1} << kLanes) - 1);
    const auto alive = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
    least.take(
        hn::IfThenElse(alive, hn::LoadU(d, tables.columns.offset + i), hn::Set(d, kInfinity)), i);
  }
  return least;
}

convex::LeastOffset Nearest(const convex::PolytopeTables& tables) {
  return LeastOfAlive(tables).least();
}

/// Makes faces number `first` and so on of corners a, b and c; their offsets. Sets lanes of `fits`
/// to whether all products did fit.
template <class M>
HWY_INLINE V Make(const convex::FaceColumns& faces, std::size_t first, const V3& a, const V3& b,
                  const V3& c, M& fits) {
  const D d;
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
  Store(cross, faces.cross, first);
  Store(Choose(is_ab, c, Choose(is_ca, b, a)), faces.anchor, first);
  // The magnitudes of each component's two products are part of this product.
  hn::StoreU(hn::Mul(hn::Set(d, PlaneSide::kFilter * 1.0001), hn::Mul(Sum(u), Sum(v))), d,
             faces.rounding + first);
  const V length2 = Dot(cross, cross);
  fits = hn::And(hn::Gt(length2, hn::Set(d, 1e-290)), hn::Lt(length2, hn::Set(d, 1e290)));
  const V inverse = hn::IfThenElse(fits, hn::Div(hn::Set(d, 1), hn::Sqrt(length2)), hn::Zero(d));
  hn::StoreU(inverse, d, faces.inverse + first);
  const V3 n = {hn::Mul(inverse, cross.x), hn::Mul(inverse, cross.y), hn::Mul(inverse, cross.z)};
  const V offset = hn::Min(hn::Min(Dot(n, a), Dot(n, b)), Dot(n, c));
  hn::StoreU(offset, d, faces.offset + first);
  return offset;
}

/// The edges beyond which no face is seen, in no order, and where their ends are; how many.
HWY_INLINE std::size_t FindBorder(const convex::PolytopeTables& tables, std::size_t& buried) {
  const convex::Three* const points = tables.points;
  const convex::StagedEdges& staged = tables.staged;
  std::size_t edges = 0;
  for (std::size_t word = 0; 64 * word < tables.count; ++word)
    for (std::uint64_t left = tables.sees[word]; left != 0; left &= left - 1) {
      const convex::PolytopeFace& face =
          tables.faces[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
      ++buried;
      for (std::size_t k = 0; k < 3; ++k) {  // no branch: it would be mispredicted
        const std::uint32_t from = face.corner[k], to = face.corner[k < 2 ? k + 1 : 0];
        const std::size_t beyond = tables.face_at[tables.stride * to + from];
        tables.border[edges] = {from, to};
        // What is written number by number is read as vectors later: early, as that takes a while.
        const convex::Three &p = points[from], &q = points[to];
        staged.from[0][edges] = p.x, staged.from[1][edges] = p.y, staged.from[2][edges] = p.z;
        staged.to[0][edges] = q.x, staged.to[1][edges] = q.y, staged.to[2][edges] = q.z;
        edges += 1 - static_cast<std::size_t>(tables.sees[beyond / 64] >> (beyond % 64) & 1);
      }
    }
  return edges;
}

convex::Grown Grow(convex::PolytopeTables& tables, std::uint32_t point) {
  const D d;
  convex::Grown grown = {0, true, {}};
  for (std::size_t word = 0; 64 * word < tables.count; ++word)
    tables.alive[word] &= ~tables.sees[word];
  LeastLanes least = LeastOfAlive(tables);
  const std::size_t edges = FindBorder(tables, grown.buried);
  const std::size_t first = tables.count;
  for (std::size_t i = 0; i < edges; ++i) {
    const convex::BorderEdge& e = tables.border[i];
    const auto number = static_cast<std::uint32_t>(first + i);
    tables.faces[number].corner = {e.from, e.to, point};
    set_edges(tables, number);
    tables.alive[number / 64] |= std::uint64_t{1} << (number % 64);
  }
  const convex::Three& at = tables.points[point];
  const V3 c = {hn::Set(d, at.x), hn::Set(d, at.y), hn::Set(d, at.z)};
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < edges; i += kLanes) {
    const auto there = There(i, edges);
    hn::Mask<D> fits;
    const V offset = Make(tables.columns, first + i, Load(tables.staged.from, i),
                          Load(tables.staged.to, i), c, fits);
    least.take(hn::IfThenElse(there, offset, hn::Set(d, kInfinity)), first + i);
    bad |= Bits(hn::And(there, hn::Not(fits)));
  }
  tables.count = first + edges;
  grown.fits = bad == 0;
  grown.least = least.least();
  return grown;
}

convex::Grown Start(const convex::PolytopeTables& tables) {
  const D d;
  double at[3][3][convex::kFaceBlock];  // corner, coordinate, face
  for (std::size_t f = 0; f < convex::kFaceBlock; ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const convex::Three& p = tables.points[tables.faces[f % 4].corner[k]];
      at[k][0][f] = p.x, at[k][1][f] = p.y, at[k][2][f] = p.z;
    }
  LeastLanes least;
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < 4; i += kLanes) {
    const auto there = There(i, 4);
    const auto corner = [&](std::size_t k) HWY_ATTR -> V3 {
      return {hn::LoadU(d, at[k][0] + i), hn::LoadU(d, at[k][1] + i), hn::LoadU(d, at[k][2] + i)};
    };
    hn::Mask<D> fits;
    const V offset = Make(tables.columns, i, corner(0), corner(1), corner(2), fits);
    least.take(hn::IfThenElse(there, offset, hn::Set(d, kInfinity)), i);
    bad |= Bits(hn::And(there, hn::Not(fits)));
  }
  return {0, bad == 0, least.least()};
}

}  // namespace polytope

convex::PolytopeKernels MakePolytopeKernels() {
  return {&polytope::See, &polytope::Grow, &polytope::Start, &polytope::Nearest};
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
