// SPDX-License-Identifier: Apache-2.0
// The way a part has taken, as poses between which a study's motion is the same but for little.
#pragma once

#include "touche/hand_poses.h"
#include "touche/motion.h"

namespace touche::simulation {

/// Appends poses of the motions, one after the other, to the path: the first motion begins at its
/// last pose, and the last ends at `time`. Rotations of the motions must be about one axis each at
/// constant speed, and their origins on helices, as those of screws and of `interpolated`. A
/// study's motion through the poses then has the same rotations, and its origin is nowhere farther
/// than `deviation` from that of the motions: nor is any point of the body. No motions: the last
/// pose once more.
void append(HandPoses& path, const std::vector<Motion>& motions, double time, double deviation);

}  // namespace touche::simulation
