// SPDX-License-Identifier: Apache-2.0
// Follows pairs of parts over the whole path.
#pragma once

#include <vector>

#include "base/progress_report.h"
#include "path/lazy_interior.h"
#include "touche/study.h"

namespace touche::study {

/// Adds the paths of the pairs that were examined in some step, and counts these pairs. If stopped
/// early, it keeps the paths that are complete by then.
void follow_paths(const Study& study, std::vector<paths::LazyInterior>& parts,
                  const StudyOptions& options, base::ProgressReport& progress, StudyResult& result);

/// Finds the parts that lie inside others, as far as steps need it: at the start. Parts that are
/// separate at the start stay outside of closed ones until a contact; what may get into open ones
/// is searched for on the whole path. Returns false if stopped; then none is added.
bool find_containments(const Study& study, std::vector<paths::LazyInterior>& parts,
                       const StudyOptions& options, StudyResult& result);

/// Replaces what find_containments() found by what paths say, where these are decided.
void take_containments(const Study& study, std::vector<paths::LazyInterior>& parts,
                       StudyResult& result);

}  // namespace touche::study
