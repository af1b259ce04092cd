// SPDX-License-Identifier: Apache-2.0
// Random points of the plane of all kinds: round, long, on a line, on a lattice, few, tiny, far
// off.
#pragma once

#include <cmath>
#include <vector>

#include "base/random.h"
#include "touche/plane.h"

namespace touche::test {

using plane::Vec2;

inline Vec2 random_vec2(base::Random& random, double half) {
  const double x = random.uniform(-half, half);
  return {x, random.uniform(-half, half)};
}

/// Points about the origin, no farther than 1.5 · size along an axis.
inline std::vector<Vec2> random_points(base::Random& random, double size) {
  const Index kind = random.below(7), count = 1 + random.below(kind == 6 ? 3 : 30);
  const Vec2 direction = random_vec2(random, 1);
  std::vector<Vec2> points;
  for (Index i = 0; i < count; ++i) {
    Vec2 p = random_vec2(random, 1);
    switch (kind) {
      case 0:  // long and thin
        p = p.x() * direction + 1e-3 * p.y() * Vec2(-direction.y(), direction.x());
        break;
      case 1:  // on a line, up to rounding
        p = p.x() * direction;
        break;
      case 2:  // on a lattice: many on common lines
        p = (4 * p).array().round() / 4;
        break;
      case 3:  // nearly on a circle
        p = (p + Vec2(1e-6, 0)).normalized() * (1 + 1e-12 * p.x());
        break;
      case 4:  // exactly on a line along an axis
        p.y() = 0.25;
        break;
      default:
        break;
    }
    points.push_back(size * p);
  }
  return points;
}

inline plane::Pose random_plane_pose(base::Random& random, double reach) {
  const double angle =
      random.below(8) == 0 ? random.below(4) * (M_PI / 2) : random.uniform(-M_PI, M_PI);
  return plane::Pose(angle, random_vec2(random, reach));
}

}  // namespace touche::test
