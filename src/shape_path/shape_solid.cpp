// SPDX-License-Identifier: Apache-2.0
#include "shape_path/shape_solid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/budget_part.h"
#include "convex/depth.h"
#include "convex/gjk.h"
#include "math/box_corner.h"
#include "math/coordinates.h"
#include "math/rounding.h"
#include "path/face_normal.h"
#include "path/interior.h"
#include "query/relative.h"
#include "shape/shape_data.h"
#include "shape/soup_queries.h"

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

using paths::Holds;

namespace {

/// More than enough to resolve any thickness that is measured.
constexpr double kDepthError = 1e-12;

/// No shape reaches half as far, so rough bounds of the distance do for points beyond.
constexpr double kFarAway = 10 * math::kLargestCoordinate;

/// Limits of a list of contacts of a shape and a soup, which only deep overlaps reach.
constexpr std::size_t kMostContacts = 256;
constexpr std::uint64_t kContactWork = 20'000;

const Shape& a_point() {
  static const Shape& point = *new Shape(Shape::sphere(0));  // for threads that outlive main
  return point;
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

/// Whether the shape is a single point, whatever its kind: then it is where its bounds are.
bool is_one_point(const Shape& shape) { return shape.bounds().lo == shape.bounds().hi; }

/// Finds out where points of a shape are in an object. A point at the surface decides nothing,
/// since poses are rounded.
class PointsInObject {
 public:
  enum class Place : std::uint8_t { inside, outside, at_the_surface, unknown };

  /// The object and the budget must outlive it.
  PointsInObject(const Shape& shape, const Pose& pose, const Interior& object,
                 const Pose& pose_object, const Budget& budget)
      : data_(base::data_of(object)),
        to_object_(pose_object, pose),
        budget_(budget),
        error_(paths::moving_error(shape.bounds(), to_object_.translation) +
               paths::moving_error(object.object().bounds(), Vec3::Zero())) {}

  /// `unknown` if the budget ended; each point counts as one pair.
  Place place_of(const Vec3& point) {
    if (points_++ >= budget_.max_work || budget_.expired()) return Place::unknown;
    const Vec3 x = to_object_ * point;
    if (!(data_.faces.nearest(x, 0).distance > error_ + data_.open_width()))
      return Place::at_the_surface;
    return data_.holds(x) ? Place::inside : Place::outside;
  }

 private:
  const Interior::Data& data_;
  const query::RelativePose to_object_;
  const Budget& budget_;
  const double error_;
  std::uint64_t points_ = 0;
};

using Place = PointsInObject::Place;

}  // namespace

// Outside, the plane is perpendicular to the shortest connection; inside, to the shortest shift by
// which the point leaves the shape.
Interior::Solid::Side ShapeSolid::side(const Vec3& x, double error) const {
  Side side;
  if (is_half_space(shape_)) {
    const shape::HalfSpace& h = base::data_of(shape_).half_space;
    const double height = h.normal.dot(x) - h.offset;
    const double rounding = 16 * math::kUnitRoundoff * (x.lpNorm<1>() + std::abs(h.offset));
    side.distance = {-kInfinity, kInfinity};
    if (std::isfinite(height) && std::isfinite(rounding))
      side.distance = {height - rounding, height + rounding};
    side.normal = h.normal;
    side.farthest = h.offset;
    return side;
  }
  const convex::Body& body = shape::body_of(shape_);
  if (!math::all_within(x, kFarAway)) {
    const double away = x.stableNorm(), reach = body.reach + body.radius;
    side.distance = {-kInfinity, kInfinity};
    if (std::isfinite(away))
      side.distance = {math::kRoundDown * away - math::kRoundUp * reach,
                       math::kRoundUp * (away + reach)};
    if (const Vec3 unit = math::unit_or_zero(x); !unit.isZero(0)) side.normal = unit;
    side.farthest = farthest_along(body, side.normal);
    return side;
  }
  constexpr std::array<double, convex::kBlock> kZeros = {};
  convex::Body point;
  point.x = point.y = point.z = kZeros.data();
  point.corners = 1, point.padded = convex::kBlock;
  convex::RigidTransform place;
  place.translation = x;
  const convex::Pair pair{body, point, place, convex::placed_error(point, place)};
  const convex::Separation apart = convex::separation(pair);
  if (apart.lower > 0) {
    side.distance = {apart.lower, apart.upper};
    side.normal = apart.direction;
  } else {
    const convex::Penetration deep = convex::penetration(pair, {kDepthError, error});
    side.distance.upper = deep.lower > 0 ? std::min(-deep.lower, apart.upper) : apart.upper;
    side.distance.lower = std::min(-deep.upper, side.distance.upper);
    side.normal = deep.direction;
  }
  side.farthest = farthest_along(body, side.normal);
  return side;
}

bool ShapeSolid::contains(const Vec3& x) const {
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
// whole, so one point decides.
Holds lies_in_object(const Shape& shape, const Pose& pose, const Interior& object,
                     const Pose& pose_object, const Budget& budget) {
  const Interior::Data& outer = base::data_of(object);
  const Witnesses witnesses = witnesses_of(shape);
  if (!outer.tells_inside()) {
    const query::RelativePose to_object(pose_object, pose);
    const double error = paths::moving_error(shape.bounds(), to_object.translation);
    const bool reaches_out = std::ranges::any_of(witnesses.points, [&](const Vec3& x) {
      return outer.hull().distance(to_object * x) > error;
    });
    return reaches_out ? Holds::no : Holds::open;
  }
  PointsInObject points(shape, pose, object, pose_object, budget);
  const bool one_decides = outer.ends_at_faces();
  if (one_decides) {
    const Place place = points.place_of(shape::body_of(shape).centre);
    if (place == Place::inside) return Holds::yes;
    if (place == Place::outside) return Holds::no;
  }
  bool all = true;
  for (const Vec3& point : witnesses.points) {
    switch (points.place_of(point)) {
      case Place::unknown:
        return Holds::undecided;
      case Place::outside:
        return Holds::no;
      case Place::inside:
        if (one_decides) return Holds::yes;
        break;
      case Place::at_the_surface:
        all = false;
        break;
    }
  }
  if (all && witnesses.decide_all) return Holds::yes;
  return outer.is_capped() ? Holds::open : Holds::undecided;
}

// Candidates are the points that lies_in_object() tests, the shape's farthest points beyond faces
// that it meets, and, where a face enters the shape, points of the shape on either side of it.
bool ShapeSolid::reaches_out_of(const Pose& pose, const Interior& object, const Pose& pose_object,
                                const Budget& budget) const {
  constexpr std::size_t kMostFaces = 24;
  PointsInObject points(shape_, pose, object, pose_object, budget);
  const auto is_outside = [&](const Vec3& x) { return points.place_of(x) == Place::outside; };
  const Vec3& centre = shape::body_of(shape_).centre;
  if (is_outside(centre)) return true;
  const Witnesses witnesses = witnesses_of(shape_);
  if (std::ranges::any_of(witnesses.points, is_outside)) return true;

  const query::RelativePose to_shape(pose, pose_object), to_object(pose_object, pose);
  const auto is_outside_beside = [&](const Vec3& normal, const auto& candidate) {
    const Vec3 n = math::unit_or_zero(to_shape.rotation * normal);
    return !n.isZero(0) && (is_outside(candidate(n)) || is_outside(candidate(-n)));
  };
  const tree::ObjectFaces& faces = base::data_of(object).faces;
  const ClosestPoint nearest = faces.nearest(to_object * centre, 0);
  const Triangle t = faces.face(nearest.face);
  const Vec3 middle = t[0] / 3 + t[1] / 3 + t[2] / 3;
  // First beside the face, away from its border, where other faces are near.
  for (const double blend : {0.25, 0.0}) {
    const Vec3 x = to_shape * ((1 - blend) * nearest.point + blend * middle);
    const double depth = -side(x, 0).distance.upper;
    if (!(depth > 0)) continue;
    for (const double share : {0.5, 0.05, 0.005})
      if (is_outside_beside((t[1] - t[0]).cross(t[2] - t[0]),
                            [&](const Vec3& n) { return Vec3(x + share * depth * n); }))
        return true;
  }
  ShapeFacesResult met = intersecting_faces(shape_, pose, object.object(), pose_object, budget);
  met.faces.insert(met.faces.end(), met.undecided.begin(), met.undecided.end());
  const std::size_t stride = 1 + met.faces.size() / kMostFaces;
  for (std::size_t i = 0; i < met.faces.size(); i += stride)
    if (is_outside_beside(paths::face_normal(object.object().soup(), met.faces[i]),
                          [&](const Vec3& n) { return shape_.support(n); }))
      return true;
  return false;
}

// A body that meets faces need not reach beyond them: it may touch from inside.
Holds ShapeSolid::is_in_object(const Pose& pose, const Interior& other, const Pose& pose_other,
                               const Budget& budget) const {
  if (is_half_space(shape_)) return Holds::no;
  const IntersectsResult meet =
      intersects(shape_, pose, Shape::soup(other.object()), pose_other, budget);
  const bool apart = !meet.intersects && meet.complete;
  if (apart || !base::data_of(other).tells_inside())
    return lies_in_object(shape_, pose, other, pose_other, budget);
  return reaches_out_of(pose, other, pose_other, budget) ? Holds::no : Holds::undecided;
}

const std::vector<Vec3>& ShapeSolid::corners_around() const {
  std::call_once(meshed_, [&] {
    try {
      const PolygonSoup around = enclosing_mesh(shape_, default_mesh_error(shape_));
      around_.assign(around.vertices().begin(), around.vertices().end());
    } catch (const InvalidInput&) {  // it is too thin for a mesh
    }
  });
  return around_;
}

// A shape lies inside a convex one if the points do whose hull contains it. For shapes with corners
// these are the corners, with balls around them; for others the corners of a box or else a mesh
// around the shape, so nothing is decided where the other surface passes between the mesh and the
// shape.
Holds ShapeSolid::is_in_solid(const Pose& pose, const Interior::Solid& other,
                              const Pose& pose_other, const Budget& budget) const {
  const query::RelativePose to_other(pose_other, pose);
  const bool other_is_bounded = std::isfinite(other.bounds().diagonal());
  if (is_half_space(shape_)) {
    if (other_is_bounded) return Holds::no;
    const Vec3 normal = to_other.rotation * base::data_of(shape_).half_space.normal;
    if (normal.dot(other.side(Vec3::Zero()).normal) < math::kRoundFarDown) return Holds::no;
    return Holds::undecided;
  }
  const double error = paths::moving_error(shape_.bounds(), to_other.translation);
  std::uint64_t points = 0;
  bool stopped = false;
  const auto distance_of = [&](const Vec3& x) {
    if (points++ >= budget.max_work || budget.expired()) stopped = true;
    return stopped ? Bracket{-kInfinity, kInfinity} : other.side(to_other * x).distance;
  };
  if (has_corners(shape_) || is_one_point(shape_)) {
    const convex::Body& body = shape::body_of(shape_);
    const std::size_t corners = has_corners(shape_) ? body.corners : 1;
    bool all = true;
    for (std::size_t i = 0; i < corners && !stopped; ++i) {
      const Bracket at = distance_of(has_corners(shape_) ? body.corner(i) : shape_.bounds().lo);
      if (at.lower + body.radius > error) return Holds::no;
      all = all && at.upper + body.radius < -error;
    }
    return all ? Holds::yes : Holds::undecided;
  }
  if (!other_is_bounded) {
    const Vec3 normal = to_other.rotation.transpose() * other.side(Vec3::Zero()).normal;
    const Bracket at = distance_of(shape_.support(normal));
    if (at.lower > error) return Holds::no;
    return at.upper < -error ? Holds::yes : Holds::undecided;
  }
  for (const Vec3& point : witnesses_of(shape_).points)
    if (distance_of(point).lower > error) return Holds::no;
  bool box_is_inside = true;
  for (int i = 0; i < 8 && box_is_inside; ++i)
    box_is_inside = distance_of(math::corner_of(shape_.bounds(), i)).upper < -error;
  if (box_is_inside) return Holds::yes;
  if (stopped) return Holds::undecided;
  const std::vector<Vec3>& around = corners_around();
  const Vec3 middle = shape_.bounds().centre();
  bool all = !around.empty();
  for (const Vec3& corner : around) {
    if (stopped) return Holds::undecided;
    if (distance_of(corner).upper < -error) continue;
    all = false;
    const Vec3 outwards = math::unit_or_zero(corner - middle);
    if (!outwards.isZero(0) && distance_of(shape_.support(outwards)).lower > error)
      return Holds::no;
  }
  return all ? Holds::yes : Holds::undecided;
}

Holds ShapeSolid::is_inside(const Pose& pose, const Interior& other, const Pose& pose_other,
                            const Budget& budget) const {
  if (const Interior::Solid* solid = paths::solid_of(other))
    return is_in_solid(pose, *solid, pose_other, budget);
  return is_in_object(pose, other, pose_other, budget);
}

ShapeContactsResult some_contacts(const Shape& convex, const Pose& pose, const Shape& soup,
                                  const Pose& pose_soup, const Budget& budget) {
  return shape::some_shape_soup_contacts(
      convex, pose, soup, pose_soup, kMostContacts,
      base::with_work(budget, std::min(budget.max_work, kContactWork)));
}

std::vector<Vec3> ShapeSolid::points_in_overlap(const Pose& pose, const Object& object,
                                                const Pose& pose_object,
                                                const Budget& budget) const {
  constexpr std::size_t kMostPoints = 24;
  const Pose to_object = pose_object.inverse();
  std::vector<Vec3> points;
  if (!is_half_space(shape_)) points.push_back(to_object * (pose * shape::body_of(shape_).centre));
  const ShapeContactsResult found =
      some_contacts(shape_, pose, Shape::soup(object), pose_object, budget);
  const std::size_t stride = 1 + found.contacts.size() / kMostPoints;
  for (std::size_t i = 0; i < found.contacts.size(); i += stride) {
    const ShapeContact& contact = found.contacts[i];
    points.push_back(to_object * (0.5 * contact.point_a + 0.5 * contact.point_b));
  }
  return points;
}

}  // namespace touche::shape_path
