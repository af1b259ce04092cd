// SPDX-License-Identifier: Apache-2.0
// For a unit vector n, no point of a triangle is nearer to x than n · x less the greatest n · v of
// its corners v. With n from the nearest point this bound is the distance itself; as x moves on a
// straight line, the bound is a tangent of the distance. It holds however wrong n may be, and all
// proofs use only this bound.
//
// A face is met when the distance falls to the middle of the tolerance, and the ball stops where it
// was at a higher level. So a ball that stopped may slide along the face, and across edges to faces
// that continue in the same plane: these are never nearer than the level at which it stopped. The
// lower half of the tolerance, which is at least a hundred times the rounding error of coordinates,
// is left for rounding.
#include "response/cast_ball.h"

#include <algorithm>
#include <cmath>

#include "bvh/object_data.h"
#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "query/relative.h"
#include "query/visit_triangles.h"
#include "response/ball_meets.h"
#include "touche/reference.h"

namespace touche::response {

namespace {

/// The centre's path in the object's frame.
struct BallWay {
  Vec3 start, end;
  double radius, tolerance;

  BallWay(const Object& object, const Pose& pose, const Segment& way, double r, double given)
      : start(in_range(pose.inverse() * way.start)),
        end(in_range(pose.inverse() * way.end)),
        radius(r),
        tolerance(raised_tolerance(object, pose, way, given)) {
    check_ball(radius, given);
  }

  Vec3 at(double t) const { return start + t * (end - start); }

  /// Where the ball stops at the triangle, if it meets it and stops before `limit`.
  std::optional<BallMet> meets(const Triangle& triangle, double limit) const {
    const auto tangent_at = [&](double t) { return tangent(triangle, t); };
    return BallMeets(tangent_at, radius, tolerance).before(limit);
  }

 private:
  BallTangent tangent(const Triangle& triangle, double t) const {
    const Vec3 x = at(t), offset = geometry::nearest_offset(x, triangle),
               normal = math::unit_or_zero(offset);
    const double high =
        std::max({normal.dot(triangle[0]), normal.dot(triangle[1]), normal.dot(triangle[2])});
    return {offset, offset.norm(), normal.dot(x) - high, normal.dot(end) - high};
  }
};

/// The part of a path that may lie near the object, in local coordinates, for bounds in single
/// precision only: t from begin to begin + length.
struct LocalWay {
  query::LocalSegment local;
  double begin = 0, length = 1;
  bool misses = false;

  LocalWay(const bvh::Bvh& bvh, const BallWay& way) {
    const Vec3 a = (way.start - bvh.centre()) * bvh.scale();
    const Vec3 b = (way.end - bvh.centre()) * bvh.scale();
    const double reach = (way.radius + way.tolerance) * bvh.scale() * (1 + 1e-6);
    const double size = std::max({a.norm(), b.norm(), bvh.normalization().largest_number});
    local.start = a;
    local.end = b;
    local.error = kInfinity;
    if (!(size < 1e100) || !(reach < 1e6)) return;                // numbers too large for bounds
    local.error = 64 * math::kUnitRoundoff * size + 0.5 * reach;  // boxes are widened by twice this
    // Keep the part that is within reach of the unit ball, in which the object lies.
    const Vec3 along = b - a;
    const double along2 = along.squaredNorm();
    if (!(size > 2 + reach && along2 > 0)) return;
    const double closest = std::clamp(-a.dot(along) / along2, 0.0, 1.0);
    const double far = 2 + 2 * local.error;
    misses = (a + closest * along).norm() > far;
    const double half = (far + 1) / std::sqrt(along2);
    begin = std::clamp(closest - half, 0.0, 1.0);
    length = std::clamp(closest + half, 0.0, 1.0) - begin;
    local.start = a + begin * along;
    local.end = a + (begin + length) * along;
  }

  /// An upper bound of the position of t within the part.
  float at_most(double t) const {
    if (!(length > 0)) return 1;
    return static_cast<float>(std::clamp((t - begin) / length + 1e-6, 0.0, 1.0)) * (1 + 1e-6f);
  }
};

/// Keeps the first face that is met.
struct FirstMet {
  const Object& object;
  const BallWay& way;
  double t = kInfinity;
  Vec3 offset = Vec3::Zero();
  Index face = kNone;

  void look(Index triangle) {
    const auto met =
        way.meets(query::triangle_of(object.soup(), triangle), std::nextafter(t, kInfinity));
    const Index its = object.soup().face_of_triangle(triangle);
    if (!met || std::pair(met->t, its) >= std::pair(t, face)) return;
    t = met->t;
    offset = met->offset;
    face = its;
  }
  std::optional<BallHit> hit(const Pose& pose, const Segment& in_world) const {
    if (face == kNone) return std::nullopt;
    const Vec3 apart = pose.rotate(offset);
    const Vec3 centre = in_world.start + t * (in_world.end - in_world.start);
    return BallHit{face, t, centre - apart, math::unit_or_zero(apart), apart.norm()};
  }
};

}  // namespace

double raised_tolerance(const Object& object, const Pose& pose, const Segment& way,
                        double tolerance) {
  const double size = object.bounds().lo.norm() + object.bounds().hi.norm() + way.start.norm() +
                      way.end.norm() + pose.translation().norm();
  return std::max(tolerance, 100 * math::kMovedPointError * size);
}

}  // namespace touche::response

namespace touche {

std::optional<BallHit> cast_ball(const Object& object, const Pose& pose, const Segment& way,
                                 double radius, double tolerance) {
  const response::BallWay in_object(object, pose, way, radius, tolerance);
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  const response::LocalWay local(bvh, in_object);
  response::FirstMet first{object, in_object};
  if (local.misses) return std::nullopt;
  query::visit_triangles(
      bvh, [&](const bvh::NodeView& node) { return local.local.entries(node); },
      [&] { return first.face == kNone ? 1.0f : local.at_most(first.t); },
      [&](Index triangle) { first.look(triangle); });
  return first.hit(pose, way);
}

namespace brute_force {

std::optional<BallHit> cast_ball(const Object& object, const Pose& pose, const Segment& way,
                                 double radius, double tolerance) {
  const response::BallWay in_object(object, pose, way, radius, tolerance);
  response::FirstMet first{object, in_object};
  for (Index t = 0; t < object.soup().triangle_count(); ++t) first.look(t);
  return first.hit(pose, way);
}

}  // namespace brute_force

}  // namespace touche
