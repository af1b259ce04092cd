// SPDX-License-Identifier: Apache-2.0
// Pairs of parts over the whole path.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Adds the paths of all pairs that some step examined. False when it was stopped before it was
/// done; then there are none.
bool follow_paths(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
                  StudyResult& result);

/// Finds the parts that lie inside others: as the paths say, else at the start. What is apart there
/// stays outside until there is a contact.
void find_containments(const Study& study, const std::vector<Object>& parts, StudyResult& result);

}  // namespace touche::study
