// SPDX-License-Identifier: Apache-2.0
// Queries about insides and whole paths need two meshes, or two outlines that stay in their plane
// (decision 0021). All other pairs are refused on entry.
#pragma once

#include "touche/motion.h"
#include "touche/object.h"

namespace touche::query {

/// Throws InvalidInput, with a message that begins with `who`, for an outline paired with a mesh,
/// and for outlines that leave the plane z = 0.
void check_flat_pair(const char* who, const Object& a, const Pose& pose_a, const Object& b,
                     const Pose& pose_b);
void check_flat_pair(const char* who, const Object& a, const Motion& motion_a, const Object& b,
                     const Motion& motion_b);

}  // namespace touche::query
