// SPDX-License-Identifier: Apache-2.0
// The clearance along a motion: measured at samples, and proved in between.
#pragma once

#include <span>

#include "path/early_clearance.h"
#include "path/profile_knots.h"

namespace touche {

/// Fills in the samples of a path and its least clearance. The intervals follow each other without
/// gaps. Nothing is filled in when someone asks to stop.
void follow_clearance(const MovingPair& pair, std::span<const PathInterval> intervals,
                      const PathOptions& options, PathResult& result);

/// Follows the clearance of the whole motion, until a contact is met. Nobody looks at clearances
/// above `far`, a length, unless they are the least: there samples may be farther apart than a
/// step.
EarlyClearance follow_clearance_to_contact(const MovingPair& pair, const PathOptions& options,
                                           double far = kInfinity);

}  // namespace touche
