// SPDX-License-Identifier: Apache-2.0
// The sphere as a bounding volume. Fitting is in smallest_sphere.h.
#pragma once

#include <span>
#include <string_view>

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

struct Sphere {
  static constexpr std::string_view kName = "sphere";
  Vec3 centre = Vec3::Zero();
  double radius = 0;

  static Sphere fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const { return 2 * radius; }
};

/// The smallest sphere about this centre that contains the points.
Sphere sphere_about(const Vec3& centre, std::span<const Vec3> points);

Sphere moved(const Sphere& s, const PoseMatrix& pose);
bool overlap(const Sphere& a, const Sphere& b, const PoseMatrix& pose);
double lower_bound(const Sphere& a, const Sphere& b, const PoseMatrix& pose);

}  // namespace touche::bounds
