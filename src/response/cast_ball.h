// SPDX-License-Identifier: Apache-2.0
// Parts shared by casts of balls at objects and at convex shapes.
#pragma once

#include "touche/response.h"

namespace touche::response {

/// The tolerance, or the rounding error of a cast on that path if it is larger.
double raised_tolerance(const Object& object, const Pose& pose, const Segment& way,
                        double tolerance);
double raised_tolerance(const Shape& shape, const Pose& pose, const Segment& way, double tolerance);

/// Throw InvalidInput for arguments that are out of range.
Vec3 in_range(const Vec3& x);
void check_ball(double radius, double tolerance);

}  // namespace touche::response
