// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/cylinder.h"

#include <algorithm>
#include <cmath>

namespace touche::bounds {

Cylinder cylinder_about(std::span<const Vec3> points, const Vec3& axis) {
  require_points(points);
  const Vec3 foot = foot_of_axis(points, axis);
  double lo = kInfinity, hi = -kInfinity;
  for (const Vec3& p : points) {
    const double s = axis.dot(p - foot);
    lo = std::min(lo, s);
    hi = std::max(hi, s);
  }
  Cylinder c;
  c.axis = axis;
  c.centre = foot + 0.5 * (lo + hi) * axis;
  for (const Vec3& p : points) {
    if (p == c.centre) continue;
    const AlongAxis at = seen_along(p, c.centre, axis);
    c.half = std::max(c.half, std::abs(at.s) + at.error);
    c.radius = std::max(c.radius, at.r + at.error);
  }
  return c;
}

Cylinder Cylinder::fit(std::span<const Vec3> points) {
  require_points(points);
  return of_least_surface(points,
                          [&](const Vec3& direction) { return cylinder_about(points, direction); });
}

bool Cylinder::contains(const Vec3& p) const { return to_cone(*this).contains(p); }
double Cylinder::volume() const { return to_cone(*this).volume(); }
double Cylinder::surface_area() const { return to_cone(*this).surface_area(); }
double Cylinder::diameter() const { return to_cone(*this).diameter(); }

Cylinder moved(const Cylinder& c, const PoseMatrix& pose) {
  const Cone out = moved(to_cone(c), pose);
  return {out.centre, out.axis, out.half, std::max(out.radius[0], out.radius[1])};
}

double lower_bound(const Cylinder& a, const Cylinder& b, const PoseMatrix& pose) {
  return lower_bound(to_cone(a), to_cone(b), pose);
}

bool overlap(const Cylinder& a, const Cylinder& b, const PoseMatrix& pose) {
  return overlap(to_cone(a), to_cone(b), pose);
}

}  // namespace touche::bounds
