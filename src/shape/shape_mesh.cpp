// SPDX-License-Identifier: Apache-2.0
// A convex shape is a Minkowski sum: corners, round parts, a ball. Each gets points on its surface
// whose hull leaves its share of the error, and such shares add up in sums; the hull of all sums of
// points is the mesh.
#include "touche/shape_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "convex/extreme_points.h"
#include "shape/hull_soup.h"
#include "shape/shape_data.h"

namespace touche {
namespace {

constexpr std::size_t kMostMeshCorners = 20'000;
// Sums of more points than these are thinned out before the next part is added.
constexpr std::size_t kFew = 256;

void require_few(double points) {
  if (!(points <= static_cast<double>(kMostMeshCorners)))
    throw InvalidInput(
        "shape mesh: the error is so small that more than 20,000 corners are asked for");
}

/// Unit vectors of which one is within the angle `reach` of any direction: an octahedron whose
/// faces are cut into k² triangles. On a face, which is 1/√3 from the middle, no point is farther
/// than √(2/3) / k from a corner of its triangle: an angle of at most √2 / k.
struct Directions {
  std::vector<Vec3> all;
  double reach = 0;
};
Directions directions(double radius, double error) {
  // 1 − cos x <= x² / 2.
  const double cuts = std::max(2.0, std::ceil(std::sqrt(radius / error)));
  require_few(4 * cuts * cuts + 2);
  const int k = static_cast<int>(cuts);
  Directions made;
  made.reach = std::numbers::sqrt2 / k;
  for (int x = -k; x <= k; ++x)
    for (int y = -k + std::abs(x); y <= k - std::abs(x); ++y) {
      const int z = k - std::abs(x) - std::abs(y);
      made.all.push_back(Vec3(x, y, z).normalized());
      if (z > 0) made.all.push_back(Vec3(x, y, -z).normalized());
    }
  return made;
}

/// Points of a round part whose hull leaves at most the error.
std::vector<Vec3> points_of(const convex::Round& part, double error) {
  std::vector<Vec3> local;
  if (part.kind == convex::Round::Kind::ellipsoid) {
    for (const Vec3& d : directions(part.size.maxCoeff(), error).all)
      local.emplace_back(part.size.cwiseProduct(d));
  } else {
    const bool is_cone = part.kind == convex::Round::Kind::cone;
    const double r = part.size.x(), z = is_cone ? -part.size.z() : 0;
    // A polygon of n corners leaves r (1 − cos(π / n)).
    const double sides = std::max(8.0, std::ceil(std::numbers::pi * std::sqrt(r / (2 * error))));
    require_few(sides);
    const int n = static_cast<int>(sides);
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      local.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
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

/// Adds a ball's points. Where p + r d is a corner of the sum, p is farthest along some direction
/// that is nearest to d among all: so along d it is behind by at most the size times that angle.
std::vector<Vec3> with_ball(const std::vector<Vec3>& points, double radius, double error) {
  const Directions around = directions(radius, error);
  Aabb box;
  for (const Vec3& p : points) box.include(p);
  const double slack = box.diagonal() * around.reach;
  std::vector<Vec3> all;
  for (const Vec3& d : around.all) {
    double most = -kInfinity;
    for (const Vec3& p : points) most = std::max(most, d.dot(p));
    for (const Vec3& p : points)
      if (d.dot(p) >= most - slack) all.emplace_back(p + radius * d);
    require_few(static_cast<double>(all.size()) / 4);
  }
  return all;
}

std::vector<Vec3> points_of(const Shape::Data& data, double radius, double error) {
  const auto round = std::count_if(data.round.begin(), data.round.end(),
                                   [](const convex::Round& r) { return r.size.maxCoeff() > 0; });
  const double share = error / static_cast<double>(std::max<long>(1, round + (radius > 0 ? 1 : 0)));
  std::vector<Vec3> points = data.corners;
  for (const convex::Round& part : data.round) points = sums(points, points_of(part, share));
  return radius > 0 ? with_ball(points, radius, share) : points;
}

}  // namespace

PolygonSoup shape_mesh(const Shape& shape, double error) {
  if (!(error > 0) || !std::isfinite(error))
    throw InvalidInput("shape mesh: the error must be a length > 0");
  const Shape::Data& data = data_of(shape);
  if (data.kind == ShapeKind::half_space || data.kind == ShapeKind::soup)
    throw InvalidInput("shape mesh: of a " + std::string(name(data.kind)) + " there is none");
  const std::vector<Vec3> points = points_of(data, data.radius, error);
  try {
    return hull_soup(points);
  } catch (const InvalidInput&) {  // they lie in one plane: within the error, it is thicker
    return hull_soup(points_of(data, data.radius + error / 2, error / 2));
  }
}

}  // namespace touche
