// SPDX-License-Identifier: Apache-2.0
// Bounding boxes of moved boxes.
#pragma once

#include "math/rounding.h"
#include "touche/pose.h"

namespace touche::math {

/// The box around rotation · local + translation, without an allowance for rounding.
inline Aabb turned_box(const Aabb& local, const Mat3& rotation, const Vec3& translation) {
  const Vec3 centre = rotation * local.centre() + translation;
  const Vec3 half = rotation.cwiseAbs() * (0.5 * (local.hi - local.lo));
  return {centre - half, centre + half};
}

inline Aabb grown_by(const Aabb& box, const Vec3& reach) {
  return {box.lo - reach, box.hi + reach};
}

/// Contains the box `local` at `pose` and everything up to `reach` around it. The allowance covers
/// the rounding of this computation with a wide margin; it is proportional to the coordinates
/// involved.
inline Aabb moved_box(const Aabb& local, const Pose& pose, double reach) {
  const double size = local.lo.norm() + local.hi.norm() + pose.translation().norm();
  return grown_by(turned_box(local, pose.matrix(), pose.translation()),
                  Vec3::Constant(reach + kMovedBoxError * size));
}

}  // namespace touche::math
