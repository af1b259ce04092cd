// SPDX-License-Identifier: Apache-2.0
// Recorded poses of a hand: target poses of a part over time, from a mouse, a SpaceMouse or a
// tracked hand. Link target touche::simulation.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "touche/pose.h"

namespace touche {

/// At least two poses of a group. As with StudyGroup::motion, a pose is applied after the start
/// poses of the group's parts.
struct HandPoses {
  std::vector<double> times;  ///< seconds, increasing; the first may have any value
  std::vector<Pose> poses;    ///< one for each time
};

/// Reads a CSV table with the header line t,x,y,z,qw,qx,qy,qz and one pose in each line: seconds,
/// the translation in the study's unit of length, and the rotation as a unit quaternion. The
/// columns may be in any order. They may be separated by semicolons or tabs, as spreadsheets do;
/// then decimal commas are allowed. Throws LoadError, naming file and line, for columns that are
/// missing or unknown, entries that are not numbers, quaternions that are not of unit length, times
/// that do not increase, and fewer than two poses.
[[nodiscard]] HandPoses load_hand_poses(const std::filesystem::path& file);

/// The same table as text. Reading it gives the same times and translations, and the same rotations
/// up to rounding, since quaternions are normalised when they are read.
[[nodiscard]] std::string hand_poses_csv(const HandPoses& hand);

}  // namespace touche
