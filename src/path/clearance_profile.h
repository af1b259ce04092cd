// SPDX-License-Identifier: Apache-2.0
// The clearance along a motion: measured at samples, and proved in between.
#pragma once

#include <span>

#include "path/moving_pair.h"

namespace touche {

/// An interval of time in which two objects are known to be apart, or in contact.
struct PathInterval {
  double begin, end;
  bool contact;
};

/// Fills in the samples of a path and its least clearance. The intervals follow each other without
/// gaps. Nothing is filled in when someone asks to stop.
void follow_clearance(const MovingPair& pair, std::span<const PathInterval> intervals,
                      const PathOptions& options, PathResult& result);

/// The same where nothing is known of contacts, until one is met. Returns the time before which the
/// objects are proved apart; the samples and the least clearance are of use when that is 1, or when
/// the rest turns out to be free of contacts.
double follow_clearance_to_contact(const MovingPair& pair, const PathOptions& options,
                                   PathResult& result);

}  // namespace touche
