// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/coordinates.h"
#include "plane/volumes.h"

namespace touche::plane {

void check_points(std::span<const Vec2> points) {
  if (points.empty()) throw InvalidInput("no points to fit a volume to");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!math::all_within(points[i], kMostCoordinate))
      throw InvalidInput("point " + std::to_string(i) +
                         " has a coordinate that is not finite or larger than 1e90");
}

std::vector<Vec2> convex_hull(std::span<const Vec2> points) {
  // Sort the points from left to right, then follow the lower and the upper chain.
  std::vector<Vec2> sorted(points.begin(), points.end());
  std::ranges::sort(sorted, [](const Vec2& a, const Vec2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() < 3) return sorted;
  std::vector<Vec2> hull;
  const auto follow = [&](auto from, auto to) {
    const std::size_t base = hull.size();
    for (auto i = from; i != to; ++i) {
      while (hull.size() >= base + 2 && orientation(hull[hull.size() - 2], hull.back(), *i) <= 0)
        hull.pop_back();
      hull.push_back(*i);
    }
    hull.pop_back();  // the other chain starts with it
  };
  follow(sorted.begin(), sorted.end());
  follow(sorted.rbegin(), sorted.rend());
  return hull;
}

double polygon_area(std::span<const Vec2> corners) {
  double twice = 0;
  for (std::size_t i = 2; i < corners.size(); ++i)
    twice += cross(corners[i - 1] - corners[0], corners[i] - corners[0]);
  return 0.5 * twice;
}

double polygon_perimeter(std::span<const Vec2> corners) {
  double length = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    length += (corners[(i + 1) % corners.size()] - corners[i]).norm();
  return length;
}

// The farthest two corners lie on parallel lines of support (Shamos 1978): the edge and the corner
// farthest from it advance around the polygon together.
double polygon_diameter(std::span<const Vec2> corners) {
  const std::size_t n = corners.size();
  double far2 = 0;
  if (n < 4) {
    for (const Vec2& p : corners)
      for (const Vec2& q : corners) far2 = std::max(far2, (p - q).squaredNorm());
    return std::sqrt(far2);
  }
  const auto at = [&](std::size_t i) -> const Vec2& { return corners[i % n]; };
  std::size_t j = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 edge = at(i + 1) - at(i);
    for (;;) {
      far2 = std::max({far2, (at(j) - at(i)).squaredNorm(), (at(j) - at(i + 1)).squaredNorm(),
                       (at(j + 1) - at(i)).squaredNorm(), (at(j + 1) - at(i + 1)).squaredNorm()});
      if (j >= i + n || !(cross(edge, at(j + 1) - at(j)) > 0)) break;
      ++j;
    }
    j = std::max(j, i + 2);
  }
  return std::sqrt(far2);
}

Hull Hull::fit(std::span<const Vec2> points) {
  check_points(points);
  return {convex_hull(points), 0};
}

bool Hull::contains(const Vec2& p) const {
  const std::size_t n = corners.size();
  const auto inside = [&] {
    for (std::size_t i = 0; i < n && n > 2; ++i)
      if (orientation(corners[i], corners[(i + 1) % n], p) < 0) return false;
    if (n > 2) return true;
    // A point or a segment: test whether p is between its ends.
    return n > 0 && orientation(corners.front(), corners.back(), p) == 0 &&
           Box{corners.front().cwiseMin(corners.back()), corners.front().cwiseMax(corners.back())}
               .contains(p);
  };
  return inside() || (margin > 0 && lower_bound(Rounded{corners, margin}, Rounded{{p}, 0}) == 0);
}

double Hull::area() const {
  return polygon_area(corners) + margin * (polygon_perimeter(corners) + std::numbers::pi * margin);
}

double Hull::perimeter() const {
  return polygon_perimeter(corners) + 2 * std::numbers::pi * margin;
}

double Hull::diameter() const { return polygon_diameter(corners) + 2 * margin; }

Rounded rounded(const Hull& v) { return {v.corners, v.margin}; }

Hull moved(const Hull& v, const Pose& pose) {
  Hull result;
  std::vector<Vec2> there;
  there.reserve(v.corners.size());
  for (const Vec2& p : v.corners) {
    result.margin = std::max(result.margin, moved_error(pose, p));
    there.push_back(pose * p);
  }
  result.margin = (result.margin + v.margin) * (1 + 2 * math::kUnitRoundoff);
  result.corners = convex_hull(there);
  return result;
}

}  // namespace touche::plane
