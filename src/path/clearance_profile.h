// SPDX-License-Identifier: Apache-2.0
// The clearance along a motion: measured at samples, and proved in between.
#pragma once

#include <span>

#include "path/early_clearance.h"
#include "path/profile_knots.h"

namespace touche::paths {

/// Fills in the samples of a path and its least clearance. The intervals are consecutive, without
/// gaps. Fills in nothing if the path is stopped.
void follow_clearance(const MovingPair& pair, std::span<const PathInterval> intervals,
                      const PathOptions& options, PathResult& result);

/// Follows the clearance of the whole motion until a contact is met. Exact clearances above the
/// length `far` are not needed unless they are the least: there samples may be farther apart than a
/// step.
EarlyClearance follow_clearance_to_contact(const MovingPair& pair, const PathOptions& options,
                                           double far = kInfinity);

/// The same for bodies that are known to be apart on the whole motion, within the tolerance: it is
/// followed to its end.
EarlyClearance follow_clearance_apart(const MovingPair& pair, const PathOptions& options,
                                      double far);

}  // namespace touche::paths
