// SPDX-License-Identifier: Apache-2.0
// Which of few corners is farthest along a direction, for what is compiled once for each
// instruction set.
#if defined(TOUCHE_CONVEX_SCAN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_SCAN_INL_H_
#undef TOUCHE_CONVEX_SCAN_INL_H_
#else
#define TOUCHE_CONVEX_SCAN_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>

#include "convex/support.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {
namespace convex_scan {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, convex::kBlock>;
using V = hn::Vec<D>;

/// Coordinates of corners, in blocks.
struct Columns {
  const double *x, *y, *z;
};

/// The first of the corners with the largest (x d.x + y d.y) + z d.z, of kBlocks blocks of them, at
/// most as many as a word has bits: how far each is along the direction is kept, and which is the
/// first of the farthest ones need not be known before the end. Loops are unrolled and numbers in
/// registers.
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
  // The last one is the answer where there is none, as along a direction that is no number.
  std::uint64_t farthest = std::uint64_t{1} << (kBlocks * convex::kBlock - 1);
  for (std::size_t k = 0; k < kVectors; ++k) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Eq(along[k], most), bits);
    farthest |= static_cast<std::uint64_t>(bits[0]) << (k * kLanes);
  }
  return static_cast<std::size_t>(std::countr_zero(farthest));
}

/// The same of 1 to 8 blocks.
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
}  // namespace touche
HWY_AFTER_NAMESPACE();

#endif
