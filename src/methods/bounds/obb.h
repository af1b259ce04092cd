// SPDX-License-Identifier: Apache-2.0
// The box of any orientation: pairs of boxes by separating axes, and a sphere and a box. Fits are
// in fit_obb.h, other forms of a box in obb_forms.h.
#pragma once

#include <span>
#include <string_view>

#include "math/rounding.h"
#include "methods/bounds/aabb.h"
#include "methods/bounds/sphere.h"

namespace touche::bounds {

/// The points centre + axes · h with |hᵢ| <= halfᵢ. The columns of `axes` are orthonormal up to
/// kAxesError, which `orthonormal` ensures.
struct Obb {
  static constexpr std::string_view kName = "obb";
  Vec3 centre = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
  Vec3 half = Vec3::Zero();

  static Obb fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const { return 8 * half.prod(); }
  double surface_area() const;
  double diameter() const { return 2 * half.norm(); }
};

/// Bounds the sum of magnitudes in a row of axesᵀ axes − 1.
inline constexpr double kAxesError = 32 * math::kUnitRoundoff;

/// Nearly orthonormal columns made so to rounding, right-handed; a column without direction of its
/// own is replaced.
Mat3 orthonormal(const Mat3& axes);

/// The smallest box with these axes (made orthonormal) that contains the points.
Obb obb_in_frame(std::span<const Vec3> points, const Mat3& axes);

Obb to_obb(const AabbMinMax& box);

/// The axes a pair of boxes is tested on: the six normals of faces and the nine products of edges,
/// which decide; or only the six, which may call boxes overlapping that are apart edge to edge.
enum class BoxAxes { all, faces };

Obb moved(const Obb& box, const PoseMatrix& pose);
bool overlap(const Obb& a, const Obb& b, const PoseMatrix& pose, BoxAxes axes);
bool overlap(const Obb& a, const Obb& b, const PoseMatrix& pose);
/// The largest gap on the 15 axes: short of the distance where two corners, or a corner and an
/// edge, are closest.
double lower_bound(const Obb& a, const Obb& b, const PoseMatrix& pose);

/// `pose` is the box's, seen from the sphere.
bool overlap(const Sphere& a, const Obb& b, const PoseMatrix& pose);
double lower_bound(const Sphere& a, const Obb& b, const PoseMatrix& pose);
bool overlap(const Sphere& a, const AabbMinMax& b, const PoseMatrix& pose);
double lower_bound(const Sphere& a, const AabbMinMax& b, const PoseMatrix& pose);

}  // namespace touche::bounds
