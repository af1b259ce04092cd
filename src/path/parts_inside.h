// SPDX-License-Identifier: Apache-2.0
// The connected parts of an object, and whether they lie inside another object.
#pragma once

#include <optional>
#include <vector>

#include "touche/overlap.h"

namespace touche::paths {

/// The vertices of each part. Triangles are connected if they share a vertex position. The part of
/// the first face comes first. Unused vertices belong to no part. `merged`: the result of
/// merge_equal_positions().
std::vector<std::vector<Index>> parts_of(const PolygonSoup& soup, const std::vector<Index>& merged);

/// Upper bound of the rounding errors when queries transform two objects into each other's
/// coordinates: points that are nearer to a surface than this may be on either side of it.
double placing_error(const Object& outer, const Object& inner, const Vec3& translation);

/// Returns false only if no part of `inner` lies inside `outer`: such a part would have vertices in
/// the bounds of `outer`.
bool may_hold(const Object& outer, const Pose& pose_outer, const Object& inner,
              const Pose& pose_inner);

/// Whether any part of `inner` lies inside `outer`, if the two do not intersect. Empty if the
/// budget ends first; its work counts points.
std::optional<bool> reaches_inside(const Interior& inner, const Pose& pose_inner,
                                   const Interior& outer, const Pose& pose_outer,
                                   const Budget& budget);

/// The same for parts of either object.
Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget);

/// Whether it is known that one object lies inside the other.
inline bool is_inside(Containment containment) {
  return containment == Containment::a_in_b || containment == Containment::b_in_a;
}

}  // namespace touche::paths
