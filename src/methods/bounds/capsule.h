// SPDX-License-Identifier: Apache-2.0
// The line-swept sphere: all points within a radius of a segment.
#pragma once

#include <span>
#include <string_view>

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

struct Capsule {
  static constexpr std::string_view kName = "capsule";
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();
  double radius = 0;

  static Capsule fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const { return (end - start).norm() + 2 * radius; }
};

Capsule moved(const Capsule& c, const PoseMatrix& pose);
bool overlap(const Capsule& a, const Capsule& b, const PoseMatrix& pose);
double lower_bound(const Capsule& a, const Capsule& b, const PoseMatrix& pose);

}  // namespace touche::bounds
