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

/// Follows the clearance of the whole motion, until a contact is met.
EarlyClearance follow_clearance_to_contact(const MovingPair& pair, const PathOptions& options);

}  // namespace touche
