// SPDX-License-Identifier: Apache-2.0
// The cone, cut off across its axis or pointed: the convex hull of two discs on one axis.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "methods/bounds/sphere.h"

namespace touche::bounds {

/// The points centre + s axis/axis² + r with r at right angles to the axis, |s| <= half and |r| at
/// most the radius at s, which grows evenly from radius[0] at −half to radius[1] at half. The axis
/// has unit length up to 8 u.
struct Cone {
  static constexpr std::string_view kName = "cone";
  Vec3 centre = Vec3::Zero(), axis = Vec3::UnitZ();
  double half = 0;
  double radius[2] = {0, 0};

  /// Has the least volume for its axis, which passes through the centre of the smallest circle of
  /// the projection. The axis is the one of least surface among six: the axes of a fitted box and
  /// the principal axes.
  static Cone fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
};

Cone moved(const Cone& c, const PoseMatrix& pose);
bool overlap(const Cone& a, const Cone& b, const PoseMatrix& pose);
double lower_bound(const Cone& a, const Cone& b, const PoseMatrix& pose);

// Required by convex_pair.h.
Sphere ball_of(const Cone& c);
Vec3 farthest(const Cone& c, const Vec3& d);
double reach(const Cone& c, const Vec3& d);

// ---- for fits about an axis --------------------------------------------------------------------

/// The axes of a fitted box and the principal ones.
std::vector<Vec3> axes_to_try(std::span<const Vec3> points);

/// Returns the volume of least surface among the ones that about(axis) makes around the points; the
/// first one if no surface is less, as after an overflow.
template <typename About>
auto of_least_surface(std::span<const Vec3> points, const About& about) {
  const std::vector<Vec3> axes = axes_to_try(points);
  auto best = about(axes.front());
  for (std::size_t i = 1; i < axes.size(); ++i)
    if (auto other = about(axes[i]); other.surface_area() < best.surface_area())
      best = std::move(other);
  return best;
}

/// A point of the axis in this direction about which points lie in the smallest cylinder.
Vec3 foot_of_axis(std::span<const Vec3> points, const Vec3& axis);

/// A point seen along an axis: how far along, how far from it, and a bound of the error of either.
struct AlongAxis {
  double s, r, error;
};
AlongAxis seen_along(const Vec3& p, const Vec3& centre, const Vec3& axis);

}  // namespace touche::bounds
