// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/object.h"
#include "touche/pose.h"

namespace touche::clash {

/// Whether each vertex of one object, and the mean of the vertices of each of its faces, is within
/// `tolerance` of one of the other along each axis of the world, and the reverse.
bool are_copies(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                double tolerance);

}  // namespace touche::clash
