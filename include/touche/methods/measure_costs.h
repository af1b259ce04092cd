// SPDX-License-Identifier: Apache-2.0
// Measures the costs of tests of pairs on the machine at hand (thesis §3.4.3), for
// TreeOptions::costs.
#pragma once

#include "touche/methods/volume_tree.h"

namespace touche {

struct MeasureOptions {
  std::uint64_t seed = 1;             ///< of what is chosen from the soup
  int repetitions = 9;                ///< the quickest of so many counts: all else is disturbance
  double seconds = 0.002;             ///< that a repetition takes at least
  std::vector<Vec3> directions = {};  ///< of "dop", which else is not measured
};

/// Mean times in nanoseconds, on one thread, of overlap tests of volumes and of a test of two
/// triangles.
///
/// The volumes are fitted to the surface under nodes of a hierarchy of the soup, of all sizes; each
/// is put against another one at a random relative pose, so near that half of the pairs overlap.
/// Measured are all pairs of the kinds that mixed trees are made of - sphere, aabb, obb - and every
/// other volume against its own kind, with `directions` also "dop". The soup should have some
/// thousand triangles.
[[nodiscard]] CostMatrix measure_costs(const PolygonSoup& soup, const MeasureOptions& options = {});

/// The pairs of volumes it measures, as keys of CostMatrix::cost.
[[nodiscard]] std::vector<std::string> measured_pairs();

}  // namespace touche
