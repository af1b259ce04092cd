// SPDX-License-Identifier: Apache-2.0
// Queries of a convex body a and a half space b. The point of a that is farthest against the half
// space's normal decides.
#include <algorithm>
#include <cmath>

#include "convex/features.h"
#include "geometry/expansion.h"
#include "query/distance_options.h"
#include "shape/pairs.h"
#include "shape/shape_data.h"

namespace touche::shape {
namespace {

/// The body and the plane in the half space's frame.
struct OverPlane {
  const convex::Body& body;
  const HalfSpace& plane;
  convex::RigidTransform place;  // pose of the body
  Vec3 lowest;                   // lowest point of the body's core
  double height;                 // height of the body over the plane, negative below it
  double error;                  // error of the height

  OverPlane(const Placed& a, const Placed& b)
      : body(body_of(a.shape)), plane(base::data_of(b.shape).half_space), place(b.pose, a.pose) {
    const convex::Supporting s = convex::supporting(body, place.turned_back(-plane.normal));
    lowest = place * s.point;
    height = plane.normal.dot(lowest) - plane.offset - body.radius;
    // Counts the rounding of the point, of three products, of a normal whose length is off by 4 u,
    // and of the sum.
    error = convex::placed_error(body, place) +
            16 * math::kUnitRoundoff * (lowest.lpNorm<1>() + std::abs(plane.offset) + body.radius);
  }
  [[nodiscard]] bool exact() const { return body.is_polytope() && body.radius == 0; }
};

/// The sign of n · p - offset.
int side(const Vec3& n, const Vec3& p, double offset) {
  using geometry::exact::product;
  return (product(n.x(), p.x()) + product(n.y(), p.y()) + product(n.z(), p.z()) +
          product(-offset, 1.0))
      .sign();
}

bool any_corner_reaches(const OverPlane& q) {
  for (std::size_t i = 0; i < q.body.corners; ++i) {
    const Vec3 p = q.place * q.body.corner(i);
    if (q.plane.normal.dot(p) - q.plane.offset > 2 * q.error) continue;
    if (side(q.plane.normal, p, q.plane.offset) <= 0) return true;
  }
  return false;
}

}  // namespace

namespace half_space_pair {

IntersectsResult intersects(const Placed& a, const Placed& b, const Budget& /*all are short*/,
                            Workspace* /*none is needed*/) {
  const OverPlane q(a, b);
  IntersectsResult result;
  ++result.stats.primitive_tests;
  result.complete = true;
  if (std::abs(q.height) > q.error) {
    result.intersects = q.height < 0;
  } else if (q.exact()) {
    ++result.stats.exact_tests;
    result.intersects = any_corner_reaches(q);
  } else {
    result.complete = false;
  }
  return result;
}

DistanceResult distance(const Placed& a, const Placed& b, const DistanceOptions& options) {
  query::check(options);
  const OverPlane q(a, b);
  DistanceResult result;
  ++result.stats.primitive_tests;
  result.complete = true;
  result.distance = {std::max(q.height - q.error, 0.0), std::max(q.height + q.error, 0.0)};
  if (result.distance.lower > options.max_distance) {
    result.distance.upper = kInfinity;
    return result;
  }
  if (q.exact() && std::abs(q.height) <= q.error) {
    ++result.stats.exact_tests;
    if (any_corner_reaches(q)) result.distance = {0, 0};
  }
  const Vec3& n = q.plane.normal;
  Contact c;
  c.distance = result.distance.upper;
  c.normal = b.pose.rotate(-n);
  const Vec3 low = q.lowest - q.body.radius * n;
  c.point_a = b.pose * low;
  c.point_b = b.pose * (low - std::max(q.height, 0.0) * n);
  result.closest = c;
  return result;
}

DepthResult depth(const Placed& a, const Placed& b,
                  const DepthOptions& /*the error is rounding's*/) {
  const OverPlane q(a, b);
  DepthResult result;
  ++result.stats.primitive_tests;
  result.complete = true;
  result.depth = {std::max(-q.height - q.error, 0.0), std::max(-q.height + q.error, 0.0)};
  const Vec3& n = q.plane.normal;
  result.direction = b.pose.rotate(-n);
  const Vec3 low = q.lowest - q.body.radius * n;
  result.point_a = b.pose * low;
  result.point_b = b.pose * (low - q.height * n);
  return result;
}

ShapeContactsResult contacts(const Placed& a, const Placed& b, double margin) {
  const OverPlane q(a, b);
  ShapeContactsResult result;
  ++result.stats.primitive_tests;
  if (q.height - q.error > margin) return result;
  const Vec3& n = q.plane.normal;
  result.normal = b.pose.rotate(-n);
  for (const Vec3& p : convex::farthest_part(q.body, q.place.turned_back(-n))) {
    const Vec3 low = q.place * p - q.body.radius * n;
    const double height = n.dot(low) - q.plane.offset;
    result.contacts.push_back(
        {b.pose * low, b.pose * (low - height * n), height, result.normal, kNone, kNone});
  }
  return result;
}

}  // namespace half_space_pair
}  // namespace touche::shape
