// SPDX-License-Identifier: Apache-2.0
// Volumes as lines, to be drawn.
#pragma once

#include "methods/bounds/all.h"
#include "methods/bounds/any_volume.h"
#include "methods/bounds/others.h"

namespace touche::bounds {

void add_line(const Vec3& from, const Vec3& to, Lines& lines);
void add_circle(const Vec3& centre, const Vec3& half_u, const Vec3& half_v, Lines& lines);

/// Edges of polytopes; of what is round, circles along the axes.
void outline(const Sphere& sphere, Lines& lines);
void outline(const AabbMinMax& box, Lines& lines);
void outline(const Obb& box, Lines& lines);
void outline(const Rss& rss, Lines& lines);
void outline(const Capsule& capsule, Lines& lines);
void outline(const Mixed& mixed, Lines& lines);
void outline(const Cylinder& cylinder, Lines& lines);
void outline(const Cone& cone, Lines& lines);
void outline(const Shell& shell, Lines& lines);
void outline(const SlabPolytope& polytope, Lines& lines);
void outline(const Zonotope& zonotope, Lines& lines);
void outline(const Hull& hull, Lines& lines);
inline void outline(const Slabs& slabs, Lines& lines) { outline(slabs.body, lines); }
template <typename D>
void outline(const DirectionDop<D>& dop, Lines& lines) {
  outline(dop.body, lines);
}
/// The edges of the points with lo <= direction · x <= hi.
void outline_slabs(std::span<const Vec3> directions, std::span<const double> lo,
                   std::span<const double> hi, Lines& lines);
template <int K>
void outline(const Kdop<K>& dop, Lines& lines) {
  outline_slabs(kdop_directions(K), dop.lo, dop.hi, lines);
}

}  // namespace touche::bounds
