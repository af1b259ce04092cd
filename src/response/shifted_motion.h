// SPDX-License-Identifier: Apache-2.0
// A motion with a translation added to it.
#pragma once

#include "touche/motion.h"

namespace touche::response {

/// The same motion, translated by `begin` at t = 0, by `end` at t = 1 and linearly in between.
/// Rotations stay as they are, piece by piece, so nothing is approximated.
Motion shifted(const Motion& motion, const Vec3& begin, const Vec3& end);

}  // namespace touche::response
