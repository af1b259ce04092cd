// SPDX-License-Identifier: Apache-2.0
// Slabs in general position: each volume has directions of its own (Kay, Kajiya 1986).
#pragma once

#include <string_view>

#include "methods/bounds/slab_polytope.h"

namespace touche::bounds {

/// Holds what lies in up to seven slabs: a box with corners and edges cut off that are empty.
struct Slabs {
  static constexpr std::string_view kName = "slabs";
  SlabPolytope body;

  /// The slabs of a fitted box, then one after the other along that normal of the convex hull
  /// which makes what there is thinner than any other does: so never larger than the box, but
  /// seven other directions may do better.
  static Slabs fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const { return body.contains(p); }
  double volume() const { return body.volume(); }
  double surface_area() const { return body.surface_area(); }
  double diameter() const { return body.diameter(); }

  /// These are the numbers that files keep; throws InvalidInput for numbers that no slabs have.
  std::vector<double> numbers() const;
  static Slabs from_numbers(std::span<const double> numbers);
};

inline Slabs moved(const Slabs& s, const PoseMatrix& pose) { return {moved(s.body, pose)}; }
inline bool overlap(const Slabs& a, const Slabs& b, const PoseMatrix& pose) {
  return overlap(a.body, b.body, pose);
}
inline double lower_bound(const Slabs& a, const Slabs& b, const PoseMatrix& pose) {
  return lower_bound(a.body, b.body, pose);
}

/// n lo hi of each, and back.
std::vector<double> numbers_of(const SlabPolytope& p);
SlabPolytope slab_polytope_from(std::span<const double> numbers);

}  // namespace touche::bounds
