// SPDX-License-Identifier: Apache-2.0
// How much of the clearance along a motion is to be proved.
#pragma once

#include <algorithm>

#include "math/rounding.h"
#include "path/profile_knots.h"

namespace touche::paths {

struct WantedClearance {
  double least = 0;  ///< least measured clearance of a path without contacts
  double share;      ///< share of the least clearance to prove
  double kept;       ///< required clearance
  double tolerance;

  /// The share `of_least` of the least clearance, or the required clearance if that is larger and
  /// can be proved.
  double near(double of_least) const {
    const double much = of_least * least;
    return much < kept && kept < (1 - 1e-3) * least - 4 * tolerance ? kept : much;
  }

  /// The clearance to prove from one knot to the next.
  double between(const Knot& knot, const Knot& next) const {
    const double lesser = std::min(knot.distance, next.distance);
    const double much = std::max(near(share), std::min(share, kFarShare) * lesser);
    return std::min(much, math::kRoundFarDown * lesser - 2 * tolerance);
  }
};

}  // namespace touche::paths
