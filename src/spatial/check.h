// SPDX-License-Identifier: Apache-2.0
// Checks the arguments of spatial structures.
#pragma once

#include <string>

#include "math/coordinates.h"
#include "touche/types.h"

namespace touche::spatial {

inline constexpr double kMaxSpatialCoordinate = math::kLargestCoordinate;

inline bool within_range(const Vec3& point) {
  return math::all_within(point, kMaxSpatialCoordinate);
}

inline void check_point(const Vec3& point, const char* where) {
  if (!within_range(point))
    throw InvalidInput(std::string(where) +
                       ": a point has a coordinate that is not a number up to 1e90");
}

/// `item` is kNone for the box of a query.
inline void check_box(const Aabb& box, const char* where, Index item) {
  const auto named = [&] {
    return std::string(where) +
           (item == kNone ? ": the box of the query" : ": the box of item " + std::to_string(item));
  };
  if (!within_range(box.lo) || !within_range(box.hi))
    throw InvalidInput(named() + " has a coordinate that is not a number up to 1e90");
  if (box.empty()) throw InvalidInput(named() + " is empty");
}

}  // namespace touche::spatial
