// SPDX-License-Identifier: Apache-2.0
// A study that is run.
#pragma once

#include <utility>
#include <vector>

#include "study_files.h"
#include "touche/study.h"

namespace touche::test {

struct Answer {
  Study study;
  std::vector<Object> parts;
  StudyResult result;
  StudyView view() const { return {study, parts, result}; }
};

inline Answer answer(const StudyFolder& folder, const Json& json,
                     const StudyOptions& options = {}) {
  folder.write("study.json", json.dump());
  Study study = load_study(folder.path() / "study.json");
  std::vector<Object> parts = load_parts(study);
  StudyResult result = run_study(study, parts, options);
  return {std::move(study), std::move(parts), std::move(result)};
}

}  // namespace touche::test
