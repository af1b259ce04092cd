// SPDX-License-Identifier: Apache-2.0
// Boxes that move on straight lines, and when two of them overlap.
#pragma once

#include <optional>

#include "touche/types.h"

namespace touche {

/// A box whose sides move evenly: at t in [0, 1] it is (1 − t) start + t end. Empty when either is.
struct MovingBox {
  Aabb start, end;

  [[nodiscard]] Aabb at(double t) const {
    return {(1 - t) * start.lo + t * end.lo, (1 - t) * start.hi + t * end.hi};
  }
};

/// The times from `start` to `end`, both among them.
struct TimeInterval {
  double start = 0, end = 1;
  friend bool operator==(const TimeInterval&, const TimeInterval&) = default;
};

/// All t in [0, 1] at which the boxes overlap or are at most `clearance` apart along every axis: so
/// all at which something in one may be that near to something in the other. Rounded outwards;
/// nothing when there is no such time or a box is empty. Throws InvalidInput for a clearance that
/// is negative or not finite.
[[nodiscard]] std::optional<TimeInterval> overlap_time(const MovingBox& a, const MovingBox& b,
                                                       double clearance = 0);

}  // namespace touche
