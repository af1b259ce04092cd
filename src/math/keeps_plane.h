// SPDX-License-Identifier: Apache-2.0
// Tests whether poses and motions map the plane z = 0 to itself, exactly.
#pragma once

#include <functional>

#include "touche/motion.h"

namespace touche::math {

/// A function whose poses all keep the plane. This cannot be seen from the function, so the type
/// marks it.
struct PlanePoses {
  std::function<Pose(double)> pose;
  Pose operator()(double t) const { return pose(t); }
};

/// Whether a pose is a rotation about z and a translation within z = 0.
bool keeps_plane(const Pose& pose);

/// Whether all poses of a motion are. Functions count only if plane::Motion::function made them.
bool keeps_plane(const Motion& motion);

}  // namespace touche::math
