// SPDX-License-Identifier: Apache-2.0
// The connected parts of an object, and whether they lie inside another object.
#pragma once

#include <cstdint>
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

/// Returns false only if `inner` lies outside of the bounds of `outer`.
bool bounds_may_meet(const Object& outer, const Pose& pose_outer, const Object& inner,
                     const Pose& pose_inner);

/// Returns false only if no part of `inner` lies inside `outer`: such a part would have vertices in
/// the bounds of `outer`.
bool may_hold(const Object& outer, const Pose& pose_outer, const Object& inner,
              const Pose& pose_inner);

/// Whether a body holds another one, or a part of it.
enum class Holds : std::uint8_t {
  undecided,  ///< the budget ended first, or rounding prevents a decision
  no,
  yes,
  /// The outer body is open, and the other one does not reach beyond its hull; or it has gaps, and
  /// the other one is near them.
  open,
};

/// Whether any part of `inner` lies inside `outer`, if the two do not intersect. The budget's work
/// counts points.
Holds holds_part(const Interior& outer, const Pose& pose_outer, const Interior& inner,
                 const Pose& pose_inner, const Budget& budget);

/// The same for parts of either object.
Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b, const Budget& budget);

/// Of bodies in contact: whether one whose gaps are wider than slits holds a part of the other one,
/// or may do so, `open`, also if that reaches beyond its hull by up to `slack`: a length by which
/// surfaces that only touch may pass each other. Undecided if the budget ends.
Containment may_hold_if_open(const Interior& a, const Pose& pose_a, const Interior& b,
                             const Pose& pose_b, double slack, const Budget& budget);

/// Returns false only if neither body reaches into the other one through its openings or gaps,
/// given that their surfaces are `apart`, a lower bound of the distance.
bool may_reach_in(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                  double apart);

/// The answer for two bodies, given that for each of them: whether b holds a, and a holds b.
Containment containment_of(Holds a_in_b, Holds b_in_a);

/// Whether it is known that one object lies inside the other.
inline bool is_inside(Containment containment) {
  return containment == Containment::a_in_b || containment == Containment::b_in_a;
}

}  // namespace touche::paths
