// SPDX-License-Identifier: Apache-2.0
// Unions of boxes.
#pragma once

#include <algorithm>
#include <limits>

#include "touche/broadphase.h"

namespace touche::broadphase {

/// Returns a box that contains nothing and overlaps nothing.
inline RoundedBox empty_box() {
  RoundedBox box;
  box.lo.fill(std::numeric_limits<float>::infinity());
  box.hi.fill(-std::numeric_limits<float>::infinity());
  return box;
}

inline void include(RoundedBox& box, const RoundedBox& other) {
  for (std::size_t k = 0; k < 3; ++k) {
    box.lo[k] = std::min(box.lo[k], other.lo[k]);
    box.hi[k] = std::max(box.hi[k], other.hi[k]);
  }
}

/// The empty box is contained in any box.
inline bool contains(const RoundedBox& box, const RoundedBox& other) {
  for (std::size_t k = 0; k < 3; ++k)
    if (!(box.lo[k] <= other.lo[k] && other.hi[k] <= box.hi[k])) return false;
  return true;
}

}  // namespace touche::broadphase
