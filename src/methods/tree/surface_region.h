// SPDX-License-Identifier: Apache-2.0
// Pieces of the surface of a bounding volume, which the search for the directed Hausdorff distance
// divides: rectangles of boxes, spherical triangles of spheres. Thesis §3.8.2.
// Positions are relative to the volume's centre. They are stored rounded; a split moves points by
// at most 4 u of the volume's size, because the parts are computed from rounded corners.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/point_triangle.h"
#include "methods/bounds/obb.h"

namespace touche::tree {

/// The points centre + x half_u + y half_v with |x|, |y| <= 1.
struct Rectangle {
  Vec3 centre, half_u, half_v;

  Vec3 sample() const { return centre; }
  std::array<Vec3, 4> corners() const {
    return {Vec3(centre - half_u - half_v), Vec3(centre + half_u - half_v),
            Vec3(centre + half_u + half_v), Vec3(centre - half_u + half_v)};
  }
  /// The largest distance of a point of the region from p: distances are convex, so at a corner.
  double farthest_from(const Vec3& p) const {
    double far = 0;
    for (const Vec3& c : corners()) far = std::max(far, (p - c).norm());
    return far;
  }
  /// The same from a triangle, convex as well.
  double farthest_from(const Triangle& t) const {
    double far = 0;
    for (const Vec3& c : corners()) far = std::max(far, geometry::nearest_offset(c, t).norm());
    return far;
  }
  /// From the sample.
  double radius() const { return std::max((half_u + half_v).norm(), (half_u - half_v).norm()); }

  std::array<Rectangle, 4> split() const {
    const Vec3 u = half_u / 2, v = half_v / 2;
    return {Rectangle{centre - u - v, u, v}, Rectangle{centre + u - v, u, v},
            Rectangle{centre + u + v, u, v}, Rectangle{centre - u + v, u, v}};
  }
};

/// The part of a sphere that is seen from its centre through the triangle of three unit vectors,
/// counter-clockwise from outside; their angles are below a right one.
struct SphericalTriangle {
  std::array<Vec3, 3> corner;
  double sphere_radius;

  /// The middle of the smallest cap around it: the corners' common distance is that of the normal
  /// of their plane, unless the middle of the longest side is within reach of all.
  Vec3 sample() const { return sphere_radius * middle(); }
  double radius() const {
    // Both the angle and the chord from the middle of a cap grow towards its border.
    const Vec3 m = middle();
    double far2 = 0;
    for (const Vec3& c : corner) far2 = std::max(far2, (c - m).squaredNorm());
    return sphere_radius * std::sqrt(far2);
  }
  double farthest_from(const Vec3& p) const;
  double farthest_from(const Triangle& t) const;
  std::array<SphericalTriangle, 2> split() const;

 private:
  Vec3 middle() const;
  std::size_t longest_side() const;  ///< i: from corner i to corner i + 1
};

/// The icosahedron seen from its centre (thesis: BS+95).
std::array<SphericalTriangle, 20> surface_regions(const bounds::Sphere& sphere);
std::array<Rectangle, 6> surface_regions(const bounds::Obb& box);

}  // namespace touche::tree
