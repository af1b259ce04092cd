// SPDX-License-Identifier: Apache-2.0
// Writes study files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/json_text.h"
#include "touche/study.h"

namespace touche::study {

/// A pose as study files have it.
Json pose_keys(const Pose& pose);

/// A study file to be written into `folder`, from where it names the meshes. `tables` has a name
/// for each group: that of a CSV file of its poses, or empty for a group that stays where it is at
/// s = 0.
std::string study_json(const Study& study, const std::string& comment,
                       const std::vector<std::string>& tables, const std::filesystem::path& folder);

}  // namespace touche::study
