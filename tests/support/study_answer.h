// SPDX-License-Identifier: Apache-2.0
// A study that is run.
#pragma once

#include <utility>
#include <vector>

#include "study_files.h"
#include "touche/study.h"

namespace touche::test {

inline StudyResult answer(const StudyFolder& folder, const Json& json,
                          const StudyOptions& options = {}) {
  folder.write("study.json", json.dump());
  Study study = load_study(folder.path() / "study.json");
  std::vector<Object> parts = load_parts(study);
  return run_study(std::move(study), std::move(parts), options);
}

}  // namespace touche::test
