// SPDX-License-Identifier: Apache-2.0
#include "shape/soup_surface.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "math/rounding.h"

namespace touche::shape {
namespace {

// A point whose distance from a triangle's border is below this share of the triangle's size lies
// on the border.
constexpr double kOnBorder = 1e-7;

double border_of(const Triangle& triangle) {
  double size = 0;
  for (const Vec3& corner : triangle) size = std::max(size, (corner - triangle[0]).norm());
  return kOnBorder * size;
}

}  // namespace

bool SoupSurface::leans_little(Index vertex, const Vec3& towards, double most) const {
  const Vec3& x = soup_.vertex(vertex);
  for (const Index other : features_.ring(vertex)) {
    const Vec3 way = soup_.vertex(other) - x;
    if (towards.dot(way) > most * way.norm()) return false;
  }
  return true;
}

bool SoupSurface::leans_little(const geometry::SurfaceFeatures::Edge& edge, const Vec3& towards,
                               double most) const {
  const Vec3& from = soup_.vertex(edge.from);
  const Vec3 along = math::unit_or_zero(soup_.vertex(edge.to) - from);
  for (const auto& wing : features_.wings(edge)) {
    const Vec3 way = soup_.vertex(wing.vertex) - from, across = way - along.dot(way) * along;
    if (towards.dot(across) > most * wing.height) return false;
  }
  return true;
}

bool SoupSurface::is_on_edge(Index t, const Triangle& triangle, int k, const Vec3& x,
                             double near) const {
  const Vec3& from = triangle[static_cast<std::size_t>(k)];
  const Vec3 along = math::unit_or_zero(triangle[static_cast<std::size_t>((k + 1) % 3)] - from);
  const Vec3 way = x - from;
  return features_.share(t).edge[k] != kNone && (way - along.dot(way) * along).norm() <= near;
}

bool SoupSurface::is_on_border(Index t, const Triangle& triangle, const Vec3& x) const {
  const double near = border_of(triangle);
  return is_on_edge(t, triangle, 0, x, near) || is_on_edge(t, triangle, 1, x, near) ||
         is_on_edge(t, triangle, 2, x, near);
}

bool SoupSurface::is_on_sharp_border(Index t, const Triangle& triangle, const Vec3& x) const {
  const double near = border_of(triangle);
  for (int k = 0; k < 3; ++k)
    if ((x - triangle[static_cast<std::size_t>(k)]).norm() <= near) return is_sharp(merged(t, k));
  for (int k = 0; k < 3; ++k)
    if (is_on_edge(t, triangle, k, x, near) && is_sharp_edge(features_.share(t).edge[k]))
      return true;
  return false;
}

std::optional<Feature> SoupSurface::feature_at(Index t, const Triangle& triangle, const Vec3& x,
                                               const Vec3& towards) const {
  const double near = border_of(triangle);
  for (int k = 0; k < 3; ++k) {
    if ((x - triangle[static_cast<std::size_t>(k)]).norm() > near) continue;
    const Index vertex = merged(t, k);
    if (!leans_little(vertex, towards, kLeanOfRounding)) return {};
    return Feature{FeatureKind::vertex, vertex};
  }
  for (int k = 0; k < 3; ++k) {
    if (!is_on_edge(t, triangle, k, x, near)) continue;
    const Index e = features_.share(t).edge[k];
    if (!leans_little(features_.edge(e), towards, kLeanOfRounding)) return {};
    if (is_sharp_edge(e)) return features_.edge(e).name;
  }
  return Feature{FeatureKind::face, soup_.face_of_triangle(t)};
}

}  // namespace touche::shape
