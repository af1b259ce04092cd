// SPDX-License-Identifier: Apache-2.0
// Finds, exactly, the closest regions of two convex shapes, and the closest points.
#pragma once

#include "geometry/regions.h"

namespace touche::geometry {

/// Coordinates must be 0 or have magnitudes in [2^-200, 2^201). `guess`, the numbers of two regions
/// that may be the closest, makes it faster if it is right, but does not change the result.
template <std::size_t T>
RegionDistance closest_regions(const RegionShape<T>& a, const RegionShape<T>& b,
                               const std::array<int, 2>* guess = nullptr);

}  // namespace touche::geometry
