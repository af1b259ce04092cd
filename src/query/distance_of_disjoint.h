// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/query.h"

namespace touche::query {

/// Like `distance`, for two objects that are known to be disjoint at these poses: omits the test
/// whether they intersect.
DistanceResult distance_of_disjoint(const Object& a, const Pose& pose_a, const Object& b,
                                    const Pose& pose_b, const DistanceOptions& options);

}  // namespace touche::query
