// SPDX-License-Identifier: Apache-2.0
// Which regions of two convex shapes are closest, exactly, and where.
#pragma once

#include "geometry/regions.h"

namespace touche {

/// Coordinates must be 0 or have magnitudes in [2^-200, 2^201). With `guess`, the numbers of two
/// regions that may be the closest, the same answer is found sooner if they are.
template <std::size_t T>
RegionDistance closest_regions(const RegionShape<T>& a, const RegionShape<T>& b,
                               const std::array<int, 2>* guess = nullptr);

}  // namespace touche
