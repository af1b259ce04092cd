// SPDX-License-Identifier: Apache-2.0
// Checks the arguments of questions to a world.
#pragma once

#include <cmath>
#include <string>

#include "touche/types.h"

namespace touche {

inline void require_length(double length, const char* what) {
  if (!(length >= 0))
    throw InvalidInput(std::string("world: ") + what + " must be a length, not " +
                       std::to_string(length));
}

/// Takes what objects and shapes take: whether a body is near or not, the same is refused.
inline void require_coordinates(const Vec3& point, const char* what) {
  constexpr double kLargest = 1e90;
  for (const double x : point)
    if (!(std::abs(x) <= kLargest))
      throw InvalidInput(std::string("world: ") + what + " is not finite or larger than 1e90");
}

}  // namespace touche
