// SPDX-License-Identifier: Apache-2.0
// Suggests a change when a path is blocked.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Fills in the result's hint for its first contact, if there is one and if it opens.
void find_hint(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
               StudyResult& result);

/// Whether the hint is one: shifted, the path is free, or proved free for longer by at least a
/// tenth of what follows the first contact. Also where the shifted path was not asked.
[[nodiscard]] bool shift_helps(const StudyResult& result);

}  // namespace touche::study
