// SPDX-License-Identifier: Apache-2.0
// Shapes of any fineness for tests, benchmarks and scenes: closed and oriented outwards unless
// said otherwise, the same each time. Fineness is limited below where the shape would collapse.
#pragma once

#include <cstdint>

#include "touche/soup.h"

namespace touche::scenes {

/// Axis-aligned, six rectangles; with `divisions` > 1 each is cut into a grid of squares.
PolygonSoup box(const Vec3& lo, const Vec3& hi, Index divisions = 1);

/// About the z axis from z = 0 to `height`: polygons at the ends, triangles around.
PolygonSoup cylinder(double radius, double height, Index segments);

/// A subdivided octahedron: 8 k² triangles, k the nearest fit (50 gives 20,000).
PolygonSoup sphere(double radius, Index triangles);

/// A unit sphere whose radius varies by up to ± `amplitude` in smooth random waves.
PolygonSoup bumpy_sphere(Index triangles, std::uint64_t seed, double amplitude = 0.2);

/// About the z axis; `around` segments along the ring, `tube` around the tube.
PolygonSoup torus(double ring_radius, double tube_radius, Index around, Index tube);

/// A tube along the (p, q) torus knot on a torus of radii 1 and 0.4, p times around the z axis
/// and q times through the hole; about `triangles` (7,200 are met exactly).
PolygonSoup torus_knot(int p, int q, Index triangles, double tube_radius = 0.12);

/// Faces without topology, scattered: what a query must be able to digest.
struct RandomSoup {
  Index faces = 100;
  double extent = 1;       ///< centres lie in the cube [−extent, extent]³
  double face_size = 0.2;  ///< radius of a face
  Index max_corners = 3;   ///< more: planar convex polygons of 3 to that many corners
  double slivers = 0;      ///< share of the faces that are squeezed to a needle
};
PolygonSoup random_soup(std::uint64_t seed, const RandomSoup& options = {});

}  // namespace touche::scenes
