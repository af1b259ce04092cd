// SPDX-License-Identifier: Apache-2.0
// Between two directions of hull edges the same four corners support the rectangle, so its widths
// are w = d·u and l = e·v for fixed d, e and unit u, v = u turned by 90°. Both are positive and
// concave in the angle. Hence area w l and surface (w + h)(l + h) − h² are products of such
// functions, which have no minimum inside the interval. The diagonal has none either: the second
// derivative of w² + l² is 2 ((d·v)² − w² + (e·u)² − l²), and |d·v| <= l, |e·u| <= w because d and
// e join points of the set. So for each criterion a best rectangle has a side on a hull edge.
#include "methods/bounds/min_rectangle.h"

#include <algorithm>

#include "geometry/predicates.h"

namespace touche::bounds {
namespace {

Vec2 turned(const Vec2& a) { return {-a.y(), a.x()}; }

double cost(double w, double l, double height, Criterion criterion) {
  switch (criterion) {
    case Criterion::volume:
      return w * l;
    case Criterion::diameter:
      return w * w + l * l;
    case Criterion::surface_area:
      return w * l + height * (w + l);
  }
  return 0;
}

}  // namespace

std::vector<Vec2> convex_hull(std::vector<Vec2> points) {
  std::ranges::sort(points, [](const Vec2& a, const Vec2& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  const auto left = [](const Vec2& a, const Vec2& b, const Vec2& c) {
    return geometry::orient2d({a.x(), a.y(), 0}, {b.x(), b.y(), 0}, {c.x(), c.y(), 0}, 2) > 0;
  };
  std::vector<Vec2> hull;
  const auto chain = [&](auto from, auto to) {
    const std::size_t base = hull.size();
    for (auto i = from; i != to; ++i) {
      while (hull.size() >= base + 2 && !left(hull[hull.size() - 2], hull.back(), *i))
        hull.pop_back();
      hull.push_back(*i);
    }
    hull.pop_back();  // where the other chain starts
  };
  chain(points.begin(), points.end());
  chain(points.rbegin(), points.rend());
  return hull;
}

Vec2 min_rectangle_direction(std::span<const Vec2> points, double height, Criterion criterion) {
  const std::vector<Vec2> hull = convex_hull({points.begin(), points.end()});
  const std::size_t n = hull.size();
  if (n < 2) return Vec2::UnitX();
  if (n == 2) return (hull[1] - hull[0]).normalized();
  const auto at = [&](std::size_t i) -> const Vec2& { return hull[i % n]; };

  // Callipers along u = edge i: farthest along u, across it, and against it. Each only advances.
  double best_cost = kInfinity;
  Vec2 best = Vec2::UnitX();
  const auto judge = [&](const Vec2& u, const Vec2& d, const Vec2& e) {
    const double c = cost(d.dot(u), e.dot(turned(u)), height, criterion);
    if (c < best_cost) best_cost = c, best = u;
  };
  std::size_t ahead = 1, above = 1, behind = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 u = (at(i + 1) - at(i)).normalized(), v = turned(u);
    ahead = std::max(ahead, i + 1);
    while (ahead < i + n && (at(ahead + 1) - at(ahead)).dot(u) > 0) ++ahead;
    above = std::max(above, ahead);
    while (above < i + n && (at(above + 1) - at(above)).dot(v) > 0) ++above;
    behind = std::max(behind, above);
    while (behind < i + n && (at(behind + 1) - at(behind)).dot(u) < 0) ++behind;
    const Vec2 d = at(ahead) - at(behind), e = at(above) - at(i);
    judge(u, d, e);
  }
  return best;
}

}  // namespace touche::bounds
