// SPDX-License-Identifier: Apache-2.0
// The motion of a timeline as keyframes, for other programs.
#pragma once

#include <span>

#include "touche/animation.h"
#include "viewer/opened.h"
#include "viewer/timeline.h"

namespace touche::viewer {

/// How far a point of a part may be from where the timeline has it, as a share of the tolerance.
inline constexpr double kFilmDeviation = 0.25;

/// Returns what `timeline` shows when played at speed 1, of all bodies. `local_poses` are those of
/// the nodes, relative to their parents or the world: nodes that the timeline moves leave them,
/// others keep them. There is a keyframe at each of the timeline's keys, and as many between them
/// as are needed for straight ways and even turns from one to the next to be off by no more than
/// kFilmDeviation of the tolerance, or a millionth of the body where that is more.
[[nodiscard]] Animation film(const Opened& opened, const Timeline& timeline,
                             std::span<const Pose> local_poses);

}  // namespace touche::viewer
