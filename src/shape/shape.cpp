// SPDX-License-Identifier: Apache-2.0
#include "touche/shape.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "convex/extreme_points.h"
#include "math/coordinates.h"
#include "math/rounding.h"
#include "shape/shape_data.h"

namespace touche::shape {

namespace {

constexpr double kLargestSize = math::kLargestCoordinate, kLeastSize = 1e-90;
constexpr std::size_t kMostGenerators = 64, kMostSums = std::size_t{1} << 16;

double checked(double size, const char* what) {
  if (!(size >= 0 && size <= kLargestSize))
    throw InvalidInput(std::string("shape: ") + what + " is " + std::to_string(size) +
                       ", expected a number from 0 to 1e90");
  return size < kLeastSize ? 0 : size;
}

Vec3 checked(const Vec3& point, const std::string& what) {
  if (!math::all_within(point, kLargestSize))
    throw InvalidInput("shape: " + what + " is not finite or larger than 1e90");
  return point.unaryExpr([](double c) { return std::abs(c) < kLeastSize ? 0.0 : c; });
}

void store_corners(Shape::Data& data) {
  const std::size_t count = data.corners.size();
  const std::size_t blocks = (count + convex::kBlock - 1) / convex::kBlock;
  const std::size_t padded = blocks * convex::kBlock;
  data.coordinates.resize(3 * blocks);
  for (std::size_t i = 0; i < padded; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      data.coordinates[k * blocks + i / convex::kBlock].at[i % convex::kBlock] =
          data.corners[std::min(i, count - 1)][static_cast<int>(k)];
  convex::Body& body = data.body;
  body.x = data.coordinates.data()->at.data();
  body.y = body.x + padded;
  body.z = body.y + padded;
  body.corners = count;
  body.padded = padded;
}

/// Sets a ball inside the hull of the corners, around the centre of their box, or else around their
/// mean. If the hull is too thin for a ball, the centre is still a point of the hull, since the
/// intersection test relies on that.
void set_inner_ball(convex::Body& body, const std::vector<Vec3>& corners) {
  body.inner = convex::inner_radius(corners, body.centre);
  if (body.inner > 0) return;
  body.centre.setZero();
  for (const Vec3& p : corners) body.centre += p / static_cast<double>(corners.size());
  body.inner = convex::inner_radius(corners, body.centre);
  if (body.inner > 0) return;
  body.centre = 0.5 * corners.front() + 0.5 * corners.back();
}

/// A convex body: the hull of corners plus round parts plus a ball. `inner`: a ball in the core,
/// around the centre of all of these.
std::shared_ptr<Shape::Data> solid(ShapeKind kind, std::vector<Vec3> corners,
                                   std::vector<convex::Round> round, double radius,
                                   const Ball& inner = {}) {
  auto data = std::make_shared<Shape::Data>();
  data->kind = kind;
  data->radius = checked(radius, "the radius");
  data->corners = std::move(corners);
  data->round = std::move(round);
  store_corners(*data);
  convex::Body& body = data->body;
  body.round = data->round;
  body.radius = data->radius;

  Aabb box;
  double farthest = 0;
  for (const Vec3& p : data->corners) {
    box.include(p);
    farthest = std::max(farthest, p.stableNorm());
  }
  body.centre = box.centre();
  for (const convex::Round& part : data->round)
    farthest += part.centre.stableNorm() + part.size.stableNorm();
  body.reach = math::kRoundUp * farthest;
  if (data->round.empty()) {
    set_inner_ball(body, data->corners);
  } else {
    body.centre = inner.centre;
    body.inner = std::max(0.0, inner.radius * math::kRoundDown - 1e-14 * body.reach);
  }
  if (body.reach + data->radius > 4 * kLargestSize)
    throw InvalidInput("shape: it is larger than 1e90");
  for (int k = 0; k < 3; ++k) {
    const double slack = 2 * convex::supporting_error(body) + 1e-15 * data->radius;
    const double more = data->round.empty() && data->radius == 0 ? 0 : data->radius + slack;
    data->bounds.lo[k] = convex::supporting(body, -Vec3::Unit(k)).point[k] - more;
    data->bounds.hi[k] = convex::supporting(body, Vec3::Unit(k)).point[k] + more;
  }
  return data;
}

std::shared_ptr<const Shape::Data> half_space_data(const Vec3& unit, double offset, double radius) {
  auto data = std::make_shared<Shape::Data>();
  data->kind = ShapeKind::half_space;
  data->radius = radius;
  data->half_space = {unit, offset};
  data->bounds = {Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  return data;
}

/// The data of all soups that are not rounded. The pointer owns nothing, so copies of such shapes
/// count the references of their objects only.
std::shared_ptr<const Shape::Data> plain_soup_data() {
  static const Shape::Data& data = *new Shape::Data(ShapeKind::soup);  // never destroyed
  return {std::shared_ptr<const void>(), &data};
}

std::shared_ptr<const Shape::Data> rounded_soup_data(const Object& object, double radius) {
  auto data = std::make_shared<Shape::Data>(ShapeKind::soup);
  data->radius = radius;
  data->bounds = object.bounds();
  const double more = radius + 1e-15 * (radius + data->bounds.lo.cwiseAbs().maxCoeff() +
                                        data->bounds.hi.cwiseAbs().maxCoeff());
  data->bounds.lo.array() -= more, data->bounds.hi.array() += more;
  return data;
}

std::vector<Vec3> one_corner() { return {Vec3::Zero()}; }

std::vector<Vec3> segment_along_z(double length) {
  if (length == 0) return one_corner();
  return {Vec3(0, 0, -0.5 * length), Vec3(0, 0, 0.5 * length)};
}

void require(bool holds, const char* what) {
  if (!holds) throw InvalidInput(std::string("shape: ") + what);
}

void check(const ShapeParts& parts) {
  constexpr double kMost = 4 * kLargestSize;
  const auto is_small = [](const Vec3& x) { return math::all_within(x, kMost); };
  require(parts.radius >= 0 && parts.radius <= kMost, "the radius is no length");
  require(!parts.corners.empty(), "it has no corners");
  for (const Vec3& p : parts.corners) require(is_small(p), "a corner is not finite");
  require(parts.round.size() <= convex::kMostRound, "it has too many round parts");
  for (const convex::Round& part : parts.round) {
    require(is_small(part.size) && (part.size.array() >= 0).all(), "a round part has no size");
    require(is_small(part.centre), "a round part's centre is not finite");
    require((part.axes * part.axes.transpose() - Mat3::Identity()).norm() < 1e-6,
            "a round part's axes are not rigid");
  }
  require(parts.inner.radius >= 0 && parts.inner.radius <= kMost && is_small(parts.inner.centre),
          "the ball inside is not finite");
}

/// In a sum, a half space moves by the extent of the other body along its normal.
double reach_along(const Shape::Data& data, const Vec3& n) {
  return n.dot(convex::supporting(data.body, n).point) + data.body.radius;
}

}  // namespace

ShapeParts parts_of(const Shape& shape) {
  const Shape::Data& data = base::data_of(shape);
  return {
      data.kind,      data.radius, data.corners, data.round, {data.body.centre, data.body.inner},
      data.half_space};
}

Shape shape_of(const ShapeParts& parts) {
  if (parts.kind == ShapeKind::half_space) {
    const HalfSpace& h = parts.half_space;
    require(std::abs(h.normal.norm() - 1) < 1e-9, "the half space's normal has no unit length");
    require(std::abs(h.offset) <= 4 * kLargestSize, "the half space's offset is not finite");
    require(parts.radius >= 0 && parts.radius <= 4 * kLargestSize, "the radius is no length");
    return DataAccess::make<Shape>(half_space_data(h.normal, h.offset, parts.radius));
  }
  require(parts.kind != ShapeKind::soup, "a soup is an object");
  check(parts);
  const std::shared_ptr<Shape::Data> data =
      solid(parts.kind, parts.corners, parts.round, parts.radius, parts.inner);
  // it has already been rounded down
  if (!parts.round.empty()) data->body.inner = parts.inner.radius;
  return DataAccess::make<Shape>(std::shared_ptr<const Shape::Data>(data));
}

}  // namespace touche::shape

namespace touche {

Shape Shape::sphere(double radius) {
  return Shape(shape::solid(ShapeKind::sphere, shape::one_corner(), {}, radius));
}

Shape Shape::capsule(double radius, double length) {
  return Shape(shape::solid(ShapeKind::capsule,
                            shape::segment_along_z(shape::checked(length, "the length")), {},
                            radius));
}

Shape Shape::box(const Vec3& half_widths) {
  Vec3 h;
  for (int k = 0; k < 3; ++k) h[k] = shape::checked(half_widths[k], "a half width");
  std::vector<Vec3> corners;
  for (const double x : {-h.x(), h.x()})
    for (const double y : {-h.y(), h.y()})
      for (const double z : {-h.z(), h.z()}) corners.emplace_back(x, y, z);
  return Shape(shape::solid(ShapeKind::box, convex::extreme_points(corners), {}, 0));
}

Shape Shape::cylinder(double radius, double height) {
  convex::Round disc;
  disc.size.x() = shape::checked(radius, "the radius");
  return Shape(shape::solid(ShapeKind::cylinder,
                            shape::segment_along_z(shape::checked(height, "the height")), {disc}, 0,
                            {Vec3::Zero(), std::min(disc.size.x(), 0.5 * height)}));
}

Shape Shape::cone(double radius, double height) {
  convex::Round cone;
  cone.kind = convex::Round::Kind::cone;
  cone.size = {shape::checked(radius, "the radius"), 0, 0.5 * shape::checked(height, "the height")};
  const double r = cone.size.x(), h = cone.size.z(), side = std::hypot(r, 2 * h);
  const double to_side = side > 0 ? r * (h / side) : 0;
  return Shape(shape::solid(ShapeKind::cone, shape::one_corner(), {cone}, 0,
                            {Vec3::Zero(), std::min(h, to_side)}));
}

Shape Shape::ellipsoid(const Vec3& half_axes) {
  convex::Round part;
  part.kind = convex::Round::Kind::ellipsoid;
  for (int k = 0; k < 3; ++k) part.size[k] = shape::checked(half_axes[k], "a half axis");
  return Shape(shape::solid(ShapeKind::ellipsoid, shape::one_corner(), {part}, 0,
                            {Vec3::Zero(), part.size.minCoeff()}));
}

Shape Shape::hull(std::span<const Vec3> points) {
  if (points.empty()) throw InvalidInput("shape: a hull of no points");
  std::vector<Vec3> given;
  for (std::size_t i = 0; i < points.size(); ++i)
    given.push_back(shape::checked(points[i], "point " + std::to_string(i)));
  return Shape(shape::solid(ShapeKind::hull, convex::extreme_points(given), {}, 0));
}

Shape Shape::zonotope(const Vec3& centre, std::span<const Vec3> generators) {
  if (generators.size() > shape::kMostGenerators)
    throw InvalidInput("shape: a zonotope of " + std::to_string(generators.size()) +
                       " generators, at most 64 are possible");
  std::vector<Vec3> corners = {shape::checked(centre, "the centre")};
  for (std::size_t i = 0; i < generators.size(); ++i) {
    const Vec3 g = shape::checked(generators[i], "generator " + std::to_string(i));
    if (g.isZero(0)) continue;
    std::vector<Vec3> both;
    for (const Vec3& c : corners) both.push_back(c - g), both.push_back(c + g);
    corners = convex::extreme_points(both);
  }
  return Shape(shape::solid(ShapeKind::zonotope, std::move(corners), {}, 0));
}

Shape Shape::half_space(const Vec3& normal, double offset) {
  const Vec3 unit = math::unit_or_zero(normal);
  const double length = normal.stableNorm();
  if (unit.isZero(0)) throw InvalidInput("shape: the half space's normal has no direction");
  if (!(std::abs(offset / length) <= shape::kLargestSize))
    throw InvalidInput("shape: the half space's offset is not finite or larger than 1e90");
  return Shape(shape::half_space_data(unit, offset / length, 0));
}

Shape::Shape(Object object) : data_(shape::plain_soup_data()), object_(std::move(object)) {}

Shape Shape::rounded(double radius) const {
  const Data& d = *data_;
  const double by = shape::checked(radius, "the radius");
  switch (d.kind) {
    case ShapeKind::half_space:
      return Shape(
          shape::half_space_data(d.half_space.normal, d.half_space.offset + by, d.radius + by));
    case ShapeKind::soup:
      if (d.radius + by == 0) return *this;
      return Shape(shape::rounded_soup_data(*object_, d.radius + by), object_);
    default:
      return Shape(
          shape::solid(d.kind, d.corners, d.round, d.radius + by, {d.body.centre, d.body.inner}));
  }
}

Shape Shape::sum(const Shape& a, const Shape& b, const Pose& pose_b) {
  const Data &da = *a.data_, &db = *b.data_;
  if (da.kind == ShapeKind::soup || db.kind == ShapeKind::soup)
    throw InvalidInput("shape: there are no sums of soups");
  const Mat3 turn = pose_b.matrix();
  const Vec3 t = shape::checked(pose_b.translation(), "the translation");
  if (db.kind == ShapeKind::half_space) {
    const Vec3 n = turn * db.half_space.normal;
    if (da.kind == ShapeKind::half_space)
      throw InvalidInput("shape: there are no sums of two half spaces");
    return half_space(n, db.half_space.offset + n.dot(t) + shape::reach_along(da, n));
  }
  if (da.kind == ShapeKind::half_space) {
    const Vec3& n = da.half_space.normal;
    return half_space(
        n, da.half_space.offset + n.dot(t) + shape::reach_along(db, turn.transpose() * n));
  }
  if (da.corners.size() * db.corners.size() > shape::kMostSums)
    throw InvalidInput("shape: a sum of " + std::to_string(da.corners.size()) + " and " +
                       std::to_string(db.corners.size()) + " corners is too large");
  if (da.round.size() + db.round.size() > convex::kMostRound)
    throw InvalidInput("shape: a sum of more than eight discs, cones and ellipsoids");
  const convex::RigidTransform place(Pose(), pose_b);
  std::vector<Vec3> corners;
  for (const Vec3& p : da.corners)
    for (const Vec3& q : db.corners) corners.emplace_back(p + place * q);
  std::vector<convex::Round> round = da.round;
  for (convex::Round part : db.round) {
    part.axes = turn * part.axes;
    part.centre = turn * part.centre;
    round.push_back(part);
  }
  return Shape(shape::solid(
      ShapeKind::sum, convex::extreme_points(corners), std::move(round), da.radius + db.radius,
      {da.body.centre + place * db.body.centre, da.body.inner + db.body.inner}));
}

ShapeKind Shape::kind() const { return data_->kind; }
double Shape::radius() const { return data_->radius; }
const Aabb& Shape::bounds() const {
  return shape::is_plain_soup(*this) ? object_->bounds() : data_->bounds;
}

bool Shape::is_polytope() const {
  return !data_->corners.empty() && data_->round.empty() && data_->radius == 0;
}

std::span<const Vec3> Shape::corners() const {
  if (!data_->round.empty()) return {};
  return data_->corners;
}

Vec3 Shape::support(const Vec3& direction) const {
  if (data_->corners.empty())
    throw InvalidInput("shape: a " + std::string(name(data_->kind)) + " has no support");
  const Vec3 unit = math::unit_or_zero(direction);
  if (unit.isZero(0)) throw InvalidInput("shape: the direction is not finite or zero");
  return convex::supporting(data_->body, unit).point + data_->radius * unit;
}

const Object& Shape::object() const {
  if (!object_) throw InvalidInput("shape: a " + std::string(name(data_->kind)) + " has no object");
  return *object_;
}

}  // namespace touche
