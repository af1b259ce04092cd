// SPDX-License-Identifier: Apache-2.0
// The motion of a group as a study file states it: recorded poses, a CSV of them, a screw or a
// translation.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/json_cursor.h"
#include "touche/motion.h"

namespace touche::study {

using io::JsonCursor;
using io::kLargestNumber;

inline constexpr std::size_t kMostSteps = 1'000'000;

struct RecordedPoses {
  std::vector<Pose> poses;
  std::vector<double> times;       // as recorded; empty when there are none
  std::vector<std::size_t> lines;  // of the file, from 1; empty when not from a table
};

struct MotionInput {
  Motion motion;
  std::vector<double> times;                       // s of the recorded poses, from 0 to 1
  std::optional<std::pair<double, double>> clock;  // first and last recorded time
  std::filesystem::path table = {};                // empty when not from one
};

Pose read_pose(const JsonCursor& cursor);

/// `folder` is where a CSV file's relative name starts. `in_plane`: what moves are drawings; a pose
/// that leaves the plane z = 0 is refused, with its place.
MotionInput read_motion(const JsonCursor& cursor, const std::filesystem::path& folder,
                        bool in_plane);

/// Throws LoadError naming file and line.
RecordedPoses read_pose_csv(const std::filesystem::path& file);

}  // namespace touche::study
