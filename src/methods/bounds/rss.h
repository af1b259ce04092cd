// SPDX-License-Identifier: Apache-2.0
// The rectangle-swept sphere: all points within a radius of a rectangle (Larsen, Gottschalk, Lin,
// Manocha 1999).
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

/// The rectangle has the points centre + x axes₀ + y axes₁ with |x| <= half₀ and |y| <= half₁; the
/// third axis is its normal. Axes as for an Obb.
struct Rss {
  static constexpr std::string_view kName = "rss";
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  double half[2] = {0, 0};
  double radius = 0;

  static Rss fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
  /// The corners of the rectangle, in order around it.
  std::array<Vec3, 4> corners() const;
};

Rss moved(const Rss& r, const PoseMatrix& pose);
bool overlap(const Rss& a, const Rss& b, const PoseMatrix& pose);
/// By the distance of the rectangles.
double lower_bound(const Rss& a, const Rss& b, const PoseMatrix& pose);

}  // namespace touche::bounds
