// SPDX-License-Identifier: Apache-2.0
// Argument checks for queries of a world.
#pragma once

#include <string>

#include "math/coordinates.h"
#include "touche/types.h"

namespace touche::world {

inline void require_length(double length, const char* what) {
  if (!(length >= 0))
    throw InvalidInput(std::string("world: ") + what + " must be a length, not " +
                       std::to_string(length));
}

/// Applies the limits of objects and shapes, so that bad coordinates are refused whether or not a
/// body is near.
inline void require_coordinates(const Vec3& point, const char* what) {
  if (!math::all_within(point, math::kLargestCoordinate))
    throw InvalidInput(std::string("world: ") + what + " is not finite or larger than 1e90");
}

}  // namespace touche::world
