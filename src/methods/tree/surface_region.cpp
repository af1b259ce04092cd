// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/surface_region.h"

#include <numbers>

#include "math/rounding.h"

namespace touche::tree {

std::size_t SphericalTriangle::longest_side() const {
  std::size_t longest = 0;
  double length2 = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (const double d2 = (corner[(i + 1) % 3] - corner[i]).squaredNorm(); d2 > length2)
      longest = i, length2 = d2;
  return longest;
}

Vec3 SphericalTriangle::middle() const {
  const std::size_t i = longest_side();
  const Vec3 &a = corner[i], &b = corner[(i + 1) % 3], &c = corner[(i + 2) % 3];
  Vec3 half = (a + b).normalized();
  // Not acute: the side is a diameter of the cap.
  if ((c - half).squaredNorm() <= (a - half).squaredNorm()) return half;
  const Vec3 normal = (b - a).cross(c - a);
  const double length = normal.norm();
  return length > 0 ? Vec3(normal / length) : half;
}

// |p − x|² = |p|² + r² − 2 p·x is largest where p·x is least: opposite to p, if that point is seen
// through the triangle; else on a side, opposite to p's projection to its plane, if that point is
// seen through the side; else at a corner. A point slightly outside of the triangle is accepted
// because of rounding: it is on the same circle or sphere, and its distance is no less than the
// ones inside allow.
double SphericalTriangle::farthest_from(const Vec3& p) const {
  const double r = sphere_radius, size = p.norm(), allowed = 32 * math::kUnitRoundoff * size;
  double far = 0;
  bool opposite_seen = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a = corner[i], &b = corner[(i + 1) % 3];
    far = std::max(far, (p - r * a).norm());
    const Vec3 n = a.cross(b);
    const double n2 = n.squaredNorm();
    opposite_seen &= n.dot(p) <= allowed;
    // From either end p·x falls towards the other.
    if (n2 > 0 && n.cross(a).dot(p) <= allowed && b.cross(n).dot(p) <= allowed)
      far =
          std::max(far, std::sqrt(size * size + r * r + 2 * r * p.cross(n).norm() / std::sqrt(n2)));
  }
  return opposite_seen ? std::max(far, size + r) : far;
}

// From the flat triangle of the corners, where the distance is convex, a point of the sphere is at
// most as far as the sphere's height over it.
double SphericalTriangle::farthest_from(const Triangle& t) const {
  double far = 0;
  for (const Vec3& c : corner)
    far = std::max(far, geometry::nearest_offset(sphere_radius * c, t).norm());
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const double length = normal.norm();
  if (!(length > 0)) return far + sphere_radius;
  // Computes 1 − cos as sin² / (1 + cos), of the angle between the normal and a corner.
  const double sine = normal.cross(corner[0]).norm() / length;
  const double cosine = normal.dot(corner[0]) / length;
  return far + sphere_radius * sine * sine / (1 + std::max(cosine, 0.0));
}

std::array<SphericalTriangle, 2> SphericalTriangle::split() const {
  const std::size_t i = longest_side();
  const Vec3 &a = corner[i], &b = corner[(i + 1) % 3], &c = corner[(i + 2) % 3];
  const Vec3 half = (a + b).normalized();
  return {SphericalTriangle{{a, half, c}, sphere_radius},
          SphericalTriangle{{half, b, c}, sphere_radius}};
}

std::array<SphericalTriangle, 20> surface_regions(const bounds::Sphere& sphere) {
  // Corners on three golden rectangles; five faces about each pole along x = 0, ten between.
  constexpr double g = std::numbers::phi;
  const std::array<Vec3, 12> corners = {Vec3(0, 1, g),   Vec3(0, -1, g),  Vec3(g, 0, 1),
                                        Vec3(1, g, 0),   Vec3(-1, g, 0),  Vec3(-g, 0, 1),
                                        Vec3(1, -g, 0),  Vec3(g, 0, -1),  Vec3(0, 1, -g),
                                        Vec3(-g, 0, -1), Vec3(-1, -g, 0), Vec3(0, -1, -g)};
  constexpr int kFaces[20][3] = {{0, 1, 2},  {0, 2, 3},  {0, 3, 4},  {0, 4, 5},   {0, 5, 1},
                                 {1, 6, 2},  {2, 7, 3},  {3, 8, 4},  {4, 9, 5},   {5, 10, 1},
                                 {2, 6, 7},  {3, 7, 8},  {4, 8, 9},  {5, 9, 10},  {1, 10, 6},
                                 {11, 7, 6}, {11, 8, 7}, {11, 9, 8}, {11, 10, 9}, {11, 6, 10}};
  std::array<SphericalTriangle, 20> regions;
  for (std::size_t f = 0; f < 20; ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      regions[f].corner[k] = corners[static_cast<std::size_t>(kFaces[f][k])].normalized();
      regions[f].sphere_radius = sphere.radius;
    }
  return regions;
}

std::array<Rectangle, 6> surface_regions(const bounds::Obb& box) {
  std::array<Rectangle, 6> regions;
  for (int axis = 0; axis < 3; ++axis) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const Vec3 out = box.half[axis] * box.axes.col(axis);
    const Vec3 u = box.half[i] * box.axes.col(i), v = box.half[j] * box.axes.col(j);
    regions[static_cast<std::size_t>(2 * axis)] = {out, u, v};
    regions[static_cast<std::size_t>(2 * axis + 1)] = {-out, u, v};
  }
  return regions;
}

}  // namespace touche::tree
