// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/near_faces.h"

namespace touche {

/// Gives what near_features gives, to the last bit, for two objects of few vertices of which it is
/// known about how they lie beside each other: along `normal`, a unit vector in a's frame from a to
/// b. The better it parts them the less it takes; what is found does not depend on it. Sixteen
/// pairs of triangles are a piece of work of its budget. False where near_features is to be asked,
/// for they have too many vertices or too much of them is near.
[[nodiscard]] bool near_features_across(const Object& a, const Pose& pose_a, const Object& b,
                                        const Pose& pose_b, const NearOptions& options,
                                        const Vec3& normal, NearResult& result);

}  // namespace touche
