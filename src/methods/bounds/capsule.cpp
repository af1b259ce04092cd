// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/capsule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/rounding.h"
#include "methods/bounds/fit_obb.h"
#include "methods/bounds/smallest_sphere.h"
#include "methods/bounds/swept.h"

namespace touche::bounds {
namespace {

/// Distance of a point to the segment, never too small for the best point of it that was found.
double distance(const Vec3& p, const Vec3& start, const Vec3& end) {
  const Vec3 u = end - start, w = p - start;
  const double uu = u.squaredNorm();
  const double t = uu > 0 ? std::clamp(w.dot(u) / uu, 0.0, 1.0) : 0;
  return (w - t * u).norm();
}

/// The foot t u is computed from a rounded u and rounds twice, the difference and the norm as
/// always: below 8 u (|u| + |w|). The parameter's own rounding only gives another point of the
/// segment, off by a few u |u| along it, which changes the distance no more than that.
double distance_error(const Vec3& p, const Vec3& start, const Vec3& end) {
  return 16 * math::kUnitRoundoff * ((end - start).lpNorm<1>() + (p - start).lpNorm<1>()) +
         math::kUnderflow;
}

double radius_about(std::span<const Vec3> points, const Vec3& start, const Vec3& end) {
  double far = 0;
  for (const Vec3& p : points) {
    const double d = distance(p, start, end);
    if (d > 0) far = std::max(far, d + distance_error(p, start, end));
  }
  return far;
}

Capsule along_axis(std::span<const Vec3> points, const Mat3& axes, int axis) {
  // Across the axis: the smallest circle around the projections, by the sphere of flat points.
  const Vec3 origin = points[0], n = axes.col(axis);
  const Vec3 u = axes.col((axis + 1) % 3), v = axes.col((axis + 2) % 3);
  std::vector<Vec3> flat;
  for (const Vec3& p : points) flat.emplace_back(u.dot(p - origin), v.dot(p - origin), 0.0);
  const Sphere circle = smallest_sphere(flat).sphere;
  const Vec3 foot = origin + circle.centre.x() * u + circle.centre.y() * v;
  // Along it: each point lets the caps begin as much later as it lies closer to the axis.
  double lo = kInfinity, hi = -kInfinity;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = n.dot(points[i] - foot);
    const double off2 = (flat[i] - circle.centre).squaredNorm();
    const double cap = std::sqrt(std::max(0.0, circle.radius * circle.radius - off2));
    lo = std::min(lo, x + cap);
    hi = std::max(hi, x - cap);
  }
  if (lo > hi) lo = hi = 0.5 * (lo + hi);
  Capsule c = {foot + lo * n, foot + hi * n, 0};
  c.radius = radius_about(points, c.start, c.end);
  return c;
}

}  // namespace

Capsule Capsule::fit(std::span<const Vec3> points) {
  const Mat3 axes = principal_axes(points);
  const Sphere sphere = Sphere::fit(points);
  Capsule best = {sphere.centre, sphere.centre, sphere.radius};
  for (int axis = 0; axis < 3; ++axis) {
    const Capsule c = along_axis(points, axes, axis);
    // Points on a line have volume 0 with an axis along it only up to rounding: the surface
    // decides.
    if (c.surface_area() < best.surface_area()) best = c;
  }
  return best;
}

bool Capsule::contains(const Vec3& p) const {
  return distance(p, start, end) <=
         radius * (1 + 2 * math::kUnitRoundoff) + distance_error(p, start, end);
}

double Capsule::volume() const {
  const double length = (end - start).norm();
  return std::numbers::pi * radius * radius * (length + 4.0 / 3 * radius);
}

double Capsule::surface_area() const {
  return 2 * std::numbers::pi * radius * ((end - start).norm() + 2 * radius);
}

Capsule moved(const Capsule& c, const PoseMatrix& pose) {
  const double size = std::max(c.start.lpNorm<1>(), c.end.lpNorm<1>());
  return {pose * c.start, pose * c.end,
          (c.radius + pose.error(size)) * (1 + 2 * math::kUnitRoundoff)};
}

double lower_bound(const Capsule& a, const Capsule& b, const PoseMatrix& pose) {
  const Vec3 core_a[2] = {a.start, a.end}, core_b[2] = {pose * b.start, pose * b.end};
  const Vec3 u = core_a[1] - core_a[0], v = core_b[1] - core_b[0], w = core_a[0] - core_b[0];
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);

  // Closest points: start from the lines, then let each follow the other. Whatever they are, the
  // gap along their connection is a bound; between crossing segments so is that along u × v.
  const double denominator = uu * vv - uv * uv;
  double s =
      denominator > 0 ? std::clamp((uv * v.dot(w) - vv * u.dot(w)) / denominator, 0.0, 1.0) : 0.5;
  double t = 0;
  for (int round = 0; round < 3; ++round) {
    t = vv > 0 ? std::clamp(v.dot(w + s * u) / vv, 0.0, 1.0) : 0;
    s = uu > 0 ? std::clamp(u.dot(t * v - w) / uu, 0.0, 1.0) : 0;
  }
  const Vec3 across = u.cross(v);
  double gap = gap_along(core_a, core_b, t * v - w - s * u);
  gap = std::max({gap, gap_along(core_a, core_b, across), gap_along(core_a, core_b, -across)});
  const double size = std::max(b.start.lpNorm<1>(), b.end.lpNorm<1>());
  return gap_of_swept(gap, a.radius, b.radius, pose.error(size));
}

bool overlap(const Capsule& a, const Capsule& b, const PoseMatrix& pose) {
  return lower_bound(a, b, pose) == 0;
}

}  // namespace touche::bounds
