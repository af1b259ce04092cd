// SPDX-License-Identifier: Apache-2.0
// The clearance along a motion, followed before anything is known of contacts: what is proved of it
// need not be proved again.
#pragma once

#include <vector>

#include "touche/path.h"

namespace touche {

/// A first contact that takes more work to find, or to rule out, is looked for by following the
/// clearance, which has to be proved anyway.
inline constexpr std::uint64_t kWorkOfEarlyContact = 100'000;

/// Holds what was proved of a clearance before contacts were looked for.
struct EarlyClearance {
  std::vector<ClearanceSample> samples;  ///< as in a PathResult; none with an early contact
  Bracket min_clearance;
  double min_clearance_at = 0;
  double tolerance = 0;  ///< as used
  bool whole = false;    ///< no contact was met, and nobody asked to stop
  QueryStats stats;

  /// Before this time the objects are proved to be farther apart than the tolerance.
  double apart_until() const;
  /// Whether they are proved to be so all the time from begin to end.
  bool apart(double begin, double end) const;
};

}  // namespace touche
