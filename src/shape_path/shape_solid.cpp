// SPDX-License-Identifier: Apache-2.0
#include "shape_path/shape_solid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "convex/depth.h"
#include "convex/gjk.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "query/relative.h"
#include "shape/shape_data.h"

namespace touche {

Interior::Interior(const Shape& shape) {
  if (shape.is_convex()) {
    solid_ = std::make_shared<const shape_path::ShapeSolid>(shape);
    return;
  }
  if (shape.radius() > 0)
    throw InvalidInput(
        "interior: a rounded soup has no faces that enclose its inside; use its object");
  *this = Interior(shape.object());
}

}  // namespace touche

namespace touche::shape_path {
namespace {

/// More than enough to resolve any thickness that is measured.
constexpr double kDepthError = 1e-12;

const Shape& a_point() {
  static const Shape& point = *new Shape(Shape::sphere(0));  // for threads that outlive main
  return point;
}

void require_point(const Vec3& x) {
  if (!(x.cwiseAbs().maxCoeff() <= 1e90))
    throw InvalidInput("interior: a point has a coordinate that is not a number up to 1e90");
}

bool is_half_space(const Shape& shape) { return shape.kind() == ShapeKind::half_space; }

/// How far a bounded shape reaches along a direction of about unit length; rounded upwards.
double farthest_along(const convex::Body& body, const Vec3& n) {
  const double most = n.dot(convex::supporting(body, n).point);
  return most + body.radius + 2 * convex::supporting_error(body) +
         16 * math::kUnitRoundoff * (body.reach + body.radius);
}

/// Whether the shape is the hull of finitely many balls of equal radius.
bool has_corners(const Shape& shape) { return shape::body_of(shape).round.empty(); }

}  // namespace

// Outside, the plane is perpendicular to the shortest connection; inside, to the shortest shift by
// which the point leaves the shape.
Interior::Solid::Side ShapeSolid::side(const Vec3& x) const {
  require_point(x);
  Side side;
  if (is_half_space(shape_)) {
    const shape::HalfSpace& h = base::data_of(shape_).half_space;
    const double height = h.normal.dot(x) - h.offset;
    const double error = 16 * math::kUnitRoundoff * (x.lpNorm<1>() + std::abs(h.offset));
    side.distance = {height - error, height + error};
    side.normal = h.normal;
    side.farthest = h.offset;
    return side;
  }
  constexpr std::array<double, convex::kBlock> kZeros = {};
  convex::Body point;
  point.x = point.y = point.z = kZeros.data();
  point.corners = 1, point.padded = convex::kBlock;
  convex::RigidTransform place;
  place.translation = x;
  const convex::Body& body = shape::body_of(shape_);
  const convex::Pair pair{body, point, place, convex::placed_error(point, place)};
  const convex::Separation apart = convex::separation(pair);
  if (apart.lower > 0) {
    side.distance = {apart.lower, apart.upper};
    side.normal = apart.direction;
  } else {
    const convex::Penetration deep = convex::penetration(pair, {kDepthError, 0});
    side.distance.upper = deep.lower > 0 ? std::min(-deep.lower, apart.upper) : apart.upper;
    side.distance.lower = std::min(-deep.upper, side.distance.upper);
    side.normal = deep.direction;
  }
  side.farthest = farthest_along(body, side.normal);
  return side;
}

bool ShapeSolid::contains(const Vec3& x) const {
  require_point(x);
  const IntersectsResult found = intersects(a_point(), Pose::from_translation(x), shape_, {});
  return found.intersects || !found.complete;
}

Witnesses witnesses_of(const Shape& shape) {
  Witnesses witnesses;
  const auto corners = shape.corners();
  if (has_corners(shape) && shape.radius() == 0) {
    witnesses.points.assign(corners.begin(), corners.end());
    witnesses.decide_all = true;
    return witnesses;
  }
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0})
      witnesses.points.push_back(shape.support(sign * Vec3::Unit(k)));
  return witnesses;
}

// A connected body that meets no face of a closed object lies on one side of its surface as a
// whole, so one point decides. Points that are nearer to faces than rounding decide nothing.
std::optional<bool> lies_in_object(const Shape& shape, const Pose& pose, const Interior& object,
                                   const Pose& pose_object) {
  const Interior::Data& data = base::data_of(object);
  const query::RelativePose to_object(pose_object, pose);
  const double error = paths::moving_error(shape.bounds(), to_object.translation) +
                       paths::moving_error(object.object().bounds(), Vec3::Zero());
  Witnesses witnesses = witnesses_of(shape);
  if (data.ends_at_faces())
    witnesses.points.insert(witnesses.points.begin(), shape::body_of(shape).centre);
  bool all = true;
  for (const Vec3& point : witnesses.points) {
    const Vec3 x = to_object * point;
    if (!(data.faces.nearest(x, 0).distance > error)) {
      all = false;
      continue;
    }
    const bool inside = data.contains(x);
    if (!inside || data.ends_at_faces()) return inside;
  }
  return all && witnesses.decide_all ? std::optional(true) : std::nullopt;
}

std::optional<bool> ShapeSolid::is_in_object(const Pose& pose, const Interior& other,
                                             const Pose& pose_other, const Budget& budget) const {
  const IntersectsResult meet =
      intersects(shape_, pose, Shape::soup(other.object()), pose_other, budget);
  if (meet.intersects || is_half_space(shape_)) return false;
  if (!meet.complete) return std::nullopt;
  return lies_in_object(shape_, pose, other, pose_other);
}

// A shape lies inside a convex one if the points do whose hull contains it. For shapes with corners
// these are the corners, with balls around them; for others the corners of a mesh around the shape,
// so nothing is decided where the other surface passes between the mesh and the shape.
std::optional<bool> ShapeSolid::is_in_solid(const Pose& pose, const Interior::Solid& other,
                                            const Pose& pose_other, const Budget& budget) const {
  const query::RelativePose to_other(pose_other, pose);
  const bool other_is_bounded = std::isfinite(other.bounds().diagonal());
  if (is_half_space(shape_)) {
    if (other_is_bounded) return false;
    const Vec3 normal = to_other.rotation * base::data_of(shape_).half_space.normal;
    if (normal.dot(other.side(Vec3::Zero()).normal) < math::kRoundFarDown) return false;
    return std::nullopt;
  }
  const double error = paths::moving_error(shape_.bounds(), to_other.translation);
  std::uint64_t points = 0;
  bool stopped = false;
  const auto distance_of = [&](const Vec3& x) {
    if (points++ >= budget.max_work || budget.expired()) stopped = true;
    return stopped ? Bracket{-kInfinity, kInfinity} : other.side(to_other * x).distance;
  };
  if (has_corners(shape_)) {
    const convex::Body& body = shape::body_of(shape_);
    bool all = true;
    for (std::size_t i = 0; i < body.corners; ++i) {
      const Bracket at = distance_of(body.corner(i));
      if (at.lower + body.radius > error) return false;
      all = all && at.upper + body.radius < -error;
    }
    return all ? std::optional(true) : std::nullopt;
  }
  if (!other_is_bounded) {
    const Vec3 normal = to_other.rotation.transpose() * other.side(Vec3::Zero()).normal;
    const Bracket at = distance_of(shape_.support(normal));
    if (at.lower > error) return false;
    return at.upper < -error ? std::optional(true) : std::nullopt;
  }
  const PolygonSoup around = enclosing_mesh(shape_, default_mesh_error(shape_));
  const Vec3 middle = shape_.bounds().centre();
  bool all = true;
  for (const Vec3& corner : around.vertices()) {
    if (stopped) return std::nullopt;
    if (distance_of(corner).upper < -error) continue;
    all = false;
    const Vec3 outwards = math::unit_or_zero(corner - middle);
    if (!outwards.isZero(0) && distance_of(shape_.support(outwards)).lower > error) return false;
  }
  return all ? std::optional(true) : std::nullopt;
}

std::optional<bool> ShapeSolid::is_inside(const Pose& pose, const Interior& other,
                                          const Pose& pose_other, const Budget& budget) const {
  if (const Interior::Solid* solid = paths::solid_of(other))
    return is_in_solid(pose, *solid, pose_other, budget);
  return is_in_object(pose, other, pose_other, budget);
}

std::vector<Vec3> ShapeSolid::points_in_overlap(const Pose& pose, const Object& object,
                                                const Pose& pose_object) const {
  constexpr std::size_t kMostPoints = 24;
  const Pose to_object = pose_object.inverse();
  std::vector<Vec3> points;
  if (!is_half_space(shape_)) points.push_back(to_object * (pose * shape::body_of(shape_).centre));
  const ShapeContactsResult found = contacts(shape_, pose, Shape::soup(object), pose_object);
  const std::size_t stride = 1 + found.contacts.size() / kMostPoints;
  for (std::size_t i = 0; i < found.contacts.size(); i += stride) {
    const ShapeContact& contact = found.contacts[i];
    points.push_back(to_object * (0.5 * contact.point_a + 0.5 * contact.point_b));
  }
  return points;
}

}  // namespace touche::shape_path
