// SPDX-License-Identifier: Apache-2.0
// The clearance along a motion, followed before contacts are searched for: what it proves need not
// be proved again.
#pragma once

#include <vector>

#include "touche/path.h"

namespace touche::paths {

/// If finding or excluding the first contact takes more work than this, it is done by following the
/// clearance, which has to be proved in any case.
inline constexpr std::uint64_t kWorkOfEarlyContact = 100'000;

/// What was proved of the clearance before contacts were searched for.
struct EarlyClearance {
  std::vector<ClearanceSample> samples;  ///< as in a PathResult; empty after an early contact
  Bracket min_clearance;
  double min_clearance_at = 0;
  double tolerance = 0;  ///< the tolerance that was used
  bool whole = false;    ///< no contact was met and the path was not stopped
  QueryStats stats;

  /// Before this time the objects are proved to be farther apart than the tolerance.
  double apart_until() const;
  /// Whether they are proved to be farther apart than the tolerance all the time from begin to end.
  bool apart(double begin, double end) const;
};

}  // namespace touche::paths
