// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>

#include "base/random.h"
#include "plane/volumes.h"

namespace touche::plane {
namespace {

/// Smaller excesses of squared distances are taken for rounding; the final radius covers them.
constexpr double kOutsideCircle = 1 + 1e-14;

struct Disc {
  Vec2 centre = Vec2::Zero();
  double radius2 = -1;  // empty

  bool outside(const Vec2& p) const {
    return (p - centre).squaredNorm() > radius2 * kOutsideCircle;
  }
};

Disc through(const Vec2& p, const Vec2& q) {
  const Vec2 half = 0.5 * (q - p);
  return {p + half, half.squaredNorm()};
}

/// The circle through three points, or `otherwise` if they are nearly collinear: then rounding
/// would make the centre meaningless.
Disc through(const Vec2& p, const Vec2& q, const Vec2& r, const Disc& otherwise) {
  const Vec2 a = q - p, b = r - p;
  const double determinant = 2 * cross(a, b), size = a.norm() * b.norm();
  if (!(std::abs(determinant) > 1e-12 * size)) return otherwise;
  const double a2 = a.squaredNorm(), b2 = b.squaredNorm();
  const Vec2 c(a2 * (b.y() / determinant) - b2 * (a.y() / determinant),
               b2 * (a.x() / determinant) - a2 * (b.x() / determinant));
  return {p + c, c.squaredNorm()};
}

Circle circle_about(const Vec2& centre, std::span<const Vec2> points) {
  double far = 0;
  for (const Vec2& p : points) far = std::max(far, (p - centre).norm());
  return {centre, far > 0 ? far * kNormUp + math::kUnderflow : 0};
}

}  // namespace

Circle Circle::fit(std::span<const Vec2> points) {
  check_points(points);
  // In random order (with a fixed seed), a point is rarely outside the circle of the points before
  // it, so the expected time is proportional to the number of points.
  std::vector<Vec2> p = convex_hull(points);
  const std::vector<Vec2> hull = p;
  base::Random random(20);
  for (std::size_t i = p.size(); i > 1; --i)
    std::swap(p[i - 1], p[random.below(static_cast<Index>(i))]);
  Disc best{p[0], 0};
  for (std::size_t i = 1; i < p.size(); ++i) {
    if (!best.outside(p[i])) continue;
    best = {p[i], 0};
    for (std::size_t j = 0; j < i; ++j) {
      if (!best.outside(p[j])) continue;
      best = through(p[i], p[j]);
      for (std::size_t k = 0; k < j; ++k)
        if (best.outside(p[k])) best = through(p[i], p[j], p[k], best);
    }
  }
  // Rounding may have spoilt the result: never return a larger circle than the one around the
  // centre of the box.
  const Circle found = circle_about(best.centre, hull);
  const Box box = Box::fit(hull);
  const Circle plain = circle_about(box.lo + 0.5 * (box.hi - box.lo), hull);
  return plain.radius < found.radius ? plain : found;
}

bool Circle::contains(const Vec2& p) const {
  return (p - centre).norm() <= radius * kNormUp + math::kUnderflow;
}

double Circle::area() const { return std::numbers::pi * radius * radius; }

double Circle::perimeter() const { return 2 * std::numbers::pi * radius; }

Rounded rounded(const Circle& v) { return {{v.centre}, v.radius}; }

Circle moved(const Circle& v, const Pose& pose) {
  return {pose * v.centre,
          (v.radius + moved_error(pose, v.centre)) * (1 + 2 * math::kUnitRoundoff)};
}

double lower_bound(const Circle& a, const Circle& b) {
  // The norm may be too large by a relative error of 8 u, each subtraction by u of its minuend.
  const double between = (b.centre - a.centre).norm();
  const double slack =
      12 * math::kUnitRoundoff * (between + a.radius + b.radius) + math::kUnderflow;
  return std::max(0.0, between - a.radius - b.radius - slack);
}

bool overlap(const Circle& a, const Circle& b) { return lower_bound(a, b) == 0; }

}  // namespace touche::plane
