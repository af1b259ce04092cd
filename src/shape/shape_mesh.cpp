// SPDX-License-Identifier: Apache-2.0
// A convex shape is a Minkowski sum of corners, round parts and a ball. Each part is replaced by
// points whose hull lies inside the part (or outside, for enclosing meshes) within the part's share
// of the error. These errors add up in sums. The hull of all sums of points is the mesh.
#include "touche/shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "convex/extreme_points.h"
#include "shape/hull_soup.h"
#include "shape/shape_data.h"

namespace touche {
namespace {

constexpr std::size_t kMostMeshCorners = 20'000;
// Sums of more points than this are reduced to their extreme points before the next part is added.
constexpr std::size_t kFew = 256;

void require_few(double points) {
  if (!(points <= static_cast<double>(kMostMeshCorners)))
    throw InvalidInput(
        "shape mesh: the error is so small that the mesh needs more than 20,000 corners");
}

/// Where the points of round parts lie: on the surface, so that their hull is contained in the
/// part, or outside, so that their hull contains the part.
enum class Fit : std::uint8_t { inscribed, circumscribed };
// For circumscribed points, this share of the error is reserved for rounding, on either side of the
// hull.
constexpr double kSpare = 0.01;

/// The enlarged radius of a round part. A hull of points at the original radius contains only the
/// part scaled by `cosine`; with the enlarged radius it contains all of it, with room for rounding.
double enlarged(double radius, double cosine, double error) {
  return radius > 0 ? radius / cosine + kSpare * error : 0;
}

/// The least number of subdivisions, starting from a first guess, for which the enlargement is
/// within the error.
template <class Cosine>
int enough(double first, double radius, double error, Fit fit, const Cosine& cosine) {
  require_few(first);
  int k = static_cast<int>(first);
  while (fit == Fit::circumscribed && radius * (1 / cosine(k) - 1) > (1 - 2 * kSpare) * error) ++k;
  return k;
}

/// Unit vectors such that one is within the angle `reach` of any direction: the corners of an
/// octahedron whose faces are divided into k² triangles. On a face, which is at the distance 1/√3
/// from the centre, no point is farther than √(2/3) / k from a corner of its triangle: an angle of
/// at most √2 / k. So the hull contains the ball of radius cos(√2 / k).
struct Directions {
  std::vector<Vec3> all;
  double reach = 0;
};
Directions directions(double radius, double error, Fit fit) {
  const auto reach = [](int k) { return std::numbers::sqrt2 / k; };
  // 1 − cos x <= x² / 2.
  const double cuts = std::max(2.0, std::ceil(std::sqrt(radius / error)));
  const int k = enough(cuts, radius, error, fit, [&](int n) { return std::cos(reach(n)); });
  require_few(4. * k * k + 2);
  Directions made;
  made.reach = reach(k);
  for (int x = -k; x <= k; ++x)
    for (int y = -k + std::abs(x); y <= k - std::abs(x); ++y) {
      const int z = k - std::abs(x) - std::abs(y);
      made.all.push_back(Vec3(x, y, z).normalized());
      if (z > 0) made.all.push_back(Vec3(x, y, -z).normalized());
    }
  return made;
}

/// Points of a round part whose hull lies inside it within the error, or outside it, by `fit`.
std::vector<Vec3> points_of(const convex::Round& part, double error, Fit fit) {
  std::vector<Vec3> local;
  if (part.kind == convex::Round::Kind::ellipsoid) {
    const double most = part.size.maxCoeff();
    const Directions unit = directions(most, error, fit);
    Vec3 size = part.size;
    if (fit == Fit::circumscribed)
      for (double& half_axis : size) half_axis = enlarged(half_axis, std::cos(unit.reach), error);
    for (const Vec3& d : unit.all) local.emplace_back(size.cwiseProduct(d));
  } else {
    const bool is_cone = part.kind == convex::Round::Kind::cone;
    const double r = part.size.x(), z = is_cone ? -part.size.z() : 0;
    // The error of a polygon of n corners is r (1 − cos(π / n)).
    const auto cosine = [](int sides) { return std::cos(std::numbers::pi / sides); };
    const double sides = std::max(8.0, std::ceil(std::numbers::pi * std::sqrt(r / (2 * error))));
    const int n = enough(sides, r, error, fit, cosine);
    const double corner = fit == Fit::circumscribed ? enlarged(r, cosine(n), error) : r;
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      local.emplace_back(corner * std::cos(angle), corner * std::sin(angle), z);
    }
    if (is_cone) local.emplace_back(0, 0, part.size.z());
  }
  for (Vec3& p : local) p = part.axes * p + part.centre;
  return local;
}

std::vector<Vec3> sums(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  require_few(static_cast<double>(a.size()) * static_cast<double>(b.size()) / 4);
  std::vector<Vec3> all;
  for (const Vec3& p : a)
    for (const Vec3& q : b) all.emplace_back(p + q);
  return all.size() > kFew ? convex::extreme_points(all) : all;
}

/// Adds the points of a ball. If p + r d is a corner of the sum, p is farthest along some direction
/// u whose nearest direction is d. Let q be farthest along d: then (u - d) · (p - q) >= d · (q -
/// p), and u - d is no longer than the angle between them.
std::vector<Vec3> with_ball(const std::vector<Vec3>& points, double radius, double error, Fit fit) {
  const Directions around = directions(radius, error, fit);
  if (fit == Fit::circumscribed) radius = enlarged(radius, std::cos(around.reach), error);
  std::vector<Vec3> all;
  for (const Vec3& d : around.all) {
    const Vec3& q = *std::ranges::max_element(points, {}, [&](const Vec3& p) { return d.dot(p); });
    for (const Vec3& p : points)
      if (d.dot(q - p) <= around.reach * (q - p).norm()) all.emplace_back(p + radius * d);
    require_few(static_cast<double>(all.size()) / 4);
  }
  return all;
}

std::vector<Vec3> points_of(const Shape::Data& data, double radius, double error, Fit fit) {
  const auto round = std::count_if(data.round.begin(), data.round.end(),
                                   [](const convex::Round& r) { return r.size.maxCoeff() > 0; });
  const double share = error / static_cast<double>(std::max<long>(1, round + (radius > 0 ? 1 : 0)));
  std::vector<Vec3> points = data.corners;
  for (const convex::Round& part : data.round) points = sums(points, points_of(part, share, fit));
  return radius > 0 ? with_ball(points, radius, share, fit) : points;
}

PolygonSoup mesh_of(const Shape::Data& data, double error, Fit fit) {
  const std::vector<Vec3> points = points_of(data, data.radius, error, fit);
  try {
    return shape::hull_soup(points);
  } catch (const InvalidInput&) {  // they lie in one plane: make it thicker, within the error
    return shape::hull_soup(points_of(data, data.radius + error / 2, error / 2, fit));
  }
}

// Limits for the default error; more points take seconds. Sums of several parts are reduced.
constexpr double kUsualPoints = 6'000, kUsualSums = 20'000;

/// The approximate number of points before the ball is added.
double summed_points(const Shape::Data& data, double error) {
  const double share = error / static_cast<double>(data.round.size() + (data.radius > 0 ? 1 : 0));
  auto count = static_cast<double>(data.corners.size());
  for (const convex::Round& part : data.round)
    count *= part.kind == convex::Round::Kind::ellipsoid
                 ? 4 * part.size.maxCoeff() / share + 2
                 : std::numbers::pi * std::sqrt(part.size.x() / (2 * share)) + 1;
  return count;
}

const Shape::Data& data_with_mesh(const Shape& shape) {
  const Shape::Data& data = base::data_of(shape);
  if (data.kind == ShapeKind::half_space || data.kind == ShapeKind::soup)
    throw InvalidInput("shape mesh: there is no mesh of a " + std::string(name(data.kind)));
  return data;
}

void require_length(double error) {
  if (!(error > 0) || !std::isfinite(error))
    throw InvalidInput("shape mesh: the error must be a length > 0");
}

/// Returns the exact surface of a polytope that has volume, else nothing.
std::optional<PolygonSoup> surface_of_polytope(const Shape& shape) {
  if (!shape.is_polytope()) return std::nullopt;
  try {
    return shape::hull_soup(shape.corners());
  } catch (const InvalidInput&) {
    return std::nullopt;  // it is flat
  }
}

/// Lower bound of the error of meshes around a shape.
double least_error(const Shape& shape) {
  const Aabb& box = shape.bounds();
  return 0x1p-32 * box.lo.cwiseAbs().cwiseMax(box.hi.cwiseAbs()).norm();
}

}  // namespace

PolygonSoup shape_mesh(const Shape& shape, double error) {
  require_length(error);
  return mesh_of(data_with_mesh(shape), error, Fit::inscribed);
}

// A sum of sets that contain the summands contains their sum. Corners are exact, and so are the
// ends of a cylinder or a cone; all other round parts have room for rounding, except the ends of
// rotated discs. So a sum without a ball or an ellipsoid is rounded by a small ball as room.
PolygonSoup enclosing_mesh(const Shape& shape, double error) {
  require_length(error);
  const Shape::Data& data = data_with_mesh(shape);
  if (std::optional<PolygonSoup> exact = surface_of_polytope(shape)) return *std::move(exact);
  if (error < least_error(shape))
    throw InvalidInput("shape mesh: the error is not larger than what rounding does to the shape");
  const bool round_all_over =
      data.radius > 0 || std::any_of(data.round.begin(), data.round.end(), [](const auto& part) {
        return part.kind == convex::Round::Kind::ellipsoid;
      });
  if (data.kind == ShapeKind::sum && !round_all_over)
    return mesh_of(base::data_of(shape.rounded(kSpare * error)), (1 - kSpare) * error,
                   Fit::circumscribed);
  return mesh_of(data, error, Fit::circumscribed);
}

double default_mesh_error(const Shape& shape) {
  const Shape::Data& data = data_with_mesh(shape);
  if (surface_of_polytope(shape)) return 0;
  double radius = data.radius;
  for (const convex::Round& part : data.round)
    radius = std::max(
        radius, part.kind == convex::Round::Kind::ellipsoid ? part.size.maxCoeff() : part.size.x());
  // A flat shape that is not round is treated like a round one of its size.
  const double size = radius > 0 ? radius : shape.bounds().diagonal() / 2;
  if (!(size > 0)) throw InvalidInput("shape mesh: a single point has no size");
  double error = std::max(size / 1000, least_error(shape));
  const double most = data.round.size() > 1 ? kUsualSums : kUsualPoints;
  while (summed_points(data, error) > most) error *= 2;
  return error;
}

}  // namespace touche
