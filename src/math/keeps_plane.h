// SPDX-License-Identifier: Apache-2.0
// Whether what moves stays in the plane z = 0: exactly, for every point of that plane.
#pragma once

#include <functional>

#include "touche/motion.h"

namespace touche {

/// A function whose poses all keep the plane, which nobody can see of it: its type tells.
struct PlanePoses {
  std::function<Pose(double)> pose;
  Pose operator()(double t) const { return pose(t); }
};

/// Whether a pose is a turn about z and a shift within z = 0.
bool keeps_plane(const Pose& pose);

/// Whether all poses of a motion are. Functions count if plane::Motion::function made them.
bool keeps_plane(const Motion& motion);

}  // namespace touche
