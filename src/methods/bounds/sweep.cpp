// SPDX-License-Identifier: Apache-2.0
// Rounding: moved volumes contain the moved set already. Sums here have fewer than ten terms, each
// off by a few u of its magnitude; 64 u of all magnitudes together are added to every radius.
#include "methods/bounds/sweep.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::bounds {
namespace {

using Kind = Mixed::Kind;

double slack_of(const Vec3& centre, const Vec3& half) {
  return 64 * math::kUnitRoundoff * (centre.lpNorm<1>() + half.lpNorm<1>()) + math::kUnderflow;
}

/// A ball around it.
Sphere sphere_around(const Mixed& v) {
  if (v.kind == Kind::sphere) return {v.box.centre, v.box.half.x()};
  return {v.box.centre, v.box.half.norm() + slack_of(Vec3::Zero(), v.box.half)};
}

AabbMinMax aabb_around(const Mixed& v) {
  Vec3 reach = Vec3::Constant(v.box.half.x());
  if (v.kind != Kind::sphere) reach = v.box.axes.cwiseAbs() * v.box.half;
  reach.array() += slack_of(v.box.centre, v.box.half);
  return {v.box.centre - reach, v.box.centre + reach};
}

Obb obb_around(const Mixed& v) {
  if (v.kind != Kind::sphere) return v.box;
  return {v.box.centre, Mat3::Identity(), Vec3::Constant(v.box.half.x())};
}

/// Half widths of a box seen from its centre, along other axes.
Vec3 half_along(const Mat3& axes, const Obb& box) {
  return (axes.transpose() * box.axes).cwiseAbs() * box.half;
}

/// Around two boxes, along these axes.
Obb around(const Obb& a, const Obb& b, const Mat3& axes) {
  const Vec3 between = axes.transpose() * (b.centre - a.centre);
  const Vec3 half_a = half_along(axes, a), half_b = half_along(axes, b);
  // Along the axes, from a's centre.
  const Vec3 lo = (-half_a).cwiseMin(between - half_b), hi = half_a.cwiseMax(between + half_b);
  Obb box;
  box.axes = axes;
  box.centre = a.centre + axes * (0.5 * (lo + hi));
  box.half = 0.5 * (hi - lo);
  box.half.array() += slack_of(a.centre, a.half) + slack_of(b.centre, b.half);
  return box;
}

Sphere around(const Sphere& a, const Sphere& b) {
  const Vec3 centre = 0.5 * (a.centre + b.centre);
  const double radius =
      std::max((centre - a.centre).norm() + a.radius, (centre - b.centre).norm() + b.radius);
  return {centre, radius + slack_of(a.centre, Vec3::Constant(a.radius)) +
                      slack_of(b.centre, Vec3::Constant(b.radius))};
}

/// The first one along the direction, if it has one.
Mat3 axes_along(const Vec3& direction) {
  if (!(direction.squaredNorm() > 0)) return Mat3::Identity();
  int least = 0;
  direction.cwiseAbs().minCoeff(&least);
  Mat3 axes = Mat3::Zero();
  axes.col(0) = direction.normalized();
  axes(least, 1) = 1;
  return orthonormal(axes);
}

}  // namespace

Mixed as_kind(const Mixed& v, Kind kind) {
  if (v.kind == kind) return v;
  switch (kind) {
    case Kind::sphere:
      return sphere_around(v);
    case Kind::aabb:
      return aabb_around(v);
    case Kind::obb:
      return obb_around(v);
  }
  return v;
}

Mixed enlarged(const Mixed& v, double by) {
  Mixed out = v;
  const double more = by * (1 + 4 * math::kUnitRoundoff) + slack_of(Vec3::Zero(), v.box.half);
  if (v.kind == Kind::sphere)
    out.box.half.x() += more;
  else
    out.box.half.array() += more;
  return out;
}

Mixed around_both(const Mixed& v, const PoseMatrix& start, const PoseMatrix& end, Kind kind) {
  // A moved box is oriented, whatever it was; a sphere stays one.
  const auto at = [&v](const PoseMatrix& pose) -> Mixed {
    if (v.kind == Kind::sphere) return moved(Sphere{v.box.centre, v.box.half.x()}, pose);
    return moved(v.box, pose);
  };
  Mixed a = at(start);
  const Mixed b = at(end);
  switch (kind) {
    case Kind::sphere:
      return around(sphere_around(a), sphere_around(b));
    case Kind::aabb:
      return merged(aabb_around(a), aabb_around(b));
    case Kind::obb: {
      const bool sphere = v.kind == Kind::sphere;
      const Mat3 axes = sphere ? axes_along(b.box.centre - a.box.centre) : b.box.axes;
      const auto box = [&](const Mixed& m) {
        return sphere ? Obb{m.box.centre, axes, Vec3::Constant(m.box.half.x())} : m.box;
      };
      return around(box(a), box(b), axes);
    }
  }
  return a;
}

double motion_length(const Mixed& v, const Pose& motion) {
  const Sphere ball = sphere_around(v);
  const Pose::AxisAngle turn = motion.axis_angle();
  const double farthest = turn.axis.cross(ball.centre).norm() + ball.radius;
  return 2 * std::sin(0.5 * turn.angle) * farthest + motion.translation().norm();
}

}  // namespace touche::bounds
