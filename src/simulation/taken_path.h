// SPDX-License-Identifier: Apache-2.0
// The path of a part as poses, between which a study's motion deviates from it only a little.
#pragma once

#include "touche/handle.h"
#include "touche/motion.h"

namespace touche::simulation {

/// Appends poses of the motions, one after the other, to the path: the first motion begins at the
/// path's last pose, and the last one ends at `time`. Each motion must rotate about one axis at
/// constant speed, and its origin must move on a helix, as with screws and `interpolated`. A
/// study's motion through the poses then has the same rotations, and its origin is nowhere farther
/// than `deviation` from that of the motions; nor is any point of the body. Without motions, the
/// last pose is appended once more.
void append(HandPoses& path, const std::vector<Motion>& motions, double time, double deviation);

}  // namespace touche::simulation
