// SPDX-License-Identifier: Apache-2.0
// Recorded poses of a hand: where somebody wanted a part to be, and when. From a mouse, a
// SpaceMouse, a tracked hand. Link target touche::simulation.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "touche/pose.h"

namespace touche {

/// At least two. A pose is that of a group, as in StudyGroup::motion: it comes on top of the start
/// poses of the group's parts.
struct HandPoses {
  std::vector<double> times;  ///< seconds, increasing; the first may be any
  std::vector<Pose> poses;    ///< as many
};

/// A table with the header line t,x,y,z,qw,qx,qy,qz and one pose a line: seconds, the translation
/// in the study's unit of length, and the rotation as a unit quaternion. The columns may be in
/// another order; spreadsheets may part them by semicolons or tabs, and then write decimal commas.
/// Throws LoadError naming file and line: columns that are missing or unknown, what is no number,
/// quaternions that are not of unit length, times that do not increase, fewer than two poses.
[[nodiscard]] HandPoses load_hand_poses(const std::filesystem::path& file);

/// The same table as text; reading it gives the same times and places, and the same
/// rotations up to rounding, since quaternions are normalised when they are read.
[[nodiscard]] std::string hand_poses_csv(const HandPoses& hand);

}  // namespace touche
