// SPDX-License-Identifier: Apache-2.0
// Between two directions of hull edges the same four corners support the rectangle, and its area,
// diagonal and perimeter have no minimum inside that interval, since widths are concave functions
// of the angle there (src/methods/bounds/min_rectangle.cpp proves it). So an optimal rectangle has
// a side on an edge.
#include <algorithm>

#include "plane/volumes.h"

namespace touche::plane {
namespace {

double measure_of(Measure measure, double w, double l) {
  return measure == Measure::area ? w * l : measure == Measure::perimeter ? w + l : w * w + l * l;
}

/// Rotating callipers: for each edge in turn the corners farthest along it, perpendicular to it and
/// against it. Each of them only advances.
Vec2 best_direction(std::span<const Vec2> hull, Measure measure) {
  const std::size_t n = hull.size();
  const auto at = [&](std::size_t i) -> const Vec2& { return hull[i % n]; };
  if (n < 2) return Vec2::UnitX();
  if (n == 2) return (hull[1] - hull[0]).normalized();
  double least = kInfinity;
  Vec2 best = Vec2::UnitX();
  std::size_t ahead = 1, above = 1, behind = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 u = (at(i + 1) - at(i)).normalized(), v = turned_left(u);
    ahead = std::max(ahead, i + 1);
    while (ahead < i + n && (at(ahead + 1) - at(ahead)).dot(u) > 0) ++ahead;
    above = std::max(above, ahead);
    while (above < i + n && (at(above + 1) - at(above)).dot(v) > 0) ++above;
    behind = std::max(behind, above);
    while (behind < i + n && (at(behind + 1) - at(behind)).dot(u) < 0) ++behind;
    const double value =
        measure_of(measure, (at(ahead) - at(behind)).dot(u), (at(above) - at(i)).dot(v));
    if (value < least) least = value, best = u;
  }
  return best;
}

/// d · axis|, rounded up to cover the exact coordinate along the axis. A difference has a relative
/// error of u, a product another u, the sum another: 4 u of the sum of magnitudes. The error of the
/// axis' squared length is at most 4 u.
double reach_along(const Vec2& d, const Vec2& axis) {
  const double slack = 8 * math::kUnitRoundoff * d.cwiseAbs().dot(axis.cwiseAbs());
  return (std::abs(d.dot(axis)) + slack) * (1 + 16 * math::kUnitRoundoff);
}

}  // namespace

OrientedBox OrientedBox::fit(std::span<const Vec2> points, Measure measure) {
  check_points(points);
  const std::vector<Vec2> hull = convex_hull(points);
  OrientedBox box;
  box.axis = best_direction(hull, measure);
  const Vec2 across = box.across();
  Vec2 lo = Vec2::Constant(kInfinity), hi = -lo;
  for (const Vec2& p : hull) {
    const Vec2 place((p - hull[0]).dot(box.axis), (p - hull[0]).dot(across));
    lo = lo.cwiseMin(place), hi = hi.cwiseMax(place);
  }
  const Vec2 middle = 0.5 * (lo + hi);
  box.centre = hull[0] + middle.x() * box.axis + middle.y() * across;
  for (const Vec2& p : hull) {
    box.half.x() = std::max(box.half.x(), reach_along(p - box.centre, box.axis));
    box.half.y() = std::max(box.half.y(), reach_along(p - box.centre, across));
  }
  return box;
}

bool OrientedBox::contains(const Vec2& p) const {
  const Vec2 d = p - centre;
  const auto within = [&](const Vec2& direction, double most) {
    const double slack =
        8 * math::kUnitRoundoff * d.cwiseAbs().dot(direction.cwiseAbs()) + math::kUnderflow;
    return std::abs(d.dot(direction)) <= most * (1 + 16 * math::kUnitRoundoff) + slack;
  };
  return within(axis, half.x()) && within(across(), half.y());
}

double OrientedBox::area() const { return 4 * half.prod(); }

double OrientedBox::perimeter() const { return 4 * half.sum(); }

double OrientedBox::diameter() const { return 2 * half.norm(); }

Rounded rounded(const OrientedBox& v) {
  const Vec2 x = v.half.x() * v.axis, y = v.half.y() * v.across();
  const std::vector<Vec2> corners = {v.centre - x - y, v.centre + x - y, v.centre + x + y,
                                     v.centre - x + y};
  // Each coordinate consists of one product for each side and two sums.
  const double size = v.centre.lpNorm<1>() + x.lpNorm<1>() + y.lpNorm<1>();
  return {convex_hull(corners), 8 * math::kUnitRoundoff * size};
}

OrientedBox moved(const OrientedBox& v, const Pose& pose) {
  OrientedBox there = v;
  there.centre = pose * v.centre;
  there.axis = pose.rotate(v.axis).normalized();
  // The rotated axis may have an error of a few u, and the far corners one of that times their
  // distance.
  const double slack = moved_error(pose, v.centre) + math::kMovedPointError * v.half.lpNorm<1>();
  there.half = (v.half.array() + slack) * (1 + 16 * math::kUnitRoundoff);
  return there;
}

bool overlap(const OrientedBox& a, const OrientedBox& b) {
  const Vec2 d = b.centre - a.centre;
  const double cosine = std::abs(a.axis.dot(b.axis)), sine = std::abs(cross(a.axis, b.axis));
  // The rounding of the distance, of products of axes (a few u each) and of sums is below 32 u of
  // their sum.
  const double slack =
      32 * math::kUnitRoundoff * (d.lpNorm<1>() + a.half.sum() + b.half.sum()) + math::kUnderflow;
  const auto apart = [&](const Vec2& axis, double half_a, double half_b) {
    return std::abs(d.dot(axis)) > half_a + half_b + slack;
  };
  return !apart(a.axis, a.half.x(), b.half.x() * cosine + b.half.y() * sine) &&
         !apart(a.across(), a.half.y(), b.half.x() * sine + b.half.y() * cosine) &&
         !apart(b.axis, a.half.x() * cosine + a.half.y() * sine, b.half.x()) &&
         !apart(b.across(), a.half.x() * sine + a.half.y() * cosine, b.half.y());
}

}  // namespace touche::plane
