// SPDX-License-Identifier: Apache-2.0
// The search of gjk-inl.h for polytopes of few corners: those of b are moved to where a sees them
// once, not one for each supporting point.
#pragma once

#include <vector>

#include "convex/gjk.h"

namespace touche::convex {

/// As many as a word has bits.
inline constexpr std::size_t kFewCorners = 64;
inline bool has_few_corners(const Body& body) {
  return body.round.empty() && body.padded <= kFewCorners;
}

/// Corners where another body sees them, in blocks.
struct PlacedCorners {
  // Not set before they are placed.
  alignas(64) double x[kFewCorners], y[kFewCorners], z[kFewCorners];
};

/// All for bodies of few corners, and pairs whose scale_of is 1.
struct PolytopePairKernels {
  /// What `separation` does.
  void (*separate)(const Pair& pair, const SeparationOptions& options, Simplex& simplex,
                   Separation& found);
  /// Moves a body's corners, padding included, as Placement does.
  void (*place)(const Body& body, const Placement& placement, PlacedCorners& placed);
  /// What find_vertex does along (x, y, z), of a, and b as it is placed.
  void (*find)(const Body& a, const PlacedCorners& b, std::size_t padded_b, double x, double y,
               double z, Vertex& vertex);
};
const PolytopePairKernels& polytope_pair_kernels();

/// The same for each instruction set that this machine has, the best one first. For tests.
std::vector<PolytopePairKernels> polytope_pair_kernels_of_targets();

}  // namespace touche::convex
