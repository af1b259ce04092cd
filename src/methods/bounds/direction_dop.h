// SPDX-License-Identifier: Apache-2.0
// The k-DOP of an arbitrary set of directions, which all volumes of its kind share. For the
// directions of a cube's faces, edges and corners see kdop.h, where projections are sums.
#pragma once

#include <string_view>

#include "methods/bounds/slabs.h"

namespace touche::bounds {

/// `Directions` has a `kName`, as on the command line, and `directions()`, a span of normals of
/// any length, three of them independent. Its volumes have a pair of faces for each.
template <typename Directions>
struct DirectionDop {
  static constexpr std::string_view kName = Directions::kName;
  SlabPolytope body;

  static DirectionDop fit(std::span<const Vec3> points) {
    return {SlabPolytope::around(points, Directions::directions())};
  }
  bool contains(const Vec3& p) const { return body.contains(p); }
  double volume() const { return body.volume(); }
  double surface_area() const { return body.surface_area(); }
  double diameter() const { return body.diameter(); }

  std::vector<double> numbers() const { return numbers_of(body); }
  static DirectionDop from_numbers(std::span<const double> numbers) {
    return {slab_polytope_from(numbers)};
  }
};

template <typename D>
DirectionDop<D> moved(const DirectionDop<D>& d, const PoseMatrix& pose) {
  return {moved(d.body, pose, D::directions())};
}
template <typename D>
bool overlap(const DirectionDop<D>& a, const DirectionDop<D>& b, const PoseMatrix& pose) {
  return overlap(a.body, b.body, pose);
}
template <typename D>
double lower_bound(const DirectionDop<D>& a, const DirectionDop<D>& b, const PoseMatrix& pose) {
  return lower_bound(a.body, b.body, pose);
}

/// The corners of a cube: an octahedron's faces, if it is regular.
struct Octahedron {
  static constexpr std::string_view kName = "dop8";
  static std::span<const Vec3> directions();
};

/// The corners of an icosahedron: a dodecahedron's faces, if it is regular. No six directions
/// are farther from each other.
struct Dodecahedron {
  static constexpr std::string_view kName = "dop12";
  static std::span<const Vec3> directions();
};

using Dop8 = DirectionDop<Octahedron>;
using Dop12 = DirectionDop<Dodecahedron>;

}  // namespace touche::bounds
