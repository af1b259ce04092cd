// SPDX-License-Identifier: Apache-2.0
// Suggests a change when a path is blocked.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Fills in the result's hint for its first contact, if there is one and a shift opens a gap.
void find_hint(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
               StudyResult& result);

/// Returns whether the hint helps: the shifted path is free, or is proved free for longer by at
/// least a tenth of what follows the first contact. Also true if the shifted path was not queried.
[[nodiscard]] bool shift_helps(const StudyResult& result);

}  // namespace touche::study
