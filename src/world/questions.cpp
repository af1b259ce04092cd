// SPDX-License-Identifier: Apache-2.0
// Queries of all bodies: by boxes first, then by the bodies themselves.
#include <algorithm>
#include <array>
#include <tuple>

#include "base/budget_part.h"
#include "math/box_corner.h"
#include "math/rounding.h"
#include "query/distance_options.h"
#include "touche/batch.h"
#include "touche/shape.h"
#include "world/check.h"
#include "world/world_data.h"

namespace touche {
namespace {

// The unit normal of a face: the direction of its area vector; zero for a face without area.
Vec3 normal_of(const Object& object, const Pose& pose, Index face) {
  const PolygonSoup& soup = object.soup();
  Vec3 sum = Vec3::Zero();
  const auto corners = soup.face(face);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Vec3& a = soup.vertex(corners[0]);
    sum += (soup.vertex(corners[i]) - a).cross(soup.vertex(corners[i + 1]) - a);
  }
  const double length = sum.norm();
  return length > 0 ? pose.rotate(sum / length) : Vec3::Zero();
}

Shape shape_of(const Aabb& box) {
  std::array<Vec3, 8> corners;
  for (int i = 0; i < 8; ++i) corners[static_cast<std::size_t>(i)] = math::corner_of(box, i);
  return Shape::hull(corners);
}

BodyHit hit_of(const SurfaceHit& hit, NodeId id, int side) {
  return {id, {kNone, hit.t, hit.point, side}, hit.normal};
}

// ---- rays and segments -------------------------------------------------------------------------
// The functions below exist for both, so that the queries are written once.

std::optional<RayHit> first_on(const Object& object, const Pose& pose, const Ray& ray) {
  return cast_ray(object, pose, ray);
}
std::optional<RayHit> first_on(const Object& object, const Pose& pose, const Segment& segment) {
  return cast_segment(object, pose, segment);
}

std::vector<RayHit> all_on(const Object& object, const Pose& pose, const Ray& ray) {
  return all_ray_hits(object, pose, ray);
}
std::vector<RayHit> all_on(const Object& object, const Pose& pose, const Segment& segment) {
  return all_segment_hits(object, pose, segment);
}

Ray ray_along(const Segment& segment) { return {segment.start, segment.end - segment.start}; }

ShapeRayHits part_in(const Shape& shape, const Pose& pose, const Ray& ray) {
  return ray_hits(shape, pose, ray);
}
ShapeRayHits part_in(const Shape& shape, const Pose& pose, const Segment& segment) {
  if (segment.start == segment.end) return {};
  ShapeRayHits hits = ray_hits(shape, pose, ray_along(segment));
  for (std::optional<SurfaceHit>* hit : {&hits.enters, &hits.leaves})
    if (*hit && (*hit)->t > 1) hit->reset();
  return hits;
}

// Calls `visit(number)` for the boxes that a line meets. It returns the length left to search.
template <class Visit>
void visit_along(const BroadPhase& boxes, const Ray& ray, const Visit& visit) {
  boxes.along_ray({ray.origin, ray.direction, kInfinity}, visit);
}
template <class Visit>
void visit_along(const BroadPhase& boxes, const Segment& segment, const Visit& visit) {
  if (segment.start == segment.end) {
    boxes.in_box(world::searchable({segment.start, segment.start}), [&](Index number) {
      (void)visit(number);
      return true;
    });
    return;
  }
  const Ray ray = ray_along(segment);
  boxes.along_ray({ray.origin, ray.direction, 1}, visit);
}

// The first point where a line meets the surface of a body.
template <class Line>
std::optional<BodyHit> first_hit(const World::Data::Body& body, NodeId id, const Line& line) {
  if (!body.shape->is_convex()) {
    const Object& object = body.shape->object();
    const std::optional<RayHit> hit = first_on(object, body.pose, line);
    if (!hit) return {};
    return BodyHit{id, *hit, normal_of(object, body.pose, hit->face)};
  }
  const ShapeRayHits hits = part_in(*body.shape, body.pose, line);
  if (hits.enters) return hit_of(*hits.enters, id, 1);
  if (hits.leaves) return hit_of(*hits.leaves, id, -1);
  return {};
}

template <class Line>
std::optional<BodyHit> first_hit(const World::Data& world, const Line& line, std::uint32_t mask) {
  std::optional<BodyHit> first;
  double length = kInfinity;
  visit_along(*world.boxes, line, [&](Index number) {
    const Index node = world.node_of_box[number];
    const World::Data::Body& body = world.bodies[node];
    if ((body.options.category & mask) == 0) return length;
    const std::optional<BodyHit> hit = first_hit(body, world.graph.id(node), line);
    if (hit &&
        (!first || std::pair(hit->hit.t, hit->body) < std::pair(first->hit.t, first->body))) {
      first = hit;
      length = hit->hit.t;
    }
    return length;
  });
  return first;
}

template <class Line, class Take>
void for_all_hits(const World::Data::Body& body, NodeId id, const Line& line, const Take& take) {
  if (!body.shape->is_convex()) {
    const Object& object = body.shape->object();
    for (const RayHit& hit : all_on(object, body.pose, line))
      take({id, hit, normal_of(object, body.pose, hit.face)});
    return;
  }
  const ShapeRayHits hits = part_in(*body.shape, body.pose, line);
  if (hits.enters) take(hit_of(*hits.enters, id, 1));
  if (hits.leaves) take(hit_of(*hits.leaves, id, -1));
}

template <class Line>
std::vector<BodyHit> all_hits(const World::Data& world, const Line& line, std::uint32_t mask) {
  std::vector<BodyHit> hits;
  visit_along(*world.boxes, line, [&](Index number) {
    const Index node = world.node_of_box[number];
    const World::Data::Body& body = world.bodies[node];
    if ((body.options.category & mask) != 0)
      for_all_hits(body, world.graph.id(node), line,
                   [&](const BodyHit& hit) { hits.push_back(hit); });
    return kInfinity;
  });
  std::sort(hits.begin(), hits.end(), [](const BodyHit& x, const BodyHit& y) {
    return std::tuple(x.hit.t, x.body, x.hit.face, -x.hit.side) <
           std::tuple(y.hit.t, y.body, y.hit.face, -y.hit.side);
  });
  return hits;
}

// A search of two soups compares rounded distances with its limit. One that reaches farther by this
// proves of all that it does not find that it is beyond the limit.
double rounding_of_distance(const Shape& a, const Shape& b, double limit) {
  if (a.is_convex() || b.is_convex()) return 0;
  return 4 * (query::measuring_error(a.object(), b.object()) + geometry::kDistanceError * limit);
}

void require_segment(const Segment& segment) {
  world::require_coordinates(segment.start, "an end of a segment");
  world::require_coordinates(segment.end, "an end of a segment");
}

}  // namespace

std::span<const BoxPair> World::Data::list_pairs() {
  unlisted = scanned = 0;
  return boxes->pairs();
}

// Listing pairs makes searches fast, but takes as long as some hundred searches that scan all
// boxes; so it is done after some scans only.
void World::Data::refresh_for_search() {
  constexpr std::size_t kScans = 64;
  refresh_poses();
  unlisted = std::min<std::size_t>(unlisted + loose.size(), body_count);
  refresh();
  scanned += unlisted;
  if (scanned > kScans * body_count) list_pairs();
}

std::vector<Index> World::Data::in_box(const Aabb& box) const {
  std::vector<Index> found;
  boxes->in_box(world::searchable(box), [&](Index number) {
    found.push_back(node_of_box[number]);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

const Ball& World::Data::ball_of(Index node) {
  if (balls_.size() < bodies.size()) balls_.resize(bodies.size());
  KnownBall& known = balls_[node];
  if (known.became != bodies[node].became)
    known = {bodies[node].became, world::ball_around_body(shape(node))};
  return known.ball;
}

void World::Data::place_balls() {
  placed_balls_.resize(bodies.size());
  for (Index node = 0; node < bodies.size(); ++node) {
    const Body& body = bodies[node];
    Ball& placed = placed_balls_[node] = {Vec3::Zero(), kInfinity};
    if (!body.is_body() || world::is_half_space(*body.shape)) continue;
    const Ball& ball = ball_of(node);
    placed.centre = body.pose * ball.centre;
    placed.radius = ball.radius + math::kFormulaError * (body.pose.translation().norm() +
                                                         ball.centre.norm() + ball.radius);
  }
}

std::vector<std::pair<Index, Index>> World::Data::candidates(double clearance) {
  refresh();
  std::vector<std::pair<Index, Index>> pairs;
  const auto add = [&](Index a, Index b) {
    if (may_pair(a, b)) pairs.push_back(std::minmax(a, b));
  };
  if (clearance == 0) {
    for (const BoxPair& pair : list_pairs()) add(node_of_box[pair.a], node_of_box[pair.b]);
  } else {
    list_pairs();
    place_balls();
    const auto apart = [&](Index a, Index b) {
      const Ball &x = placed_balls_[a], &y = placed_balls_[b];
      const double near = math::kRoundUp * (x.radius + y.radius + 2 * clearance);
      return (x.centre - y.centre).squaredNorm() > near * near;
    };
    // Pairs with a fixed body are found by the body that is not fixed.
    for (Index node = 0; node < bodies.size(); ++node) {
      if (!bodies[node].is_body() || bodies[node].options.fixed) continue;
      const Aabb box = world::world_box(shape(node), bodies[node].pose);
      boxes->in_box(world::grown_within(box, clearance), [&](Index number) {
        const Index other = node_of_box[number];
        if ((node < other || bodies[other].options.fixed) && !apart(node, other)) add(node, other);
        return true;
      });
    }
  }
  pair_sort_(pairs, static_cast<Index>(bodies.size()));
  return pairs;
}

TouchingPairs World::touching_pairs(const BatchOptions& options) {
  const auto pairs = data_->candidates(0);
  const auto answers = batch(
      pairs,
      [&](const std::pair<Index, Index>& pair) {
        const auto &a = data_->bodies[pair.first], &b = data_->bodies[pair.second];
        return intersects(*a.shape, a.pose, *b.shape, b.pose, base::for_part(options.budget));
      },
      options);
  TouchingPairs result;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const IntersectsResult& answer = answers.answers[i];
    const NodeId a = data_->graph.id(pairs[i].first), b = data_->graph.id(pairs[i].second);
    result.stats += answer.stats;
    if (answer.intersects)
      result.pairs.push_back({a, b, answer.face_a, answer.face_b});
    else if (!answer.complete)
      result.undecided.emplace_back(a, b);
  }
  return result;
}

NearPairs World::near_pairs(double max_distance, const BatchOptions& options) {
  world::require_length(max_distance, "max_distance");
  const auto pairs = data_->candidates(max_distance);
  const auto answers = batch(
      pairs,
      [&](const std::pair<Index, Index>& pair) {
        const auto &a = data_->bodies[pair.first], &b = data_->bodies[pair.second];
        const double reach = max_distance + rounding_of_distance(*a.shape, *b.shape, max_distance);
        return distance(*a.shape, a.pose, *b.shape, b.pose,
                        {.max_distance = reach, .budget = base::for_part(options.budget)});
      },
      options);
  NearPairs result;
  result.complete = answers.complete;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const DistanceResult& answer = answers.answers[i];
    result.stats += answer.stats;
    if (answer.distance.lower > max_distance) continue;
    if (answer.closest)
      result.pairs.push_back({data_->graph.id(pairs[i].first), data_->graph.id(pairs[i].second),
                              answer.distance, answer.closest});
    else
      result.complete &= answer.complete;
  }
  return result;
}

std::vector<NodeId> World::touching_body(NodeId id) {
  const Index node = data_->checked_body(id);
  data_->refresh_for_search();
  const Data::Body& body = data_->bodies[node];
  std::vector<NodeId> touching;
  for (const Index other : data_->in_box(world::world_box(*body.shape, body.pose))) {
    if (other == node || !data_->may_pair(node, other)) continue;
    // In the order of `touching_pairs`: for bodies that just touch, rounding depends on it.
    const auto &a = data_->bodies[std::min(node, other)], &b = data_->bodies[std::max(node, other)];
    if (intersects(*a.shape, a.pose, *b.shape, b.pose)) touching.push_back(data_->graph.id(other));
  }
  return touching;
}

std::vector<NodeId> World::touching_box(const Aabb& box) {
  world::require_coordinates(box.lo, "a corner of a box");
  world::require_coordinates(box.hi, "a corner of a box");
  if ((box.lo.array() > box.hi.array()).any())
    throw InvalidInput("world: the lower corner of a box is not below its upper one");
  data_->refresh_for_search();
  std::vector<NodeId> touching;
  std::optional<Shape> solid;  // the box as a shape, once needed
  const auto touches = [&](const Data::Body& body) {
    if (!body.shape->is_convex())
      return !faces_in_box(body.shape->object(), body.pose, box).empty();
    if (!solid) solid = shape_of(box);
    return static_cast<bool>(intersects(*body.shape, body.pose, *solid, {}));
  };
  for (const Index node : data_->in_box(box))
    if (touches(data_->bodies[node])) touching.push_back(data_->graph.id(node));
  return touching;
}

std::vector<NodeId> World::touching_ball(const Ball& ball) {
  world::require_length(ball.radius, "the radius of a ball");
  world::require_coordinates(Vec3::Constant(ball.radius), "the radius of a ball");
  world::require_coordinates(ball.centre, "the centre of a ball");
  data_->refresh_for_search();
  const Vec3 reach = Vec3::Constant(ball.radius);
  std::vector<NodeId> touching;
  std::optional<Shape> solid;  // the ball as a shape, once needed
  const auto touches = [&](const Data::Body& body) {
    if (body.shape->is_convex()) {
      if (!solid) solid = Shape::sphere(ball.radius);
      return static_cast<bool>(
          intersects(*body.shape, body.pose, *solid, Pose::from_translation(ball.centre)));
    }
    const ClosestPoint closest =
        touche::closest_point(*body.shape, body.pose, ball.centre, ball.radius);
    return closest.face != kNone && closest.distance <= ball.radius;
  };
  for (const Index node : data_->in_box({ball.centre - reach, ball.centre + reach}))
    if (touches(data_->bodies[node])) touching.push_back(data_->graph.id(node));
  return touching;
}

std::optional<BodyHit> World::cast_ray(const Ray& ray, std::uint32_t mask) {
  data_->refresh_for_search();
  return first_hit(*data_, ray, mask);
}

std::optional<BodyHit> World::cast_segment(const Segment& segment, std::uint32_t mask) {
  require_segment(segment);
  data_->refresh_for_search();
  return first_hit(*data_, segment, mask);
}

std::vector<BodyHit> World::all_ray_hits(const Ray& ray, std::uint32_t mask) {
  data_->refresh_for_search();
  return all_hits(*data_, ray, mask);
}

std::vector<BodyHit> World::all_segment_hits(const Segment& segment, std::uint32_t mask) {
  require_segment(segment);
  data_->refresh_for_search();
  return all_hits(*data_, segment, mask);
}

ShapeContactsResult World::contacts(NodeId a, NodeId b, MaxDistance max_distance) const {
  const Index node_a = data_->checked_body(a), node_b = data_->checked_body(b);
  return touche::contacts(data_->shape(node_a), data_->graph.pose(node_a), data_->shape(node_b),
                          data_->graph.pose(node_b), max_distance);
}

DepthResult World::depth(NodeId a, NodeId b, const DepthOptions& options) const {
  const Index node_a = data_->checked_body(a), node_b = data_->checked_body(b);
  return touche::depth(data_->shape(node_a), data_->graph.pose(node_a), data_->shape(node_b),
                       data_->graph.pose(node_b), options);
}

}  // namespace touche
