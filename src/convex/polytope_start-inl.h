// SPDX-License-Identifier: Apache-2.0
// What the expanding polytope begins with, for what is compiled once for each instruction set: a
// tetrahedron, or the hull of eight points. That is found as a whole: of each four points it is
// seen on which side of three the last one lies, by vectors, and three points are a face where
// all others lie on one side. It takes as long as adding one point, and nothing has to be
// waited for in between.
#if defined(TOUCHE_CONVEX_POLYTOPE_START_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_POLYTOPE_START_INL_H_
#undef TOUCHE_CONVEX_POLYTOPE_START_INL_H_
#else
#define TOUCHE_CONVEX_POLYTOPE_START_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstdint>

#include "convex/polytope-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {
namespace polytope {

/// Makes the columns of the first so many faces, whose corners are known.
HWY_INLINE convex::Grown MakeFirst(const convex::PolytopeTables& tables, std::size_t count) {
  const D d;
  constexpr std::size_t kMost =
      (2 * convex::kFirst - 4 + convex::kFaceBlock - 1) / convex::kFaceBlock * convex::kFaceBlock;
  std::uint32_t number[3][kMost];  // of corners
  for (std::size_t f = 0; f < kMost; ++f)
    for (std::size_t k = 0; k < 3; ++k) number[k][f] = tables.faces[f < count ? f : 0].corner[k];
  LeastLanes least;
  std::uint64_t bad = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const auto there = There(i, count);
    const auto corner = [&](std::size_t k)
                            HWY_ATTR { return LoadPoints(tables.points, number[k] + i); };
    hn::Mask<D> fits;
    const V squares = Make(tables.columns, i, corner(0), corner(1), corner(2), fits);
    least.take(hn::IfThenElse(there, squares, hn::Set(d, kInfinity)), i);
    bad |= Bits(hn::And(there, hn::Not(fits)));
  }
  return {0, bad == 0, least.least()};
}

convex::Grown Start(const convex::PolytopeTables& tables) { return MakeFirst(tables, 4); }

/// What is chosen of kFirst points: by fours, on which side of the first three the last one lies,
/// and by threes, on which sides all others would have to be.
struct Choices {
  static constexpr std::size_t kFours = 70, kThrees = 56, kRow = 72;
  alignas(64) std::int64_t all[convex::kFirst] = {0, 1, 2, 3, 4, 5, 6, 7};
  alignas(64) std::int64_t none[convex::kFirst] = {};
  alignas(64) std::int64_t four[4][kRow] = {};
  std::uint8_t three[kThrees][3] = {};
  /// Bits of the fours that a three is part of; and those in which the other point has to be on the
  /// first side, for the three to be counter-clockwise.
  alignas(64) std::uint64_t part[2][kThrees] = {}, first_side[2][kThrees] = {};

  constexpr Choices() {
    std::size_t n = 0;
    constexpr auto kEnd = static_cast<std::int64_t>(convex::kFirst);
    for (std::int64_t a = 0; a < kEnd; ++a)
      for (std::int64_t b = a + 1; b < kEnd; ++b)
        for (std::int64_t c = b + 1; c < kEnd; ++c)
          for (std::int64_t e = c + 1; e < kEnd; ++e) {
            const std::int64_t of[4] = {a, b, c, e};
            for (std::size_t k = 0; k < 4; ++k) four[k][n] = of[k];
            ++n;
          }
    std::size_t t = 0;
    for (std::int64_t a = 0; a < kEnd; ++a)
      for (std::int64_t b = a + 1; b < kEnd; ++b)
        for (std::int64_t c = b + 1; c < kEnd; ++c, ++t) {
          const std::int64_t of[3] = {a, b, c};
          for (std::size_t k = 0; k < 3; ++k) three[t][k] = static_cast<std::uint8_t>(of[k]);
          for (std::size_t f = 0; f < kFours; ++f) add(t, of, f);
        }
  }
  constexpr void add(std::size_t t, const std::int64_t (&of)[3], std::size_t f) {
    std::size_t other = 0;  // which of the four is none of the three
    for (std::size_t k = 0, same = 0; k < 4; ++k) {
      if (same < 3 && four[k][f] == of[same])
        ++same;
      else
        other = k;
      if (k == 3 && same < 3) return;
    }
    const std::uint64_t bit = std::uint64_t{1} << (f % 64);
    part[f / 64][t] |= bit;
    if (other % 2 == 1) first_side[f / 64][t] |= bit;  // an even number of exchanges
  }
};
constexpr Choices kChoices;

/// Coordinates of chosen points.
class ChosenPoints {
 public:
  HWY_INLINE explicit ChosenPoints(const convex::PointRow* points) : points_(points) {
#if HWY_TARGET != HWY_SCALAR
    constexpr std::uint32_t kAll[convex::kFirst] = {0, 1, 2, 3, 4, 5, 6, 7};
    if constexpr (kLanes == convex::kFirst) all_ = LoadPoints(points, kAll);
#endif
  }
  HWY_INLINE V3 at(const std::int64_t* number) const {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kLanes == convex::kFirst) {
      const auto to = hn::SetTableIndices(D(), number);
      return {hn::TableLookupLanes(all_.x, to), hn::TableLookupLanes(all_.y, to),
              hn::TableLookupLanes(all_.z, to)};
    }
#endif
    std::uint32_t of[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) of[i] = static_cast<std::uint32_t>(number[i]);
    return LoadPoints(points_, of);
  }

 private:
  const convex::PointRow* points_;
#if HWY_TARGET != HWY_SCALAR
  V3 all_;
#endif
};

/// Whether it is known on which side of the first three of each four the last one lies; a bit for
/// each, where the three are counter-clockwise from outside.
HWY_INLINE bool FindSides(const convex::PointRow* points, std::uint64_t (&sides)[2]) {
  const D d;
  const ChosenPoints chosen(points);
  // At least half the size of differences.
  V sizes = hn::Zero(d);
  for (std::size_t i = 0; i < convex::kFirst; i += kLanes) {
    const V3 to = Sub(chosen.at(kChoices.all + i), chosen.at(kChoices.none));
    sizes = hn::Max(sizes, hn::Max(hn::Max(hn::Abs(to.x), hn::Abs(to.y)), hn::Abs(to.z)));
  }
  const V size = hn::MaxOfLanes(d, sizes);
  // A determinant has six products of three differences each.
  const V bound = hn::Add(
      hn::Mul(hn::Set(d, PlaneSide::kFilter * 1.0001 * 48), hn::Mul(hn::Mul(size, size), size)),
      hn::Set(d, kUnderflow));
  std::uint64_t open = 0;
  sides[0] = sides[1] = 0;
  for (std::size_t i = 0; i < Choices::kFours; i += kLanes) {
    const auto of = [&](std::size_t k) HWY_ATTR { return chosen.at(kChoices.four[k] + i); };
    const V3 last = of(3);
    const V det = Dot(Sub(of(0), last), Cross(Sub(of(1), last), Sub(of(2), last)));
    const auto outside = hn::Gt(det, bound);
    const std::size_t left = Choices::kFours - i;
    const std::uint64_t there =
        left < kLanes ? (std::uint64_t{1} << left) - 1 : (std::uint64_t{1} << kLanes) - 1;
    open |= Bits(hn::Not(hn::Or(outside, hn::Lt(det, hn::Neg(bound))))) & there;
    sides[i / 64] |= (Bits(outside) & there) << (i % 64);
  }
  return open == 0;
}

bool StartFirst(convex::PolytopeTables& tables, convex::Grown& grown) {
  std::uint64_t sides[2];
  if (!FindSides(tables.points, sides)) return false;
  // A face has all others on one side.
  const hn::RebindToUnsigned<D> d;
  std::uint64_t faces = 0, turned = 0;
  for (std::size_t i = 0; i < Choices::kThrees; i += kLanes) {
    const auto part = [&](std::size_t w) HWY_ATTR { return hn::LoadU(d, kChoices.part[w] + i); };
    const auto other = [&](std::size_t w) HWY_ATTR {
      return hn::Xor(hn::And(hn::Set(d, sides[w]), part(w)),
                     hn::LoadU(d, kChoices.first_side[w] + i));
    };
    const auto zero = hn::Zero(d);
    const auto other0 = other(0), other1 = other(1);
    const auto is = hn::Eq(hn::Or(other0, other1), zero),
               is_back = hn::Eq(hn::Or(hn::Xor(other0, part(0)), hn::Xor(other1, part(1))), zero);
    std::uint8_t bits[8] = {}, back[8] = {};
    hn::StoreMaskBits(d, is, bits), hn::StoreMaskBits(d, is_back, back);
    faces |= static_cast<std::uint64_t>(bits[0] | back[0]) << i;
    turned |= static_cast<std::uint64_t>(back[0]) << i;
  }
  std::size_t count = 0;
  for (std::uint64_t left = faces; left != 0; left &= left - 1) {
    const int at = std::countr_zero(left);
    const auto& three = kChoices.three[at];
    const std::size_t second = 1 + (turned >> at & 1);
    tables.faces[count].corner = {three[0], three[second], three[3 - second]};
    set_edges(tables, static_cast<std::uint32_t>(count++));
  }
  tables.count = count;
  tables.alive[0] = (std::uint64_t{1} << count) - 1;
  grown = MakeFirst(tables, count);
  return true;
}

}  // namespace polytope
}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
