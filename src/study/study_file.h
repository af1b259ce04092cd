// SPDX-License-Identifier: Apache-2.0
// Writes study files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/json_text.h"
#include "touche/study.h"

namespace touche::study {

/// A pose in the format of study files.
Json pose_keys(const Pose& pose);

/// A study file for `folder`, to which the mesh names are relative. `tables` has the name of a CSV
/// file of poses for each group, or an empty string for a group that keeps its pose of s = 0.
std::string study_json(const Study& study, const std::string& comment,
                       const std::vector<std::string>& tables, const std::filesystem::path& folder);

}  // namespace touche::study
