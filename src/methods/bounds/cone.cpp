// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/cone.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rounding.h"
#include "methods/bounds/convex_pair.h"
#include "methods/bounds/fit_obb.h"
#include "methods/bounds/smallest_sphere.h"

namespace touche::bounds {
namespace {

double slope_of(const Cone& c) {
  return c.half > 0 ? 0.5 * (c.radius[1] - c.radius[0]) / c.half : 0;
}

double radius_at(const Cone& c, double s) {
  if (!(c.half > 0)) return std::max(c.radius[0], c.radius[1]);
  return 0.5 * (c.radius[0] + c.radius[1]) + slope_of(c) * std::clamp(s, -c.half, c.half);
}

struct Station {
  double t, r;  // 0 <= t <= 1 along the axis
};

/// Radii at both ends of the least volume, that is of least a² + a b + b², with
/// (1 − t) a + t b >= r at all stations. The best line touches a corner of their upper hull, at the
/// slope at which it is best there or the nearest that leaves no station out.
std::array<double, 2> best_radii(std::vector<Station> stations) {
  std::ranges::sort(stations, [](const Station& a, const Station& b) {
    return a.t != b.t ? a.t < b.t : a.r > b.r;
  });
  const auto slope = [](const Station& a, const Station& b) { return (b.r - a.r) / (b.t - a.t); };
  std::vector<Station> hull;
  for (const Station& s : stations) {
    if (!hull.empty() && hull.back().t == s.t) continue;
    while (hull.size() > 1 &&
           slope(hull[hull.size() - 2], hull.back()) <= slope(hull[hull.size() - 2], s))
      hull.pop_back();
    hull.push_back(s);
  }
  std::array<double, 2> best = {0, 0};
  double least = kInfinity;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const auto [t, r] = hull[i];
    double most = i > 0 ? slope(hull[i - 1], hull[i]) : kInfinity,
           fewest = i + 1 < hull.size() ? slope(hull[i], hull[i + 1]) : -kInfinity;
    if (t > 0) most = std::min(most, r / t);  // no radius is negative
    if (t < 1) fewest = std::max(fewest, -r / (1 - t));
    const double wanted = r * (6 * t - 3) / (2 * (1 - 3 * t + 3 * t * t));
    const double k = std::max(fewest, std::min(most, wanted));
    const double a = std::max(0.0, r - k * t), b = std::max(0.0, r + k * (1 - t));
    if (const double f = a * a + a * b + b * b; f < least) least = f, best = {a, b};
  }
  return best;
}

/// Makes it contain the points as real numbers.
void grow_around(Cone& c, std::span<const Vec3> points) {
  double beyond = 0;
  for (const Vec3& p : points) {
    if (p == c.centre) continue;
    const AlongAxis at = seen_along(p, c.centre, c.axis);
    c.half = std::max(c.half, std::abs(at.s) + at.error);
  }
  const double steep = 1 + std::abs(slope_of(c));
  for (const Vec3& p : points) {
    if (p == c.centre) continue;
    const AlongAxis at = seen_along(p, c.centre, c.axis);
    // The radius there is computed with a few roundings, too.
    if (at.r > 0 || c.half > 0)
      beyond = std::max(
          beyond, at.r + at.error * steep - radius_at(c, at.s) * (1 - 16 * math::kUnitRoundoff));
  }
  for (double& r : c.radius) r += std::max(0.0, beyond) * (1 + 4 * math::kUnitRoundoff);
}

Cone cone_about(std::span<const Vec3> points, const Vec3& axis) {
  const Vec3 foot = foot_of_axis(points, axis);
  double lo = kInfinity, hi = -kInfinity, widest = 0;
  std::vector<Station> stations;
  for (const Vec3& p : points) {
    const AlongAxis at = seen_along(p, foot, axis);
    lo = std::min(lo, at.s);
    hi = std::max(hi, at.s);
    widest = std::max(widest, at.r);
    stations.push_back({at.s, at.r});
  }
  Cone c;
  c.axis = axis;
  c.centre = foot + 0.5 * (lo + hi) * axis;
  c.half = 0.5 * (hi - lo);
  // Steeper than this the cone's side would take the rounding of heights for radii.
  constexpr double kFlat = 1e-6;
  if (hi - lo > kFlat * widest) {
    for (Station& s : stations) s.t = (s.t - lo) / (hi - lo);
    const auto radii = best_radii(std::move(stations));
    std::ranges::copy(radii, c.radius);
  } else {
    c.radius[0] = c.radius[1] = widest;
  }
  grow_around(c, points);
  return c;
}

}  // namespace

AlongAxis seen_along(const Vec3& p, const Vec3& centre, const Vec3& axis) {
  // The difference and the products round to below 8 u of its size; that the axis is of unit
  // length up to 8 u, so that s axis is not quite the foot, adds as much.
  const Vec3 w = p - centre;
  const double s = axis.dot(w);
  return {s, (w - s * axis).norm(), 64 * math::kUnitRoundoff * w.lpNorm<1>() + math::kUnderflow};
}

std::vector<Vec3> axes_to_try(std::span<const Vec3> points) {
  std::vector<Vec3> axes;
  for (const Mat3& frame : {fit_obb(points).axes, principal_axes(points)})
    for (int i = 0; i < 3; ++i) axes.emplace_back(frame.col(i));
  return axes;
}

Vec3 foot_of_axis(std::span<const Vec3> points, const Vec3& axis) {
  const Vec3 origin = points[0], u = axis.unitOrthogonal(), v = axis.cross(u);
  std::vector<Vec3> flat;
  flat.reserve(points.size());
  for (const Vec3& p : points) flat.emplace_back(u.dot(p - origin), v.dot(p - origin), 0.0);
  const Vec3 middle = smallest_sphere(flat).sphere.centre;
  return origin + middle.x() * u + middle.y() * v;
}

Cone Cone::fit(std::span<const Vec3> points) {
  require_points(points);
  return of_least_surface(points,
                          [&](const Vec3& direction) { return cone_about(points, direction); });
}

bool Cone::contains(const Vec3& p) const {
  const AlongAxis at = seen_along(p, centre, axis);
  return std::abs(at.s) <= half + at.error &&
         at.r <= radius_at(*this, at.s) * (1 + 16 * math::kUnitRoundoff) +
                     at.error * (1 + std::abs(slope_of(*this)));
}

double Cone::volume() const {
  return 2 * std::numbers::pi / 3 * half *
         (radius[0] * radius[0] + radius[0] * radius[1] + radius[1] * radius[1]);
}

double Cone::surface_area() const {
  const double side = std::hypot(2 * half, radius[1] - radius[0]);
  return std::numbers::pi *
         (radius[0] * radius[0] + radius[1] * radius[1] + (radius[0] + radius[1]) * side);
}

double Cone::diameter() const {
  return std::max({2 * radius[0], 2 * radius[1], std::hypot(2 * half, radius[0] + radius[1])});
}

Sphere ball_of(const Cone& c) {
  return {c.centre,
          std::hypot(c.half, std::max(c.radius[0], c.radius[1])) * (1 + 32 * math::kUnitRoundoff)};
}

Vec3 farthest(const Cone& c, const Vec3& d) {
  const double along = c.axis.dot(d);
  // Nearly along the axis what is left is rounding, which need not lie across: so once more.
  Vec3 across = d - along * c.axis;
  across -= c.axis.dot(across) * c.axis;
  const double length = across.norm();
  const bool upper =
      c.half * along + c.radius[1] * length >= -c.half * along + c.radius[0] * length;
  const Vec3 end = (upper ? c.half : -c.half) * c.axis;
  return length > math::kUnderflow ? Vec3(end + c.radius[upper ? 1 : 0] / length * across) : end;
}

double reach(const Cone& c, const Vec3& d) {
  const double along = c.axis.dot(d), across = (d - along * c.axis).norm();
  // Both products are off by below 16 u of |d|, by the axis' length as well.
  const double slack =
      64 * math::kUnitRoundoff * (c.half + c.radius[0] + c.radius[1]) * d.lpNorm<1>();
  return std::max(c.half * along + c.radius[1] * across, -c.half * along + c.radius[0] * across) +
         slack;
}

Cone moved(const Cone& c, const PoseMatrix& pose) {
  Cone out = c;
  out.centre = pose * c.centre;
  out.axis = (pose.rotation * c.axis).normalized();
  const Sphere ball = ball_of(c);
  // The errors of the centre and of the axis direction, which is off by below 64 u. Points within
  // `slack` of a cone are in a cone that is longer and wider by it, and wider still if the side is
  // steep.
  const double slack =
      pose.error(c.centre.lpNorm<1>() + 2 * ball.radius) + 128 * math::kUnitRoundoff * ball.radius;
  const double wider = slack * (2 + std::abs(slope_of(c)));
  out.half = (c.half + slack) * (1 + 2 * math::kUnitRoundoff);
  for (double& r : out.radius) r = (r + wider) * (1 + 4 * math::kUnitRoundoff);
  return out;
}

double lower_bound(const Cone& a, const Cone& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::distance);
}

bool overlap(const Cone& a, const Cone& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::any_gap) == 0;
}

}  // namespace touche::bounds
