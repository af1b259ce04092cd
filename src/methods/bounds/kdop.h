// SPDX-License-Identifier: Apache-2.0
// The discrete oriented polytope with K faces: an interval on each of K / 2 fixed directions. The
// directions are the normals, diagonals and edge directions of a cube's faces, corners and edges: 6
// = faces, 10 = 6 + the 4 edges along z, 14 = 6 + 8 corners, 18 = 6 + 12 edges, 26 = all. They are
// not normalised, so that a projection is a sum.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

/// The directions of a K-DOP, of integers.
std::span<const Vec3> kdop_directions(int k);

template <int K>
struct Kdop {
  static_assert(K == 6 || K == 10 || K == 14 || K == 18 || K == 26);
  static constexpr std::string_view kName = K == 6    ? "dop6"
                                            : K == 10 ? "dop10"
                                            : K == 14 ? "dop14"
                                            : K == 18 ? "dop18"
                                                      : "dop26";
  static constexpr int kPairs = K / 2;
  std::array<double, kPairs> lo = {}, hi = {};

  static Kdop fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
};

/// The smallest K-DOP around both.
template <int K>
Kdop<K> merged(const Kdop<K>& a, const Kdop<K>& b) {
  Kdop<K> out = a;
  for (std::size_t i = 0; i < out.lo.size(); ++i) {
    out.lo[i] = std::min(out.lo[i], b.lo[i]);
    out.hi[i] = std::max(out.hi[i], b.hi[i]);
  }
  return out;
}

/// The smallest K-DOP around the moved one, by linear programming.
template <int K>
Kdop<K> moved(const Kdop<K>& d, const PoseMatrix& pose);

/// Tests the directions of both: b refitted to the directions of a, and a to the ones of b. So
/// separate K-DOPs may be reported as overlapping.
template <int K>
bool overlap(const Kdop<K>& a, const Kdop<K>& b, const PoseMatrix& pose);
template <int K>
double lower_bound(const Kdop<K>& a, const Kdop<K>& b, const PoseMatrix& pose);

/// A pose as it turns many K-DOPs. For each direction n of the one frame, which in the other is
/// λ₀ d₀ + λ₁ d₁ + λ₂ d₂ for any three of its directions that are independent, it keeps the threes
/// of least Σ |λᵢ dᵢ|, which are the best for a ball's K-DOP.
template <int K>
class KdopTurn {
 public:
  explicit KdopTurn(const PoseMatrix& pose);

  /// Whether some direction of `fixed` shows that the other one, turned, lies apart.
  bool apart(const Kdop<K>& fixed, const Kdop<K>& turned) const;

 private:
  static constexpr int kKept = K == 6 ? 1 : 4;
  struct Bound {
    std::array<std::uint8_t, 3> index;
    std::array<double, 3> lambda;
  };
  std::array<std::array<Bound, kKept>, K / 2> bounds_;
  std::array<double, K / 2> shift_;
  PoseMatrix pose_;
};

/// The faces as polygons, counter-clockwise from outside; for measures and tests. Rounded.
template <int K>
std::vector<std::vector<Vec3>> faces(const Kdop<K>& d);

}  // namespace touche::bounds
