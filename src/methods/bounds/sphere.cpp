// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/sphere.h"

#include <algorithm>
#include <numbers>

#include "math/rounding.h"
#include "methods/bounds/smallest_sphere.h"

namespace touche::bounds {
namespace {

// The norm of a difference: each component has a relative error u, its square 3 u, the sum 5 u, the
// root half of that and one more u. 8 u is above all of it.
constexpr double kNorm = 1 + 8 * math::kUnitRoundoff;

}  // namespace

Sphere Sphere::fit(std::span<const Vec3> points) { return smallest_sphere(points).sphere; }

bool Sphere::contains(const Vec3& p) const {
  return (p - centre).norm() <= radius * kNorm + math::kUnderflow;
}

double Sphere::volume() const { return 4.0 / 3 * std::numbers::pi * radius * radius * radius; }

double Sphere::surface_area() const { return 4 * std::numbers::pi * radius * radius; }

Sphere sphere_about(const Vec3& centre, std::span<const Vec3> points) {
  double far = 0;
  for (const Vec3& p : points) far = std::max(far, (p - centre).norm());
  return {centre, far > 0 ? far * kNorm + math::kUnderflow : 0};
}

Sphere moved(const Sphere& s, const PoseMatrix& pose) {
  return {pose * s.centre, (s.radius + pose.error(s.centre.lpNorm<1>())) * kNorm};
}

double lower_bound(const Sphere& a, const Sphere& b, const PoseMatrix& pose) {
  const double between = (pose * b.centre - a.centre).norm();
  // The moved centre, one difference per component, the norm (relative 4 u), and two subtractions.
  const double slack = pose.error(b.centre.lpNorm<1>()) +
                       8 * math::kUnitRoundoff * (a.centre.lpNorm<1>() + between) +
                       4 * math::kUnitRoundoff * (a.radius + b.radius);
  return std::max(0.0, between - a.radius - b.radius - slack);
}

bool overlap(const Sphere& a, const Sphere& b, const PoseMatrix& pose) {
  return lower_bound(a, b, pose) == 0;
}

}  // namespace touche::bounds
