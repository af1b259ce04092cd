// SPDX-License-Identifier: Apache-2.0
// How a contact opens: which way one object has to be moved so that it comes clear of another.
#pragma once

#include <optional>

#include "touche/query.h"

namespace touche {

struct Opening {
  Vec3 direction = Vec3::UnitX();  ///< world, unit length: the way in which `a` is moved
  double shift = 0;                ///< length: by how much
  Bracket clearance;               ///< of the objects after that, at these poses: proved
};

struct [[nodiscard]] OpeningResult {
  std::optional<Opening> best;
  bool complete = false;  ///< false when the budget ended the search: a better one may be left out
};

/// Tries the directions that a contact suggests (its normal, the normals of both faces and the
/// means of two of them) for the one in which the objects are farthest apart after `a` has been
/// moved by `shift` (a length > 0). Nothing when they still intersect in all of them, or one then
/// lies inside the other. The clearance is proved; that no other direction is better is not. The
/// budget's work counts for each direction.
OpeningResult opening(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const Contact& contact, double shift, const Budget& budget = {});

}  // namespace touche
