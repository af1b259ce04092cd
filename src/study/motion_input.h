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
  std::vector<double> times;        // as recorded; empty if the file has no times
  std::vector<std::size_t> lines;   // line numbers in the file, from 1; empty if not from a table
  std::vector<std::string> places;  // where their rotations are; empty if from a table
};

struct MotionInput {
  Motion motion;
  std::vector<double> times;                       // s of the recorded poses, from 0 to 1
  std::optional<std::pair<double, double>> clock;  // first and last recorded time
  std::filesystem::path table = {};                // empty if not from a table
  std::vector<std::string> remarks = {};           // see Study::remarks
};

/// `remarks`: receives order_remark, with its position in the file.
Pose read_pose(const JsonCursor& cursor, std::vector<std::string>* remarks = nullptr);

/// `folder`: base of relative names of CSV files. `in_plane`: the moving parts are drawings; a pose
/// that leaves the plane z = 0 is an error, reported with its position in the file.
MotionInput read_motion(const JsonCursor& cursor, const std::filesystem::path& folder,
                        bool in_plane);

/// Throws LoadError naming file and line.
RecordedPoses read_pose_csv(const std::filesystem::path& file);

}  // namespace touche::study
