// SPDX-License-Identifier: Apache-2.0
// Finds which part of either of two convex bodies is in contact across a plane.
#pragma once

#include <vector>

#include "convex/support.h"

namespace touche::convex {

/// The corners of the part of a body (without its ball) that is farthest along a unit direction, up
/// to kAlike of its size (of round ones: its reach): counter-clockwise around the direction; one of
/// a point, two of a segment. Round parts give at most 16.
std::vector<Vec3> farthest_part(const Body& body, const Vec3& direction);
inline constexpr double kAlike = 1e-9;

/// The corners of what two convex polygons, segments or points have in common when they are
/// projected along a unit direction; those of `a` and of `b` that lie over and under each.
struct Overlap {
  Vec3 on_a, on_b;
};
std::vector<Overlap> overlap(const std::vector<Vec3>& a, const std::vector<Vec3>& b,
                             const Vec3& direction);

}  // namespace touche::convex
