// SPDX-License-Identifier: Apache-2.0
// Measures the costs of pair tests on the current machine (thesis §3.4.3), for TreeOptions::costs.
#pragma once

#include "touche/methods/volume_tree.h"

namespace touche {

struct MeasureOptions {
  std::uint64_t seed = 1;             ///< of the random choices
  int repetitions = 9;                ///< the fastest repetition counts, to exclude disturbances
  double seconds = 0.002;             ///< least duration of a repetition
  std::vector<Vec3> directions = {};  ///< of "dop", which is measured only if there are any
};

/// Mean times in nanoseconds, on one thread, of overlap tests of two volumes and of a test of two
/// triangles.
///
/// The volumes are fitted to the nodes, of all sizes, of a hierarchy of the soup. Each is tested
/// against another one at a random relative pose, chosen so near that half of the pairs overlap.
/// All pairs of the kinds used by mixed trees (sphere, aabb, obb) are measured, and every other
/// volume against its own kind; with `directions` also "dop". The soup should have some thousand
/// triangles.
///
///     const CostMatrix costs = measure_costs(object.soup());
[[nodiscard]] CostMatrix measure_costs(const PolygonSoup& soup, const MeasureOptions& options = {});

/// The pairs of volumes that measure_costs measures, as keys of CostMatrix::cost.
[[nodiscard]] std::vector<std::string> measured_pairs();

}  // namespace touche
