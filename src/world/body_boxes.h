// SPDX-License-Identifier: Apache-2.0
// Boxes, balls and displacements of bodies, as the broad phase and the steps of a world need them.
// A body is a soup, which is not rounded, or a convex shape. Half spaces are unbounded, so they get
// boxes that are limited to what broad phases may hold.
#pragma once

#include <span>

#include "math/moved_box.h"
#include "touche/motion.h"
#include "touche/shape.h"

namespace touche::world {

inline bool is_half_space(const Shape& shape) {
  return shape.is_convex() && shape.kind() == ShapeKind::half_space;
}

/// Whether both are soups: then the functions of objects answer.
inline bool are_soups(const Shape& a, const Shape& b) { return !a.is_convex() && !b.is_convex(); }

/// Points whose hull contains the body: the corners of a soup or a polytope. Empty for other
/// shapes.
std::span<const Vec3> hull_corners(const Shape& shape);
/// The hull of a soup's corners; null if it has too many, and for convex shapes.
const Shape* hull_of_soup(const Shape& shape);

/// The boxes of a half space, limited to what broad phases may hold.
Aabb half_space_box(const Shape& half_space, const Pose& pose);
Aabb half_space_box(const Shape& half_space, const Motion& motion);

/// A box that contains a placed body, also after rounding.
inline Aabb world_box(const Shape& shape, const Pose& pose) {
  return is_half_space(shape) ? half_space_box(shape, pose)
                              : math::moved_box(shape.bounds(), pose, 0);
}
/// The boxes of a moving body, as `Motion::swept_box` and `Motion::moving_box`.
inline Aabb swept_box(const Shape& shape, const Motion& motion) {
  return is_half_space(shape) ? half_space_box(shape, motion) : motion.swept_box(shape.bounds());
}
inline MovingBox moving_box(const Shape& shape, const Motion& motion) {
  if (!is_half_space(shape)) return motion.moving_box(shape.bounds());
  const Aabb box = half_space_box(shape, motion);
  return {box, box};
}
/// Grown on all sides, but not beyond what broad phases may hold.
Aabb grown_within(const Aabb& box, double by);
/// Returns the box to use in a search of a broad phase for a box of any size: it meets all boxes
/// there that the original meets, and maybe some that reach the farthest coordinate. NaN stays NaN.
Aabb searchable(const Aabb& box);

/// A ball around a body that is no half space, in its own frame.
Ball ball_around_body(const Shape& shape);

/// Upper bound of how far points of a body move between two poses; infinite for a half space that
/// turns.
double displacement(const Shape& shape, const Pose& from, const Pose& to);

/// Upper bound of how far points of a body get from their positions at `pose` during the whole
/// motion; infinite for a half space that turns. Rounded upwards.
double displacement(const Shape& shape, const Pose& pose, const Motion& motion);

}  // namespace touche::world
