// SPDX-License-Identifier: Apache-2.0
// The parts of an object, each of which hangs together, and whether they lie inside another object.
#pragma once

#include <optional>
#include <vector>

#include "touche/overlap.h"

namespace touche {

/// The vertices of each part that hangs together by vertices at the same position; first those of
/// the first face. Unused vertices belong to none. `merged`: of merge_equal_positions().
std::vector<std::vector<Index>> parts_of(const PolygonSoup& soup, const std::vector<Index>& merged);

/// More than what the places of two objects in each other's coordinates differ by, as queries round
/// them: points that are nearer to a surface may be on either side of it.
double placing_error(const Object& outer, const Object& inner, const Vec3& translation);

/// False only where no part of `inner` lies inside `outer`: such a part has vertices in the bounds
/// of `outer`.
bool may_hold(const Object& outer, const Pose& pose_outer, const Object& inner,
              const Pose& pose_inner);

/// Whether any part of one of two objects that do not intersect lies inside the other one. Nothing
/// when the budget ends first; its work: points.
std::optional<bool> reaches_inside(const Interior& inner, const Pose& pose_inner,
                                   const Interior& outer, const Pose& pose_outer,
                                   const Budget& budget);

/// The same for any part of either.
Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget);

/// Whether it is known that one lies inside the other.
inline bool is_inside(Containment containment) {
  return containment == Containment::a_in_b || containment == Containment::b_in_a;
}

}  // namespace touche
