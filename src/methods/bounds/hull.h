// SPDX-License-Identifier: Apache-2.0
// The convex hull as a bounding volume: nothing convex is tighter, and no test costs more.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "methods/bounds/sphere.h"

namespace touche::bounds {

/// All points within `margin` of the convex hull of some corners.
struct Hull {
  static constexpr std::string_view kName = "hull";
  std::vector<Vec3> corners = {Vec3::Zero()};
  /// Counter-clockwise from outside; none for fewer than four corners, or if all corners coincide.
  std::vector<std::array<Index, 3>> faces;
  Sphere ball;        ///< around all of it
  double margin = 0;  ///< takes up what the hull was rounded by

  /// The hull of the points, up to 4e-9 of their extent: see convex_hull.h.
  static Hull fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;

  /// These are the numbers that files keep; throws InvalidInput for numbers that no hull has.
  std::vector<double> numbers() const;
  static Hull from_numbers(std::span<const double> numbers);
};

Hull moved(const Hull& h, const PoseMatrix& pose);
bool overlap(const Hull& a, const Hull& b, const PoseMatrix& pose);
double lower_bound(const Hull& a, const Hull& b, const PoseMatrix& pose);

// Required by convex_pair.h.
Sphere ball_of(const Hull& h);
Vec3 farthest(const Hull& h, const Vec3& d);
double reach(const Hull& h, const Vec3& d);

}  // namespace touche::bounds
