// SPDX-License-Identifier: Apache-2.0
// Points of the plane for the exact predicates of space, and checks of input.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "geometry/predicates.h"
#include "touche/plane.h"

namespace touche::plane {

inline Vec3 in_space(const Vec2& p) { return {p.x(), p.y(), 0}; }

inline Vec2 turned_left(const Vec2& a) { return {-a.y(), a.x()}; }

inline double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// +1 if the corner from a over b to c turns left, −1 if it turns right, 0 if it is straight;
/// exact.
inline int orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  return geometry::orient2d(in_space(a), in_space(b), in_space(c), 2);
}

/// The same limit as in the constructor of PolygonSoup.
inline constexpr double kMostCoordinate = 1e90;

/// Throws InvalidInput with the number of the bad point.
void check_points(std::span<const Vec2> points);

/// Corners of the convex hull, counter-clockwise from the leftmost one, no three of them collinear.
/// Exact.
std::vector<Vec2> convex_hull(std::span<const Vec2> points);

/// Upper bound of the error of a moved point: a length.
inline double moved_error(const Pose& pose, const Vec2& p) {
  return math::kMovedPointError * (p.lpNorm<1>() + pose.translation().lpNorm<1>());
}

}  // namespace touche::plane
