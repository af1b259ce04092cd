// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/rss.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rounding.h"
#include "methods/bounds/fit_obb.h"
#include "methods/bounds/swept.h"

namespace touche::bounds {
namespace {

/// Distance of a point to the rectangle, by its coordinates in the axes.
double distance(const Rss& r, const Vec3& p) {
  const Vec3 y = r.axes.transpose() * (p - r.centre);
  return Vec3(std::max(0.0, std::abs(y[0]) - r.half[0]), std::max(0.0, std::abs(y[1]) - r.half[1]),
              y[2])
      .norm();
}

/// Coordinates are off by 40 u of the difference's size as in an Obb, three of them by √3 · 40 u;
/// axes that are orthonormal up to kAxesError add 32 u of that and of the rectangle's size.
double distance_error(const Rss& r, const Vec3& p) {
  return 128 * math::kUnitRoundoff * ((p - r.centre).lpNorm<1>() + r.half[0] + r.half[1]) +
         math::kUnderflow;
}

void set_radius(Rss& r, std::span<const Vec3> points) {
  r.radius = 0;
  for (const Vec3& p : points)
    if (p != r.centre) r.radius = std::max(r.radius, distance(r, p) + distance_error(r, p));
}

/// With the box's axis `normal` as that of the rectangle.
Rss across(std::span<const Vec3> points, const Obb& box, int normal) {
  const int i = (normal + 1) % 3, j = (normal + 2) % 3;
  Rss whole;
  whole.centre = box.centre;
  whole.axes << box.axes.col(i), box.axes.col(j), box.axes.col(normal);
  whole.half[0] = box.half[i];
  whole.half[1] = box.half[j];
  set_radius(whole, points);
  // Each side may draw back as far as the round edge still covers every point; corners may then
  // stick out, so the radius is measured anew, and kept if the volume is smaller.
  const double r = box.half[normal];
  double lo[2] = {kInfinity, kInfinity}, hi[2] = {-kInfinity, -kInfinity};
  for (const Vec3& p : points) {
    const Vec3 y = whole.axes.transpose() * (p - box.centre);
    const double reach = std::sqrt(std::max(0.0, r * r - y[2] * y[2]));
    for (int k = 0; k < 2; ++k) {
      lo[k] = std::min(lo[k], y[k] + reach);
      hi[k] = std::max(hi[k], y[k] - reach);
    }
  }
  Rss drawn = whole;
  for (int k = 0; k < 2; ++k) {
    drawn.half[k] = std::max(0.0, 0.5 * (hi[k] - lo[k]));
    drawn.centre += 0.5 * (lo[k] + hi[k]) * whole.axes.col(k);
  }
  set_radius(drawn, points);
  return drawn.surface_area() < whole.surface_area() ? drawn : whole;
}

/// The direction from the closest point of one rectangle to that of the other, by the pairs of the
/// triangles they consist of.
Vec3 closest_direction(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b) {
  const Triangle halves_a[2] = {{a[0], a[1], a[2]}, {a[0], a[2], a[3]}};
  const Triangle halves_b[2] = {{b[0], b[1], b[2]}, {b[0], b[2], b[3]}};
  geometry::ClosestPoints best;
  for (const Triangle& s : halves_a)
    for (const Triangle& t : halves_b)
      if (const geometry::ClosestPoints c = geometry::closest_points(s, t);
          c.distance < best.distance)
        best = c;
  return best.point_b - best.point_a;
}

}  // namespace

Rss Rss::fit(std::span<const Vec3> points) {
  const Obb box = fit_obb(points);
  Rss best = across(points, box, 0);
  for (int normal = 1; normal < 3; ++normal) {
    const Rss r = across(points, box, normal);
    if (r.surface_area() < best.surface_area()) best = r;
  }
  return best;
}

bool Rss::contains(const Vec3& p) const {
  return distance(*this, p) <= radius + distance_error(*this, p);
}

double Rss::volume() const {  // Steiner's formula for the area 4 h₀ h₁ and perimeter 4 (h₀ + h₁)
  constexpr double kPi = std::numbers::pi;
  return 8 * half[0] * half[1] * radius + 2 * kPi * (half[0] + half[1]) * radius * radius +
         4.0 / 3 * kPi * radius * radius * radius;
}

double Rss::surface_area() const {
  constexpr double kPi = std::numbers::pi;
  return 8 * half[0] * half[1] + 4 * kPi * (half[0] + half[1]) * radius + 4 * kPi * radius * radius;
}

double Rss::diameter() const { return 2 * (std::hypot(half[0], half[1]) + radius); }

std::array<Vec3, 4> Rss::corners() const {
  const Vec3 u = half[0] * axes.col(0), v = half[1] * axes.col(1);
  return {centre + u + v, centre - u + v, centre - u - v, centre + u - v};
}

Rss moved(const Rss& r, const PoseMatrix& pose) {
  Rss out = r;
  out.centre = pose * r.centre;
  out.axes = orthonormal(pose.rotation * r.axes);
  // The axes' turn as for an Obb.
  out.radius = (r.radius + 128 * math::kUnitRoundoff * (r.half[0] + r.half[1]) +
                pose.error(r.centre.lpNorm<1>())) *
               (1 + 4 * math::kUnitRoundoff);
  return out;
}

double lower_bound(const Rss& a, const Rss& b, const PoseMatrix& pose) {
  const std::array<Vec3, 4> core_a = a.corners();
  std::array<Vec3, 4> core_b = b.corners();
  double slack = 0;
  for (Vec3& p : core_b) {
    slack = std::max(slack, pose.error(p.lpNorm<1>()));
    p = pose * p;
  }
  for (const Vec3& p : core_a) slack = std::max(slack, 128 * math::kUnitRoundoff * p.lpNorm<1>());
  // A corner takes four roundings per coordinate: below 8 u of its size, far inside of the slack.
  const double gap = gap_along(core_a, core_b, closest_direction(core_a, core_b));
  return gap_of_swept(gap, a.radius, b.radius, 2 * slack);
}

bool overlap(const Rss& a, const Rss& b, const PoseMatrix& pose) {
  return lower_bound(a, b, pose) == 0;
}

}  // namespace touche::bounds
