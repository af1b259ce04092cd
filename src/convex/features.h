// SPDX-License-Identifier: Apache-2.0
// Finds the parts of two convex bodies that are in contact across a plane.
#pragma once

#include <vector>

#include "convex/support.h"

namespace touche::convex {

/// The corners of the part of a body (without its ball) that is farthest along a unit direction, up
/// to kAlike of its size (for round bodies: of its reach). Counter-clockwise around the direction;
/// one corner for a point, two for a segment. Round parts give at most 16.
std::vector<Vec3> farthest_part(const Body& body, const Vec3& direction);
inline constexpr double kAlike = 1e-9;

/// The corners of the intersection of two convex polygons, segments or points projected along a
/// unit direction, each as a point of `a` and a point of `b`.
struct Overlap {
  Vec3 on_a, on_b;
};
std::vector<Overlap> overlap(const std::vector<Vec3>& a, const std::vector<Vec3>& b,
                             const Vec3& direction);

}  // namespace touche::convex
