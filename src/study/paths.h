// SPDX-License-Identifier: Apache-2.0
// Follows pairs of parts over the whole path.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/progress_report.h"
#include "path/early_clearance.h"
#include "path/lazy_interior.h"
#include "touche/study.h"

namespace touche::study {

/// For each pair of parts, the clearance that is proved before its steps are queried.
using EarlyClearances = std::map<std::pair<std::size_t, std::size_t>, paths::EarlyClearance>;

/// Follows the clearance of a pair before its steps are queried. Steps within the proved part are
/// free, and the path need not be proved again there.
paths::EarlyClearance follow_early(const Study& study, const std::vector<Object>& parts,
                                   std::size_t a, std::size_t b, const StudyOptions& options);

/// Adds the paths of all pairs that were examined in some step. Returns false if stopped early;
/// then no path is added.
bool follow_paths(const Study& study, std::vector<paths::LazyInterior>& parts,
                  const StudyOptions& options, const EarlyClearances& early,
                  base::ProgressReport& progress, StudyResult& result);

/// Finds the parts that lie inside others, from the paths if there are any, else at the start.
/// Parts that are separate at the start stay outside of closed ones until a contact; what may get
/// into open ones is searched for on the whole path. Returns false if stopped; then none is added.
bool find_containments(const Study& study, std::vector<paths::LazyInterior>& parts,
                       const StudyOptions& options, StudyResult& result);

}  // namespace touche::study
