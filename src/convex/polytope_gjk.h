// SPDX-License-Identifier: Apache-2.0
// The search of gjk-inl.h for polytopes with few corners: b's corners are transformed into a's
// frame once, instead of one for each supporting point.
#pragma once

#include <vector>

#include "convex/depth.h"
#include "convex/gjk.h"
#include "convex/small_polytope.h"

namespace touche::convex {

/// At most this many corners are few; a word has as many bits.
inline constexpr std::size_t kFewCorners = 64;
/// A corner's number replaces the last six bits of its extent along the direction: so any corner
/// within this share of the farthest one may be found.
inline constexpr double kNearlyFarthest = 0x1p-46;
inline bool has_few_corners(const Body& body) {
  return body.round.empty() && body.padded <= kFewCorners;
}

/// Corners in the frame of another body, in blocks.
struct PlacedCorners {
  // Not initialised before they are placed.
  alignas(64) double x[kFewCorners], y[kFewCorners], z[kFewCorners];

  [[nodiscard]] Vec3 corner(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// All functions are for polytopes with few corners, possibly with balls, and for pairs whose
/// scale_of is 1.
struct PolytopePairKernels {
  /// The same as `separation`.
  void (*separate)(const Pair& pair, const SeparationOptions& options, Simplex& simplex,
                   Separation& found);
  /// Transforms a body's corners, padding included, in the same way as RigidTransform.
  void (*place)(const Body& body, const RigidTransform& placement, PlacedCorners& placed);
  /// Sets w and the corners of the farthest point along (x, y, z), up to kNearlyFarthest, of a and
  /// the placed b. Returns an upper bound of the extent of the difference along it, except for the
  /// rounding of a product with it.
  double (*find)(const Body& a, const Body& b, const PlacedCorners& placed_b, double x, double y,
                 double z, Vertex& vertex);
  /// The same as `penetration`, by small_depth-inl.h, also for more corners. False if it does not
  /// decide.
  bool (*penetrate)(const Pair& pair, const PenetrationOptions& options, SmallTables& tables,
                    Penetration& found);
};
const PolytopePairKernels& polytope_pair_kernels();

/// One table for each instruction set of this machine, the best one first. For tests.
std::vector<PolytopePairKernels> polytope_pair_kernels_of_targets();

}  // namespace touche::convex
