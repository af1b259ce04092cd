// SPDX-License-Identifier: Apache-2.0
#include "path/hull_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "math/rounding.h"

namespace touche::paths {
namespace {

// Normals of large faces that are tried, so that the hull of a sheet is as thin as the sheet.
constexpr std::size_t kMostTriedNormals = 8;
constexpr double kSameDirection = 0.999;

Vec3 vector_area(const PolygonSoup& soup, Index t) {
  const auto& corners = soup.triangle(t);
  const Vec3& a = soup.vertex(corners[0]);
  return 0.5 * (soup.vertex(corners[1]) - a).cross(soup.vertex(corners[2]) - a);
}

// The axes, the diagonals of faces and of the interior of a cube, and normals of large faces.
std::vector<Vec3> directions_for(const PolygonSoup& soup, std::span<const Index> triangles,
                                 bool flat) {
  std::vector<Vec3> directions;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = flat ? 0 : -1; z <= (flat ? 0 : 1); ++z)
        if (std::array{x, y, z} > std::array{0, 0, 0})
          directions.push_back(Vec3(x, y, z).normalized());
  std::vector<std::pair<double, Index>> faces;
  faces.reserve(triangles.size());
  for (const Index t : triangles) faces.emplace_back(-vector_area(soup, t).norm(), t);
  const std::size_t largest = std::min<std::size_t>(faces.size(), 16 * kMostTriedNormals);
  std::partial_sort(faces.begin(), faces.begin() + static_cast<std::ptrdiff_t>(largest),
                    faces.end());
  const std::size_t enough = directions.size() + kMostTriedNormals;
  for (std::size_t i = 0; i < largest && directions.size() < enough; ++i) {
    Vec3 normal = vector_area(soup, faces[i].second);
    if (flat) normal.z() = 0;
    normal = math::unit_or_zero(normal);
    const auto same = [&](const Vec3& d) { return std::abs(d.dot(normal)) > kSameDirection; };
    if (!normal.isZero(0) && std::ranges::none_of(directions, same)) directions.push_back(normal);
  }
  return directions;
}

}  // namespace

HullBounds::HullBounds(const PolygonSoup& soup) {
  std::vector<Index> all(soup.triangle_count());
  std::iota(all.begin(), all.end(), Index{0});
  enclose(soup, all, directions_for(soup, all, false));
}

HullBounds::HullBounds(const PolygonSoup& soup, std::span<const Index> upright) {
  enclose(soup, upright, directions_for(soup, upright, true));
}

void HullBounds::enclose(const PolygonSoup& soup, std::span<const Index> triangles,
                         const std::vector<Vec3>& directions) {
  for (const Vec3& direction : directions) slabs_.push_back({direction, kInfinity, -kInfinity});
  for (const Index t : triangles)
    for (const Index v : soup.triangle(t)) {
      const Vec3& x = soup.vertex(v);
      reach_ = std::max(reach_, x.lpNorm<1>());
      for (Slab& slab : slabs_) {
        const double along = slab.direction.dot(x);
        slab.lo = std::min(slab.lo, along);
        slab.hi = std::max(slab.hi, along);
      }
    }
}

double HullBounds::distance(const Vec3& x) const {
  double most = -kInfinity;
  for (const Slab& slab : slabs_) {
    const double along = slab.direction.dot(x);
    most = std::max({most, along - slab.hi, slab.lo - along});
  }
  return math::kRoundFarDown * most - math::kFormulaError * (reach_ + x.lpNorm<1>());
}

bool HullBounds::is_separate(std::span<const Vec3> points, const Pose& pose, double error) const {
  return std::ranges::any_of(slabs_, [&](const Slab& slab) {
    const auto side_of = [&](const Vec3& point) {
      const Vec3 x = pose * point;
      const double along = slab.direction.dot(x);
      const double least = error + math::kFormulaError * (reach_ + x.lpNorm<1>());
      return along - slab.hi > least ? 1 : slab.lo - along > least ? -1 : 0;
    };
    const int side = points.empty() ? 0 : side_of(points.front());
    return side != 0 &&
           std::ranges::all_of(points, [&](const Vec3& point) { return side_of(point) == side; });
  });
}

bool HullBounds::has_volume() const {
  return std::ranges::all_of(
      slabs_, [&](const Slab& slab) { return slab.hi - slab.lo > math::kFormulaError * reach_; });
}

}  // namespace touche::paths
