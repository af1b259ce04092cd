// SPDX-License-Identifier: Apache-2.0
// Twists: screw motions as six numbers. The first three are the displacement of a point, the
// centre, if it kept its velocity at the start; the last three are the rotation vector (axis times
// angle).
#pragma once

#include "response/quadratic_program.h"
#include "touche/motion.h"
#include "touche/pose.h"

namespace touche::response {

/// The twist of the screw motion that leads from one pose to the other the short way round;
/// `centre` in body coordinates.
Vec6 twist_between(const Pose& from, const Pose& to, const Vec3& centre);

/// The deviation for a spring: the displacement of the centre, and the rotation vector.
Vec6 offset_between(const Pose& from, const Pose& to, const Vec3& centre);

/// The motion that begins at a pose and has the twist. If the axis of the screw is so far away that
/// its position is useless, the centre moves straight and the body turns about it.
Motion motion_along(const Pose& start, const Vec3& centre, const Vec6& twist);

/// The motion on which the centre moves straight by the first three numbers of an offset, while the
/// body turns about it by the last three. It begins with the twist of the same numbers.
Motion straight_along(const Pose& start, const Vec3& centre, const Vec6& offset);

/// No point of the body within `reach` of the centre moves farther on the screw than this.
inline double travel_bound(const Vec6& twist, double reach) {
  return twist.head<3>().norm() + twist.tail<3>().norm() * reach;
}

}  // namespace touche::response
