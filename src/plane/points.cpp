// SPDX-License-Identifier: Apache-2.0
// A ray of the plane meets an edge where it meets the triangle that stands on it: at height 0 the
// triangle is the edge. For the same reason an edge meets a box or a disc of the plane if and only
// if its triangle meets the flat box in z = 0, or the ball around the disc's centre: at greater
// heights the triangle is part of the edge, seen from above. The reference implementations test
// edges, by signs of areas.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "plane/edge_pair.h"
#include "plane/vec2.h"
#include "touche/plane.h"
#include "touche/plane_volumes.h"
#include "touche/point_query.h"
#include "touche/reference.h"

namespace touche::plane {
namespace {

RayHit hit_in_plane(const touche::RayHit& hit) {
  return {hit.face, hit.t, hit.point.head<2>(), hit.side};
}

std::optional<RayHit> hit_in_plane(const std::optional<touche::RayHit>& hit) {
  return hit ? std::optional(hit_in_plane(*hit)) : std::nullopt;
}

std::vector<RayHit> hits_in_plane(const std::vector<touche::RayHit>& hits) {
  std::vector<RayHit> result;
  result.reserve(hits.size());
  for (const touche::RayHit& hit : hits) result.push_back(hit_in_plane(hit));
  return result;
}

touche::Segment segment_in_space(const Segment& s) { return {in_space(s.start), in_space(s.end)}; }

touche::Ray ray_in_space(const Ray& r) { return {in_space(r.origin), in_space(r.direction)}; }

}  // namespace

std::optional<RayHit> cast_segment(const Object& object, const Pose& pose, const Segment& segment) {
  return hit_in_plane(
      touche::cast_segment(object.in_space(), pose.in_space(), segment_in_space(segment)));
}

std::optional<RayHit> cast_ray(const Object& object, const Pose& pose, const Ray& ray) {
  return hit_in_plane(touche::cast_ray(object.in_space(), pose.in_space(), ray_in_space(ray)));
}

std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                     const Segment& segment) {
  return hits_in_plane(
      touche::all_segment_hits(object.in_space(), pose.in_space(), segment_in_space(segment)));
}

std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose, const Ray& ray) {
  return hits_in_plane(touche::all_ray_hits(object.in_space(), pose.in_space(), ray_in_space(ray)));
}

std::vector<Index> edges_in_box(const Object& object, const Pose& pose, const Box& box) {
  return faces_in_box(object.in_space(), pose.in_space(), {in_space(box.lo), in_space(box.hi)});
}

std::vector<Index> edges_in_disc(const Object& object, const Pose& pose, const Circle& disc) {
  return faces_in_ball(object.in_space(), pose.in_space(), {in_space(disc.centre), disc.radius});
}

// ---- slow, simple reference implementations ----------------------------------------------------

namespace brute_force {
namespace {

Vec2 in_range(Vec2 x) {
  for (double& c : x) {
    if (!(std::abs(c) <= kMostCoordinate))
      throw InvalidInput("point query: a coordinate is not finite or larger than 1e90");
    if (std::abs(c) < 1 / kMostCoordinate) c = 0;
  }
  return x;
}

Vec2 in_frame(const Pose& pose, const Vec2& x) { return in_range(pose.inverse() * x); }

/// Twice the area of e[0], e[1], x, positive where x lies on the left.
double area(const Edge& e, const Vec2& x) {
  return geometry::determinant2d(in_space(e[0]), in_space(e[1]), in_space(x), 2);
}

struct Meeting {
  double t;
  int side;
};

std::optional<Meeting> meeting(const Edge& way, const Edge& edge) {
  if (!edges_intersect(way, edge)) return std::nullopt;
  // The two areas have opposite signs, so there is no cancellation.
  const double at_start = area(edge, way[0]), at_end = area(edge, way[1]);
  if (at_start != 0 || at_end != 0)
    return Meeting{std::abs(at_start) / (std::abs(at_start) + std::abs(at_end)),
                   at_start < 0 || at_end > 0 ? 1 : -1};
  // They are collinear, or the edge is a point: the hit is at the start if that is on the edge,
  // else at the nearer end.
  if (edges_intersect({way[0], way[0]}, edge)) return Meeting{0, 0};
  int k = 0;
  (way[1] - way[0]).cwiseAbs().maxCoeff(&k);
  const double length = way[1][k] - way[0][k];
  return Meeting{std::min((edge[0][k] - way[0][k]) / length, (edge[1][k] - way[0][k]) / length), 0};
}

}  // namespace

std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                     const Segment& segment) {
  const Edge way{in_frame(pose, segment.start), in_frame(pose, segment.end)};
  std::vector<RayHit> hits;
  for (Index e = 0; e < object.outline().edge_count(); ++e)
    if (const auto met = meeting(way, edge_of(object.outline(), e)))
      hits.push_back(
          {e, met->t, segment.start + met->t * (segment.end - segment.start), met->side});
  std::sort(hits.begin(), hits.end(), [](const RayHit& a, const RayHit& b) {
    return std::tie(a.t, a.edge) < std::tie(b.t, b.edge);
  });
  return hits;
}

std::optional<RayHit> cast_segment(const Object& object, const Pose& pose, const Segment& segment) {
  const std::vector<RayHit> hits = brute_force::all_segment_hits(object, pose, segment);
  return hits.empty() ? std::nullopt : std::optional(hits.front());
}

std::vector<Index> edges_in_box(const Object& object, const Pose& pose, const Box& box) {
  std::vector<Index> edges;
  if ((box.lo.array() > box.hi.array()).any()) return edges;
  const Vec2 lo = in_range(box.lo), hi = in_range(box.hi);
  const Vec2 corners[] = {lo, {hi.x(), lo.y()}, hi, {lo.x(), hi.y()}};
  const query::RelativePose to_world(Pose().in_space(), pose.in_space());
  for (Index e = 0; e < object.outline().edge_count(); ++e) {
    const Edge edge = edge_of(object.outline(), e, to_world);
    bool meets = (edge[0].array() >= lo.array()).all() && (edge[0].array() <= hi.array()).all();
    for (std::size_t k = 0; k < 4; ++k)
      meets = meets || edges_intersect(edge, {corners[k], corners[(k + 1) % 4]});
    if (meets) edges.push_back(e);
  }
  return edges;
}

std::vector<Index> edges_in_disc(const Object& object, const Pose& pose, const Circle& disc) {
  if (std::isnan(disc.radius)) throw InvalidInput("edges in a disc: the radius is not a number");
  const Vec2 centre = in_frame(pose, disc.centre);
  std::vector<Index> edges;
  for (Index e = 0; e < object.outline().edge_count(); ++e)
    if (edge_distance(edge_of(object.outline(), e), {centre, centre}).distance <= disc.radius)
      edges.push_back(e);
  return edges;
}

}  // namespace brute_force
}  // namespace touche::plane
