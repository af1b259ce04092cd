// SPDX-License-Identifier: Apache-2.0
// How much of the clearance along a motion is to be proved.
#pragma once

#include <algorithm>

#include "math/rounding.h"
#include "path/profile_knots.h"

namespace touche {

struct WantedClearance {
  double least = 0;  ///< measured, of a path without contacts
  double share;      ///< of the least clearance
  double kept;       ///< clearance that must be kept
  double tolerance;

  /// That share of the least clearance, or the clearance that must be kept where that is more and
  /// may be proved.
  double near(double of_least) const {
    const double much = of_least * least;
    return much < kept && kept < (1 - 1e-3) * least - 4 * tolerance ? kept : much;
  }

  /// From one knot to the next.
  double between(const Knot& knot, const Knot& next) const {
    const double lesser = std::min(knot.distance, next.distance);
    const double much = std::max(near(share), std::min(share, kFarShare) * lesser);
    return std::min(much, kRoundFarDown * lesser - 2 * tolerance);
  }
};

}  // namespace touche
