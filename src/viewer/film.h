// SPDX-License-Identifier: Apache-2.0
// The motion of a timeline as keyframes, for other programs.
#pragma once

#include <span>

#include "touche/io.h"
#include "viewer/opened.h"
#include "viewer/timeline.h"

namespace touche::viewer {

/// How far a point of a part may be from where the timeline has it, as a share of the tolerance.
inline constexpr double kFilmDeviation = 0.25;

/// Returns what `timeline` shows for all bodies when played at speed 1. `local_poses` are the poses
/// of the nodes, relative to their parents or the world; the timeline changes some of them, and
/// others keep theirs. There is a keyframe at each of the timeline's keys, and enough between them
/// that linear interpolation is off by no more than kFilmDeviation of the tolerance, or a millionth
/// of the body if that is more.
[[nodiscard]] Animation film(const Opened& opened, const Timeline& timeline,
                             std::span<const Pose> local_poses);

}  // namespace touche::viewer
