// SPDX-License-Identifier: Apache-2.0
// The hull of eight points; included by sources that are compiled once for each instruction set. It
// is found as a whole: SIMD computes for each four points on which side of the first three the
// fourth one is, and three points form a face if all others are on one side. This takes as long as
// adding one point, and nothing has to wait in between.
#if defined(TOUCHE_CONVEX_SMALL_START_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_SMALL_START_INL_H_
#undef TOUCHE_CONVEX_SMALL_START_INL_H_
#else
#define TOUCHE_CONVEX_SMALL_START_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstdint>

#include "convex/polytope-inl.h"
#include "convex/small_polytope.h"
#include "math/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace small_polytope {
namespace hn = hwy::HWY_NAMESPACE;

using convex::kFirst;
using convex::SmallTables;
using polytope::D;
using polytope::kLanes;
using polytope::V;
using polytope::V3;

/// Arrange the points on a circle: each four of them are one of these, rotated by some positions.
/// So a vector holds quadruples of one kind, and their points are the first ones rotated.
constexpr std::size_t kFours = 10;
constexpr std::size_t kFour[kFours][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}, {0, 1, 2, 6},
                                          {0, 1, 3, 4}, {0, 1, 3, 5}, {0, 1, 3, 6}, {0, 1, 4, 5},
                                          {0, 1, 4, 6}, {0, 2, 4, 6}};

/// All triples, and which of the quadruples determine the sides of the other points. Bit 8 f + i
/// belongs to quadruple f rotated by i.
struct Threes {
  static constexpr std::size_t kCount = 56;
  std::uint8_t three[kCount][3] = {};
  /// Bits of the quadruples that contain a triple, and of the quadruples in which the triple
  /// followed by the other point is an odd permutation.
  alignas(64) std::uint64_t part[2][kCount] = {}, odd[2][kCount] = {};

  constexpr Threes() {
    std::size_t number[kFirst][kFirst][kFirst] = {}, t = 0;
    for (std::uint8_t a = 0; a < kFirst; ++a)
      for (std::uint8_t b = a + 1; b < kFirst; ++b)
        for (std::uint8_t c = b + 1; c < kFirst; ++c, ++t) {
          three[t][0] = a, three[t][1] = b, three[t][2] = c;
          number[a][b][c] = t;
        }
    bool known[1 << kFirst] = {};  // some quadruples coincide after half or a quarter of a turn
    for (std::size_t bit = 0; bit < 8 * kFours; ++bit) {
      std::size_t of[4] = {}, points = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        of[k] = (kFour[bit / 8][k] + bit) % kFirst;
        points |= std::size_t{1} << of[k];
      }
      if (known[points]) continue;
      known[points] = true;
      std::size_t exchanged = 0;
      for (std::size_t k = 1; k < 4; ++k)
        for (std::size_t m = k; m > 0 && of[m - 1] > of[m]; --m, ++exchanged) {
          const std::size_t smaller = of[m];
          of[m] = of[m - 1], of[m - 1] = smaller;
        }
      for (std::size_t k = 0; k < 4; ++k) {  // k: the other point
        const std::size_t three_of =
            number[of[k > 0 ? 0 : 1]][of[k > 1 ? 1 : 2]][of[k > 2 ? 2 : 3]];
        part[bit / 64][three_of] |= std::uint64_t{1} << bit % 64;
        if ((exchanged + 3 - k) % 2 == 1) odd[bit / 64][three_of] |= std::uint64_t{1} << bit % 64;
      }
    }
  }
};
constexpr Threes kThrees;

class FirstHull {
 public:
  double size = 0;  ///< of the largest point: the sum of the magnitudes of its coordinates

  /// False if rounding prevents a decision on which side of three points a fourth one is. Duplicate
  /// points are moved inside the others' hull.
  HWY_INLINE bool find(SmallTables& tables) {
    std::uint64_t sides[2];
    if (!find_sides(tables, sides) && !(put_inside(tables) && find_sides(tables, sides)))
      return false;
    const hn::RebindToUnsigned<D> d;
    for (std::size_t i = 0; i < Threes::kCount; i += kLanes) {
      const auto part = [&](std::size_t w) HWY_ATTR { return hn::LoadU(d, kThrees.part[w] + i); };
      const auto other = [&](std::size_t w) HWY_ATTR {
        return hn::Xor(hn::And(hn::Set(d, sides[w]), part(w)), hn::LoadU(d, kThrees.odd[w] + i));
      };
      const auto zero = hn::Zero(d), other0 = other(0), other1 = other(1);
      const auto is = hn::Eq(hn::Or(other0, other1), zero),
                 is_back = hn::Eq(hn::Or(hn::Xor(other0, part(0)), hn::Xor(other1, part(1))), zero);
      std::uint8_t bits[8] = {}, back[8] = {};
      hn::StoreMaskBits(d, is, bits), hn::StoreMaskBits(d, is_back, back);
      faces_ |= static_cast<std::uint64_t>(bits[0] | back[0]) << i;
      turned_ |= static_cast<std::uint64_t>(back[0]) << i;
    }
    return true;
  }

  /// Counter-clockwise, seen from outside.
  template <class Take>
  HWY_INLINE void each_face(const Take& take) const {
    for (std::uint64_t left = faces_; left != 0; left &= left - 1) {
      const int at = std::countr_zero(left);
      const auto& three = kThrees.three[at];
      const std::size_t second = 1 + (turned_ >> at & 1);
      take(three[0], three[second], three[3 - second]);
    }
  }

 private:
  /// Sets a bit for each quadruple if the determinant of the vectors from its first point to the
  /// others is positive. False if rounding leaves one undecided.
  HWY_INLINE bool find_sides(const SmallTables& tables, std::uint64_t (&sides)[2]) {
    const D d;
    V sizes = hn::Zero(d);
    for (std::size_t i = 0; i < kFirst; i += kLanes)
      sizes = hn::Max(sizes, polytope::Sum(turned(tables, i)));
    const V largest = hn::MaxOfLanes(d, sizes);
    size = hn::GetLane(largest);
    // A determinant has six products of three differences each, of at most twice the size.
    const V bound = hn::Add(hn::Mul(hn::Set(d, geometry::PlaneSide::kFilter * 1.0001 * 48),
                                    hn::Mul(hn::Mul(largest, largest), largest)),
                            hn::Set(d, math::kUnderflow));
    std::uint64_t open = 0;
    sides[0] = sides[1] = 0;
    for (std::size_t i = 0; i < kFirst; i += kLanes) {
      const V3 first = turned(tables, i);
      const auto way = [&](std::size_t by)
                           HWY_ATTR { return polytope::Sub(turned(tables, i + by), first); };
      const V3 w1 = way(1), w2 = way(2), w3 = way(3), w4 = way(4), w5 = way(5), w6 = way(6);
      const V3 w12 = polytope::Cross(w1, w2), w13 = polytope::Cross(w1, w3),
               w14 = polytope::Cross(w1, w4), w24 = polytope::Cross(w2, w4);
      const auto look = [&](std::size_t f, const V3& cross, const V3& last) HWY_ATTR {
        const V det = polytope::Dot(last, cross);
        const auto above = hn::Gt(det, bound);
        open |= polytope::Bits(hn::Not(hn::Or(above, hn::Lt(det, hn::Neg(bound)))));
        sides[8 * f / 64] |= polytope::Bits(above) << (8 * f + i) % 64;
      };
      look(0, w12, w3), look(1, w12, w4), look(2, w12, w5), look(3, w12, w6), look(4, w13, w4);
      look(5, w13, w5), look(6, w13, w6), look(7, w14, w5), look(8, w14, w6), look(9, w24, w6);
    }
    return open == 0;
  }
  static HWY_INLINE V3 turned(const SmallTables& tables, std::size_t i) {
    const D d;
    return {hn::LoadU(d, tables.first[0] + i), hn::LoadU(d, tables.first[1] + i),
            hn::LoadU(d, tables.first[2] + i)};
  }

  /// Moves duplicate points inside the hull, so that they are corners of no face. Should one be a
  /// corner after all because the hull is flat, its error would be a few roundings of the corners,
  /// which is less than the depths allow for. False if there are none, or too many.
  static HWY_NOINLINE bool put_inside(SmallTables& tables) {
    // Weights of the points for the first duplicate, the second and the third.
    constexpr double kShare[3][kFirst] = {
        {1, 1, 1, 1, 1, 1, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8}, {8, 1, 6, 3, 4, 5, 2, 7}};
    constexpr double kAll[3] = {8, 36, 36};
    std::array<touche::math::Three, kFirst> points;
    for (std::size_t i = 0; i < kFirst; ++i) points[i] = tables.points[i].at();
    std::size_t again = 0;
    for (std::size_t i = 1; i < kFirst; ++i) {
      bool is_again = false;
      for (std::size_t k = 0; k < i; ++k)
        is_again = is_again || (points[i].x == points[k].x && points[i].y == points[k].y &&
                                points[i].z == points[k].z);
      if (!is_again) continue;
      if (again == std::size(kShare)) return false;
      touche::math::Three sum(0, 0, 0);
      for (std::size_t k = 0; k < kFirst; ++k)
        sum = sum + kShare[again][k] / kAll[again] * points[k];
      tables.set_first(i, sum);
      ++again;
    }
    return again > 0;
  }

  std::uint64_t faces_ = 0, turned_ = 0;  // bits of triples
};

}  // namespace small_polytope
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
