// SPDX-License-Identifier: Apache-2.0
// What casts of balls are rounded by.
#pragma once

#include "touche/move_ball.h"

namespace touche {

/// The tolerance, or if that is more, the rounding error of a cast of that way.
double raised_tolerance(const Object& object, const Pose& pose, const Segment& way,
                        double tolerance);

}  // namespace touche
