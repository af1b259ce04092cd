// SPDX-License-Identifier: Apache-2.0
// The corners of the convex hull of points.
#pragma once

#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::convex {

/// Those points, each once and in the order given, that have the same hull as all of them, exactly.
/// From points in space it keeps none inside of their hull, and few inside of its faces and edges;
/// from such in a plane all that differ. Coordinates of magnitudes 0 or in [1e-90, 1e90]. Takes
/// time as the product of the numbers of points and of corners.
std::vector<Vec3> extreme_points(std::span<const Vec3> points);

/// The radius of a ball around a point that is in the hull of others: a lower bound, 0 where there
/// is none.
double inner_radius(std::span<const Vec3> points, const Vec3& centre);

}  // namespace touche::convex
