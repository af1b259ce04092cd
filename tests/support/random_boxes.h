// SPDX-License-Identifier: Apache-2.0
// Random and degenerate boxes, and what moving does to them, for tests of broad phases.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "random.h"
#include "touche/broadphase.h"

namespace touche::test {

using scenes::Random;
using Pairs = std::vector<BoxPair>;

enum class Kind { cloud, mixed_sizes, equal, flat, points, lattice, far_away, on_a_floor, count };

inline Aabb some_box(Random& random, Kind kind) {
  const Vec3 at = random.in_box(1);
  Vec3 half = 0.2 * Vec3(random.uniform(), random.uniform(), random.uniform());
  switch (kind) {
    case Kind::mixed_sizes:
      half *= std::pow(10, random.uniform(-4, 1));
      break;
    case Kind::equal:
      return {Vec3(-1, -2, -3), Vec3(1, 2, 3)};
    case Kind::flat:
      half[2] = 0;
      return {Vec3(at[0] - half[0], at[1] - half[1], 0.25),
              Vec3(at[0] + half[0], at[1] + half[1], 0.25)};
    case Kind::points:
      return {at, at};
    case Kind::lattice: {  // many touch exactly, in faces, edges and corners
      const Vec3 corner = (4 * at).array().round();
      return {corner, corner + Vec3::Ones()};
    }
    case Kind::far_away:
      return {1e30 * 0.7 * at - 1e29 * half, 1e30 * 0.7 * at + 1e29 * half};
    case Kind::on_a_floor:
      if (random.uniform() < 0.05) return {Vec3(-2, -2, -0.1), Vec3(2, 2, 0)};
      return {Vec3(at[0], at[1], 0) - half, Vec3(at[0], at[1], 0) + half};
    default:
      break;
  }
  return {at - half, at + half};
}

// By a little, a lot, or not at all.
inline Aabb moved(Random& random, Kind kind, const Aabb& box) {
  const double how = random.uniform();
  if (how < 0.2) return some_box(random, kind);
  if (how < 0.3) return box;
  const Vec3 step = 0.05 * random.in_box(1).cwiseProduct(box.hi - box.lo);
  return {box.lo + step, box.hi + step};
}

inline Pairs sorted(std::span<const BoxPair> pairs) {
  Pairs copy(pairs.begin(), pairs.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

}  // namespace touche::test
