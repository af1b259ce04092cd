// SPDX-License-Identifier: Apache-2.0
// How to resolve a contact: the direction in which one object must be moved to become clear of
// another.
#pragma once

#include <optional>

#include "touche/query.h"

namespace touche {

struct Opening {
  Vec3 direction = Vec3::UnitX();  ///< world, unit length: the direction in which `a` is moved
  double shift = 0;                ///< length of the shift of `a`
  Bracket clearance;               ///< proved clearance of the objects after the shift
};

struct [[nodiscard]] OpeningResult {
  std::optional<Opening> best;
  bool complete = false;  ///< false when the budget ended the search; there may be a better one
};

/// Tests the directions that a contact suggests: its normal, the normals of both faces, and the
/// means of two of these. Returns the one in which the objects are farthest apart after `a` has
/// been moved by `shift`, a length > 0. `best` is empty if in each of them the objects still
/// intersect, or one then lies inside the other. The clearance is proved; another direction may be
/// better. The budget's work limits the test of each direction.
OpeningResult opening(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const Contact& contact, double shift, const Budget& budget = {});

}  // namespace touche
