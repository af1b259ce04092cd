// SPDX-License-Identifier: Apache-2.0
// Follows pairs of parts over the whole path.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "path/early_clearance.h"
#include "path/lazy_interior.h"
#include "touche/study.h"

namespace touche::study {

/// Holds for pairs of parts what is proved before their steps are asked.
using EarlyClearances = std::map<std::pair<std::size_t, std::size_t>, EarlyClearance>;

/// Follows the clearance of a pair before its steps are asked. Where it is proved the steps are
/// free, and the path need not be proved again.
EarlyClearance follow_early(const Study& study, const std::vector<Object>& parts, std::size_t a,
                            std::size_t b, const StudyOptions& options);

/// Adds the paths of all pairs that some step examined. False when it was stopped before it was
/// done; then there are none.
bool follow_paths(const Study& study, std::vector<LazyInterior>& parts, const StudyOptions& options,
                  const EarlyClearances& early, StudyResult& result);

/// Finds the parts that lie inside others: as the paths say, else at the start. Parts that are
/// apart there stay outside until there is a contact. False when it was stopped; then none are
/// found.
bool find_containments(const Study& study, std::vector<LazyInterior>& parts,
                       const StudyOptions& options, StudyResult& result);

}  // namespace touche::study
