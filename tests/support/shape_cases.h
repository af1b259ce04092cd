// SPDX-License-Identifier: Apache-2.0
// Random and degenerate shapes and poses.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "convex/support.h"
#include "touche/shape.h"

namespace touche::test {

inline Pose random_pose(base::Random& random, double spread) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(0, 3);
  return Pose::from_axis_angle(axis, angle, random.in_box(spread));
}

inline std::vector<Vec3> on_sphere(base::Random& random, int count, double radius = 1) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.emplace_back(radius * random.direction());
  return points;
}

/// Few points of a kind: in space, in a plane, on a line, one; on a small grid, so that faces are
/// parallel and many things touch; thin; far from their origin; very large and very small.
inline std::vector<Vec3> some_points(base::Random& random, int kind) {
  std::vector<Vec3> points;
  const bool solid = kind % 10 == 0 || kind % 10 == 4 || kind % 10 == 5;
  const int count = kind % 10 == 3 ? 1 : (solid ? 4 : 3) + static_cast<int>(random.below(3));
  for (int i = 0; i < count; ++i) {
    Vec3 p = random.in_box(1);
    switch (kind % 10) {
      case 1:
        p.z() = 0;
        break;
      case 2:
        p = (p.x() * Vec3(1, 2, -1)).eval();
        break;
      case 4:
      case 5:
        p = (2 * p).array().round().matrix();
        break;
      case 6:
        p.z() *= 1e-9;
        break;
      case 7:
        p += Vec3(1e6, 0, 0);
        break;
      default:
        break;
    }
    points.push_back(p);
  }
  return points;
}

/// b's corners where the pose relative to a puts them, as the questions define it.
inline std::vector<Vec3> seen_from(const Pose& a, const Pose& b, std::span<const Vec3> corners) {
  const convex::RigidTransform place(a, b);
  std::vector<Vec3> seen;
  for (const Vec3& p : corners) seen.push_back(place * p);
  return seen;
}

/// Any convex shape but half spaces, of about unit size.
inline Shape some_shape(base::Random& random, int kind) {
  const double r = random.uniform(0.2, 0.8), s = random.uniform(0.2, 0.8);
  switch (kind % 11) {
    case 0:
      return Shape::sphere(r);
    case 1:
      return Shape::capsule(0.5 * r, s);
    case 2:
      return Shape::box({r, s, 0.5});
    case 3:
      return Shape::cylinder(r, s);
    case 4:
      return Shape::cone(r, 2 * s);
    case 5:
      return Shape::ellipsoid({r, s, 0.4});
    case 6:
      return Shape::hull(on_sphere(random, 12, r));
    case 7:
      return Shape::zonotope(Vec3::Zero(), on_sphere(random, 4, 0.5 * r));
    case 8:
      return Shape::sum(Shape::cylinder(0.5 * r, s), Shape::box({0.2, 0.1, s}),
                        random_pose(random, 0.1));
    case 9:
      return Shape::box({0.5 * r, s, 0.3}).rounded(0.2);
    default:
      return Shape::cone(r, s).rounded(0.1);
  }
}

}  // namespace touche::test
