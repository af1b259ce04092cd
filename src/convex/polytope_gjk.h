// SPDX-License-Identifier: Apache-2.0
// The search of gjk-inl.h for polytopes of few corners: those of b are moved to where a sees them
// once, not one for each supporting point.
#pragma once

#include <vector>

#include "convex/depth.h"
#include "convex/gjk.h"
#include "convex/small_polytope.h"

namespace touche::convex {

/// So many corners are few; a word has as many bits.
inline constexpr std::size_t kFewCorners = 64;
/// A corner's number takes the last six bits of how far it is: up to this share of that, any of
/// those that are as far is found.
inline constexpr double kNearlyFarthest = 0x1p-46;
inline bool has_few_corners(const Body& body) {
  return body.round.empty() && body.padded <= kFewCorners;
}

/// Corners where another body sees them, in blocks.
struct PlacedCorners {
  // Not set before they are placed.
  alignas(64) double x[kFewCorners], y[kFewCorners], z[kFewCorners];

  [[nodiscard]] Vec3 corner(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// All for polytopes of few corners, with balls, and pairs whose scale_of is 1.
struct PolytopePairKernels {
  /// Does what `separation` does.
  void (*separate)(const Pair& pair, const SeparationOptions& options, Simplex& simplex,
                   Separation& found);
  /// Moves a body's corners, padding included, as RigidTransform does.
  void (*place)(const Body& body, const RigidTransform& placement, PlacedCorners& placed);
  /// Sets w and the corners of what is farthest along (x, y, z) but for kNearlyFarthest, of a, and
  /// b as it is placed. Returns how far along it any point of the difference is at most, but for
  /// the rounding of a product with it.
  double (*find)(const Body& a, const Body& b, const PlacedCorners& placed_b, double x, double y,
                 double z, Vertex& vertex);
  /// Does what `penetration` does, as small_depth-inl.h tells, also for more corners. False where
  /// that does not tell.
  bool (*penetrate)(const Pair& pair, const PenetrationOptions& options, SmallTables& tables,
                    Penetration& found);
};
const PolytopePairKernels& polytope_pair_kernels();

/// The same for each instruction set that this machine has, the best one first. For tests.
std::vector<PolytopePairKernels> polytope_pair_kernels_of_targets();

}  // namespace touche::convex
