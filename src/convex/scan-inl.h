// SPDX-License-Identifier: Apache-2.0
// Finds the corner of few that is farthest along a direction; included by sources that are compiled
// once for each instruction set.
#if defined(TOUCHE_CONVEX_SCAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_SCAN_INL_H_
#undef TOUCHE_CONVEX_SCAN_INL_H_
#else
#define TOUCHE_CONVEX_SCAN_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "convex/polytope_gjk.h"
#include "convex/support.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace convex_scan {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, convex::kBlock>;
using V = hn::Vec<D>;

/// Coordinates of corners, in blocks.
struct Columns {
  const double *x, *y, *z;
};

/// A corner that is farthest along a direction up to a share of 2^-46, and an upper bound of the
/// extent along it.
struct NearlyFarthest {
  std::size_t corner;  ///< may be padding
  double most;
};

/// Scans kBlocks blocks of corners. The number of each corner replaces the last bits of its extent,
/// so that the maximum contains it: no comparison or counting is needed afterwards. Loops are
/// unrolled, and numbers stay in registers.
template <std::size_t kBlocks>
HWY_INLINE NearlyFarthest NearlyFarthestOfFew(const Columns& of, double x, double y, double z) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::uint64_t kNumber = convex::kFewCorners - 1;
  const V dx = hn::Set(d, x), dy = hn::Set(d, y), dz = hn::Set(d, z);
  V most;
  for (std::size_t i = 0; i < kBlocks * convex::kBlock; i += kLanes) {
    const V along =
        hn::Add(hn::Add(hn::Mul(hn::LoadU(d, of.x + i), dx), hn::Mul(hn::LoadU(d, of.y + i), dy)),
                hn::Mul(hn::LoadU(d, of.z + i), dz));
    const V numbered =
        hn::BitCast(d, hn::OrAnd(hn::Iota(du, i), hn::BitCast(du, along), hn::Set(du, ~kNumber)));
    most = i == 0 ? numbered : hn::Max(most, numbered);
  }
  const auto farthest = std::bit_cast<std::uint64_t>(hn::GetLane(hn::MaxOfLanes(d, most)));
  // The upper bound: the bits of the number are all set, or all cleared if it is negative.
  const std::uint64_t positive = (farthest >> 63) - 1;
  return {static_cast<std::size_t>(farthest & kNumber),
          std::bit_cast<double>((farthest & ~kNumber) | (positive & kNumber))};
}

/// The same for 1 to 8 blocks.
HWY_INLINE NearlyFarthest NearlyFarthestOfBlocks(const Columns& of, std::size_t blocks, double x,
                                                 double y, double z) {
  switch (blocks) {
    case 1:
      return NearlyFarthestOfFew<1>(of, x, y, z);
    case 2:
      return NearlyFarthestOfFew<2>(of, x, y, z);
    case 3:
      return NearlyFarthestOfFew<3>(of, x, y, z);
    case 4:
      return NearlyFarthestOfFew<4>(of, x, y, z);
    case 5:
      return NearlyFarthestOfFew<5>(of, x, y, z);
    case 6:
      return NearlyFarthestOfFew<6>(of, x, y, z);
    case 7:
      return NearlyFarthestOfFew<7>(of, x, y, z);
    default:
      return NearlyFarthestOfFew<8>(of, x, y, z);
  }
}

/// Finds corners that are nearly the farthest along each of eight directions around s: -s, s + u, s
/// - u / 2 + v, s - u / 2 - v, s, and s with -3 times each of the offsets u, -u / 2 + v, -u / 2 -
/// v. In single precision, since only corners are needed, and with three products for all of them.
/// The corners may be padding.
HWY_INLINE void FindAround(const Columns& of, std::size_t blocks, const touche::math::Three& s,
                           const touche::math::Three& u, const touche::math::Three& v,
                           std::uint32_t* corner) {
  const D d;
  const hn::Rebind<float, D> df;
  const hn::RebindToUnsigned<decltype(df)> du;
  using F = hn::Vec<decltype(df)>;
  constexpr std::uint32_t kNumber = convex::kFewCorners - 1;
  struct Direction {
    F x, y, z;
  };
  const auto direction = [&](const touche::math::Three& w) HWY_ATTR {
    return Direction{hn::Set(df, static_cast<float>(w.x)), hn::Set(df, static_cast<float>(w.y)),
                     hn::Set(df, static_cast<float>(w.z))};
  };
  const Direction to_s = direction(s), to_u = direction(u), to_v = direction(v);
  F most[8];
  for (F& m : most) m = hn::Set(df, -0x1p127f);  // less than any extent
  for (std::size_t i = 0; i < blocks * convex::kBlock; i += hn::MaxLanes(d)) {
    const auto load = [&](const double* from)
                          HWY_ATTR { return hn::DemoteTo(df, hn::LoadU(d, from + i)); };
    const F x = load(of.x), y = load(of.y), z = load(of.z);
    const auto along = [&](const Direction& w) HWY_ATTR {
      return hn::Add(hn::Add(hn::Mul(x, w.x), hn::Mul(y, w.y)), hn::Mul(z, w.z));
    };
    const F at_s = along(to_s), at_u = along(to_u), at_v = along(to_v);
    const F half_u = hn::Mul(hn::Set(df, 0.5f), at_u), three = hn::Set(df, 3);
    const F less = hn::Sub(at_s, half_u), more = hn::Add(at_s, hn::Mul(three, half_u)),
            three_v = hn::Mul(three, at_v);
    const F each[8] = {hn::Neg(at_s),
                       hn::Add(at_s, at_u),
                       hn::Add(less, at_v),
                       hn::Sub(less, at_v),
                       at_s,
                       hn::Sub(at_s, hn::Mul(three, at_u)),
                       hn::Sub(more, three_v),
                       hn::Add(more, three_v)};
    // Numbers from i on are computed from the numbers from 0 on: Highway would load others from
    // memory.
    const auto number = hn::Add(hn::Iota(du, 0), hn::Set(du, static_cast<std::uint32_t>(i)));
    for (std::size_t k = 0; k < 8; ++k) {
      const auto bits = hn::OrAnd(number, hn::BitCast(du, each[k]), hn::Set(du, ~kNumber));
      most[k] = hn::Max(most[k], hn::BitCast(df, bits));
    }
  }
  for (std::size_t k = 0; k < 8; ++k)
    corner[k] = std::bit_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(df, most[k]))) & kNumber;
}

/// The first corner with the largest (x d.x + y d.y) + z d.z, of kBlocks blocks, whose corners must
/// not be more than a word has bits. The extents are kept, so the first of the farthest corners
/// need not be known before the end. Loops are unrolled, and numbers stay in registers.
template <std::size_t kBlocks>
HWY_INLINE std::size_t FarthestOfFew(const Columns& of, double x, double y, double z) {
  const D d;
  constexpr std::size_t kLanes = hn::MaxLanes(d), kVectors = kBlocks * convex::kBlock / kLanes;
  const V dx = hn::Set(d, x), dy = hn::Set(d, y), dz = hn::Set(d, z);
  V along[kVectors];
  for (std::size_t k = 0; k < kVectors; ++k)
    along[k] = hn::Add(hn::Add(hn::Mul(hn::LoadU(d, of.x + k * kLanes), dx),
                               hn::Mul(hn::LoadU(d, of.y + k * kLanes), dy)),
                       hn::Mul(hn::LoadU(d, of.z + k * kLanes), dz));
  V most = along[0];
  for (std::size_t k = 1; k < kVectors; ++k) most = hn::Max(most, along[k]);
  most = hn::MaxOfLanes(d, most);
  // The last corner is the answer if no extent equals the maximum, as for a direction that is not a
  // number.
  std::uint64_t farthest = std::uint64_t{1} << (kBlocks * convex::kBlock - 1);
  for (std::size_t k = 0; k < kVectors; ++k) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Eq(along[k], most), bits);
    farthest |= static_cast<std::uint64_t>(bits[0]) << (k * kLanes);
  }
  return static_cast<std::size_t>(std::countr_zero(farthest));
}

/// The same for 1 to 8 blocks.
HWY_INLINE std::size_t FarthestOfBlocks(const Columns& of, std::size_t blocks, double x, double y,
                                        double z) {
  switch (blocks) {
    case 1:
      return FarthestOfFew<1>(of, x, y, z);
    case 2:
      return FarthestOfFew<2>(of, x, y, z);
    case 3:
      return FarthestOfFew<3>(of, x, y, z);
    case 4:
      return FarthestOfFew<4>(of, x, y, z);
    case 5:
      return FarthestOfFew<5>(of, x, y, z);
    case 6:
      return FarthestOfFew<6>(of, x, y, z);
    case 7:
      return FarthestOfFew<7>(of, x, y, z);
    default:
      return FarthestOfFew<8>(of, x, y, z);
  }
}

}  // namespace convex_scan
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
