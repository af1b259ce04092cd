// SPDX-License-Identifier: Apache-2.0
// Two dimensions: a whole path of an outline, with every interval of contact, how deep the regions
// are in each other then, and how much clearance there is in between, proved.
//
// All is as in touche/path.h, with edges in place of faces. An outline encloses what its closed
// chains do, by the even-odd rule (one that is drawn twice counts once); it is closed where
// all chains are, and the thickness of an overlap is the diameter of the largest disc that fits
// into both and that no edge passes through.
#pragma once

#include <optional>
#include <vector>

#include "touche/path.h"
#include "touche/plane.h"

namespace touche::plane {

/// Means the same as touche::Thickness.
struct Thickness {
  Bracket diameter;
  Vec2 centre = Vec2::Zero();  ///< world; where diameter.lower > 0
  bool complete = false;
  std::uint64_t work = 0;
};

/// Means the same as touche::ContactInterval.
struct ContactInterval {
  Bracket start, end;
  std::optional<Contact> first, last;  ///< at start.upper and end.lower
  Containment after = Containment::undecided;
  Thickness deepest;
  double deepest_at = 0;
  double max_thickness = kInfinity;
  double max_touching_thickness = 0;
  bool only_touching = false;
  double touching_until = 0;
};

/// Means the same as touche::PathResult.
struct [[nodiscard]] PathResult {
  PathClass verdict = PathClass::undecided;
  std::vector<ContactInterval> contacts;
  std::vector<ClearanceSample> samples;
  Bracket min_clearance;
  double min_clearance_at = 0;
  Containment before = Containment::undecided;
  double decided_until = 0;
  double tolerance = 0;
  QueryStats stats;
};

/// Throws InvalidInput as touche::path does.
PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options);

}  // namespace touche::plane
