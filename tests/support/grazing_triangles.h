// SPDX-License-Identifier: Apache-2.0
// Pairs of triangles that hardly meet, or hardly miss each other, at an instant of a motion.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "touche/motion.h"
#include "touche/object.h"

namespace touche::test {

inline Object triangle_object(const Vec3 (&x)[3]) {
  std::vector<double> coordinates;
  for (const Vec3& corner : x)
    coordinates.insert(coordinates.end(), corner.data(), corner.data() + 3);
  return Object(PolygonSoup(coordinates, std::vector<Index>{0, 1, 2}));
}

/// Two triangles of which the moving one is next to the other one at an instant: at a point of its
/// face lies a corner, or at one of its edges another edge. The plane between them is mostly
/// one along which the motion glides just then, as threads do, so that the profiles hardly overlap.
struct GrazingTriangles {
  Vec3 moving[3], still[3];  // the moving one in its own coordinates

  GrazingTriangles(const Motion& motion, double when, double size, double gap,
                   base::Random& random) {
    const Pose pose = motion.pose(when);
    const Vec3 body_point = random.in_box(1), at = pose * body_point;
    const Vec3 way = motion.pose(std::min(1.0, when + 1e-4)) * body_point -
                     motion.pose(std::max(0.0, when - 1e-4)) * body_point;
    const Vec3 along = random.below(4) == 0 ? random.direction() : Vec3(way.normalized());
    const Vec3 across = along.cross(random.direction()).normalized(), n = along.cross(across);
    const auto in_plane = [&](double angle) {
      return Vec3(size * random.uniform(0.1, 1) *
                  (std::cos(angle) * along + std::sin(angle) * across));
    };
    const auto fan = [&](const Vec3& from, Vec3(&to)[3]) {
      const double first = random.uniform(-std::numbers::pi, std::numbers::pi);
      for (int i = 0; i < 3; ++i)
        to[i] = from + in_plane(first + 2 * std::numbers::pi / 3 * (i + random.uniform(-0.2, 0.2)));
    };
    const auto beside = [&](double side) {
      const double lift = random.below(2) == 0 ? 0 : size * std::exp2(random.uniform(-12, 0));
      return Vec3(in_plane(random.uniform(-std::numbers::pi, std::numbers::pi)) + side * lift * n);
    };
    const auto edge = [&](const Vec3& through, double side, Vec3(&to)[3]) {
      const Vec3 half = in_plane(random.uniform(-std::numbers::pi, std::numbers::pi));
      to[0] = through - half;
      to[1] = through + random.uniform(0, 1) * half;
      to[2] = through + beside(side);
    };
    const auto corner = [&](const Vec3& x, double side, Vec3(&to)[3]) {
      to[0] = x;
      to[1] = x + beside(side);
      to[2] = x + beside(side);
    };
    const Vec3 there = at + gap * n;
    Vec3 placed[3];
    switch (random.below(3)) {
      case 0:
        fan(at, placed), corner(there, 1, still);
        break;
      case 1:
        corner(at, -1, placed), fan(there, still);
        break;
      default:
        edge(at, -1, placed), edge(there, 1, still);
    }
    for (int i = 0; i < 3; ++i) moving[i] = pose.inverse() * placed[i];
  }
};

}  // namespace touche::test
