// SPDX-License-Identifier: Apache-2.0
// Points of the plane for the exact predicates of space, and checks of what users give.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/predicates.h"
#include "touche/plane_motion.h"

namespace touche::plane {

inline Vec3 in_space(const Vec2& p) { return {p.x(), p.y(), 0}; }

inline Vec2 turned_left(const Vec2& a) { return {-a.y(), a.x()}; }

inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// +1 when the corner from a over b to c turns left, exactly.
inline int orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  return orient2d(in_space(a), in_space(b), in_space(c), 2);
}

/// The constructor of PolygonSoup has the same.
inline constexpr double kMostCoordinate = 1e90;

/// Throws InvalidInput, naming the number of the point.
void check_points(std::span<const Vec2> points);

/// Corners of the convex hull, counter-clockwise from the leftmost one, no three on one line.
/// Exact.
std::vector<Vec2> convex_hull(std::span<const Vec2> points);

/// Returns how far a moved point may be off: an upper bound of the length.
inline double moved_error(const Pose& pose, const Vec2& p) {
  return kMovedPointError * (p.lpNorm<1>() + pose.translation().lpNorm<1>());
}

}  // namespace touche::plane
