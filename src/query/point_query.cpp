// SPDX-License-Identifier: Apache-2.0
#include "touche/point_query.h"
#include "touche/reference.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bvh/object_data.h"
#include "geometry/box_triangle.h"
#include "geometry/point_triangle.h"
#include "geometry/segment_triangle.h"
#include "math/rounding.h"
#include "query/nearest_point.h"
#include "query/relative.h"
#include "query/visit_triangles.h"

namespace touche {
namespace {

constexpr double kLargest = 1e90, kSmallest = 1e-90;  // limits of coordinates for exact predicates

Vec3 in_range(Vec3 x) {
  for (double& c : x) {
    if (!(std::abs(c) <= kLargest))
      throw InvalidInput("point query: a coordinate is not finite or larger than 1e90");
    if (std::abs(c) < kSmallest) c = 0;
  }
  return x;
}

void require_length(double max_distance) {
  if (!(max_distance >= 0)) throw InvalidInput("point query: max_distance must be a length >= 0");
}

/// Converts world coordinates into the object's frame and clamps them to the range of exact
/// predicates.
Vec3 to_object(const Pose& pose, const Vec3& x) { return in_range(pose.inverse() * x); }

/// A segment in the object's frame, with the world segment that it represents.
struct PosedSegment {
  Vec3 p, q;               // object's frame
  Vec3 origin, direction;  // world
  double reach = 1;        // t of the world segment at q

  PosedSegment(const Pose& pose, const Segment& s)
      : p(to_object(pose, s.start)),
        q(to_object(pose, s.end)),
        origin(s.start),
        direction(s.end - s.start) {}

  PosedSegment(const Object& object, const Pose& pose, const Ray& ray)
      : p(to_object(pose, ray.origin)), origin(ray.origin), direction(ray.direction) {
    const double length = direction.stableNorm();
    if (!(length > 0 && length < kInfinity))
      throw InvalidInput("ray: the direction must be finite and not 0");
    const Aabb& box = object.bounds();
    reach = 1.01 * ((p - box.centre()).norm() + box.diagonal()) / length;
    q = to_object(pose, origin + reach * direction);
  }

  RayHit hit(const Object& object, Index triangle, const geometry::SegmentHit& at) const {
    const double t = at.t * reach;
    return {object.soup().face_of_triangle(triangle), t, origin + t * direction, at.side};
  }
};

bool before(const RayHit& a, const RayHit& b) {
  return std::tie(a.t, a.face, a.side) < std::tie(b.t, b.face, b.side);
}

/// The part of a segment that may lie within the object's bounding ball: t from begin to begin +
/// length, in local coordinates. It is used only for bounds in single precision.
struct Clipped {
  query::LocalSegment local;
  double begin = 0, length = 1;
  bool misses = false;

  Clipped(const bvh::Bvh& bvh, const PosedSegment& s) {
    const Vec3 a = (s.p - bvh.centre()) * bvh.scale(), b = (s.q - bvh.centre()) * bvh.scale();
    const Vec3 way = b - a;
    const double size = std::max({a.norm(), b.norm(), bvh.normalization().largest_number});
    if (!(size < 1e100)) {  // squares could overflow: no bounds
      local.error = kInfinity;
      return;
    }
    local.error = 64 * math::kUnitRoundoff * size;
    // Keep the part whose distance from the centre is below 2: the object lies within 1.
    const double way2 = way.squaredNorm();
    if (size > 2 && way2 > 0) {
      const double closest = std::clamp(-a.dot(way) / way2, 0.0, 1.0);
      const double distance = (a + closest * way).norm(), slack = 2 * local.error;
      misses = distance > 2 + slack;
      const double reach = (2 + slack + 1) / std::sqrt(way2);
      begin = std::clamp(closest - reach, 0.0, 1.0);
      length = std::clamp(closest + reach, 0.0, 1.0) - begin;
    }
    local.start = a + begin * way;
    local.end = a + (begin + length) * way;
  }

  /// An upper bound of the parameter of t within the clipped segment.
  float at_most(double t) const {
    if (!(length > 0)) return 1;
    return static_cast<float>(std::clamp((t - begin) / length + 1e-6, 0.0, 1.0)) * (1 + 1e-6f);
  }
};

std::optional<RayHit> first_hit(const Object& object, const PosedSegment& s) {
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  const Clipped clipped(bvh, s);
  std::optional<RayHit> first;
  if (clipped.misses) return first;
  double t = 1;
  query::visit_triangles(
      bvh, [&](const bvh::NodeView& node) { return clipped.local.entries(node); },
      [&] { return clipped.at_most(t); },
      [&](Index triangle) {
        const auto at =
            geometry::first_common_point(s.p, s.q, query::triangle_of(object.soup(), triangle));
        if (!at) return;
        const RayHit hit = s.hit(object, triangle, *at);
        if (first && !before(hit, *first)) return;
        first = hit;
        t = at->t;
      });
  return first;
}

/// Keeps the first hit of each face.
std::vector<RayHit> once_each(std::vector<RayHit> hits) {
  std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
    return std::tie(a.face, a.t, a.side) < std::tie(b.face, b.t, b.side);
  });
  const auto same = [](const RayHit& a, const RayHit& b) { return a.face == b.face; };
  hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
  std::sort(hits.begin(), hits.end(), before);
  return hits;
}

std::vector<RayHit> all_hits(const Object& object, const PosedSegment& s) {
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  const Clipped clipped(bvh, s);
  std::vector<RayHit> hits;
  if (clipped.misses) return hits;
  query::visit_triangles(
      bvh, [&](const bvh::NodeView& node) { return clipped.local.entries(node); },
      [] { return 1.5f; },
      [&](Index triangle) {
        if (const auto at =
                geometry::first_common_point(s.p, s.q, query::triangle_of(object.soup(), triangle)))
          hits.push_back(s.hit(object, triangle, *at));
      });
  return once_each(std::move(hits));
}

std::vector<Index> sorted_once(std::vector<Index> faces) {
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  return faces;
}

/// Decides whether a triangle meets a box.
struct BoxTest {
  const Object& object;
  query::RelativePose to_world;
  Aabb box;

  BoxTest(const Object& o, const Pose& pose, const Aabb& b)
      : object(o), to_world(Pose(), pose), box(b) {
    if (!box.empty()) box = {in_range(box.lo), in_range(box.hi)};
  }
  bool operator()(Index triangle) const {
    return !box.empty() &&
           geometry::box_meets_triangle(box, query::triangle_of(object.soup(), triangle, to_world));
  }
};

struct BallTest {
  const Object& object;
  Vec3 centre;
  double radius;

  BallTest(const Object& o, const Pose& pose, const Ball& ball)
      : object(o), centre(to_object(pose, ball.centre)), radius(ball.radius) {
    if (std::isnan(radius)) throw InvalidInput("faces in a ball: the radius is not a number");
  }
  bool operator()(Index triangle) const {
    return geometry::nearest_offset(centre, query::triangle_of(object.soup(), triangle)).norm() <=
           radius;
  }
};

}  // namespace

ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec3& x,
                           double max_distance) {
  require_length(max_distance);
  ClosestPoint closest = tree::closest_triangle(object, to_object(pose, x), max_distance);
  if (!(closest.distance <= max_distance)) return {};
  closest.face = object.soup().face_of_triangle(closest.face);
  closest.point = pose * closest.point;
  return closest;
}

std::optional<RayHit> cast_segment(const Object& object, const Pose& pose, const Segment& segment) {
  return first_hit(object, PosedSegment(pose, segment));
}

std::optional<RayHit> cast_ray(const Object& object, const Pose& pose, const Ray& ray) {
  return first_hit(object, PosedSegment(object, pose, ray));
}

std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                     const Segment& segment) {
  return all_hits(object, PosedSegment(pose, segment));
}

std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose, const Ray& ray) {
  return all_hits(object, PosedSegment(object, pose, ray));
}

std::vector<Index> faces_in_box(const Object& object, const Pose& pose, const Aabb& box) {
  const BoxTest test(object, pose, box);
  std::vector<Index> faces;
  if (box.empty()) return faces;
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  const Mat3 to_local = bvh.scale() * pose.matrix().transpose();
  const Vec3 half = 0.5 * (box.hi - box.lo);
  query::LocalBox local;
  local.centre = (pose.inverse() * (0.5 * box.lo + 0.5 * box.hi) - bvh.centre()) * bvh.scale();
  local.half = to_local * half.asDiagonal();
  const double size = object.bounds().lo.norm() + object.bounds().hi.norm() + box.lo.norm() +
                      box.hi.norm() + pose.translation().norm();
  local.error = math::kMovedPointError * size * bvh.scale();
  query::visit_triangles(
      bvh, [&](const bvh::NodeView& node) { return local.misses(node); }, [] { return 1.0f; },
      [&](Index triangle) {
        if (test(triangle)) faces.push_back(object.soup().face_of_triangle(triangle));
      });
  return sorted_once(std::move(faces));
}

std::vector<Index> faces_in_ball(const Object& object, const Pose& pose, const Ball& ball) {
  const BallTest test(object, pose, ball);
  std::vector<Index> faces;
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  const Vec3 local = (test.centre - bvh.centre()) * bvh.scale();
  const auto limit = static_cast<float>(std::min(test.radius * bvh.scale() * (1 + 1e-6), 1e30));
  query::visit_triangles(
      bvh, [&](const bvh::NodeView& node) { return query::child_distances(node, local); },
      [&] { return limit; },
      [&](Index triangle) {
        if (test(triangle)) faces.push_back(object.soup().face_of_triangle(triangle));
      });
  return sorted_once(std::move(faces));
}

// ---- reference implementations ------------------------------------------------------------------

namespace brute_force {
namespace {

template <class Test>
std::vector<Index> faces_that(const Object& object, const Test& test) {
  std::vector<Index> faces;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    if (test(t)) faces.push_back(object.soup().face_of_triangle(t));
  return sorted_once(std::move(faces));
}

}  // namespace

ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec3& x,
                           double max_distance) {
  require_length(max_distance);
  const Vec3 y = to_object(pose, x);
  ClosestPoint closest;
  for (Index t = 0; t < object.soup().triangle_count(); ++t) {
    const Vec3 offset = geometry::nearest_offset(y, query::triangle_of(object.soup(), t));
    const double distance = offset.norm();
    if (distance <= max_distance && distance < closest.distance)
      closest = {object.soup().face_of_triangle(t), pose * (y - offset), distance};
  }
  return closest;
}

std::optional<RayHit> cast_segment(const Object& object, const Pose& pose, const Segment& segment) {
  const std::vector<RayHit> hits = brute_force::all_segment_hits(object, pose, segment);
  return hits.empty() ? std::nullopt : std::optional(hits.front());
}

std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                     const Segment& segment) {
  const PosedSegment s(pose, segment);
  std::vector<RayHit> hits;
  for (Index t = 0; t < object.soup().triangle_count(); ++t)
    if (const auto at =
            geometry::first_common_point(s.p, s.q, query::triangle_of(object.soup(), t)))
      hits.push_back(s.hit(object, t, *at));
  return once_each(std::move(hits));
}

std::vector<Index> faces_in_box(const Object& object, const Pose& pose, const Aabb& box) {
  return faces_that(object, BoxTest(object, pose, box));
}

std::vector<Index> faces_in_ball(const Object& object, const Pose& pose, const Ball& ball) {
  return faces_that(object, BallTest(object, pose, ball));
}

}  // namespace brute_force
}  // namespace touche
