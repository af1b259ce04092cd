// SPDX-License-Identifier: Apache-2.0
// The smallest enclosing sphere of points: Welzl's algorithm with move-to-front, driven by the
// farthest point (Gärtner 1999), which can start from the support of an earlier answer.
#pragma once

#include <vector>

#include "methods/bounds/sphere.h"

namespace touche::bounds {

struct SmallestSphere {
  Sphere sphere;
  std::vector<Index> support;  ///< at most four points that determine it
  int rounds = 0;              ///< number of scans of all points
};

/// `known_support` numbers points that determined the sphere before points were added: with them
/// the first sphere is the old one, and only points outside of it cost more than one look.
SmallestSphere smallest_sphere(std::span<const Vec3> points,
                               std::span<const Index> known_support = {});

}  // namespace touche::bounds
