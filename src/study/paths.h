// SPDX-License-Identifier: Apache-2.0
// Follows pairs of parts over the whole path.
#pragma once

#include <vector>

#include "path/lazy_interior.h"
#include "touche/study.h"

namespace touche::study {

/// Adds the paths of all pairs that some step examined. False when it was stopped before it was
/// done; then there are none.
bool follow_paths(const Study& study, std::vector<LazyInterior>& parts, const StudyOptions& options,
                  StudyResult& result);

/// Finds the parts that lie inside others: as the paths say, else at the start. Parts that are
/// apart there stay outside until there is a contact. False when it was stopped; then none are
/// found.
bool find_containments(const Study& study, std::vector<LazyInterior>& parts,
                       const StudyOptions& options, StudyResult& result);

}  // namespace touche::study
