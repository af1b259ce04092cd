// SPDX-License-Identifier: Apache-2.0
// Two dimensions: analysis of a whole path of two outlines, with all intervals of contact, the
// depth of the overlap in them, and the proved clearance in between.
//
// All is as in touche/path.h, with edges in place of faces. An outline encloses what its closed
// chains enclose by the even-odd rule; chains that are drawn again do not count. It is closed if
// all chains are. The thickness of an overlap is the diameter of the largest disc that fits into
// both and that no edge passes through.
#pragma once

#include <optional>
#include <vector>

#include "touche/path.h"
#include "touche/plane.h"

namespace touche::plane {

/// As touche::Thickness.
struct Thickness {
  Bracket diameter;
  Vec2 centre = Vec2::Zero();  ///< world; valid if diameter.lower > 0
  bool complete = false;
  std::uint64_t work = 0;
};

/// As touche::ContactInterval.
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

/// As touche::PathResult.
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

/// As touche::path, and throws InvalidInput as it does.
PathResult path(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                const PathOptions& options);

}  // namespace touche::plane
