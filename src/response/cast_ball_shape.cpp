// SPDX-License-Identifier: Apache-2.0
// Casts a ball at a convex shape as at a triangle, except that the plane that separates the centre
// from the shape comes from GJK, with a bound that holds in floating point.
#include <algorithm>

#include "math/coordinates.h"
#include "math/rounding.h"
#include "response/ball_meets.h"
#include "response/cast_ball.h"
#include "shape/point_gap.h"

namespace touche::response {

namespace {

constexpr double kLargestBall = 1e90;

double size_of_cast(const Shape& shape, const Pose& pose, const Segment& way) {
  return shape::size_of(shape) + way.start.norm() + way.end.norm() + pose.translation().norm();
}

double raised(const Shape& shape, const Pose& pose, const Segment& way, double tolerance) {
  return std::max(tolerance, shape::kPointGapError * size_of_cast(shape, pose, way));
}

/// The centre's path in the shape's frame.
struct WayByShape {
  const Shape& shape;
  Vec3 start, end;
  double rounding;  // of heights over a plane

  BallTangent tangent(double t) const {
    const Vec3 x = start + t * (end - start);
    const shape::PointGap near = shape::point_gap(shape, x);
    const double gap = near.lower - rounding;
    const bool apart = near.lower > 0;
    return {near.offset, near.distance, gap, apart ? gap + near.normal.dot(end - x) : gap};
  }
};

}  // namespace

Vec3 in_range(const Vec3& x) {
  if (!math::all_within(x, kLargestBall))
    throw InvalidInput("ball: a coordinate is not finite or larger than 1e90");
  return x;
}

void check_ball(double radius, double tolerance) {
  if (!(radius >= 0) || !(radius <= kLargestBall))
    throw InvalidInput("ball: the radius must be a length >= 0");
  if (!(tolerance > 0) || !(tolerance <= kLargestBall))
    throw InvalidInput("ball: the tolerance must be a length > 0");
}

double raised_tolerance(const Shape& shape, const Pose& pose, const Segment& way,
                        double tolerance) {
  return shape.is_convex() ? raised(shape, pose, way, tolerance)
                           : raised_tolerance(shape.object(), pose, way, tolerance);
}

}  // namespace touche::response

namespace touche {

std::optional<BallHit> cast_ball(const Shape& shape, const Pose& pose, const Segment& way,
                                 double radius, double tolerance) {
  if (!shape.is_convex()) {
    if (shape.radius() > 0)
      throw InvalidInput("ball: a rounded soup; give its object, and a larger radius");
    return cast_ball(shape.object(), pose, way, radius, tolerance);
  }
  const response::WayByShape by_shape{
      shape, response::in_range(pose.inverse() * way.start),
      response::in_range(pose.inverse() * way.end),
      64 * math::kUnitRoundoff * response::size_of_cast(shape, pose, way)};
  response::check_ball(radius, tolerance);
  const auto tangent_at = [&](double t) { return by_shape.tangent(t); };
  const auto met =
      response::BallMeets(tangent_at, radius, response::raised(shape, pose, way, tolerance))
          .before(kInfinity);
  if (!met) return std::nullopt;
  const Vec3 apart = pose.rotate(met->offset);
  const Vec3 centre = way.start + met->t * (way.end - way.start);
  return BallHit{kNone, met->t, centre - apart, math::unit_or_zero(apart), apart.norm()};
}

}  // namespace touche
