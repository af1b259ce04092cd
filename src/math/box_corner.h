// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/types.h"

namespace touche::math {

/// Corner 0 to 7 of a box.
inline Vec3 corner_of(const Aabb& box, int corner) {
  return {(corner & 1) != 0 ? box.hi.x() : box.lo.x(), (corner & 2) != 0 ? box.hi.y() : box.lo.y(),
          (corner & 4) != 0 ? box.hi.z() : box.lo.z()};
}

}  // namespace touche::math
