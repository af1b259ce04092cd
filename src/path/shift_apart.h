// SPDX-License-Identifier: Apache-2.0
// Proves that an overlap is thin by taking the bodies apart.
#pragma once

#include "touche/overlap.h"

namespace touche {

/// Whether some shift by no more than `most` (a length) takes two closed bodies apart, tried along
/// the directions that their contacts suggest. Then no ball inside of both is larger than `most`:
/// it would meet itself, shifted. False where none of them does, and for bodies that are not
/// closed.
bool apart_after_shift(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                       double most, const Budget& budget);

/// The same after all vertices of both were moved inwards by up to half of `most`; for bodies that
/// hold each other all round, as a pin and its bore do.
bool apart_after_shrinking(const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, double most, const Budget& budget);

}  // namespace touche
