// SPDX-License-Identifier: Apache-2.0
// The options of a distance query decide which pairs of triangles are skipped, and which lower
// bound follows from that. The search and its brute-force reference implementation share this.
#pragma once

#include <algorithm>

#include "geometry/triangle_pair.h"
#include "touche/query.h"

namespace touche::query {

/// Throws InvalidInput if a number is negative or NaN.
inline void check(const DistanceOptions& o) {
  if (!(o.max_distance >= 0) || !(o.stop_below >= 0) || !(o.relative_error >= 0) ||
      !(o.absolute_error >= 0))
    throw InvalidInput("distance: max_distance, stop_below and errors must not be negative");
}

/// Once a pair at `distance` was found, a pair that is farther apart than this may be skipped:
/// `distance` less the larger of the two allowed errors.
inline double worth_finding(const DistanceOptions& options, double distance) {
  return std::max(
      0.0, std::min(distance / (1 + options.relative_error), distance - options.absolute_error));
}

/// Bound of the error of closest_points() for triangles of these objects.
inline double measuring_error(const Object& a, const Object& b) {
  return geometry::kDistanceError * (a.bounds().diagonal() + b.bounds().diagonal());
}

/// The lower bound of the distance after a search that found `distance` (infinite: nothing within
/// the limit). `least_measured` is the least distance of all pairs that the search did not skip.
inline double proved_distance(const Object& a, const Object& b, const DistanceOptions& options,
                              double distance, double least_measured) {
  if (distance <= options.stop_below)
    return 0;  // the search stopped before nearer pairs were
               // excluded
  const double skipped =
      distance < kInfinity ? worth_finding(options, distance) : options.max_distance;
  const double measured = least_measured * (1 - geometry::kDistanceError) - measuring_error(a, b);
  return std::max(0.0, std::min(skipped, measured));
}

}  // namespace touche::query
