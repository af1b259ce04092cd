// SPDX-License-Identifier: Apache-2.0
// The corners of the convex hull of points.
#pragma once

#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::convex {

/// A subset of the points, without duplicates and in the given order, that has exactly the same
/// hull. If the points are not coplanar, it has none inside the hull and few inside its faces and
/// edges; if they are, it has all distinct points. Coordinates must have magnitudes of 0 or in
/// [1e-90, 1e90]. Takes time proportional to the number of points times the number of corners.
std::vector<Vec3> extreme_points(std::span<const Vec3> points);

/// The radius of a ball around a point that is contained in the hull of the points: a lower bound,
/// 0 if there is none.
double inner_radius(std::span<const Vec3> points, const Vec3& centre);

}  // namespace touche::convex
