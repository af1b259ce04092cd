// SPDX-License-Identifier: Apache-2.0
// A point is a sphere of radius 0. A ray is a moving point: it enters the shape at its time of
// impact, and leaves it at the time of impact of a point that moves backwards from beyond the
// shape. Soups give the results of their objects.
#include "touche/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/coordinates.h"
#include "math/rounding.h"
#include "shape/shape_ball.h"

namespace touche {
namespace {

const Shape& a_point() {
  static const Shape& point = *new Shape(Shape::sphere(0));  // for threads that outlive main
  return point;
}

void require_point(const Vec3& x) {
  if (!math::all_within(x, math::kLargestCoordinate))
    throw InvalidInput("shape: a point has a coordinate that is not a number up to 1e90");
}

/// Whether the object of a shape answers. Throws InvalidInput for rounded soups.
bool object_answers(const Shape& shape, const char* what) {
  if (shape.is_convex()) return false;
  if (shape::is_plain_soup(shape)) return true;
  throw InvalidInput(std::string("shape: no surface of a rounded soup is computed for ") + what +
                     "; cast a ball at its object");
}

/// The part of a line near the shape.
struct Piece {
  Vec3 origin, along;         // unit length
  double begin = 0, end = 0;  // lengths along it

  Vec3 at(double s) const { return origin + s * along; }
  double place(double t) const { return begin + t * (end - begin); }
  bool forward() const { return begin <= end; }
};

/// The first contact of the moving point with the shape. `began`: they touch from the start.
struct Met {
  bool meets = false, began = false;
  double s = 0;
  Vec3 normal = Vec3::Zero();
};
Met first_on(const Piece& piece, const Shape& shape, const Pose& pose, double tolerance) {
  const auto pose_at = [&](double s) { return Pose::from_translation(piece.at(s)); };
  const Motion way = Motion::interpolated(pose_at(piece.begin), pose_at(piece.end));
  const ToiResult result =
      time_of_impact(a_point(), way, shape, Motion::at(pose), {.tolerance = tolerance});
  Met met;
  if (result.status == ToiStatus::free) return met;
  met.meets = true;
  met.began = result.status == ToiStatus::initially_touching;
  met.s = piece.place(met.began ? 0 : result.time.lower);
  met.normal = result.contact ? Vec3(-result.contact->normal)
                              : Vec3(piece.forward() ? -piece.along : piece.along);
  return met;
}

ShapeRayHits half_space_hits(const shape::HalfSpace& half_space, const Pose& pose, const Ray& ray) {
  const Vec3 n = pose.rotate(half_space.normal);
  const double above = n.dot(ray.origin - pose.translation()) - half_space.offset,
               rate = n.dot(ray.direction);
  ShapeRayHits hits;
  const double t = -above / rate;
  if (!(t >= 0) || !std::isfinite(t)) return hits;
  const SurfaceHit hit{t, ray.origin + t * ray.direction, n};
  if (rate < 0)
    hits.enters = hit;
  else
    hits.leaves = hit;
  return hits;
}

}  // namespace

ClosestPoint closest_point(const Shape& shape, const Pose& pose, const Vec3& x,
                           double max_distance) {
  if (shape::is_plain_soup(shape)) return closest_point(shape.object(), pose, x, max_distance);
  require_point(x);
  if (!(max_distance >= 0)) throw InvalidInput("shape: the largest distance must be a length >= 0");
  const DistanceResult between =
      distance(shape, pose, a_point(), Pose::from_translation(x), {.max_distance = max_distance});
  ClosestPoint closest;
  if (!between.closest || !(between.distance.lower <= max_distance)) return closest;
  closest.face = between.closest->face_a;
  closest.distance = between.distance.upper;
  closest.point = closest.distance > 0 ? between.closest->point_a : x;
  return closest;
}

ShapeRayHits ray_hits(const Shape& shape, const Pose& pose, const Ray& ray) {
  if (!shape.is_convex())
    throw InvalidInput(
        "shape: a soup is a surface, which no ray enters or leaves: see all_ray_hits");
  require_point(ray.origin);
  require_point(ray.direction);
  const Vec3 along = math::unit_or_zero(ray.direction);
  if (along.isZero(0)) throw InvalidInput("shape: a ray has no direction");
  if (shape.kind() == ShapeKind::half_space)
    return half_space_hits(base::data_of(shape).half_space, pose, ray);

  // Clip the ray to a ball around the shape.
  const Ball ball = shape::ball_around(shape);
  const Vec3 centre = pose * ball.centre, to_centre = centre - ray.origin;
  const double size = to_centre.norm() + centre.norm() + ball.radius;
  const double reach = ball.radius * (1 + 0x1p-20) + math::kFormulaError * size;
  const double nearest = along.dot(to_centre);
  if (nearest + reach < 0 || (to_centre - nearest * along).norm() > reach) return {};
  Piece piece{ray.origin, along, std::max(0.0, nearest - reach), nearest + reach};
  // More than the rounding error, so that the search ends quickly.
  const double tolerance =
      std::max(0x1p-38 * (centre.norm() + ball.radius + piece.at(piece.begin).norm()),
               std::numeric_limits<double>::min());
  const Met enters = first_on(piece, shape, pose, tolerance);
  if (!enters.meets) return {};

  const double length = ray.direction.stableNorm();
  const auto hit_at = [&](const Met& met) {
    return SurfaceHit{met.s / length, piece.at(met.s), met.normal};
  };
  ShapeRayHits hits;
  if (!enters.began || piece.begin > 0) hits.enters = hit_at(enters);
  // Search backwards to where it is known to touch. If there is no contact even there, the ray only
  // grazes the shape.
  const Met back = first_on({ray.origin, along, piece.end, enters.s}, shape, pose, tolerance);
  hits.leaves = hit_at(back.meets ? back : enters);
  return hits;
}

namespace {

RayHit hit_of(const SurfaceHit& hit, int side) { return {kNone, hit.t, hit.point, side}; }

/// The ray along a segment, whose t is that of the segment.
Ray ray_along(const Segment& segment) { return {segment.start, segment.end - segment.start}; }

/// The points up to t = `last` at which a ray meets the surface of a convex shape.
std::vector<RayHit> surface_hits(const Shape& shape, const Pose& pose, const Ray& ray,
                                 double last) {
  const ShapeRayHits hits = ray_hits(shape, pose, ray);
  std::vector<RayHit> found;
  if (hits.enters && hits.enters->t <= last) found.push_back(hit_of(*hits.enters, 1));
  if (hits.leaves && hits.leaves->t <= last) found.push_back(hit_of(*hits.leaves, -1));
  return found;
}

std::optional<RayHit> first_of(const std::vector<RayHit>& hits) {
  if (hits.empty()) return {};
  return hits.front();
}

}  // namespace

std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Ray& ray) {
  if (object_answers(shape, "rays")) return cast_ray(shape.object(), pose, ray);
  return first_of(surface_hits(shape, pose, ray, kInfinity));
}

std::vector<RayHit> all_ray_hits(const Shape& shape, const Pose& pose, const Ray& ray) {
  if (object_answers(shape, "rays")) return all_ray_hits(shape.object(), pose, ray);
  return surface_hits(shape, pose, ray, kInfinity);
}

std::optional<RayHit> cast_segment(const Shape& shape, const Pose& pose, const Segment& segment) {
  if (object_answers(shape, "segments")) return cast_segment(shape.object(), pose, segment);
  return first_of(all_segment_hits(shape, pose, segment));
}

std::vector<RayHit> all_segment_hits(const Shape& shape, const Pose& pose, const Segment& segment) {
  if (object_answers(shape, "segments")) return all_segment_hits(shape.object(), pose, segment);
  require_point(segment.start);
  require_point(segment.end);
  if (segment.start == segment.end) return {};
  return surface_hits(shape, pose, ray_along(segment), 1);
}

}  // namespace touche
