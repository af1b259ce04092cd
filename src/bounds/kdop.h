// SPDX-License-Identifier: Apache-2.0
// The discrete oriented polytope with K faces: an interval on each of K / 2 fixed directions. The
// directions are those of a cube's faces, corners and edges: 6 = faces, 14 = 6 + 8 corners,
// 18 = 6 + 12 edges, 26 = all. They are not normalised, so that a projection is a sum.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "bounds/placement.h"

namespace touche::bounds {

/// The directions of a K-DOP, of integers.
std::span<const Vec3> kdop_directions(int k);

template <int K>
struct Kdop {
  static_assert(K == 6 || K == 14 || K == 18 || K == 26);
  static constexpr int kPairs = K / 2;
  std::array<double, kPairs> lo = {}, hi = {};

  static Kdop fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
};

/// The smallest K-DOP around the moved one, by linear programming.
template <int K>
Kdop<K> moved(const Kdop<K>& d, const Placement& place);

/// On the directions of both: b refitted to those of a, and a to those of b. So K-DOPs that are
/// apart may be called overlapping.
template <int K>
bool overlap(const Kdop<K>& a, const Kdop<K>& b, const Placement& place);
template <int K>
double lower_bound(const Kdop<K>& a, const Kdop<K>& b, const Placement& place);

/// The faces as polygons, counter-clockwise from outside; for measures and tests. Rounded.
template <int K>
std::vector<std::vector<Vec3>> faces(const Kdop<K>& d);

}  // namespace touche::bounds
