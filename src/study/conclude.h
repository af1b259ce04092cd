// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Derives from the answers of the steps: the status of each step, the first contact, and the
/// position up to which the path is proved free of contacts. Steps from `examined_steps` on were
/// not examined.
void conclude_steps(const Study& study, std::size_t examined_steps, StudyResult& result);

/// Decides the verdict from all answers; nothing else does. `complete`: all requested answers are
/// present.
void conclude(const Study& study, bool complete, StudyResult& result);

}  // namespace touche::study
