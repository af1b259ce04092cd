// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/near_faces.h"

namespace touche::query {

/// Returns the same as near_features, to the last bit, for two objects of few vertices whose
/// approximate separating direction is known: `normal`, a unit vector in a's frame from a to b. The
/// better it separates them, the cheaper the query; the result does not depend on it. Sixteen pairs
/// of triangles count as one unit of work of the budget. Returns false if near_features must be
/// called instead, because the objects have too many vertices or too much of them is near.
[[nodiscard]] bool near_features_across(const Object& a, const Pose& pose_a, const Object& b,
                                        const Pose& pose_b, const NearOptions& options,
                                        const Vec3& normal, NearResult& result);

}  // namespace touche::query
