// SPDX-License-Identifier: Apache-2.0
// Compiled for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/polytope_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <bit>

#include "convex/polytope-inl.h"
#include "convex/polytope_kernels.h"
#include "math/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace polytope {

/// Bits of up to 64 faces.
struct Seen {
  std::uint64_t surely, open;
};

// A determinant of differences in double precision, with Shewchuk's bound of its rounding.
HWY_INLINE Seen SeeFaces(const FaceColumns& faces, const PointRow& at, std::size_t begin,
                         std::size_t end) {
  const D d;
  const V3 p = {hn::Set(d, at.x), hn::Set(d, at.y), hn::Set(d, at.z)};
  Seen seen = {0, 0};
  for (std::size_t i = begin; i < end; i += kLanes) {
    const V3 w = Sub(p, Load(faces.anchor, i));
    const V det = Dot(w, Load(faces.cross, i));
    const V rounding = hn::LoadU(d, faces.rounding + i);
    const V bound = hn::Add(hn::Mul(rounding, Sum(w)), hn::Set(d, math::kUnderflow));
    const auto beyond = hn::Gt(det, bound);
    seen.surely |= Bits(beyond) << (i % 64);
    // Also if a bound is not a number.
    seen.open |= Bits(hn::Not(hn::Or(beyond, hn::Lt(det, hn::Neg(bound))))) << (i % 64);
  }
  return seen;
}

void See(const PolytopeTables& tables, std::uint32_t point) {
  const std::size_t count = tables.count;
  for (std::size_t word = 0; 64 * word < count; ++word) {
    const std::size_t end = count < 64 * (word + 1) ? count : 64 * (word + 1);
    const Seen seen = SeeFaces(tables.columns, tables.points[point], 64 * word, end);
    tables.sees[word] = seen.surely;
    tables.unsure[word] = seen.open;
  }
}

HWY_INLINE LeastLanes LeastOfAlive(const PolytopeTables& tables) {
  const D d;
  LeastLanes least;
  const auto look_at = [&](std::size_t i) HWY_ATTR {
    const std::uint64_t bits =
        tables.alive[i / 64] >> (i % 64) & ((std::uint64_t{1} << kLanes) - 1);
    const auto alive = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
    const V squares = hn::LoadU(d, tables.columns.signed_square + i);
    least.take(hn::IfThenElse(alive, squares, hn::Set(d, kInfinity)), i);
  };
  for (std::size_t i = 0; i < kUsualFaces; i += kLanes) look_at(i);
  for (std::size_t i = kUsualFaces; i < tables.count; i += kLanes) look_at(i);
  return least;
}

LeastFace Nearest(const PolytopeTables& tables) { return LeastOfAlive(tables).least(); }

/// Finds the edges of the border of the seen faces, in no particular order; returns their number.
/// `is_seen` tests a face.
template <class IsSeen>
HWY_INLINE std::size_t FindBorder(const PolytopeTables& tables, std::uint64_t sees,
                                  std::size_t first_face, std::size_t edges,
                                  const IsSeen& is_seen) {
  for (std::uint64_t left = sees; left != 0; left &= left - 1) {
    const PolytopeFace& face =
        tables.faces[first_face + static_cast<std::size_t>(std::countr_zero(left))];
    for (std::size_t k = 0; k < 3; ++k) {  // no branch: it would be mispredicted
      const std::uint32_t from = face.corner[k], to = face.corner[k < 2 ? k + 1 : 0];
      const std::size_t beyond = tables.face_at[tables.stride * to + from];
      tables.from[edges] = from, tables.to[edges] = to;
      edges += 1 - is_seen(beyond);
    }
  }
  return edges;
}

/// Makes the faces from the first `edges` edges of the border to the point.
HWY_INLINE Grown MakeNew(PolytopeTables& tables, std::uint32_t point, std::size_t edges,
                         LeastLanes least) {
  const D d;
  const std::size_t first = tables.count;
  // Memory that is read as a vector must contain valid numbers of points at its end, too.
  for (std::size_t i = 0; i < kFaceBlock; ++i) tables.from[edges + i] = tables.to[edges + i] = 0;
  const PointRow& at = tables.points[point];
  const V3 c = {hn::Set(d, at.x), hn::Set(d, at.y), hn::Set(d, at.z)};
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < edges; i += kLanes) {
    const auto there = There(i, edges);
    hn::Mask<D> fits;
    const V squares = Make(tables.columns, first + i, LoadPoints(tables.points, tables.from + i),
                           LoadPoints(tables.points, tables.to + i), c, fits);
    least.take(hn::IfThenElse(there, squares, hn::Set(d, kInfinity)), first + i);
    bad |= Bits(hn::And(there, hn::Not(fits)));
  }
  for (std::size_t i = 0; i < edges; ++i) {
    const auto number = static_cast<std::uint32_t>(first + i);
    tables.faces[number].corner = {tables.from[i], tables.to[i], point};
    set_edges(tables, number);
    tables.alive[number / 64] |= std::uint64_t{1} << (number % 64);
  }
  tables.count = first + edges;
  return {0, bad == 0, least.least()};
}

/// Makes the columns of faces 0 to 3.
Grown Start(const PolytopeTables& tables) {
  const D d;
  std::uint32_t number[3][kFaceBlock];  // of corners
  for (std::size_t f = 0; f < kFaceBlock; ++f)
    for (std::size_t k = 0; k < 3; ++k) number[k][f] = tables.faces[f < 4 ? f : 0].corner[k];
  LeastLanes least;
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < 4; i += kLanes) {
    const auto there = There(i, 4);
    const auto corner = [&](std::size_t k)
                            HWY_ATTR { return LoadPoints(tables.points, number[k] + i); };
    hn::Mask<D> fits;
    const V squares = Make(tables.columns, i, corner(0), corner(1), corner(2), fits);
    least.take(hn::IfThenElse(there, squares, hn::Set(d, kInfinity)), i);
    bad |= Bits(hn::And(there, hn::Not(fits)));
  }
  return {0, bad == 0, least.least()};
}

Grown Grow(PolytopeTables& tables, std::uint32_t point) {
  std::size_t edges = 0, buried = 0;
  for (std::size_t word = 0; 64 * word < tables.count; ++word) {
    tables.alive[word] &= ~tables.sees[word];
    buried += static_cast<std::size_t>(std::popcount(tables.sees[word]));
    edges = FindBorder(tables, tables.sees[word], 64 * word, edges, [&](std::size_t face) HWY_ATTR {
      return static_cast<std::size_t>(tables.sees[face / 64] >> (face % 64) & 1);
    });
  }
  Grown grown = MakeNew(tables, point, edges, LeastOfAlive(tables));
  grown.buried = buried;
  return grown;
}

Added Add(PolytopeTables& tables, std::uint32_t point, std::uint32_t face, Grown& grown) {
  if (tables.count > 64) return Added::too_many_faces;
  const std::uint64_t alive = tables.alive[0];
  Seen seen = SeeFaces(tables.columns, tables.points[point], 0, kUsualFaces);
  if (tables.count > kUsualFaces) {
    const Seen more = SeeFaces(tables.columns, tables.points[point], kUsualFaces, tables.count);
    seen.surely |= more.surely, seen.open |= more.open;
  }
  if ((seen.open & alive) != 0) {
    tables.sees[0] = seen.surely, tables.unsure[0] = seen.open;
    return Added::open;
  }
  const std::uint64_t sees = seen.surely & alive;
  if (face == kAnyFace ? sees == 0 : (sees >> face & 1) == 0) return Added::not_beyond;
  tables.alive[0] = alive & ~sees;
  const LeastLanes least = LeastOfAlive(tables);
  const std::size_t edges = FindBorder(tables, sees, 0, 0, [sees](std::size_t beyond) HWY_ATTR {
    return static_cast<std::size_t>(sees >> (beyond % 64) & 1);
  });
  grown = MakeNew(tables, point, edges, least);
  grown.buried = static_cast<std::size_t>(std::popcount(sees));
  return Added::beyond;
}

}  // namespace polytope

PolytopeKernels MakePolytopeKernels() {
  return {&polytope::See, &polytope::Add, &polytope::Grow, &polytope::Start, &polytope::Nearest};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::convex {
namespace {

HWY_EXPORT(MakePolytopeKernels);

}  // namespace

const PolytopeKernels& best_polytope_kernels() {
  static const PolytopeKernels best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakePolytopeKernels)(); });
  return best;
}

std::vector<PolytopeKernels> polytope_kernels_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakePolytopeKernels)(); });
}

}  // namespace touche::convex
#endif
