// SPDX-License-Identifier: Apache-2.0
// The box around a box that was moved.
#pragma once

#include "math/rounding.h"
#include "touche/pose.h"

namespace touche {

/// Holds the box `local` at `pose` and everything up to `reach` around it. The slack covers the
/// rounding of this computation with a wide margin; its size is that of the coordinates involved.
inline Aabb moved_box(const Aabb& local, const Pose& pose, double reach) {
  const Mat3 rotation = pose.matrix();
  const Vec3 centre = pose * local.centre();
  const Vec3 half = rotation.cwiseAbs() * (0.5 * (local.hi - local.lo));
  const double size = local.lo.norm() + local.hi.norm() + pose.translation().norm();
  const Vec3 extent = half + Vec3::Constant(reach + kMovedBoxError * size);
  return {centre - extent, centre + extent};
}

}  // namespace touche
