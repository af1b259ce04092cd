// SPDX-License-Identifier: Apache-2.0
// The cylinder: a disc, moved across itself.
#pragma once

#include "methods/bounds/cone.h"

namespace touche::bounds {

/// The points centre + s axis/axis² + r with r at right angles to the axis, |s| <= half and
/// |r| <= radius. The axis has unit length up to 8 u.
struct Cylinder {
  static constexpr std::string_view kName = "cylinder";
  Vec3 centre = Vec3::Zero(), axis = Vec3::UnitZ();
  double half = 0, radius = 0;

  /// The smallest cylinder about its direction. Of six directions, the axes of a fitted box and the
  /// principal axes, it takes the one of least surface.
  static Cylinder fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
};

/// The same set.
inline Cone to_cone(const Cylinder& c) { return {c.centre, c.axis, c.half, {c.radius, c.radius}}; }

/// The smallest in this direction, of unit length, that contains the points.
Cylinder cylinder_about(std::span<const Vec3> points, const Vec3& axis);

Cylinder moved(const Cylinder& c, const PoseMatrix& pose);
bool overlap(const Cylinder& a, const Cylinder& b, const PoseMatrix& pose);
double lower_bound(const Cylinder& a, const Cylinder& b, const PoseMatrix& pose);

}  // namespace touche::bounds
