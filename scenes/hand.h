// SPDX-License-Identifier: Apache-2.0
// The hand of a scene: it means well, and trembles.
#pragma once

#include <functional>

#include "scenes.h"

namespace touche::scenes {

/// 0 before `from`, 1 after `to`, smooth in between.
double eased(double from, double to, double t);

/// The poses of a hand that holds a part at `grip` (in the part's coordinates) and shows it the way
/// `meant`, a function of seconds. It trembles about the grip; not yet at the start, from where the
/// trembling sets in within half a second.
HandMotion led_by_hand(double seconds, const std::function<Pose(double)>& meant,
                       const Trembling& trembling, const Vec3& grip = Vec3::Zero());

}  // namespace touche::scenes
