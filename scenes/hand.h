// SPDX-License-Identifier: Apache-2.0
// The hand of a scene: it means well, and trembles.
#pragma once

#include <functional>

#include "scenes.h"

namespace touche::scenes {

/// 0 before `from`, 1 after `to`, smooth in between.
double eased(double from, double to, double t);

/// The poses of a hand that holds a part at `grip` (in the part's coordinates) and moves it along
/// `meant`, a function of seconds. The hand trembles about the grip; the tremble starts from zero
/// and builds up within half a second.
HandMotion led_by_hand(double seconds, const std::function<Pose(double)>& meant,
                       const Trembling& trembling, const Vec3& grip = Vec3::Zero());

}  // namespace touche::scenes
