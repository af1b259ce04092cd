// SPDX-License-Identifier: Apache-2.0
// Boxes that move linearly, and the times at which two of them overlap.
#pragma once

#include <optional>

#include "touche/types.h"

namespace touche {

/// A box whose sides move linearly: at t in [0, 1] it is (1 − t) start + t end. It is empty when
/// either of them is.
struct MovingBox {
  Aabb start, end;

  [[nodiscard]] Aabb at(double t) const {
    return {(1 - t) * start.lo + t * end.lo, (1 - t) * start.hi + t * end.hi};
  }
};

/// The closed interval of times from `start` to `end`.
struct TimeInterval {
  double start = 0, end = 1;
  friend bool operator==(const TimeInterval&, const TimeInterval&) = default;
};

/// All t in [0, 1] at which the boxes overlap or are at most `clearance` (a length) apart along
/// every axis. At all other times their contents are farther apart than that. Rounded outwards.
/// Returns no value when there is no such time or a box is empty. Throws InvalidInput for a
/// clearance that is negative or not finite.
[[nodiscard]] std::optional<TimeInterval> overlap_time(const MovingBox& a, const MovingBox& b,
                                                       double clearance = 0);

}  // namespace touche
