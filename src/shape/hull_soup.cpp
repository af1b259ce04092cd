// SPDX-License-Identifier: Apache-2.0
#include "shape/hull_soup.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "convex/growing_hull.h"

namespace touche::shape {
namespace {

template <class Measure>
std::size_t farthest(std::span<const Vec3> points, const Measure& measure) {
  return static_cast<std::size_t>(std::ranges::max_element(points, {}, measure) - points.begin());
}

/// Four points that are far from each other. Their tetrahedron has no volume if all points lie in
/// one plane, up to rounding.
std::array<std::size_t, 4> corners_of_tetrahedron(std::span<const Vec3> points) {
  const Vec3& first = points[0];
  const std::size_t p = farthest(points, [&](const Vec3& x) { return (x - first).squaredNorm(); });
  const Vec3& a = points[p];
  const std::size_t q = farthest(points, [&](const Vec3& x) { return (x - a).squaredNorm(); });
  const Vec3 along = (points[q] - a).normalized();
  const std::size_t r = farthest(
      points, [&](const Vec3& x) { return ((x - a) - along.dot(x - a) * along).squaredNorm(); });
  const Vec3 normal = along.cross(points[r] - a);
  const std::size_t s =
      farthest(points, [&](const Vec3& x) { return std::abs(normal.dot(x - a)); });
  return {p, q, r, s};
}

}  // namespace

PolygonSoup hull_soup(std::span<const Vec3> points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, p.cwiseAbs().maxCoeff());
  // A power of two, so that scaling is exact.
  const double unit = size > 0 ? std::ldexp(1, std::ilogb(size)) : 1;
  std::vector<Vec3> scaled;
  for (const Vec3& p : points) scaled.emplace_back(p / unit);

  convex::GrowingHull hull;
  const auto start = corners_of_tetrahedron(scaled);
  if (!hull.start(scaled[start[0]], scaled[start[1]], scaled[start[2]], scaled[start[3]]))
    throw InvalidInput("shape: its points lie in one plane, and enclose no volume");
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    if (std::ranges::find(start, i) != start.end()) continue;
    for (std::uint32_t face = 0; face < hull.faces().size(); ++face)
      if (hull.faces()[face].alive && hull.sees(scaled[i], face)) {
        hull.grow(scaled[i], face);
        break;
      }
  }

  std::vector<double> coordinates;
  std::vector<Index> corners;
  std::vector<Index> number(hull.points().size(), kNone);
  for (const convex::GrowingHull::Face& face : hull.faces()) {
    if (!face.alive) continue;
    for (const std::uint32_t corner : face.corner) {
      if (number[corner] == kNone) {
        number[corner] = static_cast<Index>(coordinates.size() / 3);
        for (const double c : Vec3(unit * hull.points()[corner])) coordinates.push_back(c);
      }
      corners.push_back(number[corner]);
    }
  }
  return PolygonSoup(coordinates, corners);
}

}  // namespace touche::shape
