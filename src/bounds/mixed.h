// SPDX-License-Identifier: Apache-2.0
// The volume that fits best: a sphere, an axis-aligned or an oriented box, whichever has the lowest
// product of quality and cost of a test. For hierarchies whose nodes differ in shape.
#pragma once

#include <span>
#include <variant>

#include "bounds/bounding_volume.h"
#include "bounds/obb.h"

namespace touche::bounds {

/// What a test of two of a kind costs: multiplications counted in the sources. Spheres: 9 to move
/// the centre, 3 for the norm. Boxes: 9 and 9 to bring the centre into a's axes, 54 for the
/// products of the frames, and up to 27 and 54 for the axes, where half is saved by stopping early:
/// about 120. Boxes aligned to their own frames are at an angle to each other and cost the same.
struct TestCosts {
  double sphere = 1, aabb = 10, obb = 10;
};

struct Mixed {
  std::variant<Sphere, AabbMinMax, Obb> shape;

  static Mixed fit(std::span<const Vec3> points);
  static Mixed fit(std::span<const Vec3> points, Criterion criterion, const TestCosts& costs);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
};

Mixed moved(const Mixed& m, const Placement& place);
bool overlap(const Mixed& a, const Mixed& b, const Placement& place);
double lower_bound(const Mixed& a, const Mixed& b, const Placement& place);

}  // namespace touche::bounds
