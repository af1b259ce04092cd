// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/obb.h"

#include <algorithm>

#include "math/rounding.h"
#include "methods/bounds/fit_obb.h"

namespace touche::bounds {
namespace {

/// Bounds the error of a coordinate axesᵢ·d, for d a difference of exact points computed with one
/// rounding: that rounding and a product of three terms, 4 u |axesᵢ|·|d|; and taking axesᵀ for the
/// inverse, kAxesError |d|. Both below 40 u of the sum of magnitudes.
double coordinate_error(double size) { return 40 * math::kUnitRoundoff * size + math::kUnderflow; }

/// Some unit vector at right angles to v.
Vec3 across(const Vec3& v) {
  int least = 0;
  v.cwiseAbs().minCoeff(&least);
  return v.cross(Vec3::Unit(least)).normalized();
}

}  // namespace

Mat3 orthonormal(const Mat3& axes) {
  // The error of a product of unit vectors is 3 u and scales with what is subtracted; the second
  // pass finds an angle that is right already, and leaves a few u per entry, below 10 u.
  Vec3 x = axes.col(0), y = axes.col(1);
  const double x_length = x.norm();
  x = x_length > 0 ? Vec3(x / x_length) : Vec3::UnitX();
  const double y_length = y.norm();
  if (y_length > 0) y /= y_length;
  for (int pass = 0; pass < 2; ++pass) {
    y -= y.dot(x) * x;
    const double length = y.norm();
    // Nearly parallel directions leave a remainder that is rounding only.
    y = length > 1e-8 ? Vec3(y / length) : across(x);
    x.normalize();
  }
  Mat3 out;
  out << x, y, x.cross(y).normalized();
  return out;
}

Obb Obb::fit(std::span<const Vec3> points) { return fit_obb(points); }

bool Obb::contains(const Vec3& p) const {
  const Vec3 d = p - centre;
  const double slack = coordinate_error(d.lpNorm<1>());
  return ((axes.transpose() * d).cwiseAbs().array() <= half.array() + slack).all();
}

double Obb::surface_area() const {
  return 8 * (half.x() * half.y() + half.y() * half.z() + half.z() * half.x());
}

Obb obb_in_frame(std::span<const Vec3> points, const Mat3& axes) {
  require_points(points);
  Obb box;
  box.axes = orthonormal(axes);
  // Relative to a point of the set, so that a set far from the origin loses nothing.
  const Vec3 origin = points[0];
  Vec3 lo = Vec3::Zero(), hi = Vec3::Zero();
  for (const Vec3& p : points) {
    const Vec3 y = box.axes.transpose() * (p - origin);
    lo = lo.cwiseMin(y);
    hi = hi.cwiseMax(y);
  }
  box.centre = origin + box.axes * (0.5 * (lo + hi));
  double size = 0;
  for (const Vec3& p : points) {
    const Vec3 d = p - box.centre;
    size = std::max(size, d.lpNorm<1>());
    box.half = box.half.cwiseMax((box.axes.transpose() * d).cwiseAbs());
  }
  if (size > 0) box.half.array() += coordinate_error(size);
  return box;
}

Obb to_obb(const AabbMinMax& box) {
  const AabbCentre c = to_centre(box);
  return {c.centre, Mat3::Identity(), c.half};
}

Obb moved(const Obb& box, const PoseMatrix& pose) {
  Obb out;
  out.centre = pose * box.centre;
  out.axes = orthonormal(pose.rotation * box.axes);
  // The turned axes are off by 55 u per component from the pose's, by as much again from being made
  // orthonormal: at most 128 u |half|₁ for a corner, besides the centre's own error.
  const double slack =
      128 * math::kUnitRoundoff * box.half.lpNorm<1>() + pose.error(box.centre.lpNorm<1>());
  out.half = (box.half.array() + slack) * (1 + 2 * math::kUnitRoundoff);
  return out;
}

double lower_bound(const Sphere& a, const Obb& b, const PoseMatrix& pose) {
  // In the box's axes, from its centre, the part outside of the half widths is the distance.
  const Vec3 d = a.centre - pose * b.centre;
  const Mat3 axes = pose.rotation * b.axes;
  const Vec3 y = axes.transpose() * d;
  const Vec3 beyond = (y.cwiseAbs() - b.half).cwiseMax(0.0);
  // Errors: the moved centre; 64 u |d|₁ for the rotated axes and the product; 64 u of its size for
  // |axes x| against |x| and for the position of the corner; the rest as for two spheres.
  const double slack =
      pose.error(b.centre.lpNorm<1>()) +
      128 * math::kUnitRoundoff * (d.lpNorm<1>() + b.half.lpNorm<1>() + a.centre.lpNorm<1>()) +
      4 * math::kUnitRoundoff * a.radius;
  return std::max(0.0, beyond.norm() - a.radius - slack);
}

bool overlap(const Sphere& a, const Obb& b, const PoseMatrix& pose) {
  return lower_bound(a, b, pose) == 0;
}

double lower_bound(const Sphere& a, const AabbMinMax& b, const PoseMatrix& pose) {
  return lower_bound(a, to_obb(b), pose);
}

bool overlap(const Sphere& a, const AabbMinMax& b, const PoseMatrix& pose) {
  return lower_bound(a, to_obb(b), pose) == 0;
}

}  // namespace touche::bounds
