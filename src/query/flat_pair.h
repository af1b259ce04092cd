// SPDX-License-Identifier: Apache-2.0
// Questions about insides and whole paths need two meshes, or two objects that stand on outlines
// and stay in their plane (decision 0021): all else is refused at the entry.
#pragma once

#include "touche/motion.h"
#include "touche/object.h"

namespace touche {

/// Throws InvalidInput, beginning with `who`, for an outline beside a mesh, and for outlines that
/// leave the plane z = 0.
void check_flat_pair(const char* who, const Object& a, const Pose& pose_a, const Object& b,
                     const Pose& pose_b);
void check_flat_pair(const char* who, const Object& a, const Motion& motion_a, const Object& b,
                     const Motion& motion_b);

}  // namespace touche
